"""The operator's own pages in a browser: the admin, an account with its keys, and signing in with a password."""

from __future__ import annotations

import csv
import os
import re
import subprocess
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import Watched
from tests.e2e.operator import sign_in
from tests.sites import POLITY, ROOT, Site

pytestmark = [pytest.mark.e2e, pytest.mark.full, pytest.mark.timeout(400)]


@pytest.fixture
def operator(browser: Browser, site: Site) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    sign_in(context, site)
    yield Watched(context)
    context.close()


def shots(one: Watched, name: str) -> None:
    for width in (1440, 1280, 390):
        one.page.set_viewport_size({"width": width, "height": 900})
        one.shot(f"{name}-{width}")
        over = one.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert over <= 0, f"{one.page.url} at {width}: {over} px too wide"
    one.page.set_viewport_size({"width": 1440, "height": 900})


def test_the_admin_tells_what_goes_on_and_leads_to_every_table(operator: Watched, site: Site) -> None:
    page = operator.page
    page.goto(site.address)
    page.locator("header .end .menu button").click()
    page.locator('header a[href="/account"]').click()
    page.get_by_role("link", name="Admin").click()
    expect(page.get_by_role("heading", name="Runs under way")).to_be_visible()
    shots(operator, "admin")
    for table in ("run", "experiment", "auditentry", "apikey"):
        page.goto(f"{site.address}/admin/games/{table}/")
        expect(page.locator("#changelist")).to_be_visible()
    page.goto(f"{site.address}/admin/auth/user/add/")
    page.get_by_label("Username").fill("ben")
    for label in ("Password", "Password confirmation"):
        page.get_by_label(label, exact=True).fill("a password of some length 9")
    shots(operator, "admin-user")
    assert operator.faults == []
    assert operator.hosts <= {site.address.removeprefix("http://")}, "the theme asks no other site"


def acted(page: Page, site: Site, action: str, *slugs: str) -> None:
    """One of the table's actions on some of its rows."""
    page.goto(f"{site.address}/admin/games/experiment/")
    for slug in slugs:
        row(page, slug).locator("input.action-select").check()
    page.locator('select[name="action"]').select_option(label=action)
    page.get_by_role("button", name="Run").click()


def row(page: Page, slug: str) -> Locator:
    return page.locator("#result_list tr", has=page.get_by_role("link", name=slug, exact=True))


def test_an_experiment_goes_from_a_typo_to_its_data_by_way_of_the_admin(operator: Watched, site: Site) -> None:
    page = operator.page
    page.goto(f"{site.address}/admin/games/experiment/")
    page.locator("a.addlink").click()
    page.get_by_role("link", name="by the form").click()
    page.wait_for_url("**/experiments/new")
    page.get_by_label("Question", exact=True).fill("Is it from the admin?")
    page.get_by_label("Name in the address").fill("by-admin")
    page.get_by_label("Game", exact=True).select_option("dilemma")
    expect(page.get_by_label("Base", exact=True)).to_contain_text("Two tit-for-tats with slips")
    page.get_by_label("Base", exact=True).select_option("noisy")
    seeds = page.get_by_role("textbox", name="Seeds")
    seeds.fill("1..2O")
    beside = page.locator(".part", has=seeds).get_by_role("alert")
    expect(beside).to_contain_text("1..2O")
    shots(operator, "admin-typo")
    seeds.fill("1..2")
    expect(beside).to_have_count(0)
    page.get_by_label("Pace").select_option("1")
    page.get_by_label("Shown to").select_option("members")
    shots(operator, "admin-experiment-form")
    page.get_by_role("button", name="Keep as a draft").click()
    page.wait_for_url("**/e/by-admin")

    acted(page, site, "Clone as a draft", "by-admin")
    expect(page.get_by_text("by-admin-2 made")).to_be_visible()
    assert site.operator_get("/experiments/by-admin-2")["audience"] == {"kind": "omniscient", "to": "members"}
    acted(page, site, "Pause", "by-admin", "by-admin-2")
    expect(page.get_by_text("by-admin-2: This cannot be done while the experiment is a draft.")).to_be_visible()
    acted(page, site, "Start, or go on", "by-admin-2")
    expect(row(page, "by-admin-2")).to_contain_text("Running")
    expect(row(page, "by-admin")).to_contain_text("Draft")
    acted(page, site, "Pause", "by-admin-2")
    expect(row(page, "by-admin-2")).to_contain_text("Paused")
    shots(operator, "admin-experiments")
    with page.expect_download() as taken:
        row(page, "by-admin-2").get_by_role("link", name="csv", exact=True).click()
    table = list(csv.DictReader(taken.value.path().open(encoding="utf-8")))
    assert {line["experiment"] for line in table} == {"by-admin-2"}
    assert len(table) == 8, "four conditions of the preset, two seeds"
    acted(page, site, "Cancel for good", "by-admin-2")
    expect(row(page, "by-admin-2")).to_contain_text("Cancelled")
    assert [fault for fault in operator.faults if "422" not in fault] == [], "the typo alone was refused"


def test_an_experiment_goes_from_nothing_to_its_answer_without_leaving_the_admin(operator: Watched, site: Site) -> None:
    page = operator.page
    page.goto(f"{site.address}/admin/games/experiment/add/")
    page.locator('[name="slug"]').fill("in-admin")
    text = page.locator('[name="text"]')
    text.fill("base: dilemma/noise-ladder\nconfig: {rounds: 0, noise_a: 7}\nseeds: 1..6\n")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("config.rounds: 0; at least 1")).to_be_visible()
    expect(page.get_by_text("config.noise_a: 7; at most 1")).to_be_visible()
    shots(operator, "admin-experiment-faults")
    text.fill("base: dilemma/noise-ladder\nconfig: {rounds: 50}\nseeds: 1..6\n")
    page.get_by_role("button", name="Save", exact=True).click()
    row(page, "in-admin").get_by_role("link", name="in-admin", exact=True).click()
    page.get_by_role("button", name="Start, or go on").click()
    expect(page.get_by_role("button", name="Cancel for good")).to_be_visible()
    for _ in range(60):
        if page.get_by_text("Slips lower the cooperation of tit-for-tat.").count():
            break
        page.wait_for_timeout(1000)
        page.reload()
    expect(page.get_by_text("36 of 36 runs are over.")).to_be_visible()
    expect(page.get_by_text("Slips lower the cooperation of tit-for-tat.").first).to_be_visible()
    shots(operator, "admin-experiment-answer")
    assert operator.faults == []


def test_a_profile_is_made_and_tested_by_way_of_the_admin(operator: Watched, site: Site) -> None:
    page = operator.page
    page.goto(f"{site.address}/admin/agents_app/agentprofile/add/")
    page.get_by_label("Name", exact=False).first.fill("tried-one")
    page.locator('[name="model"]').fill("mock/TFT")
    page.locator('[name="temperature"]').fill("9")
    page.get_by_role("button", name="Save", exact=True).click()
    beside = page.locator(".field-row, .form-row", has=page.locator("[name=temperature]")).last
    expect(beside).to_contain_text("less than or equal to 2")
    page.locator('[name="temperature"]').fill("0.5")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/agentprofile/")
    page.locator("#result_list tr", has_text="tried-one").get_by_role("link", name="test").click()
    page.wait_for_url("**/models?name=tried-one")
    expect(page.get_by_role("heading", name="tried-one")).to_be_visible()
    page.get_by_label("Test on", exact=True).select_option("dilemma/tft-vs-alld")
    page.get_by_role("button", name="Test", exact=True).click()
    expect(page.get_by_text("It plays, at the first try.")).to_be_visible()
    shots(operator, "admin-profile-tested")
    assert operator.faults == []


def test_a_key_is_made_on_the_page_used_and_revoked(operator: Watched, site: Site) -> None:
    page = operator.page
    page.goto(f"{site.address}/account")
    shots(operator, "account")
    page.get_by_label("Name").fill("a script")
    page.get_by_label("making and steering runs").check()
    page.get_by_role("button", name="Make a key").click()
    key = page.locator("output.key").inner_text()
    assert re.fullmatch(r"pk_[0-9a-f]{8}_[\w-]+", key)
    shots(operator, "account-key")

    def asked() -> int:
        return httpx.get(f"{site.address}/api/v1/agents", headers={"Authorization": f"Bearer {key}"}).status_code

    assert asked() == 200
    page.goto(f"{site.address}/account")
    assert key not in page.content()
    page.get_by_role("button", name="Revoke").click()
    expect(page.locator("tbody tr")).to_contain_text("revoked")
    assert asked() == 401
    assert operator.faults == []


def test_an_account_signs_in_with_its_password(browser: Browser, site: Site) -> None:
    environ = {"PATH": os.environ["PATH"], "POLITY_HOME": str(site.home)}
    words = [POLITY, "account", "cleo", "--role", "viewer"]
    made = subprocess.run(words, cwd=ROOT, env=environ, capture_output=True, text=True, check=True)
    one = Watched(browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB"))
    page = one.page
    page.goto(site.address)
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Name").fill("cleo")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    shots(one, "sign-in")
    page.get_by_label("Password").fill(made.stdout.partition("password: ")[2].strip())
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("header .end .menu button")).to_contain_text("cleo")
    page.goto(f"{site.address}/new/mining")
    expect(page.get_by_text("whose account does not have the role of an experimenter")).to_be_visible()
    shots(one, "viewer-refused")
    page.context.close()
