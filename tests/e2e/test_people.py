"""People in the seats, in real browsers: to the end of a match, through reloads, lost lines and departures."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import Watched
from tests.e2e.operator import sign_in
from tests.e2e.people import Person, code_of, participant, seated
from tests.games.test_amid_reckoners import TABLES, Table
from tests.sites import POLITY, ROOT, SOON_S, Site, serve

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(420)]

GUIDED = {"person": True, "substitute": {"policy": "guided"}}


@pytest.fixture
def site(quiet: Site) -> Site:
    """No demo plays beside those who sit here."""
    return quiet


@pytest.fixture
def people(browser: Browser, site: Site) -> Iterator[Callable[..., Person]]:
    """Makes people; their browsers end with the test."""
    made: list[Person] = []

    def person(name: str, **context: Any) -> Person:
        made.append(Person(browser, site, name, **context))
        return made[-1]

    yield person
    for one in made:
        one.end()


def within(seconds: float, true: Callable[[], bool]) -> bool:
    """Whether it comes true in that time."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.2)
    return True


def until(what: str, true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SOON_S
    while not true():
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(0.2)


def test_two_people_and_eight_models_play_mining_to_its_end(people: Callable[..., Person], site: Site) -> None:
    run = seated(
        site,
        "mining/llm-mock",
        {"deadline_s": 60, "grace_s": 8, "completion_code": "DONE-41"},
        {"0": GUIDED, "1": GUIDED},
        {"rounds": 4, "miners": 10},
    )
    ann, bo = people("Ann"), people("Bo")
    ann.join(code_of(site, run))
    expect(ann.page.get_by_role("status").filter(has_text="Waiting for 1 more")).to_be_visible()
    assert ann.page.locator(".seats li").all_inner_texts() == ["You", "open"]
    bo.join(code_of(site, run))

    # Ann submits twice: one move is stored. Bo reloads in the middle of the round: same seat, same draft.
    ann.asked()
    ann.on_board("Enter", "c", "ArrowRight", "c")
    expect(ann.page.locator(".c-order li")).to_have_count(2)
    ann.page.locator(".do .pri").dblclick()
    expect(ann.page.locator(".state")).to_contain_text("Sent.")
    bo.asked()
    bo.on_board("Enter", "ArrowDown", "ArrowDown", "ArrowDown", "c")
    expect(bo.page.locator(".c-order li")).to_contain_text(["Claim (3,0)"])
    bo.page.reload()
    bo.asked()
    expect(bo.page.locator(".who h1")).to_contain_text("miner-02")
    expect(bo.page.locator(".c-order li")).to_contain_text(["Claim (3,0)"])
    bo.send()
    until("both have moved once", lambda: participant(site, run, 0)["moves"] == participant(site, run, 1)["moves"] == 1)

    # Bo is offline when he submits: it goes out as soon as the line is back, once.
    bo.asked()
    expect(bo.page.locator(".who h1")).to_contain_text("Round 2")
    bo.on_board("m")
    bo.context.set_offline(True)
    bo.send()
    expect(bo.page.locator(".state")).to_contain_text("Not sent yet", timeout=30_000)
    bo.context.set_offline(False)
    until("his move is stored", lambda: participant(site, run, 1)["moves"] == 2)
    ann.asked()
    ann.on_board("m")
    ann.send()

    # Bo leaves for good: the named substitute plays on, and everyone is told.
    bo.asked()
    bo.page.get_by_role("button", name="Leave").click()
    expect(bo.page.get_by_role("dialog")).to_contain_text("guided plays on in your seat")
    bo.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(bo.page.get_by_role("heading", name="You have left the match")).to_be_visible()
    for _ in range(2):
        ann.asked()
        ann.on_board("m")
        ann.send()
    expect(ann.page.get_by_role("heading", name="The match is over")).to_be_visible(timeout=60_000)
    expect(ann.page.locator("section.end output")).to_have_text("DONE-41")
    expect(ann.page.locator(".marks span")).to_have_count(0)
    ann.page.get_by_role("searchbox").fill("left for good")
    expect(ann.page.get_by_role("region", name="Feed")).to_contain_text("miner-02 has left for good")
    told = site.get(f"/runs/{run}")
    assert told["status"] == "finished"
    assert told["head"] == 4
    ours = participant(site, run, 0)
    assert (ours["moves"], ours["timed_out"], ours["substituted"]) == (4, 0, 0)
    assert {"joined", "left"} <= {notice["kind"] for notice in told["notices"]}


# --- each game through its composer ------------------------------------------------------------------


QUIET_MS = 1_600
"""After a text the page listens to no key for a second and a half."""


def keyed(one: Person, key: str) -> None:
    """A key beside the board; once more where the page asks for it, which it does before the first."""
    one.page.locator("body").press(key)
    if one.page.locator(".again").is_visible():
        one.page.locator("body").press(key)


def play_mining(one: Person) -> None:
    one.on_board("Enter", "c", "m", "ArrowRight", "c", "m")
    one.send()


def play_dilemma(one: Person) -> None:
    if one.page.locator(".c-talk textarea").is_visible():
        one.page.locator(".c-talk textarea").focus()
        one.page.keyboard.type("Shall we?")
        one.send()
    else:
        one.page.wait_for_timeout(QUIET_MS)
        keyed(one, "c")


def play_adasociety(one: Person) -> None:
    keyed(one, "ArrowUp")


def play_economist(one: Person) -> None:
    """To the east, which is the edge at last: the page says what was struck out, and the same again sends the rest."""
    keyed(one, "ArrowRight")


def play_nations(one: Person) -> None:
    keyed(one, "g")
    one.send()


WAYS: dict[str, tuple[str, dict[str, Any], str, Callable[[Person], None]]] = {
    "mining": ("mining/baseline", {"rounds": 3}, "guided", play_mining),
    "dilemma": ("dilemma/talk", {"rounds": 3}, "TFT", play_dilemma),
    "adasociety": ("adasociety/social-structure-easy", {"steps": 5, "schedule": []}, "crew", play_adasociety),
    "economist": ("economist/small-land", {"epochs": 2, "steps_per_epoch": 3}, "honest", play_economist),
    "nations": ("nations/baseline", {"turns": 3}, "trader", play_nations),
}
DONE = {"mining": "plot_claimed", "economist": "move", "nations": "grant_paid"}
"""What the log then has of the person's own seat, in games where a key leaves a trace of its own."""


def has_moved(site: Site, run: str, times: int) -> bool:
    return bool(participant(site, run, 0)["moves"] >= times)


def play_to_the_end(one: Person, site: Site, run: str, play: Callable[[Person], None]) -> None:
    """Every turn by the composer, until the page says that the match is over."""
    moves = 0
    while one.asked_again():
        moves += 1
        for _ in range(
            4
        ):  # a key that was pressed before the page listened, or did what is struck out, is pressed again
            play(one)
            within(15, lambda moves=moves: has_moved(site, run, moves) or one.is_struck())
            if has_moved(site, run, moves):
                break
        else:
            one.watched.shot("not-stored")
            told = participant(site, run, 0)
            pytest.fail(f"move {moves} was not stored; {told}; the page says: {one.page.locator('body').inner_text()}")
    assert moves > 1
    site.until(run, "it ends", lambda told: told["status"] == "finished")


DESKTOP = ("mining", "dilemma")
"""The others' composers take the same keys on a phone, whose match is played for every change."""


@pytest.mark.parametrize("slug", [pytest.param(one, marks=() if one in DESKTOP else pytest.mark.full) for one in WAYS])
def test_a_match_of_each_game_is_played_through_its_composer_by_keyboard(
    slug: str, people: Callable[..., Person], site: Site
) -> None:
    scenario, config, substitute, play = WAYS[slug]
    seat = {"person": True, "substitute": {"policy": substitute}}
    run = seated(site, scenario, {"deadline_s": 60}, {"0": seat}, config)
    one = people("Kim")
    one.join(code_of(site, run))
    play_to_the_end(one, site, run, play)
    expect(one.page.locator("section.end h2")).to_have_text("The match is over", timeout=60_000)
    expect(one.page.locator("section.end dd").first).to_be_visible()
    played_by_themselves(site, run, slug)
    assert one.watched.faults == []


def played_by_themselves(site: Site, run: str, slug: str) -> None:
    """No move was made in the person's place, and the keys did what they are there for."""
    told = participant(site, run, 0)
    assert told["timed_out"] == told["substituted"] == 0
    frames = site.operator_get(f"/runs/{run}/frames?limit=100")["frames"]
    done = {event["kind"] for frame in frames for event in frame["events"] if event["data"].get("by") == 0}
    assert slug not in DONE or DONE[slug] in done, done


@pytest.mark.parametrize("slug", list(WAYS))
def test_a_match_is_played_on_a_phone_in_chinese_from_the_welcome_to_the_end(
    slug: str, people: Callable[..., Person], site: Site
) -> None:
    scenario, config, substitute, play = WAYS[slug]
    seat = {"person": True, "substitute": {"policy": substitute}}
    run = seated(site, scenario, {"deadline_s": 60}, {"0": seat}, config)
    phone = {**PHONE, "locale": "zh-CN"}
    one = people("小王", **phone)
    one.join(code_of(site, run))
    one.asked()
    expect(one.page.locator(".state")).to_contain_text("轮到你")
    width = one.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, f"the page is {width} px wide"
    assert not re.search("方向键|回车", one.page.locator("main").inner_text()), "a phone has no such keys"
    one.page.get_by_role("button", name="规则").tap()
    drawer = one.page.get_by_role("dialog")
    expect(drawer.locator("figure canvas").first).to_be_visible()
    expect(drawer.locator("figcaption")).to_contain_text(re.compile("盘面|例子"))
    assert drawer.evaluate("it => it.scrollWidth") <= 390
    drawer.get_by_role("button").tap()
    play_to_the_end(one, site, run, play)
    expect(one.page.locator("section.end h2")).to_have_text("对局结束", timeout=60_000)
    english = re.findall(
        r"\b(?:Your|The|Seat|Submit|Leave|Pass|Round|Sent|Waiting)\b", one.page.locator("main").inner_text()
    )
    assert english == []
    played_by_themselves(site, run, slug)
    assert one.watched.faults == []


PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.mark.full
@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table.preset))
def test_two_people_and_a_model_play_amid_agents_that_reckon_in_browsers(
    table: Table, people: Callable[..., Person], site: Site
) -> None:
    seats = {**table.seats, "0": {"person": True}, "1": {"person": True}}
    run = seated(site, table.preset, {"deadline_s": 120}, seats, dict(table.config))
    play = WAYS[table.preset.partition("/")[0]][3]
    pair = people("Kim"), people("Lee", **PHONE)
    for one in pair:
        one.join(code_of(site, run))

    def head() -> int:
        return int(site.get(f"/runs/{run}")["head"])

    while (now := head()) < table.steps:
        for one in pair:
            if one.page.locator(".state.mine").count():
                play(one)
        within(15, lambda now=now: head() > now or any(one.is_struck() for one in pair))
    for one, kind in zip(pair, ("desktop", "phone"), strict=True):
        one.watched.shot(f"amid-{table.preset.replace('/', '-')}-{kind}")
        assert one.watched.faults == []
    for seat in (0, 1):
        told = participant(site, run, seat)
        assert told["moves"]
        assert told["timed_out"] == told["substituted"] == 0
    assert site.operator_get(f"/runs/{run}/calls?seat=2")


MINI_GAMES: dict[str, tuple[str, dict[str, Any], str]] = {
    "contract": ("adasociety/contract-easy", {"contract_rounds": 2, "steps": 3}, "crew"),
    "negotiation": ("adasociety/negotiation-easy", {"negotiation_steps": 6, "steps": 3}, "crew"),
    "exploration": ("adasociety/exploration", {"steps": 6}, "pioneer"),
    "learnt": ("adasociety/contract-easy-trained", {}, "crew"),
}
"""The mini-games of AdaSociety beside the one that every game's matches play, and a whole one among trained seats."""
SOCIAL = ".c-choice input:not([disabled]), .c-card button:not([disabled]):not(.ico), .c-buttons button:not([disabled])"


def play_society(one: Person) -> None:
    """A group or a partner is chosen while nobody walks; afterwards a step up. A telephone taps what keys press."""
    page = one.page
    is_phone = bool(page.evaluate("navigator.maxTouchPoints"))
    if page.locator(".c-pad button:not([disabled])").count():
        if is_phone:
            page.locator(".c-pad .at-up, .c-pad .at-stay").first.tap()
        else:
            keyed(one, "ArrowUp")
        return
    choice = page.locator(SOCIAL).first
    is_card = choice.evaluate("one => one.type === 'radio'")
    if is_phone:
        choice.tap()
    else:
        choice.focus()
        page.keyboard.press("Space" if is_card else "Enter")
    # What cannot be taken back is chosen first, and sent by the page's button.
    if is_card:
        one.send()


@pytest.mark.full
@pytest.mark.parametrize("kind", ["keyboard", "phone"])
@pytest.mark.parametrize("mini_game", list(MINI_GAMES))
def test_a_match_of_each_mini_game_is_played_by_keyboard_and_on_a_phone(
    mini_game: str, kind: str, people: Callable[..., Person], site: Site
) -> None:
    scenario, config, substitute = MINI_GAMES[mini_game]
    seat = {"person": True, "substitute": {"policy": substitute}}
    run = seated(site, scenario, {"deadline_s": 60}, {"0": seat}, config)
    phone = {**PHONE, "locale": "zh-CN"}
    one = people("Kim", **(phone if kind == "phone" else {}))
    one.join(code_of(site, run))
    one.asked()
    one.watched.shot(f"{mini_game}-{kind}")
    play_to_the_end(one, site, run, play_society)
    expect(one.page.locator("section.end dd").first).to_be_visible(timeout=60_000)
    told = participant(site, run, 0)
    assert told["timed_out"] == told["substituted"] == 0
    assert one.page.evaluate("document.documentElement.scrollWidth") <= (390 if kind == "phone" else 1440)
    assert one.watched.faults == []


@pytest.mark.parametrize(("locale", "add", "to"), [("en-GB", "Add a message", "To 1"), ("zh-CN", "加一条消息", "给 1")])
def test_a_message_goes_to_the_seats_that_are_picked_by_keyboard_on_a_phone(
    locale: str, add: str, to: str, people: Callable[..., Person], site: Site
) -> None:
    talking = {"rounds": 2, "messages": 2, "miners": 6}
    run = seated(site, "mining/baseline", {"deadline_s": 120}, {"0": GUIDED}, talking)
    phone = {**PHONE, "locale": locale}
    one = people("Kim", **phone)
    one.join(code_of(site, run))
    one.asked()
    page = one.page
    page.get_by_role("button", name=add).focus()
    one.press("Enter")
    receivers = page.get_by_role("group", name=to)
    expect(receivers.get_by_role("checkbox")).to_have_count(6)
    receivers.get_by_role("checkbox").first.focus()
    # Everyone is picked at first; the second and the fourth of the others are wanted.
    one.press("Tab", "Tab", "Space", "Tab", "Tab", "Space")
    page.locator(".c-letter input[maxlength]").focus()
    page.keyboard.type("Peace?")
    one.watched.shot(f"mining-message-{locale}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    one.send()
    until("the message is sent", lambda: participant(site, run, 0)["moves"] == 1)
    site.until(run, "the round is over", lambda told: told["head"] >= 1)
    frames = site.operator_get(f"/runs/{run}/frames?limit=10")["frames"]
    sent = next(event for event in frames[1]["events"] if event["data"].get("text") == "Peace?")
    assert sorted(sent["data"]["to"]) == [2, 4]
    one.asked()
    page.get_by_role("button", name=add).focus()
    one.press("Enter")
    page.locator(".c-letter input[maxlength]").focus()
    page.keyboard.type("Hello all")
    one.send()
    site.until(run, "the match is over", lambda told: told["status"] == "finished")
    last = site.operator_get(f"/runs/{run}/frames?limit=10")["frames"][2]
    sent = next(event for event in last["events"] if event["data"].get("text") == "Hello all")
    assert sent["data"].get("to") is None
    assert one.watched.faults == []


# --- standing plans ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terms", "pace", "key", "moves"),
    [
        ({"deadline_s": 60}, 0.4, ".", 2),
        ({"deadline_s": 60}, 0.4, "Escape", 1),
        ({"tick_s": 3}, 0, ".", 2),
    ],
    ids=["an action at a deadline", "stop", "an action at a tick"],
)
def test_a_key_ends_a_plan_that_goes_on_by_itself(
    terms: dict[str, Any], pace: float, key: str, moves: int, people: Callable[..., Person], site: Site
) -> None:
    seat = {"person": True, "substitute": {"policy": "crew"}}
    run = seated(site, "adasociety/social-structure-easy", terms, {"0": seat}, {"steps": 40, "schedule": []}, pace)
    ann = people("Ann")
    ann.join(code_of(site, run))
    ann.asked()
    before = int(site.get(f"/runs/{run}")["head"])
    ann.page.get_by_role("button", name="Explore", exact=False).focus()
    ann.press("Enter")
    # Five steps in one direction; after two of them something else is wanted.
    expect(ann.page.locator(".c-plan")).to_contain_text("Esc", timeout=30_000)
    expect(ann.page.locator(".state")).to_contain_text("Your plan goes on")
    site.until(run, "the plan has begun", lambda told: told["head"] >= before + 2)
    ann.page.locator("body").press(key)
    if key != "Escape" and "tick_s" not in terms:
        expect(ann.page.locator(".again")).to_contain_text("once more")
        ann.page.locator("body").press(key)
    expect(ann.page.locator(".c-plan")).to_have_count(0, timeout=30_000)
    told = site.until(run, "she is asked", lambda told: [one["seat"] for one in told["waiting_for"]] == [0])
    assert told["head"] < before + 5, "the plan was carried out to its end"
    until("what she pressed is stored", lambda: participant(site, run, 0)["moves"] == moves)
    ann.asked()
    assert ann.watched.faults == []


# --- whose seat it is ----------------------------------------------------------------------------------


def test_a_seat_is_refused_to_another_browser_and_by_a_changed_address(
    people: Callable[..., Person], site: Site
) -> None:
    run = seated(site, "mining/baseline", {"deadline_s": 60}, {"0": GUIDED, "1": GUIDED}, {"rounds": 2})
    link = str(site.get(f"/runs/{run}/people")["seats"][0]["link"])
    ann, eve = people("Ann"), people("Eve")
    ann.page.goto(site.address + link)
    expect(ann.page.locator("h1")).to_be_visible()
    ann.join(link.rsplit("/", 1)[1])
    address = ann.page.url
    answer = eve.page.goto(address)
    assert answer is not None
    assert answer.status == 403
    assert "another browser" in answer.text()
    assert "miner" not in answer.text()
    refused = eve.page.request.get(f"{site.address}/api/v1/play/{address.rsplit('/', 1)[1]}")
    assert (refused.status, refused.json()["error"]["code"]) == (403, "not_your_seat")
    # The same link in a second browser is used up; one with a letter changed leads nowhere.
    eve.page.goto(site.address + link)
    expect(eve.page.locator(".notice")).to_contain_text("taken")
    expect(eve.page.locator("form")).to_have_count(0)
    changed = eve.page.goto(f"{site.address}{link[:-1]}{'0' if link[-1] != '0' else '1'}")
    assert changed is not None
    assert changed.status == 404


def test_a_second_tab_asks_to_take_over(people: Callable[..., Person], site: Site) -> None:
    run = seated(site, "mining/baseline", {"deadline_s": None, "unhurried": True}, {"0": GUIDED}, {"rounds": 2})
    ann = people("Ann")
    ann.join(code_of(site, run))
    ann.asked()
    second = ann.context.new_page()
    second.goto(ann.page.url)
    expect(second.locator(".notice")).to_contain_text("open in another tab")
    expect(second.locator(".do .pri")).to_be_disabled()
    second.get_by_role("button", name="Play here").click()
    expect(second.locator(".do .pri")).to_be_enabled()
    expect(ann.page.locator(".notice")).to_contain_text("open in another tab", timeout=20_000)
    expect(ann.page.locator(".do .pri")).to_be_disabled()


def test_what_is_late_is_refused_by_name_and_played_by_default(people: Callable[..., Person], site: Site) -> None:
    run = seated(site, "mining/baseline", {"deadline_s": 8}, {"0": GUIDED}, {"rounds": 40})
    ann = people("Ann")
    ann.join(code_of(site, run))
    ann.asked()
    expect(ann.page.locator(".clock")).to_contain_text("Then: ")
    expect(ann.page.locator("[aria-live=assertive]")).to_contain_text("seconds left", timeout=20_000)
    until("a turn was missed", lambda: participant(site, run, 0)["timed_out"] >= 1)
    expect(ann.page.locator(".notice")).to_contain_text(re.compile(r"Time was up in Round \d"))
    address = f"{site.address}/api/v1/play/{ann.page.url.rsplit('/', 1)[1]}/moves"
    tab = ann.page.evaluate("sessionStorage.getItem('polity.tab')")
    csrf = next(one["value"] for one in ann.context.cookies() if one["name"] == "polity_csrf")  # type: ignore[typeddict-item]
    body = {"id": "late-move-1", "tab": tab, "step": 1, "action": {"items": []}}
    refused = ann.page.request.post(address, data=body, headers={"X-CSRFToken": csrf, "Referer": site.address})
    assert (refused.status, refused.json()["error"]["code"]) == (409, "late")


def test_an_operator_sees_the_people_and_hands_a_seat_over(people: Callable[..., Person], site: Site) -> None:
    run = seated(site, "mining/baseline", {"deadline_s": 300}, {"0": GUIDED, "1": GUIDED}, {"rounds": 3})
    ann, operator = people("Ann"), people("Operator")
    sign_in(operator.context, site)
    operator.page.goto(f"{site.address}/m/{run}?tab=people")
    pane = operator.page.get_by_role("region", name="People")
    expect(pane).to_contain_text("Waiting room: 0 of 2 ready")
    ann.join(code_of(site, run))
    expect(pane).to_contain_text("Ann", timeout=15_000)
    pane.get_by_role("button", name="Start now").click()
    ann.asked()
    expect(pane).to_contain_text("missing", timeout=15_000)
    pane.get_by_role("button", name="Hand over").first.click()
    pane.locator("form").get_by_role("button", name="Hand over").click()
    expect(pane).to_contain_text("Handed over")
    site.until(run, "the policies end it", lambda told: told["status"] == "finished")
    assert "handed_over" in {notice["kind"] for notice in site.get(f"/runs/{run}")["notices"]}


def test_visitors_are_shown_neither_codes_nor_people(watched: Watched, site: Site) -> None:
    run = seated(site, "mining/baseline", {"deadline_s": 60}, {"0": GUIDED}, {"rounds": 2})
    code = code_of(site, run)
    said: list[str] = []
    watched.page.on(
        "response",
        lambda answer: said.append(answer.text()) if "json" in answer.headers.get("content-type", "") else None,
    )
    watched.page.goto(f"{site.address}/m/{run}?tab=people")
    expect(watched.page.get_by_text("seen by its players alone until an operator opens it")).to_be_visible()
    site.post(f"/runs/{run}/control", {"action": "open"})
    watched.page.reload()
    expect(watched.page.get_by_role("tab", name="Feed")).to_have_attribute("aria-selected", "true")
    expect(watched.page.get_by_role("tab", name="People")).to_have_count(0)
    watched.page.goto(f"{site.address}/")
    expect(watched.page.get_by_text("open seat").first).to_be_visible(timeout=20_000)
    assert not [text for text in said if code in text]


def test_who_is_gone_is_counted_down_and_replaced_and_comes_back_in_time_or_too_late(
    people: Callable[..., Person], site: Site
) -> None:
    three = {str(seat): GUIDED for seat in range(3)}
    run = seated(site, "mining/baseline", {"deadline_s": 300, "grace_s": 4}, three, {"rounds": 2, "miners": 5})
    ann, ben, cy, operator = people("Ann"), people("Ben"), people("Cy"), people("Operator")
    for one in (ann, ben, cy):
        one.join(code_of(site, run))
    sign_in(operator.context, site)
    operator.page.goto(f"{site.address}/m/{run}?tab=people")
    pane = operator.page.get_by_role("region", name="People")
    seats, feed = ann.page.get_by_role("list", name="The seats"), ann.page.get_by_role("region", name="Feed")
    for one in (ann, ben, cy):
        one.asked()

    # Ben and Cy fall silent: the others and the operator see how long their seats wait.
    ben.context.set_offline(True)
    cy.context.set_offline(True)
    expect(seats).to_contain_text(re.compile(r"miner-02 ▼ gone, \d s left"), timeout=40_000)
    expect(pane).to_contain_text(re.compile(r"gone, \d s left"), timeout=10_000)
    ann.watched.shot("seat-gone")

    # Both are away for longer: the named substitute plays, and it says so.
    expect(seats).to_contain_text("miner-02 ▼ substitute plays", timeout=20_000)
    expect(seats).to_contain_text("miner-03 ▼ substitute plays")
    expect(feed).to_contain_text("miner-02: a substitute, guided, plays from here on.")

    # Ben is back while the match goes on: the seat is his again, from the next round on.
    ben.context.set_offline(False)
    expect(seats).not_to_contain_text("miner-02 ▼", timeout=30_000)
    ann.on_board("m")
    ann.send()
    for one in (ann, ben):
        expect(one.page.locator(".who h1")).to_contain_text("Round 2", timeout=30_000)
        one.asked()
        one.on_board("m")
        one.send()
    expect(ann.page.get_by_role("heading", name="The match is over")).to_be_visible(timeout=60_000)
    frames = site.operator_get(f"/runs/{run}/frames?limit=10")["frames"]
    assert {seat for seat, flags in frames[2]["flags"] if flags == ["substitute"]} == {2}
    assert participant(site, run, 1)["moves"] >= 1

    # Cy comes back when it is over: no seat is left to be had, and who played in it is said.
    cy.context.set_offline(False)
    end = cy.page.locator("section.end")
    expect(end).to_contain_text("The match is over", timeout=60_000)
    expect(end).to_contain_text("While you were away, the program guided played 2 turns in your seat.")
    expect(cy.page.locator(".who h1")).to_contain_text("Round 2")
    assert "miner-03 is back" not in cy.page.get_by_role("region", name="Feed").inner_text()
    cy.watched.shot("seat-too-late")


@pytest.mark.full
@pytest.mark.timeout(300)
def test_a_restart_while_a_person_is_to_move_heals_the_page(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("restart")
    site = serve([POLITY], ROOT, place / "home", place / "one.log", "--no-demo")
    ann: Person | None = None
    try:
        run = seated(site, "mining/baseline", {"deadline_s": 300}, {"0": GUIDED}, {"rounds": 2})
        ann = Person(browser, site, "Ann")
        ann.join(code_of(site, run))
        ann.asked()
        ann.on_board("Enter", "c")
        expect(ann.page.locator(".c-order li")).to_have_count(1)
        site.end()
        expect(ann.page.locator(".notice")).to_contain_text("Line lost", timeout=30_000)
        port = site.address.rsplit(":", 1)[1]
        site = serve([POLITY], ROOT, place / "home", place / "two.log", "--no-demo", "--port", port)
        site.find(r"Visitors watch at (\S+)/")
        expect(ann.page.locator(".notice")).to_have_count(0, timeout=90_000)
        expect(ann.page.locator(".c-order li")).to_contain_text(["Claim (0,0)"])
        clock = ann.page.locator("[role=timer]").inner_text()
        assert re.fullmatch(r"[0-4]:\d\d", clock), clock
        ann.send()
        expect(ann.page.locator(".who h1")).to_contain_text("Round 2", timeout=60_000)
    finally:
        if ann is not None:
            ann.end()
        site.end()
