"""The scenario form: what is wrong stands beside its field, nothing is lost, and a run is what was asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Watched
from tests.e2e.operator import sign_in
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

WORDS = {
    "en-GB": {
        "whole": "“1O” is no whole number",
        "most": "201; at most 200",
        "start": "Start",
        "kept": "Nothing was started: 2 entries need a change",
        "mines": "101 on 100 plots",
    },
    "zh-CN": {
        "whole": "“1O” 不是整数",
        "most": "201；最多为 200",
        "start": "开始",
        "kept": "没有开始：有 2 处需要修改",
        "mines": "100 块地上有 101 个",
    },
}


@pytest.fixture
def site(quiet: Site) -> Site:
    """Without the demo: its next match is a run that no form has started."""
    return quiet


@pytest.fixture(params=list(WORDS))
def tongue(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[tuple[Watched, dict[str, str]]]:
    """An operator's page in each language, and what it should say."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale=request.param)
    sign_in(context, site)
    yield Watched(context), WORDS[request.param]
    context.close()


@pytest.fixture
def operator(watched: Watched, site: Site) -> Watched:
    sign_in(watched.page.context, site)
    return watched


def runs(site: Site) -> list[str]:
    return [run["id"] for run in site.get("/runs?limit=200")]


def field(page: Page, name: str) -> Any:
    """The row of a setting, its section opened."""
    row = page.locator(f'[data-field="config.{name}"]')
    row.wait_for(state="attached")
    if not row.is_visible():
        page.locator("details", has=row).locator("summary").click()
    return row


def started(page: Page) -> str:
    page.wait_for_url("**/m/*")
    return page.url.split("/m/")[1].split("?")[0]


def test_a_typo_and_a_value_out_of_range_are_refused_beside_their_fields(
    site: Site, tongue: tuple[Watched, dict[str, str]]
) -> None:
    watched, words = tongue
    page, before = watched.page, runs(site)
    page.goto(f"{site.address}/new/mining?preset=baseline")
    field(page, "rows").get_by_role("textbox").fill("1O")
    field(page, "cols").get_by_role("textbox").fill("201")
    page.get_by_role("button", name=words["start"], exact=True).click()
    expect(field(page, "rows").get_by_role("alert")).to_contain_text(words["whole"])
    expect(field(page, "cols").get_by_role("alert")).to_contain_text(words["most"])
    expect(page.get_by_role("status")).to_contain_text(words["kept"])
    expect(field(page, "rows").get_by_role("textbox")).to_be_focused()
    expect(field(page, "rows").get_by_role("textbox")).to_have_value("1O")
    expect(field(page, "miners").get_by_role("alert")).to_have_count(0)
    watched.shot(f"form-refused-{words['start']}")
    field(page, "rows").get_by_role("textbox").fill("10")
    expect(field(page, "rows").get_by_role("alert")).to_have_count(0)
    assert runs(site) == before
    assert watched.faults == []


def test_what_only_the_server_can_tell_stands_beside_the_field_in_the_readers_language(
    site: Site, tongue: tuple[Watched, dict[str, str]]
) -> None:
    watched, words = tongue
    page, before = watched.page, runs(site)
    page.goto(f"{site.address}/new/mining?preset=baseline")
    field(page, "gold_mines").get_by_role("textbox").fill("101")
    page.get_by_role("button", name=words["start"], exact=True).click()
    expect(field(page, "gold_mines").get_by_role("alert")).to_contain_text(words["mines"])
    expect(field(page, "gold_mines").get_by_role("textbox")).to_have_value("101")
    assert runs(site) == before
    assert [fault for fault in watched.faults if "422" not in fault] == []


def test_a_section_opens_for_what_is_wrong_in_it_and_stays_open(site: Site, operator: Watched) -> None:
    page = operator.page
    page.goto(f"{site.address}/new/mining?preset=baseline")
    box, section = field(page, "raid_tax").get_by_role("textbox"), page.locator("summary", has_text="Authority")
    box.fill("-1")
    section.click()
    expect(box).to_be_hidden()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(box).to_be_focused()
    box.fill("1")
    expect(field(page, "raid_tax").get_by_role("alert")).to_have_count(0)
    expect(box).to_be_visible()


def test_what_was_written_is_what_is_played(site: Site, operator: Watched) -> None:
    page = operator.page
    page.goto(f"{site.address}/new/mining?preset=baseline")
    field(page, "rounds").get_by_role("textbox").fill("7")
    expect(field(page, "rounds")).to_contain_text("changed")
    field(page, "rows").get_by_role("textbox").fill("12")
    field(page, "rows").get_by_role("button", name="Reset to 10").click()
    field(page, "defence").get_by_role("radio").nth(1).check(force=True)
    page.get_by_label("Played by: All seats").select_option("random")
    page.get_by_role("button", name="Choose each of the 10").click()
    page.get_by_label("Played by: miner-03").select_option("greedy-mine")
    page.get_by_label("Seed", exact=True).fill("0")
    page.get_by_label("Pace", exact=True).select_option("0")
    page.get_by_label("Audience", exact=True).select_option("delayed")
    page.get_by_label("Delay", exact=True).fill("3")
    operator.shot("form")
    page.get_by_role("button", name="Start", exact=True).click()
    run = site.until(started(page), "it has ended", lambda run: run["status"] == "finished")
    preset = next(one for one in site.get("/games/mining")["presets"] if one["name"] == "baseline")
    assert run["config"] == {**preset["config"], "rounds": 7, "defence": "per_point"}
    assert [seat["agent"] for seat in run["seats"]] == ["random", "random", "greedy-mine", *["random"] * 7]
    assert (run["seed"], run["pace"], run["head"]) == (0, 0, 7)
    assert run["audience"] == {"kind": "delayed", "delay": 3}
    assert operator.faults == []


def test_a_run_like_another_is_filled_in_from_it(site: Site, operator: Watched) -> None:
    body = {
        "scenario": "dilemma/noisy",
        "condition": "grim",
        "config": {"rounds": 9},
        "seats": {"1": {"policy": "RANDOM", "params": {"p": 0.25}}},
        "seed": 7300772808416224346,
    }
    old = site.post("/runs", body)
    page = operator.page
    page.goto(f"{site.address}/m/{old['id']}")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("link", name="New run like this").click()
    expect(field(page, "rounds").get_by_role("textbox")).to_have_value("9")
    page.get_by_role("button", name="Start", exact=True).click()
    new = site.get(f"/runs/{started(page)}")
    assert new["id"] != old["id"]
    assert new["seed"] == str(body["seed"]), "a seed that JavaScript cannot hold as a number"
    for what in ("config", "seed", "seats", "audience"):
        assert new[what] == old[what], what
    assert operator.faults == []


def test_a_run_of_people_like_another_has_its_terms(site: Site, operator: Watched) -> None:
    terms = {
        "tick_s": 1.5,
        "default": "substitute",
        "grace_s": 20,
        "room_s": None,
        "labels": ["Ann", "Bo"],
        "consent": {"en": "I agree.", "zh": "我同意。", "fr": "J’accepte."},
        "completion_code": "DONE-7",
        "completion_url": "https://example.org/done",
    }
    guided = {"person": True, "substitute": {"policy": "guided"}}
    audience = {"kind": "omniscient"}
    body = {"scenario": "mining/baseline", "seats": {"0": guided}, "people": terms, "audience": audience}
    old = site.post("/runs", body)
    page = operator.page
    page.goto(f"{site.address}/m/{old['id']}")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("link", name="New run like this").click()
    expect(page.get_by_label("Completion code")).to_have_value("DONE-7")
    operator.shot("form-like-people")
    page.get_by_role("button", name="Start", exact=True).click()
    new = started(page)
    expect(page.get_by_role("tab", name="People")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".boardwrap")).to_contain_text("Waiting room: 0 of 1 ready. The tab “People” has the address")
    operator.shot("run-waiting-room")
    settings = site.get(f"/runs/{new}/people")["settings"]
    assert {name: settings[name] for name in terms} == terms
    assert settings == site.get(f"/runs/{old['id']}/people")["settings"]
    told = site.get(f"/runs/{new}")
    assert ([seat["kind"] for seat in told["seats"]], told["audience"]) == (["person", *["policy"] * 9], audience)


def test_a_structure_is_written_in_fields_and_its_fault_stands_at_the_very_part(site: Site, operator: Watched) -> None:
    page, before = operator.page, runs(site)
    page.goto(f"{site.address}/new/adasociety?preset=invented")
    events = field(page, "new_events")
    events.get_by_role("button", name="Own events: 1 entry: rope_making").click()
    events.get_by_role("button", name="Add: Own events").click()
    page.keyboard.type("Anvil")
    page.keyboard.press("Tab")
    expect(events.get_by_role("alert")).to_contain_text("“Anvil”: small letters, digits and _ only")
    events.get_by_label("Name: Own events").nth(1).fill("anvil")
    expect(events.get_by_role("alert")).to_have_count(0)
    events.get_by_role("button", name="Add: Inputs").nth(1).click()
    expect(events.get_by_label("Name: Inputs").nth(1)).to_be_focused()
    expect(events.get_by_label("Name: Inputs").nth(1).locator("option")).to_have_text(
        ["wood", "stone", "hammer", "pearl", "rope"]
    )
    page.get_by_role("button", name="Start", exact=True).click()
    expect(events.get_by_role("alert")).to_contain_text("0 entries; at least 1")
    expect(events.get_by_role("button", name="Add: Outputs").nth(1)).to_be_focused()
    events.get_by_role("button", name="Add: Outputs").nth(1).click()
    events.get_by_role("button", name="Own events: 2 entries: rope_making, anvil").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(events.get_by_role("alert")).to_contain_text("no event grid is of this kind")
    expect(events.get_by_label("Name: Own events").nth(1)).to_be_focused()
    operator.shot("form-parts")
    assert runs(site) == before
    assert [fault for fault in operator.faults if "422" not in fault] == []


def test_a_name_is_taken_out_of_what_the_preset_has_and_json_says_the_same(site: Site, operator: Watched) -> None:
    page = operator.page
    page.goto(f"{site.address}/new/adasociety?preset=invented")
    roles = field(page, "roles")
    roles.get_by_role("button", name="Roles: 2 entries: crafter, diver").click()
    roles.get_by_role("button", name="Remove: diver").click()
    roles.get_by_label("Name: Roles").fill("smith")
    roles.get_by_role("button", name="Roles: as JSON").click()
    written = json.loads(roles.get_by_role("textbox").input_value())
    assert [*written] == ["smith"]
    roles.get_by_role("textbox").fill("{nothing")
    roles.get_by_role("textbox").blur()
    expect(roles.get_by_role("alert")).to_contain_text("is no JSON")
    roles.get_by_role("textbox").fill(json.dumps(written))
    roles.get_by_role("button", name="Roles: as fields").click()
    expect(roles.get_by_label("Name: Roles")).to_have_value("smith")
    agents = field(page, "agents")
    agents.get_by_role("button", name="Agents: ").first.click()
    while (count := agents.get_by_role("button", name="Remove: ").count()) > 1:
        agents.get_by_role("button", name="Remove: ").last.click()
        expect(agents.get_by_role("button", name="Remove: ")).to_have_count(count - 1)
    if agents.get_by_label("Role", exact=True).count() == 0:
        agents.locator("li button[aria-expanded]").first.click()
    agents.get_by_label("Role", exact=True).select_option("smith")
    page.get_by_label("Pace", exact=True).select_option("0")
    page.get_by_role("button", name="Start", exact=True).click()
    run = site.get(f"/runs/{started(page)}")
    assert [*run["config"]["roles"]] == ["smith"]
    assert {crew["role"] for crew in run["config"]["agents"]} == {"smith"}
    assert [fault for fault in operator.faults if "422" not in fault] == []  # what is half written is checked, too


def test_a_list_with_empty_entries_is_sent_as_the_preset_has_it(site: Site, operator: Watched) -> None:
    page = operator.page
    page.goto(f"{site.address}/new/economist?preset=default")
    expect(field(page, "coalitions").get_by_role("textbox")).to_have_value(re.compile("^–, –.*cartel$"))
    page.get_by_role("button", name="Start", exact=True).click()
    run = site.get(f"/runs/{started(page)}")
    preset = next(one for one in site.get("/games/economist")["presets"] if one["name"] == "default")
    assert run["config"] == preset["config"]
    site.post(f"/runs/{run['id']}/control", {"action": "stop"})


def test_a_visitor_is_told_how_to_sign_in(site: Site, watched: Watched) -> None:
    answer = watched.page.goto(f"{site.address}/new/mining")
    assert answer is not None
    assert answer.status == 403
    expect(watched.page.get_by_role("heading", name="This needs an account")).to_be_visible()
    expect(watched.page.get_by_role("main").get_by_role("link", name="Sign in")).to_be_visible()
