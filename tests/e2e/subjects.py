"""People before a study's pages, each in a browser of their own, and the operator who opens it for them."""

from __future__ import annotations

import csv
import io
import re
import time
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Browser, Error, Page, expect

from tests.e2e.conftest import Watched
from tests.e2e.operator import sign_in
from tests.sites import Site

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PATIENCE_MS = 180_000
"""For a page that is asked for, where every core is busy."""


class Subject:
    """One browser: it answers what it is shown, until it is at an end."""

    def __init__(self, browser: Browser, door: str, label: str, lang: str = "en", **context: Any) -> None:
        self.context = browser.new_context(locale="en-GB", **{**DESK, **context})
        self.context.set_default_timeout(PATIENCE_MS)
        self.watched = Watched(self.context)
        self.page: Page = self.watched.page
        self.label = label
        self.answers = {"raid": ["yes"], "models": ["2"], "trust": ["4"]}
        self.moved = 0
        self.boards = 0
        self.seats: set[str] = set()
        self.ended = ""
        self.refused = ""
        self.plays = True
        """Whether it makes its moves: one that does not stays in its match until it is let go."""
        self.page.goto(f"{door}?PROLIFIC_PID={label}")
        self.page.locator(f"input[name=lang][value={lang}]").check()
        self.enter()
        self.page.wait_for_url(re.compile("/(me|play)/"))  # whom somebody waits for may sit at once

    def enter(self) -> None:
        """In by the door."""
        self.page.locator("button[type=submit]").click()

    def state(self) -> str:
        """Where the subject is and what it sees, for whoever reads why a test failed; its picture is kept."""
        self.watched.shot(f"study-stuck-{self.label}")
        seen = self.page.locator("body").inner_text()[:600]
        return f"{self.label} at {self.page.url}: {seen!r}; faults {self.watched.faults}; last refused: {self.refused}"

    def acts(self) -> None:
        """One thing that can be done now; nothing where others are waited for, or the page is changing."""
        try:
            if "/play/" not in self.page.url:
                self._reads()
            elif self.plays:
                self._plays()
        except Error as error:
            self.refused = str(error)

    def _reads(self) -> None:
        page = self.page
        if page.locator(".walk-main .end").count():
            self.ended = page.locator(".walk-main").inner_text()
            return
        self.fills()
        if page.locator("[data-first-board]").count():
            self.studies_boards()
        # A phone shows a part of the instructions at a time, a desk all of them beside what is asked.
        if (button := page.locator(".part-foot .btn.pri:visible")).count():
            button.last.click(timeout=20_000)

    def studies_boards(self) -> None:
        """Looks at the pictures of the instructions, in a game that has some before it begins."""
        for place in ("[data-first-board]", "[data-act]"):
            self.page.locator(f"{place} canvas").first.wait_for(state="attached", timeout=10_000)
        self.boards += 1

    def fills(self) -> None:
        """Answers what the page asks."""
        for name, values in self.answers.items():
            if self.page.locator(f"input[name={name}]").count():
                value = values.pop(0) if len(values) > 1 else values[0]
                self.page.locator(f"input[name={name}][value='{value}']").check(timeout=2_000)

    def decides(self) -> None:
        """Makes a move that the seat is asked for."""
        page = self.page
        if page.locator("[role=grid]").count():
            page.get_by_role("grid").focus(timeout=2_000)
            for key in ("Enter", "c", "m"):
                page.keyboard.press(key)
            page.locator(".do .pri").click(timeout=2_000)
        else:
            for _ in range(2):
                page.locator("body").press("c")

    def _plays(self) -> None:
        page = self.page
        self.seats.add(page.url)
        if page.locator("section.end").is_visible():
            page.locator("section.end a.pri").click(timeout=2_000)
            page.wait_for_url("**/me/**", timeout=5_000)
        elif page.locator(".state.mine").is_visible():
            self.decides()
            page.locator(".state:not(.mine), section.end").first.wait_for(timeout=10_000)
            self.moved += 1


def opened(browser: Browser, site: Site, text: str) -> tuple[str, str]:
    """The operator pastes a file, checks it, opens it: the members' door and the operator's page."""
    context = browser.new_context(locale="en-GB", **DESK)
    context.set_default_timeout(PATIENCE_MS)
    watched = Watched(context)
    page = watched.page
    page.goto(site.address)
    sign_in(context, site)
    page.goto(f"{site.address}/studies")
    page.locator("summary", has_text="As a file").click()
    page.locator("#file").fill(text.replace("study:", "studie:", 1))
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".fault").first).to_contain_text("study")
    page.locator("#file").fill(text)
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("The file is good.")).to_be_visible()
    page.get_by_role("button", name="Open a session").click()
    page.wait_for_url("**/sessions/*")
    door, own = page.locator("output").first.inner_text(), page.url
    page.goto(f"{own}/screen")
    expect(page.locator(".qr svg")).to_be_visible()
    assert watched.faults == [], watched.faults
    context.close()
    return door, own


def data_of(site: Site, own: str) -> dict[str, list[dict[str, str]]]:
    got = site.client.get(f"{own}/data.zip")
    with zipfile.ZipFile(io.BytesIO(got.content)) as file:
        return {
            name.removesuffix(".csv"): list(csv.DictReader(io.StringIO(file.read(name).decode())))
            for name in file.namelist()
            if name.endswith(".csv")
        }


def until(subjects: Sequence[Subject], what: str, true: Callable[[], bool], patience_s: float = 600) -> None:
    deadline = time.monotonic() + patience_s
    while not true():
        assert time.monotonic() < deadline, f"waited in vain until {what}: {[one.state() for one in subjects]}"
        for one in subjects:
            if not one.ended:
                one.acts()
        time.sleep(0.2)
