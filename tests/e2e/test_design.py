"""A design before it is registered, in a browser: what its models would be told, and one seed of it played first."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Watched
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]
SLUG = "does-forgiving-pay"


@pytest.fixture(scope="module")
def empty(quiet: Site) -> Site:
    """Whatever else was played there ended by itself."""
    return quiet


def test_prompts_are_read_and_one_seed_is_tried_while_the_design_stays_open(operator: Watched, empty: Site) -> None:
    page = operator.page
    page.goto(f"{empty.address}/experiments/new?game=dilemma")
    page.get_by_label("Question", exact=True).fill("Does forgiving pay?")
    page.get_by_label("Base", exact=True).select_option("tft-vs-alld")
    preview = page.get_by_role("button", name="Preview prompts")
    expect(preview).to_be_disabled()
    page.locator("summary", has_text="Seats").click()
    page.get_by_label("Played by: A", exact=True).select_option("@model:mock/TFT")
    page.get_by_role("button", name="Setting", exact=True).click()
    page.get_by_role("combobox", name="Setting").select_option("rounds")
    page.get_by_label("Level 1 of rounds", exact=True).fill("4")
    page.get_by_label("Level 2 of rounds", exact=True).fill("9")
    page.get_by_role("textbox", name="Seeds").fill("7..9")
    expect(page.locator("[data-runs]")).to_have_attribute("data-runs", "6")

    # What the model of the second condition would be told, and where that differs from the first.
    preview.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Condition").select_option("rounds-9")
    changes = dialog.get_by_role("region", name=re.compile("Against rounds-4"))
    expect(changes).to_contain_text(re.compile(r"−.*\b4\b"))
    expect(changes).to_contain_text(re.compile(r"\+.*\b9\b"))
    asked = dialog.get_by_role("region", name="user", exact=True)
    expect(asked).to_contain_text("Round 1.")
    dialog.get_by_label("From step").fill("3")
    page.keyboard.press("Enter")
    expect(asked).to_contain_text("Round 3.")
    operator.shot("design-prompts")
    dialog.get_by_role("button", name="Close").click()

    # One seed of each is played as an experiment of its own; nothing of the design is registered.
    page.get_by_role("button", name=re.compile("^Try one seed of each first")).click()
    said = page.get_by_role("status").filter(has_text="One seed of each is being played")
    expect(said).to_contain_text(f"This design is kept as the draft {SLUG}.")
    operator.shot("design-tried")
    trial = said.get_by_role("link").inner_text()
    assert trial == f"{SLUG}-try"
    told = empty.operator_get(f"/experiments/{trial}")
    assert [(cell["condition"], cell["seed"]) for cell in told["cells"]] == [("rounds-4", 7), ("rounds-9", 7)]
    assert empty.operator_get(f"/experiments/{SLUG}")["status"] == "draft"
    expect(page.get_by_label("Level 2 of rounds", exact=True)).to_have_value("9")
    page.goto(f"{empty.address}/e/{trial}")
    expect(page.locator("main[data-status=finished]")).to_be_visible()
    assert operator.faults == []
