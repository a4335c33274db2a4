"""A person before a browser: joins by a code, reads the page, writes and sends what the composer offers."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Watched
from tests.sites import SOON_S, Site


def seated(
    site: Site, scenario: str, people: dict[str, Any], seats: dict[str, Any], config: dict[str, Any], pace: float = 0
) -> str:
    """A run in which those seats wait for people; its id."""
    asked = {"scenario": scenario, "seats": seats, "people": people, "config": config, "seed": 7, "pace": pace}
    return str(site.post("/runs", asked)["id"])


def code_of(site: Site, run: str) -> str:
    return str(site.get(f"/runs/{run}/people")["code"]["code"])


def participant(site: Site, run: str, seat: int) -> dict[str, Any]:
    """What the operator is told of whoever sits there."""
    told: dict[str, Any] = site.get(f"/runs/{run}/people")["seats"][seat]["participant"]
    return told


def moved(site: Site, run: str, seat: int, moves: int) -> None:
    """Waits until so many moves of a seat are stored."""
    deadline = time.monotonic() + SOON_S
    while participant(site, run, seat)["moves"] < moves:
        assert time.monotonic() < deadline, f"seat {seat} never made move {moves}"
        time.sleep(0.2)


class Person:
    """One browser, with a profile of its own."""

    def __init__(self, browser: Browser, site: Site, name: str, **context: Any) -> None:
        self.site, self.name = site, name
        self.context = browser.new_context(
            **{"viewport": {"width": 1440, "height": 900}, "locale": "en-GB", **context}  # type: ignore[arg-type]
        )
        self.watched = Watched(self.context)
        self.page: Page = self.watched.page

    def join(self, code: str) -> None:
        """From the welcome to the seat, by key alone."""
        page = self.page
        page.goto(f"{self.site.address}/join/{code}")
        self.read()
        page.locator("#label").focus()
        page.keyboard.type(self.name)
        page.locator("#consent").focus()
        page.keyboard.press("Space")
        page.locator("button[type=submit]").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/play/**")

    def read(self) -> None:
        """Through the steps before the seat, where a small page shows one at a time."""
        page = self.page
        page.locator(".part.now").first.wait_for()
        while not page.locator("#label").is_visible():
            before = page.url
            page.locator(".part.now .part-foot a.pri").focus()
            page.keyboard.press("Enter")
            page.wait_for_function("before => location.href !== before", arg=before)
            page.locator(f"{page.url[page.url.index('#') :]}.now").wait_for()

    def asked(self) -> None:
        """Waits until it is this person's turn."""
        self.page.locator(".state.mine").wait_for(timeout=60_000)

    def asked_again(self) -> bool:
        """Waits until it is this person's turn once more, or the match is over: then False."""
        self.page.locator(".state.mine, section.end").first.wait_for(timeout=60_000)
        return self.page.locator("section.end").count() == 0

    def is_struck(self) -> bool:
        """Whether what was sent by one press came back, with what the rules strike out of it."""
        return self.page.locator(".move:has(.state.mine) .struck").count() > 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def on_board(self, *keys: str) -> None:
        self.page.get_by_role("grid").focus()
        self.press(*keys)

    def send(self) -> None:
        """The page's own button, by key."""
        button = self.page.locator(".do .pri")
        expect(button).to_be_enabled()
        button.focus()
        self.page.keyboard.press("Enter")

    def end(self) -> None:
        self.context.close()
