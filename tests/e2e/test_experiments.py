"""An experiment from its form to its answer, by pages alone, on an empty site."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Watched
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(400)]
PATIENCE_MS = 120_000
SLUG = "does-noise-end-cooperation"


def written(page: Page, noisy: str) -> None:
    """The form filled in: tit for tat against itself without and with noise, six seeds."""
    page.get_by_role("link", name="New experiment").click()
    page.get_by_label("Question", exact=True).fill("Does noise end cooperation?")
    page.get_by_label("Game", exact=True).select_option("dilemma")
    expect(page.get_by_label("Base", exact=True)).to_contain_text("Two tit-for-tats with slips")
    page.get_by_label("Base", exact=True).select_option("noisy")
    page.locator("summary", has_text="of the base, for all conditions").click()
    for setting, value in (("rounds", "12"), ("noise_b", "0")):
        row = page.locator(f'[data-field="config.{setting}"]')
        row.wait_for(state="attached")
        if not row.is_visible():
            page.locator("details details", has=row).locator("summary").click()
        row.get_by_role("textbox").fill(value)
    page.get_by_role("button", name="Setting", exact=True).click()
    page.get_by_role("combobox", name="Setting").select_option("noise_a")
    page.get_by_label("Level 1 of noise_a", exact=True).fill("0")
    page.get_by_label("Level 2 of noise_a", exact=True).fill(noisy)
    page.get_by_role("textbox", name="Seeds").fill("1..6")
    page.get_by_role("button", name="Add hypothesis").click()
    page.get_by_label("Measure: H1").select_option("cooperation_rate")
    page.get_by_label("Direction: H1").select_option("lower")


def test_a_typo_is_named_beside_its_field_and_nothing_starts(operator: Watched, empty: Site) -> None:
    page = operator.page
    page.goto(f"{empty.address}/experiments")
    expect(page.get_by_text("No experiments yet.")).to_be_visible()
    written(page, "0.3x")
    second = page.locator('[data-factor="noise_a"] [data-level="1"]')
    expect(second.get_by_role("alert")).to_contain_text("“0.3x” is no number")
    page.get_by_role("button", name="Register and start").click()
    expect(page.get_by_role("status")).to_contain_text("Nothing was started")
    page.get_by_label("Level 2 of noise_a", exact=True).fill("1.3")
    expect(second.get_by_role("alert")).to_contain_text("1.3; at most 1")
    page.get_by_label("Level 2 of noise_a", exact=True).fill("0.3")
    expect(second.get_by_role("alert")).to_have_count(0)
    seeds = page.get_by_role("textbox", name="Seeds")
    seeds.fill("1..2O")
    expect(page.locator(".part", has=seeds).get_by_role("alert")).to_contain_text("1..2O")
    page.get_by_role("button", name="Register and start").click()
    expect(page.locator(".part", has=seeds).get_by_role("alert")).to_contain_text("1..2O")
    assert "/experiments/new" in page.url
    assert empty.get("/experiments") == []


def test_from_an_empty_site_to_the_answer_with_its_p_and_effect(operator: Watched, empty: Site) -> None:
    page = operator.page
    page.goto(f"{empty.address}/experiments")
    written(page, "0.3")
    expect(page.locator("[data-runs]")).to_have_attribute("data-runs", "12")
    page.get_by_role("button", name="Register and start 12 runs").click()
    page.wait_for_url(f"**/e/{SLUG}**")
    expect(page.locator("[data-cell]")).to_have_count(12)
    expect(page.locator('[data-cell][data-status="finished"]')).to_have_count(12, timeout=120_000)
    expect(page.locator("main[data-status]")).to_have_attribute("data-status", "finished")

    page.get_by_role("button", name="Compare").click()
    row = page.locator('tr[data-hypothesis="H1"]')
    expect(row).to_contain_text("Paired t test, one-sided (lower), 6 pairs")
    (told,) = empty.get(f"/experiments/{SLUG}/result")["comparisons"]
    assert float(str(row.get_attribute("data-p"))) == told["outcome"]["p"]
    assert float(str(row.get_attribute("data-adjusted"))) == told["p_adjusted"]
    assert float(str(row.get_attribute("data-effect"))) == told["effect"]["estimate"]
    assert told["verdict"] == "shown"
    expect(row).to_contain_text("shown")
    with page.expect_download() as saved:
        page.get_by_label("SVG: Cooperation", exact=True).click()
    drawing = Path(saved.value.path()).read_text("utf-8")
    assert drawing.startswith("<svg")
    assert "noise_a-0.3" in drawing
    with page.expect_download() as table:
        page.get_by_label("CSV: Declared comparisons").click()
    (line,) = csv.DictReader(io.StringIO(Path(table.value.path()).read_text("utf-8")))
    assert float(line["p"]) == told["outcome"]["p"]
    page.get_by_role("button", name="Design").click()
    differs = page.locator("tr[data-setting]")
    expect(differs).to_have_count(1)
    expect(differs).to_contain_text("0.3")
    assert operator.faults == []


def test_the_table_shows_the_csv_and_a_filter_lives_in_the_address(operator: Watched, empty: Site) -> None:
    page = operator.page
    page.goto(f"{empty.address}/e/{SLUG}")
    rows = page.locator("tr[data-run]")
    expect(rows).to_have_count(12)
    answer = empty.client.get(f"/api/v1/experiments/{SLUG}/runs.csv")
    table = list(csv.DictReader(io.StringIO(answer.text)))
    for line in table:
        shown = page.locator(f'tr[data-run="{line["run"]}"] td[data-measure="cooperation_rate"]')
        assert float(str(shown.get_attribute("data-value"))) == float(line["cooperation_rate"])
    page.get_by_role("searchbox").fill("noise_a-0.3")
    expect(rows).to_have_count(6)
    page.get_by_role("columnheader", name="Cooperation", exact=True).get_by_role("button").click()
    expect(page.get_by_role("columnheader", name="Cooperation ↑")).to_have_attribute("aria-sort", "ascending")
    order = [str(row.get_attribute("data-run")) for row in rows.all()]
    page.goto(page.url)
    expect(rows).to_have_count(6)
    assert "find=noise_a-0.3" in page.url
    assert [row.get_attribute("data-run") for row in rows.all()] == order
    by_run = {line["run"]: float(line["cooperation_rate"]) for line in table}
    assert [by_run[one] for one in order] == sorted(by_run[one] for one in order)
    page.locator("[data-cell]").first.click()
    page.wait_for_url("**/m/*")
    page.get_by_role("link", name=f"Experiment: {SLUG}").click()
    page.wait_for_url(f"**/e/{SLUG}**")
    assert operator.faults == []


def test_the_form_of_one_match_leads_to_the_whole_round_robin_and_a_visitor_finds_its_matrix(
    operator: Watched, empty: Site, browser: Browser
) -> None:
    page = operator.page
    page.goto(f"{empty.address}/new/dilemma")
    page.locator('input[name="preset"][value="tournament"]').check()
    matches = page.get_by_label("One of its 21 matches")
    expect(matches.locator("option")).to_have_count(21)
    expect(page.get_by_text("All 21 matches with 5 seeds, 105 runs")).to_be_visible()
    matches.select_option("TFT_vs_WSLS")
    expect(page.get_by_text("1 × TFT, 1 × WSLS")).to_be_visible()
    page.get_by_role("link", name="Set up the round robin").click()
    expect(page.locator("[data-entrant]")).to_have_count(6)
    expect(page.locator("[data-runs]")).to_have_attribute("data-runs", "105")
    # Three of them over two seeds are enough to see that it is this form that is played.
    for name in ("WSLS", "GTFT", "GRIM"):
        page.get_by_role("button", name=f"Remove: {name}").click()
    page.get_by_role("textbox", name="Seeds").fill("1..2")
    expect(page.locator("[data-runs]")).to_have_attribute("data-runs", "12")
    page.get_by_role("button", name="Register and start 12 runs").click()
    expect(page.locator("main[data-status=finished]")).to_be_visible(timeout=PATIENCE_MS)
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    try:
        visitor = context.new_page()
        visitor.goto(empty.address)
        # Which of its matches is shown big is left to which of them ended last; its row in the list is not.
        expect(visitor.get_by_role("row", name="Round robin of six").get_by_role("link")).to_be_visible()
        visitor.get_by_role("link", name="Round robin", exact=True).click()
        betrayed = visitor.locator('[data-row="ALLD"][data-col="ALLC"]')
        expect(betrayed).to_have_attribute("data-value", "1000", timeout=PATIENCE_MS)
        expect(visitor.locator("tr[data-entrant]")).to_have_count(3)
    finally:
        context.close()
    assert operator.faults == []
