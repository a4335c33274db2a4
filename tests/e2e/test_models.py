"""A model on a server of one's own, by pages alone: named, tried, read, estimated, played over twenty seeds, billed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.agents.server import Vendor, threaded
from tests.e2e.conftest import Watched
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.full, pytest.mark.timeout(600)]
SLUG = "does-noise-move-the-model"
ROUNDS, SEEDS = 3, 20
ASIDE = '[{"name": "next", "ask": "How likely is C?", "answer": "number", "least": 0, "most": 1, "when": "end"}]'


class Two(Vendor):
    """Answers a move with a letter and a question beside the play with a number. It reports usage."""

    def _answer(self, fault: str, headers: object) -> tuple[str, list[str], dict[str, object]]:
        is_aside = "beside the play" in self.asked["messages"][-1]["content"]
        self.content = '{"next": 0.5}' if is_aside else "C"
        return super()._answer(fault, headers)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def vendor() -> Iterator[Two]:
    with threaded(Two()) as running:
        yield running


def labelled(page: Page, label: str) -> Locator:
    return page.locator("form label", has=page.locator("span", has_text=re.compile(f"^{label}$")))


def named(page: Page, site: Site, vendor: Two) -> None:
    """The profile written, a slip told beside its field, its prompt read, tried once, and kept."""
    page.goto(f"{site.address}/models")
    for part in ("top p", "questions aside", "batches"):
        page.locator("form summary", has_text=part).click()
    for label, value in (
        ("Name", "own"),
        ("Model", "openai/local"),
        ("Address", vendor.url),
        ("Questions aside", ASIDE),
        ("Tokens in", "1"),
        ("Tokens out", "10"),
    ):
        labelled(page, label).locator("input, textarea").fill(value)
    slip = labelled(page, "Looked at every")
    slip.locator("input").fill("0")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(slip.get_by_role("alert")).to_contain_text("at least 0.1")
    expect(slip.locator("input")).to_be_focused()
    slip.locator("input").fill("")
    page.get_by_label("Test on", exact=True).select_option("dilemma/tft-vs-alld")
    page.get_by_role("button", name="Preview", exact=True).click()
    expect(page.get_by_role("region", name="system")).to_contain_text("You play a repeated game")
    expect(page.get_by_role("region", name="Asked beside the play when the match is over")).to_contain_text(
        "How likely is C?"
    )
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    assert vendor.seen == []
    page.get_by_role("button", name="Test", exact=True).click()
    expect(page.get_by_text("It plays, at the first try.")).to_be_visible()
    expect(page.get_by_role("region", name="Reply, as it came")).to_have_text("C")
    expect(page.get_by_role("region", name="Read as")).to_contain_text("Cooperate")
    expect(page.locator("[data-whole-run]")).to_contain_text("Estimated from the call just measured")
    assert len(vendor.seen) == 1
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("own is saved.")


def test_from_a_profile_to_the_bill_of_twenty_seeds(operator: Watched, empty: Site, vendor: Two) -> None:
    page = operator.page
    named(page, empty, vendor)

    page.goto(f"{empty.address}/experiments")
    page.get_by_role("link", name="New experiment").click()
    page.get_by_label("Question", exact=True).fill("Does noise move the model?")
    page.get_by_label("Game", exact=True).select_option("dilemma")
    page.get_by_label("Base", exact=True).select_option("tft-vs-alld")
    page.locator("summary", has_text="of the base, for all conditions").click()
    row = page.locator('[data-field="config.rounds"]')
    row.wait_for(state="attached")
    if not row.is_visible():
        page.locator("details details", has=row).locator("summary").click()
    row.get_by_role("textbox").fill(str(ROUNDS))
    seat = page.get_by_label("Played by: A", exact=True)
    if not seat.is_visible():
        page.locator("summary", has_text="Seats").click()
    seat.select_option("@model:own")
    page.get_by_role("button", name="Setting", exact=True).click()
    page.get_by_role("combobox", name="Setting").select_option("noise_b")
    page.get_by_label("Level 1 of noise_b", exact=True).fill("0")
    page.get_by_label("Level 2 of noise_b", exact=True).fill("0.3")
    page.get_by_role("textbox", name="Seeds").fill(f"1..{SEEDS}")
    runs = 2 * SEEDS
    calls = runs * (ROUNDS + 1)
    expect(page.locator("[data-runs]")).to_have_attribute("data-runs", str(runs))
    expect(page.locator("aside [data-calls]")).to_have_attribute("data-calls", str(calls))
    expect(page.locator("aside")).to_contain_text("every reply is as long as it may be")
    operator.shot("models-estimate")
    assert len(vendor.seen) == 1

    page.get_by_role("button", name=f"Register and start {runs} runs").click()
    page.wait_for_url(f"**/e/{SLUG}**")
    expect(page.locator('[data-cell][data-status="finished"]')).to_have_count(runs, timeout=300_000)
    bill = page.locator('[data-bill] [data-model="openai/local"]')
    expect(bill).to_have_attribute("data-calls", str(calls))
    assert len(vendor.seen) == 1 + calls
    each = (900 * Decimal(1) + 20 * Decimal(10)) / 1_000_000
    assert Decimal(str(bill.get_attribute("data-usd"))) == each * calls
    expect(bill).to_contain_text(f"{each * calls:.4f}")
    operator.shot("models-bill")

    run = empty.get(f"/experiments/{SLUG}")["cells"][0]["run"]
    page.goto(f"{empty.address}/m/{run}/calls")
    expect(page.get_by_text("aside, end")).to_have_count(1)
    page.get_by_role("button", name="Re-run from the recording").click()
    expect(page.get_by_text(f"identical {ROUNDS + 1}/{ROUNDS + 1}, 0 calls")).to_be_visible()
    operator.shot("models-rerun")
    assert len(vendor.seen) == 1 + calls
    assert [fault for fault in operator.faults if "422" not in fault] == [], "the slip alone was refused"
