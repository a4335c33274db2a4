"""Every page for those who cannot see it well, or use no mouse: axe finds nothing serious, and keys do all."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from games.core.registry import packs
from tests.e2e.conftest import Watched, axe
from tests.e2e.operator import sign_in
from tests.e2e.test_form import field
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

SERIOUS = """
async (part) => (await axe.run(part, { resultTypes: ['violations'] })).violations
  .filter((one) => ['serious', 'critical'].includes(one.impact))
  .map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`)
"""
# A closed dialog says so only some tasks later; keys that come before that are not lost.
IN_ONE_BREATH = """
(keys) => {
  document.querySelector('dialog[open]').close()
  const pressed = (key) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  for (const key of keys) document.body.dispatchEvent(pressed(key))
}
"""
TABS = ("seats", "inspector", "charts")
ROUND = 12
#: Pages that are no run's, or show one otherwise; what stands in braces is the number of a game's run.
PAGES = {
    "lobby": "/",
    "form": "/new/mining?preset=first-possession",
    "no-page": "/nosuchpage",
    "no-run": "/m/nosuchrun",
    "no-account": "/accounts/none",
    "embed": f"/m/{{mining}}/embed?r={ROUND}",
    "compared": "/m/{mining}?with={models}&r=3",
}
LOOKS: dict[str, tuple[Any, Any]] = {
    "light-wide": ("light", {"width": 1440, "height": 900}),
    "dark-phone": ("dark", {"width": 390, "height": 844}),
    "dark-wide": ("dark", {"width": 1440, "height": 900}),
    "light-phone": ("light", {"width": 390, "height": 844}),
}
MODELS = {"scenario": "mining/llm-mock", "config": {"rounds": 14, "miners": 3}}


class Played(dict[str, str]):
    """A finished run of each game, and one with models in its seats, played when it is first asked for."""

    def __init__(self, site: Site) -> None:
        super().__init__()
        self.site = site

    def __missing__(self, slug: str) -> str:
        names = [*packs()[slug].scenarios] if slug in packs() else []
        preset = next((one for one in ("mixed", "noisy") if one in names), (names or [""])[0])
        run = str(
            self.site.post("/runs", {**(MODELS if not names else {"scenario": f"{slug}/{preset}"}), "seed": 5})["id"]
        )
        self.site.until(run, "it has ended", lambda one: one["status"] == "finished")
        self[slug] = run
        return run


@pytest.fixture(scope="module")
def played(site: Site) -> Played:
    return Played(site)


@pytest.fixture(scope="module")
def looking(site: Site, browser: Browser) -> Callable[[str], Page]:
    """An operator's page of a theme and size, with axe; the same for all tests."""
    source = axe()

    @cache
    def look(name: str) -> Page:
        scheme, viewport = LOOKS[name]
        context = browser.new_context(viewport=viewport, color_scheme=scheme, locale="en-GB", bypass_csp=True)
        context.add_init_script(source)
        sign_in(context, site)
        return context.new_page()

    return look


def drawn_otherwise() -> set[str]:
    """Games that stand for the others: each with a board of its own, and one for each part of a derived board."""
    games, seen = {"models"}, set[str]()
    for slug, pack in packs().items():
        parts = {part["kind"] for part in pack.words.book("en").get("face", ())}
        if not parts or parts - seen:
            games.add(slug)
            seen |= parts
    return games


def each_look(subjects: Iterable[str], quick: Collection[str]) -> list[Any]:
    """Every subject in every theme and size; the quick ones in the first of them are not `full`."""
    return [
        pytest.param(look, one, id=f"{look}-{one}", marks=() if not n and one in quick else pytest.mark.full)
        for n, look in enumerate(LOOKS)
        for one in subjects
    ]


@pytest.mark.parametrize(("look", "page"), each_look(PAGES, PAGES))
def test_axe_finds_nothing_serious_on_a_page(looking: Any, site: Site, played: Played, look: str, page: str) -> None:
    shown = looking(look)
    shown.goto(site.address + PAGES[page].format_map(played))
    expect(shown.locator("main")).to_be_visible()
    shown.wait_for_load_state("networkidle") if page != "lobby" else shown.wait_for_timeout(800)
    assert shown.evaluate(SERIOUS, "html") == []


@pytest.mark.parametrize(("look", "game"), each_look([*packs(), "models"], drawn_otherwise()))
def test_axe_finds_nothing_serious_on_a_run(looking: Any, site: Site, played: Played, look: str, game: str) -> None:
    shown = looking(look)
    at = min(ROUND, site.get(f"/runs/{played[game]}")["head"])
    shown.goto(f"{site.address}/m/{played[game]}?r={at}&tab=feed")
    expect(shown.get_by_role("slider")).to_have_attribute("aria-valuenow", str(at))
    shown.wait_for_load_state("networkidle")
    found = {"feed": shown.evaluate(SERIOUS, "html")}
    for tab in TABS:
        shown.locator(f"#tab-{tab}").click()
        expect(shown.get_by_role("tabpanel")).to_have_attribute("aria-labelledby", f"tab-{tab}")
        shown.wait_for_timeout(100)
        found[tab] = shown.evaluate(SERIOUS, ".side")
    assert not any(found.values()), json.dumps(found, indent=1)


def test_a_run_is_watched_and_read_by_keys_alone(site: Site, watched: Watched, played: Played) -> None:
    page = watched.page
    page.goto(f"{site.address}/m/{played['mining']}")
    slider = page.get_by_role("slider")
    expect(slider).to_be_visible()
    head = site.get(f"/runs/{played['mining']}")["head"]
    for key, at in (("Home", 0), ("j", 1), ("Shift+ArrowRight", 11), ("k", 10), ("End", head)):
        page.keyboard.press(key)
        expect(slider).to_have_attribute("aria-valuenow", str(at))
    for _ in range(60):  # marks are known where history is here
        page.keyboard.press("[")
        if slider.get_attribute("aria-valuenow") != str(head):
            break
        page.wait_for_timeout(500)
    expect(slider).not_to_have_attribute("aria-valuenow", str(head))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.evaluate(IN_ONE_BREATH, ["a", "0", "3"])
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("banner")).to_contain_text("Through the eyes of")
    page.keyboard.press("Escape")
    expect(page.get_by_role("banner")).not_to_contain_text("Through the eyes of")
    grid = page.get_by_role("grid")
    for _ in range(60):
        page.keyboard.press("Tab")
        if grid.evaluate("grid => grid === document.activeElement"):
            break
    expect(grid).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(grid).to_have_attribute("aria-activedescendant", re.compile(r"-1-1$"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Plot (1,1)")).to_be_visible()
    watched.shot("keyboard")
    assert watched.faults == []


def by_tab(page: Page, wanted: Locator, most: int = 120) -> None:
    """Goes on with the Tab key until something has the focus: it is in the order, and nothing before it is a trap."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if wanted.evaluate("wanted => wanted === document.activeElement"):
            break
    expect(wanted).to_be_focused()


def test_a_run_is_found_made_and_forked_by_keys_alone(site: Site, watched: Watched) -> None:
    page = watched.page
    sign_in(page.context, site)
    page.goto(f"{site.address}/")
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Dilemma", exact=True))
    by_tab(page, card.get_by_role("link", name="New run"))
    page.keyboard.press("Enter")
    by_tab(page, field(page, "rounds").get_by_role("textbox"))
    page.keyboard.press("Control+a")
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/m/" in url)
    parent = page.url.split("/m/")[1].split("?")[0]
    assert site.until(parent, "it has begun", lambda run: run["head"] >= 0)["config"]["rounds"] == 12
    by_tab(page, page.get_by_role("button", name="Fork", exact=True))
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    by_tab(page, dialog.get_by_role("button", name="Start the fork"))
    watched.shot("keyboard-fork")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/m/" in url and parent not in url)
    child = page.url.split("/m/")[1].split("?")[0]
    assert site.get(f"/runs/{child}")["parent"] == parent
    for run in (parent, child):
        if site.get(f"/runs/{run}")["status"] not in ("finished", "stopped"):
            site.post(f"/runs/{run}/control", {"action": "stop"})
    assert watched.faults == []


def test_what_a_model_was_asked_and_answered_stands_in_the_inspector_for_operators_alone(
    site: Site, browser: Browser, watched: Watched, played: Played
) -> None:
    run = played["models"]
    address = f"{site.address}/m/{run}?r=3&tab=inspector"
    page = watched.page
    page.goto(address)
    expect(page.get_by_role("heading", name="Struck out")).to_be_visible()
    expect(page.get_by_role("heading", name="What the model was asked")).to_have_count(0)
    sign_in(page.context, site)
    page.goto(address)
    call = site.get(f"/runs/{run}/calls?step=3&seat=0")["calls"][0]
    page.get_by_label("Seat to inspect").select_option("0")
    expect(page.get_by_role("region", name="Reply, as it came").first).to_have_text(call["reply"])
    page.get_by_text("Prompt, 2 messages").first.click()
    expect(page.get_by_role("region", name="system").first).to_have_text(call["prompt"]["messages"][0]["content"])
    watched.shot("inspector-model")
    assert watched.faults == []


def test_a_copied_link_as_one_seat_brings_nothing_private_of_others(site: Site, watched: Watched) -> None:
    run = site.post("/runs", {"scenario": "mining/mixed", "config": {"rounds": 40}, "seed": 8})["id"]
    site.until(run, "it has ended", lambda one: one["status"] == "finished")
    page, bodies = watched.page, list[Any]()
    page.on("response", lambda answer: bodies.append(answer) if f"/runs/{run}/" in answer.url else None)
    page.goto(f"{site.address}/m/{run}?r=37&as=4&tab=feed")
    expect(page.get_by_role("grid")).to_have_attribute("data-step", "37")
    expect(page.get_by_role("banner")).to_contain_text("Through the eyes of")
    page.wait_for_load_state("networkidle")
    told = [answer.json() for answer in bodies]
    frames = [
        frame for one in told for frame in [*one.get("frames", []), *([one["frame"]] if one.get("frame") else [])]
    ]
    assert {frame["n"] for frame in frames} >= {0, 37, 40}
    assert {seat for frame in frames for seat, _ in [*frame["payoffs"], *frame["actions"]]} == {4}
    assert all(frame["metrics"] is None for frame in frames)
    watched.shot("link-as-seat")


def test_a_raid_in_the_feed_leads_to_its_board_and_its_decision(site: Site, watched: Watched, played: Played) -> None:
    page, run = watched.page, played["mining"]
    page.goto(f"{site.address}/m/{run}?r=40&tab=feed")
    page.get_by_role("button", name="Raids", exact=True).click()
    expect(page.get_by_role("region", name="Feed").locator("p.none")).to_have_count(0)  # all of the run is here
    n = page.locator("[data-round]").nth(3).get_attribute("data-round")
    look = page.locator(f'[data-round="{n}"] .look').first
    told = re.search(r"\((\d+),(\d+)\)", look.inner_text())
    assert told, look.inner_text()
    plot = [int(told[1]), int(told[2])]
    look.locator(".g").click()  # in the middle of the sentence there may stand a name, which leads to whom it names
    expect(page.get_by_role("tab", name="Inspector")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("grid")).to_have_attribute("data-step", str(n))
    frame = site.get(f"/runs/{run}/snapshot?n={n}")["frame"]
    kinds = ("plot_taken", "raid_repelled", "raid_drawn")
    raid = next(one for one in frame["events"] if one["kind"] in kinds and one["data"]["plot"] == plot)
    cell = page.locator(f'[role=gridcell][data-row="{plot[0]}"][data-col="{plot[1]}"]')
    assert cell.get_attribute("data-raid") in ("taken", "repelled")
    raiders = [str(seat) for seat in raid["data"]["raiders"]]
    assert page.get_by_label("Seat to inspect").input_value() in raiders
    pane = page.get_by_role("region", name="Inspector")
    expect(pane).to_contain_text(f"({plot[0]},{plot[1]})")
    expect(pane).to_contain_text("Struck out")
    watched.shot("raid-inspected")
    assert watched.faults == []
