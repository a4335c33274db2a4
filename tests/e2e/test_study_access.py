"""A study's pages for whoever writes it, leads it and takes part: live, by keys alone, and read aloud."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Frame, Page, Route, expect

from tests.e2e.conftest import SHOTS, Watched, axe
from tests.e2e.operator import sign_in
from tests.e2e.subjects import DESK, PATIENCE_MS, PHONE, Subject, opened, until
from tests.e2e.test_studies import PAIR
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1800)]

FOUND = """
async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
  .map((one) => `${one.impact} ${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`)
"""
CUT = """
() => [...document.querySelectorAll('td, th')].filter((one) => one.scrollHeight > one.clientHeight + 1)
  .map((one) => `${one.textContent.trim().slice(0, 60)} goes beyond its cell`)
"""
WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
MOST_TABS = 80
TRIES = 10


def looked_at(page: Page, name: str) -> list[str]:
    """What axe finds of a page, and whether it goes beyond its width; its picture is kept."""
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png", full_page=True)
    for _ in range(TRIES):
        try:
            return _found(page, name)
        except Error as error:  # a page on which somebody waits is asked for again every other second
            if "context was destroyed" not in str(error):
                raise
    raise AssertionError(f"{name} never stood still")


def _found(page: Page | Frame, name: str) -> list[str]:
    page.evaluate(axe())
    wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    faults = [*page.evaluate(FOUND), *page.evaluate(CUT), *[f"{wider} px too wide"] * (wider > 0)]
    return [f"{name}: {one}" for one in faults]


def tab_to(page: Page, selector: str) -> None:
    """On to what is looked for, by Tab alone."""
    for _ in range(MOST_TABS):
        if page.evaluate("(one) => document.activeElement?.matches(one) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not to be reached by Tab at {page.url}")


class Keys(Subject):
    """A member without a mouse."""

    def enter(self) -> None:
        self.press("button[type=submit]")

    def press(self, selector: str) -> None:
        tab_to(self.page, selector)
        self.page.keyboard.press("Enter")

    def _reads(self) -> None:
        page = self.page
        if page.locator(".walk-main .end").count():
            self.ended = page.locator(".walk-main").inner_text()
        elif page.locator("input[name=trust]").count():
            tab_to(page, "input[name=trust]")
            page.keyboard.press("Space")
            for _ in range(3):
                page.keyboard.press("ArrowRight")
            self.press(".part-foot button.pri")
        elif page.locator(".part-foot .btn.pri:visible").count():  # a phone's parts are led on by links
            self.press(".part-foot .btn.pri")

    def _plays(self) -> None:
        page = self.page
        if page.locator("section.end").is_visible():
            self.press("section.end a.pri")
            page.wait_for_url("**/me/**")
        else:
            super()._plays()


@pytest.fixture
def writer(browser: Browser, site: Site) -> Iterator[Watched]:
    context = browser.new_context(locale="en-GB", **WIDE)
    context.set_default_timeout(PATIENCE_MS)
    sign_in(context, site)
    yield Watched(context)
    context.close()


def test_pages_follow_what_is_typed_and_stay_while_it_is_wrong(writer: Watched, site: Site) -> None:
    page = writer.page
    page.goto(f"{site.address}/studies?preset=trust-survey")
    phone = page.frame_locator(".phone iframe")
    expect(phone.locator("button[name=agree]").first).to_be_visible()
    page.locator("#file").fill(PAIR)
    expect(phone.locator("body")).to_contain_text("Do you agree?")
    page.locator("#at").select_option(label="survey")
    expect(phone.locator("body")).to_contain_text("Trust?")
    page.locator("#file").fill(PAIR.replace("as: likert", "as: likart"))
    expect(page.locator(".fault")).to_contain_text("survey.ask.trust")
    expect(phone.locator("body")).to_contain_text("Trust?")
    assert page.locator("#file").evaluate("(one) => one === document.activeElement"), "writing goes on"
    page.locator("#file").fill(PAIR.replace("Trust?", "Do you trust?"))
    expect(phone.locator("body")).to_contain_text("Do you trust?")
    expect(page.locator(".fault")).to_have_count(0)
    expect(page.frame_locator(".laptop iframe").locator("body")).to_contain_text("Do you trust?")
    assert writer.faults == []


def test_what_is_typed_before_the_page_can_follow_is_followed_once_it_can(writer: Watched, site: Site) -> None:
    page, held = writer.page, list[Route]()
    page.route("**/LeadPage*.js", lambda one: held.append(one))
    page.goto(f"{site.address}/studies?preset=trust-survey", wait_until="commit")
    page.locator("#file").fill(PAIR)
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    expect(page.frame_locator(".phone iframe").locator("body")).to_contain_text("Do you agree?")
    assert writer.faults == []


def test_who_waits_keeps_the_focus_and_what_they_opened_until_the_match_begins(browser: Browser, site: Site) -> None:
    door, _ = opened(browser, site, PAIR)
    ann = Keys(browser, door, "ann")
    page, here = ann.page, ann.page.locator("[data-part=here]")
    until([ann], "one waits", lambda: here.count() > 0)
    page.evaluate("window.isTheSame = true")
    ann.press("details.withdraw summary")
    told = here.inner_text()
    expect(here).not_to_have_text(told)
    assert page.evaluate("window.isTheSame && document.activeElement.matches('summary')"), "the page was loaded anew"
    expect(page.locator(".withdraw [type=checkbox]")).to_be_visible()
    bo = Subject(browser, door, "bo")
    until([bo], "both play", lambda: "/play/" in bo.page.url)
    page.wait_for_url("**/play/**")
    assert ann.watched.faults == []
    for one in (ann, bo):
        one.context.close()


@pytest.mark.full
def test_a_study_is_walked_by_keys_alone_and_axe_finds_nothing_on_its_pages(
    browser: Browser, site: Site, writer: Watched
) -> None:
    door, own = opened(browser, site, PAIR)
    found: list[str] = []
    for width, size in (("1440", WIDE), ("390", PHONE)):
        writer.page.set_viewport_size(size["viewport"])
        for name, path in (("studies", "/studies?preset=fehr-gachter"), ("keys", "/studies/keys")):
            writer.page.goto(f"{site.address}{path}")
            found += looked_at(writer.page, f"study-{name}-{width}")
    ann, bo = Keys(browser, door, "ann", **WIDE), Keys(browser, door, "bo", "zh", **PHONE)
    people = [ann, bo]
    for one, width in ((ann, "1440"), (bo, "390")):
        found += looked_at(one.page, f"study-consent-{width}")
    until(people[:1], "one waits", lambda: ann.page.locator(".seats").count() > 0)
    found += looked_at(ann.page, "study-wait-1440")
    until(people[1:], "both play", lambda: "/play/" in bo.page.url)
    until(people[:1], "both play", lambda: "/play/" in ann.page.url)
    for one, width in ((ann, "1440"), (bo, "390")):
        one.page.locator(".state.mine").wait_for()
        found += looked_at(one.page, f"study-seat-{width}")
    read = ann.page.locator("body").aria_snapshot()
    (SHOTS / "study-seat.txt").write_text(read, encoding="utf-8")
    for part in ("heading", "button", "status", "main"):
        assert f"- {part}" in read, f"no {part} is read aloud at the seat:\n{read}"
    for width, size in (("1440", WIDE), ("390", PHONE)):
        writer.page.set_viewport_size(size["viewport"])
        for name, path in (("room", own), ("screen", f"{own}/screen")):
            writer.page.goto(path)
            found += looked_at(writer.page, f"study-{name}-{width}")
    until(people, "both are at the end", lambda: all(one.ended for one in people))
    for one, width in ((ann, "1440"), (bo, "390")):
        found += looked_at(one.page, f"study-end-{width}")
        one.context.close()
    assert not found, "\n".join(found)


DESK_AND_PHONE = (("desk", DESK), ("phone", PHONE))


@pytest.mark.full
@pytest.mark.parametrize("name", ["fehr-gachter", "trust-survey", "repeated-dilemma", "mining-with-models"])
def test_every_page_of_every_arm_is_walked_in_a_browser_and_its_picture_kept(
    browser: Browser, site: Site, writer: Watched, name: str
) -> None:
    page, found = writer.page, []
    faults: list[str] = []
    for kind, size in DESK_AND_PHONE:
        page.set_viewport_size(size["viewport"])
        page.goto(f"{site.address}/studies?preset={name}")
        places = page.locator("#at option").evaluate_all("all => all.map((one) => one.value)")
        for at in places:
            with page.expect_response("**/studies"):  # and the frames are put there anew
                page.locator("#at").select_option(at)
            page.wait_for_load_state("networkidle")
            frame = page.locator(f".{'laptop' if kind == 'desk' else 'phone'} iframe")
            expect(page.locator("#at")).to_have_value(at)
            inner = page.frame_locator(f".{'laptop' if kind == 'desk' else 'phone'} iframe")
            expect(inner.locator("main")).to_be_visible()
            SHOTS.mkdir(exist_ok=True)
            frame.screenshot(path=SHOTS / f"study-{name}-{at.replace('/', '-')}-{kind}.png")
            within = frame.element_handle().content_frame()
            assert within is not None
            within.evaluate("document.querySelectorAll('[inert]').forEach((form) => form.removeAttribute('inert'))")
            faults += _found(within, f"{name} {at} {kind}")
            found.append(at)
    assert len(found) == 2 * len(set(found))
    assert not faults, "\n".join(faults)
    assert writer.faults == []
