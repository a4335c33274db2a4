"""Forty browsers through a study with models as partners, ten of them ill-behaved: what they did is what the data say.

Pay is reckoned once more here, from the moves alone: by the formula of a public good, and by the rule of pay as a
laboratory would do it with a pencil.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Error, expect

from tests.e2e.conftest import Watched
from tests.e2e.operator import sign_in
from tests.e2e.subjects import DESK, PHONE, Subject, opened, until
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.full, pytest.mark.timeout(5400)]

COUNT = int(os.environ.get("BROWSERS", "40"))
ROUNDS, MATCHES, ENDOWMENT, MULTIPLIER, SEATS = 2, 2, 20, Decimal("1.6"), 4
SHOW_UP, POINT = Decimal(3), Decimal("0.03")
SLEEPS_S = 45.0
ABSENT = ("closes-at-consent", "closes-in-match", "closes-at-survey")
ILL = ("slow", "careless", *ABSENT, "two-tabs", "asleep", "reloads", "goes-back", "late")

STUDY = """
study: forty-browsers
title: {en: A common fund, zh: 共同基金}
places: 40
arms:
  told: {}
  untold: {about: {text: {en: Four make a group., zh: 四人一组。}}}
steps:
  consent: {agree: true, text: {en: You take part in a study. Do you agree?, zh: 你将参加一项研究。你同意吗？}}
  about: {text: {en: Four make a group; two of them are language models., zh: 四人一组，其中两名是语言模型。}}
  rules: {rules: play}
  check:
    ask: {nobody: {title: {en: All give 0. How much has each?, zh: 都给 0。每人有多少？}, type: integer, answer: 20}}
    tries: 3
    else: screened
  play:
    scenario: public_goods/default
    config: {players: 4, rounds: 2, endowment: 20, multiplier: 1.6, budget: 0}
    seats:
      "0": {person: true, substitute: matcher}
      "1": {person: true, substitute: matcher}
      "2": {model: mock/matcher}
      "3": {model: mock/matcher}
    people: {deadline_s: 900, grace_s: 20}
    repeat: 2
    silo: 2
    gather: {wait_s: 600, else: fill, fill: {policy: free_rider}}
  survey:
    ask:
      people: {title: {en: How many were people?, zh: 有几名真人？}, type: integer, minimum: 0, maximum: 3, as: likert}
      why: {title: {en: Why?, zh: 为什么？}}
away: {after_s: 150, then: drop}
pay: {currency: EUR, show_up: 3, point: 0.03, round_to: 0.01}
ends: {done: {code: FORTY}, dropped: {pay: 1}}
"""


class Told(NamedTuple):
    """What one of them did: what they gave, what they answered, what they read at the end ("": they had gone)."""

    label: str
    gifts: list[int]
    sent: dict[str, str]
    ended: str


class Forty(Subject):
    """One of the forty: it notes what it answers and gives, and behaves as its label says."""

    def __init__(self, browser: Browser, door: str, label: str, number: int) -> None:
        self.sent: dict[str, str] = {}
        self.gifts: list[int] = []
        self.number, self.turns, self.wakes = number, 0, 0.0
        self.is_gone, self.has_slept = False, False
        self.browser = browser
        kind = PHONE if number % 4 == 3 or label == "asleep" else DESK
        super().__init__(browser, door, label, ("en", "zh")[number % 2], **kind)
        self.tabs = [self.page, self.context.new_page()] if label == "two-tabs" else [self.page]

    @property
    def is_at_play(self) -> bool:
        return "/play/" in self.page.url

    def acts(self) -> None:
        self.turns += 1
        if self.is_gone or time.monotonic() < self.wakes:
            return
        if self.label == "slow" and self.turns % 3:
            return
        try:
            if self.wakes:
                self._wakes_up()
            if self._leaves():
                self.context.close()
                self.is_gone = True
                return
            if self.label == "asleep" and self.is_at_play and not self.has_slept and self.moved:
                self._falls_asleep()
                return
            if self.label == "reloads" and self.turns % 3 == 0:
                self.page.reload()
            if self.label == "two-tabs":
                self.page = self.tabs[self.turns % 2]
                self.page.goto(self.tabs[1 - self.turns % 2].url if self.page.url == "about:blank" else self.page.url)
        except Error as error:
            self.refused = str(error)
            return
        before = self.page.url
        super().acts()
        if self.label == "goes-back" and "/me/" in before and not self.ended and self.turns < 8:
            self._goes_back()

    def _leaves(self) -> bool:
        page = self.page
        match self.label:
            case "closes-at-consent":
                return page.locator("button[name=agree]").count() > 0
            case "closes-in-match":
                return self.is_at_play and self.moved > 0
            case "closes-at-survey":
                return page.locator("[name=why]").count() > 0
        return False

    def _falls_asleep(self) -> None:
        """A phone in a pocket: the page stands still and hears nothing."""
        self.has_slept = True
        self.wakes = time.monotonic() + SLEEPS_S
        self.context.set_offline(True)
        self.context.new_cdp_session(self.page).send("Page.setWebLifecycleState", {"state": "frozen"})

    def _wakes_up(self) -> None:
        self.wakes = 0.0
        self.context.new_cdp_session(self.page).send("Page.setWebLifecycleState", {"state": "active"})
        self.context.set_offline(False)

    def _goes_back(self) -> None:
        """Back to the page before, which is sent once more as it stands; then on again."""
        home = self.page.url
        try:
            self.page.go_back(timeout=20_000)
            if (button := self.page.locator(".part-foot button.pri:visible")).count():
                button.last.click(timeout=2_000)
            self.page.goto(home)
        except Error as error:  # what was sent once more leads there as well, and may be the faster
            self.refused = str(error)

    def studies_boards(self) -> None:
        """A public good has no picture before anybody has given."""

    def fills(self) -> None:
        page = self.page
        if page.locator("input[name=nobody]").count():
            is_wrong = self.label == "careless" and "nobody" not in self.sent
            self.sent["nobody"] = "7" if is_wrong else "20"
            page.locator("input[name=nobody]").fill(self.sent["nobody"])
        if page.locator("[name=why]").count():
            if self.label == "careless" and "why" not in self.sent:
                self.sent["why"] = ""  # the first time nothing is answered
                return
            self.sent |= {"people": str(self.number % 4), "why": f"I am {self.number}, and “so”; \n it is"}
            self.sent["why"] = " ".join(self.sent["why"].split())
            page.locator(f"input[name=people][value='{self.sent['people']}']").check(timeout=20_000)
            page.locator("[name=why]").fill(self.sent["why"])

    def decides(self) -> None:
        gift = (7 * self.number + 5 * len(self.gifts)) % (ENDOWMENT + 1)
        field = self.page.locator(".amount .number input")
        field.fill(str(gift), timeout=20_000)
        field.press("Tab")
        self.page.locator(".do .pri").click(timeout=60_000)
        self.gifts.append(gift)


def cents(points: Decimal) -> Decimal:
    return (SHOW_UP + max(points * POINT, Decimal(0))).quantize(Decimal("0.01"), ROUND_HALF_UP)


def recounted(decisions: list[dict[str, str]]) -> dict[str, Decimal]:
    """By member: what their own moves brought in matches in which they decided at all, from the gifts alone."""
    rounds: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for row in decisions:
        rounds[row["run"], row["step"]].append(row)
    earned: dict[str, Decimal] = defaultdict(Decimal)
    for rows in rounds.values():
        assert len(rows) == SEATS, rows
        fund = sum(gift_of(row) for row in rows) * MULTIPLIER / SEATS
        for row in rows:
            if row["member"] and row["substituted"] == "False":
                earned[row["member"]] += ENDOWMENT - gift_of(row) + fund
    return earned


def gift_of(row: dict[str, str]) -> int:
    action = json.loads(row["action"])
    return int(action["contribute"] if isinstance(action, dict) else action)


def ran(*command: str) -> str:
    ended = subprocess.run(command, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout.rstrip().endswith("done")) == (0, True), ended.stdout + ended.stderr
    return ended.stdout


def audited(where: Path) -> dict[str, Any]:
    """Holds the data of a session in a folder to what its people told (``told.json``): what came of it, in numbers."""
    people = [Told(*one) for one in json.loads((where / "told.json").read_text("utf-8"))]
    tables = {path.stem: list(csv.DictReader(path.open(encoding="utf-8"))) for path in sorted(where.glob("*.csv"))}
    alias = {row["label"]: row["member"] for row in tables["labels"]}
    members = {row["member"]: row for row in tables["members"]}
    assert sorted(alias) == sorted(one.label for one in people)
    assert set(alias.values()) == set(members)

    ends = {label: members[one]["state"] for label, one in alias.items()}
    assert {label: end for label, end in ends.items() if end != "done"} == dict.fromkeys(ABSENT, "dropped")
    assert [one.label for one in people if ("FORTY" in one.ended) != (ends[one.label] == "done")] == []

    matches, decisions = tables["matches"], tables["decisions"]
    assert {row["status"] for row in matches} == {"finished"}
    assert {row["run"] for row in decisions} == {row["run"] for row in matches}
    assert len(decisions) == len(matches) * ROUNDS * SEATS
    assert all(row["action"] and row["payoff"] and row["decided"] for row in decisions)
    by_models = Counter(row["run"] for row in decisions if row["decided_by"] == "model")
    assert set(by_models.values()) == {2 * ROUNDS}, "two models decide in every match"

    given: dict[str, list[int]] = defaultdict(list)
    for row in sorted(decisions, key=lambda row: (int(row["round"]), int(row["step"]))):
        if row["own"] == "True" and row["decided_by"] == "person":
            given[row["member"]].append(gift_of(row))
    answers: dict[str, dict[str, str]] = defaultdict(dict)
    for row in tables["answers"]:
        answers[row["member"]][row["question"]] = json.loads(row["value"]) if row["number_value"] else row["value"]
    earned = recounted(decisions)
    paid = {row["member"]: Decimal(row["amount"]) for row in tables["payments"]}
    for one in people:
        who, row = alias[one.label], members[alias[one.label]]
        # What is sent from the tab that does not hold the seat is refused there, and counts for nothing.
        pressed = iter(one.gifts)
        kept_all = given[who] == one.gifts or (one.label == "two-tabs" and all(gift in pressed for gift in given[who]))
        assert kept_all, f"{one.label}: what they gave, {given[who]}, and not {one.gifts}"
        kept = {name: str(value) for name, value in answers[who].items()}
        assert kept == ({} if one.label == "closes-at-consent" else one.sent), f"{one.label}: what they answered"
        visited = {visit["step"] for visit in tables["visits"] if visit["member"] == who}
        if row["state"] == "done":
            assert visited == {"consent", "about", "rules", "check", "play", "survey"}, one.label
            assert len(given[who]) == ROUNDS * MATCHES or one.label == "asleep"
        is_right = cents(earned[who]) if row["state"] == "done" else Decimal(1)
        assert paid[who] == Decimal(row["total"]) == is_right, f"{one.label}: {paid[who]}, and not {is_right}"
        if row["state"] == "done":
            shown = f"{is_right} EUR"
            assert shown in one.ended, f"{one.label} read another sum than {shown}: {one.ended}"
    assert sum(paid.values()) == sum(Decimal(row["total"]) for row in members.values())
    assert members[alias["asleep"]]["away"] == "False"

    said = ran(sys.executable, str(where / "analysis.py"))
    assert "Differences between arms, clustered by silo" in said
    has_r = shutil.which("Rscript")
    if has_r:
        assert "Differences between arms, clustered by silo" in ran(has_r, str(where / "analysis.R"), str(where))
    return {
        "people": len(people), "ends": Counter(ends.values()), "matches": len(matches), "decisions": len(decisions),
        "paid": str(sum(paid.values())), "by whom": Counter(row["decided_by"] for row in decisions),
        "analysis.R": "ran" if has_r else "there is no R",
    }  # fmt: skip


def operator_ends(browser: Browser, site: Site, own: str, labels: list[str]) -> None:
    """Who closed a page that waits for ever is seen in the operator's room as silent, and ended there."""
    context = browser.new_context(locale="en-GB", **DESK)
    sign_in(context, site)
    watched = Watched(context)
    page = watched.page
    for label in labels:
        page.goto(own)
        expect(page.locator("tr", has_text=label).locator(".down")).to_contain_text("no sign of life", timeout=180_000)
        watched.shot("forty-operator")
        page.get_by_role("link", name=label, exact=True).click()
        page.locator("[data-part=chosen] button[value=end]").click()
        expect(page.locator("tr", has_text=label).locator("button")).to_have_count(0)
    assert watched.faults == []
    context.close()


def test_forty_browsers_ten_of_them_ill_behaved_leave_data_and_pay_that_are_right(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    door, own = opened(browser, site, STUDY)
    people = [Forty(browser, door, label, n) for n, label in enumerate(one for one in ILL if one != "late")]
    people += [Forty(browser, door, f"p{n}", n) for n in range(len(people), COUNT - 1)]

    def has_come(one: Forty) -> bool:
        return bool(one.ended or one.is_gone or one.seats) or one.page.locator("ul.seats").count() > 0

    until(people, "all but the last play, wait, or are gone", lambda: all(map(has_come, people)), 2400)
    people.append(Forty(browser, door, "late", COUNT - 1))
    until(people, "everybody is at an end, or gone", lambda: all(one.ended or one.is_gone for one in people), 2400)
    operator_ends(browser, site, own, ["closes-at-consent", "closes-at-survey"])

    (tmp_path / "labels.csv").write_bytes(site.client.get(f"{own}/labels.csv").content)
    with zipfile.ZipFile(io.BytesIO(site.client.get(f"{own}/data.zip").content)) as file:
        file.extractall(tmp_path)
    told = [Told(one.label, one.gifts, one.sent, "" if one.is_gone else one.ended) for one in people]
    (tmp_path / "told.json").write_text(json.dumps(told), encoding="utf-8")
    print(audited(tmp_path))  # noqa: T201
    for one in people:
        assert one.is_gone or one.label == "asleep" or one.watched.faults == [], f"{one.label}: {one.watched.faults}"
        one.context.close()
