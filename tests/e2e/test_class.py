"""A class plays from the site alone: a preset, its screen, phones that join by the code, matches begun one by one."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.classmates import Classmate
from tests.e2e.conftest import Watched
from tests.e2e.operator import sign_in
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.full, pytest.mark.timeout(900)]
#: More than the rules have.
STEPS = 12


@pytest.fixture
def lead(browser: Browser, site: Site) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    sign_in(context, site)
    yield Watched(context)
    context.close()


def opened(page: Page, site: Site) -> str:
    """The preset of the list, with two rounds a match, opened; the address of its page."""
    page.goto(f"{site.address}/studies")
    page.get_by_role("link", name="A class in pairs").first.click()
    file = page.locator("#file")
    file.fill(file.input_value().replace("rounds: 10", "rounds: 2"))
    page.get_by_role("button", name="Check").click()
    page.get_by_role("button", name="Open a session").click()
    page.wait_for_url("**/sessions/*")
    return page.url


def play_until(page: Page, everybody: list[Classmate], text: str, *, moves: bool = True) -> None:
    """All do what they can until the screen says so."""
    deadline = time.monotonic() + 240
    while not page.get_by_text(text, exact=False).first.is_visible():
        assert time.monotonic() < deadline, f"waited in vain for {text!r}: {page.locator('body').inner_text()}"
        for one in everybody:
            one.acts(moves=moves)
        page.wait_for_timeout(200)


def test_seven_play_three_matches_with_new_partners_and_one_rests_each_time(
    browser: Browser, site: Site, lead: Watched
) -> None:
    page = lead.page
    own = opened(page, site)
    page.goto(f"{own}/screen")
    expect(page.get_by_role("heading", name="Nobody is here yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Start match 1")).to_be_disabled()
    code = page.locator(".code output").inner_text()

    phone = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB", has_touch=True, is_mobile=True)
    student = Watched(phone)
    student.page.goto(f"{site.address}/join")
    student.page.get_by_label("The code on the screen").fill(code.lower())
    student.page.get_by_role("button", name="Go on").click()
    student.page.get_by_label("Your name on the screen").fill("Zoë")
    student.page.get_by_label("My name may stand among those with most points").check()
    student.page.get_by_role("button", name="Start", exact=True).click()
    ready = student.page.get_by_text("Match 1 of 3 is next")
    for _ in range(STEPS):  # a phone shows a step of the rules at a time
        if ready.is_visible():
            break
        student.page.locator(".part-foot .btn.pri:visible").last.click()
        student.page.wait_for_timeout(300)
    expect(ready).to_be_visible()

    names = ("Mia", "Jonas", "Aylin", "Ben", "小雨", "Nora")
    others = [Classmate(site, name, choose=lambda n: "C" if n == 1 else "D") for name in names]
    for one in others:
        one.join(code)
    play_until(page, others, "7 are ready for match 1; 1 of them sits it out")
    page.get_by_role("button", name="Start match 1").click()
    expect(page.get_by_role("heading", name="7 are here and 3 pairs play match 1")).to_be_visible()
    expect(page.get_by_text("two to move")).to_have_count(3)
    expect(page.get_by_text("plays from match 2")).to_have_count(1)
    expect(page.get_by_role("button", name="Start match 2")).to_be_disabled()
    expect(page.get_by_text("After match 1:")).to_contain_text("will stand here")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused:")).to_be_visible()
    page.get_by_role("button", name="Go on").click()

    for match in (1, 2, 3):
        if match > 1:
            page.get_by_role("button", name=f"Start match {match}").click()
        deadline = time.monotonic() + 240
        while not page.get_by_text(f"After match {match}: cooperation").is_visible():
            assert time.monotonic() < deadline, page.locator("body").inner_text()
            for one in others:
                one.acts()
            if student.page.locator(".state.mine").is_visible():
                student.page.locator("body").press("c")
                student.page.locator("body").press("c")
            page.wait_for_timeout(200)
        if match < 3:
            play_until(page, others, f"7 are ready for match {match + 1}")
    expect(page.get_by_text("Most points a match")).to_be_visible()
    expect(page.get_by_text("Shown are those who agreed to be named.")).to_be_visible()
    page.get_by_role("button", name="Show results large").click()
    assert "large" in page.url, "a reload would show something else"
    expect(page.locator(".code")).to_have_count(0)
    page.get_by_role("button", name="End class").click()
    page.get_by_role("dialog").get_by_role("button", name="End class").click()
    expect(page.get_by_text("The class is over; its data stand on the session’s page.")).to_be_visible()
    student.page.goto(f"{site.address}/s/{code.replace(' ', '')}")
    expect(student.page.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert lead.faults == []
    for one in others:
        one.leaves()
    phone.close()
