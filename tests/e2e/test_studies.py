"""A study in real browsers: from the operator's file through door, pages, matches and end to the data."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import SHOTS, Watched
from tests.e2e.operator import sign_in
from tests.e2e.subjects import DESK, PHONE, Subject, data_of, opened, until
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]


PAIR = """
study: quick-pair
title: {en: Two by two, zh: 两两对局}
steps:
  consent: {agree: true, text: {en: Do you agree?, zh: 你同意吗？}}
  rules: {rules: play}
  play:
    scenario: dilemma/tft-vs-alld
    people: {deadline_s: 900}
    config: {rounds: 1}
    seats: {"*": {person: true}}
  survey:
    ask: {trust: {title: Trust?, type: integer, minimum: 1, maximum: 5, as: likert}}
pay: {currency: EUR, show_up: 3, point: 0.1, round_to: 0.1}
ends: {done: {code: C-41}}
"""

MINERS = """
study: twelve-miners
title: {en: Miners, zh: 矿工}
minutes: 20
places: 10
steps:
  consent: {agree: true, text: {en: You take part in a study. Do you agree?, zh: 你将参加一项研究。你同意吗？}}
  rules: {rules: play}
  check:
    ask:
      raid:
        title: {en: May you take land that another holds?, zh: 你可以夺取别人的土地吗？}
        type: boolean
        answer: true
    tries: 2
    else: screened
  practice:
    scenario: mining/baseline
    config: {miners: 4, rows: 6, cols: 6, rounds: 1}
    seats: {"0": {person: true}}
    people: {deadline_s: 300}
    practice: true
  play:
    scenario: mining/baseline
    config: {miners: 4, rows: 6, cols: 6, rounds: 2}
    seats: {"0": {person: true}, "1": {person: true}, "2": {model: mock/guided}, "3": {model: mock/guided}}
    people: {deadline_s: 300, grace_s: 300, blind: true}
    repeat: 3
    match: perfect
    silo: 10
    gather: {wait_s: 3000}
  survey:
    ask:
      models: {title: {en: How many were people?, zh: 有几名真人？}, type: integer, minimum: 0, maximum: 3, as: likert}
pay: {currency: EUR, show_up: 4, point: 0.1, round_to: 0.1, most: 50}
ends: {done: {code: DONE-77}, screened: {pay: 1}, late: {pay: 0.5}}
"""

ALONE = """
study: alone-among-policies
title: Alone
steps:
  play:
    scenario: mining/baseline
    config: {miners: 4, rows: 6, cols: 6, rounds: 3}
    seats: {"0": {person: true}}
    people: {deadline_s: 300}
"""

NO_LINE = "window.WebSocket = class { readyState = 0; send() {} close() {} }"
"""For a page that waits for its line for ever."""


@pytest.fixture
def subjects() -> Iterator[list[Subject]]:
    made: list[Subject] = []
    yield made
    for one in made:
        one.context.close()


def test_two_people_walk_a_study_from_its_file_to_their_code(
    browser: Browser, site: Site, subjects: list[Subject]
) -> None:
    door, own = opened(browser, site, PAIR)
    subjects += [Subject(browser, door, "ann"), Subject(browser, door, "bo", "zh", **PHONE)]
    until(subjects, "both are at the end", lambda: all(one.ended for one in subjects))
    assert "C-41" in subjects[0].ended
    assert "3.30 EUR" in subjects[1].ended, "three points for both"
    assert [one.watched.faults for one in subjects] == [[], []]
    rows = data_of(site, own)
    assert all(one.boards for one in subjects), "the instructions show no board"
    assert [(row["state"], row["points"], row["total"]) for row in rows["members"]] == [("done", "3.0", "3.3")] * 2
    assert [row["own"] for row in rows["decisions"]] == ["True"] * 2


def test_who_is_faster_than_the_pages_line_plays_by_requests_and_none_is_refused(
    browser: Browser, site: Site, subjects: list[Subject]
) -> None:
    door, own = opened(browser, site, ALONE)
    subjects.append(Subject(browser, door, "ann"))
    subjects[0].context.add_init_script(NO_LINE)
    until(subjects, "she is at the end", lambda: bool(subjects[0].ended))
    assert subjects[0].watched.faults == []
    hers = [row for row in data_of(site, own)["decisions"] if row["seat"] == "0"]
    assert [(row["step"], row["own"]) for row in hers] == [("1", "True"), ("2", "True"), ("3", "True")]


def test_the_operators_page_follows_its_session_with_the_boards_of_its_matches(
    browser: Browser, site: Site, subjects: list[Subject]
) -> None:
    door, own = opened(browser, site, PAIR)
    context = browser.new_context(locale="en-GB", **DESK)
    sign_in(context, site)
    watched = Watched(context)
    page = watched.page
    page.goto(own)
    expect(page.get_by_text("Nobody has come yet.")).to_be_visible()
    subjects += [Subject(browser, door, "ann"), Subject(browser, door, "bo")]
    for one in subjects:
        one.plays = False
    until(subjects, "they are in their match", lambda: all("/play/" in one.page.url for one in subjects))
    expect(page.locator("[data-match] canvas")).to_have_count(1, timeout=30_000)
    expect(page.locator("tr[data-member]")).to_have_count(2)
    page.get_by_role("link", name="ann", exact=True).click()
    page.get_by_label("Say to them").fill("Half a sent")
    for one in subjects:
        one.plays = True
    until(subjects, "both are at the end", lambda: all(one.ended for one in subjects))
    expect(page.get_by_role("link", name=re.compile("^Done 2$"))).to_be_visible(timeout=30_000)
    assert page.get_by_label("Say to them").input_value() == "Half a sent", "what is being written stays"
    expect(page.locator(".log")).to_contain_text("M1 is over, after 1 round.")
    assert watched.faults == []
    context.close()


@pytest.mark.full
def test_twelve_people_in_two_languages_and_every_way_through(
    browser: Browser, site: Site, subjects: list[Subject]
) -> None:
    """Ten play three matches with strangers and two models each; one fails, one is late; one reloads, one goes offline,
    one leaves for good.
    """
    door, own = opened(browser, site, MINERS)
    failing = Subject(browser, door, "fails")
    failing.answers["raid"] = ["no"]
    subjects.append(failing)
    until(subjects, "one fails the check", lambda: bool(failing.ended))
    for number in range(10):
        lang, kind = ("zh", "en")[number % 2], PHONE if number in (1, 3, 5, 7) else DESK
        subjects.append(Subject(browser, door, f"p{number}", lang, **kind))
    subjects[1].answers["raid"] = ["no", "yes"]
    late = Subject(browser, door, "late")
    subjects.append(late)
    reloads, offline, leaves = subjects[2], subjects[3], subjects[4]

    until(subjects, "the practice is over", lambda: all(len(one.seats) > 1 for one in subjects[1:11]))
    until(subjects, "the first match goes on", lambda: "/play/" in reloads.page.url and "/play/" in offline.page.url)
    address = reloads.page.url
    reloads.page.reload()
    assert reloads.page.url == address
    offline.context.set_offline(True)
    time.sleep(8)
    offline.context.set_offline(False)
    until(subjects, "they are in their second match", lambda: len(leaves.seats) > 2 and "/play/" in leaves.page.url)
    leaves.page.screenshot(path=SHOTS / "study-play-phone.png") if SHOTS.exists() else None
    leaves.page.get_by_role("button", name=re.compile("Leave|离开")).first.click()
    leaves.page.get_by_role("dialog").get_by_role("button", name=re.compile("Leave|离开")).click()
    until(subjects, "everybody is at an end", lambda: all(one.ended for one in subjects))

    stayed = [one for one in subjects[1:11] if one is not leaves]
    assert all("DONE-77" in one.ended for one in stayed), [one.ended for one in stayed]
    rows = data_of(site, own)
    members = {row["number"]: row for row in rows["members"]}
    assert Counter(row["state"] for row in rows["members"]) == {"done": 9, "screened": 1, "late": 1, "left": 1}
    assert Counter(row["language"] for row in rows["members"]) == {"en": 7, "zh": 5}
    matches = {row["run"]: row for row in rows["matches"]}
    played = [row for row in rows["seats"] if matches[row["run"]]["step"] == "play"]
    met = Counter(
        tuple(sorted(row["number"] for row in played if row["run"] == run))
        for run in matches
        if matches[run]["step"] == "play"
    )
    assert max(met.values()) == 1, "strangers met twice"
    assert {row["status"] for row in rows["matches"]} == {"finished"}
    assert len([one for one in matches.values() if one["step"] == "play"]) == 15
    for number, row in members.items():
        own_points = sum(float(one["points"]) for one in played if one["number"] == number)
        if row["state"] in ("done", "left"):
            assert float(row["points"]) == pytest.approx(own_points), row
        if row["state"] == "done":
            assert float(row["total"]) == pytest.approx(round(4 + 0.1 * own_points, 1), abs=0.05), row
            mine = [one for one in rows["decisions"] if one["number"] == number]
            assert len(mine) == 1 + 3 * 2
            assert {one["own"] for one in mine} == {"True"}, "another played for somebody who was there"
    wrong = [row for row in rows["visits"] if row["why"] == "wrong"]
    assert len(wrong) == 2, "one wrong try of who passed, one of who failed"
    paid = {row["end"]: row["amount"] for row in rows["payments"]}
    assert (float(paid["screened"]), float(paid["late"]), float(paid["left"])) == (1, 0.5, 4)
    total = sum(float(row["amount"]) for row in rows["payments"])
    assert total == pytest.approx(sum(float(row["total"]) for row in rows["members"]))
    assert [fault for one in stayed for fault in one.watched.faults if "ERR_INTERNET" not in fault] == [], "on a page"
    print({"paid in all": total, "moves": sum(one.moved for one in subjects)})  # noqa: T201
