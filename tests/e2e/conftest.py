"""A real site in processes of its own, and a real Chromium that looks at it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.conftest import scope_of
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


_shared: dict[str, Any] = {}
_ends = ExitStack()


def shared(name: str, begun: Callable[[], AbstractContextManager[Any]]) -> Any:
    """What all tests of a scope have together: begun when the first asks for it, ended after the last."""
    if name not in _shared:
        _shared[name] = _ends.enter_context(begun())
    return _shared[name]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    yield
    if nextitem is None or scope_of(nextitem.nodeid) != scope_of(item.nodeid):
        _shared.clear()
        _ends.pop_all().close()


@contextmanager
def started(place: Path, *more: str) -> Iterator[Site]:
    """A site from this checkout."""
    running = serve([POLITY], ROOT, place / "home", place / "serve.log", *more)
    yield running
    running.end()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """With its demo match, for all browser tests of a scope."""
    return shared("site", lambda: started(tmp_path_factory.mktemp("site")))


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Without the demo, for tests that mind what moves and not what was played there before."""
    return shared("quiet", lambda: started(tmp_path_factory.mktemp("quiet"), "--no-demo"))


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site on which nothing was ever played."""
    with started(tmp_path_factory.mktemp("empty"), "--no-demo") as running:
        yield running


@cache
def axe() -> str:
    """What finds out whom a page keeps out, to be run in it; skips where the tools of those pages are not installed."""
    source = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
    if not source.is_file():
        pytest.skip("needs frontend/node_modules: npm ci")
    return source.read_text()


@contextmanager
def _browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        begun = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield begun
        begun.close()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Browser:
    """Ended with its scope: while it lives, its driver keeps an event loop running in the thread of all tests."""
    return shared("browser", lambda: _browser(chromium))


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
