"""A real site in processes of its own, and a real Chromium that looks at it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.e2e.operator import sign_in
from tests.sites import POLITY, ROOT, Site, serve

SHOTS = Path(__file__).parent / "shots"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# What is expected may come late where every core is busy; a test that fails has waited for longer than anybody would.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site from this checkout, with its demo match, for all browser tests."""
    place = tmp_path_factory.mktemp("site")
    running = serve([POLITY], ROOT, place / "home", place / "serve.log")
    yield running
    running.end()


@pytest.fixture(scope="session")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site without the demo, for tests that mind what moves and not what was played there before."""
    place = tmp_path_factory.mktemp("quiet")
    running = serve([POLITY], ROOT, place / "home", place / "serve.log", "--no-demo")
    yield running
    running.end()


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site on which nothing was ever played."""
    place = tmp_path_factory.mktemp("empty")
    running = serve([POLITY], ROOT, place / "home", place / "serve.log", "--no-demo")
    yield running
    running.end()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """Ended with each module: while it lives, its driver keeps an event loop running in the thread of all tests."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


class Watched:
    """A page, and everything that it should not have said or asked for."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.faults: list[str] = []
        self.hosts: set[str] = set()
        self.page.on("console", lambda m: self.faults.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.hosts.add(re.sub(r"^\w+://([^/]*)/.*", r"\1", request.url)))

    def shot(self, name: str) -> None:
        SHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png")


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    yield Watched(context)
    context.close()


@pytest.fixture
def operator(browser: Browser, empty: Site) -> Iterator[Watched]:
    """An operator before the empty site."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    sign_in(context, empty)
    yield Watched(context)
    context.close()
