"""Packages beside a built wheel, as a stranger installs them: used whole, then broken on purpose."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from simsite.client import Polity
from tests.e2e.conftest import Watched
from tests.e2e.operator import sign_in
from tests.e2e.people import Person, code_of, participant, seated
from tests.e2e.test_people import PHONE
from tests.launch.wheels import built, fresh, uv
from tests.plugging import EXAMPLES
from tests.sites import ROOT, Site, serve

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.full,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(shutil.which("uv") is None, reason="needs uv, which builds and installs"),
]
LAKE = {"base": "lake/default", "seeds": "1..3", "conditions": {"few": {"config": {"stock": 9}}, "many": {}}}
GRUDGE = {"seats": {"0": {"model": "agent/axelrod/Grudger"}, "1": {"policy": "ALLD"}}}
DILEMMA = {"base": "dilemma/tft-vs-alld", "seeds": "1..2", "conditions": {"grudge": GRUDGE}, "config": {"rounds": 4}}
STUDY = "study: beliefs\nsteps:\n  belief: {{plug: {}, with: {{others: 2, most: 6}}}}\n"
THROWS = """export default (kit, derived) => ({
  ...derived,
  mount: () => ({ update() { throw new Error('no pond today') }, unmount() {} }),
})
"""
RUIN = """
from lake_belief import Belief

def raises(*given):
    raise KeyError("lost")

def make(variant):
    return raises

def measure(slug, config, series):
    raise KeyError("lost")
measure.about = {"plugged_lost": "Lost."}

def export(folders):
    raise KeyError("lost")
export.about = {"en": "Lost"}

class Step(Belief):
    page = raises
step = Step()
"""
ENTRIES = {
    "games": {"pond": "pond", "unimportable": "unimportable"},
    "agents": {"raises": "polity_ruin:make"},
    "measures": {"raises": "polity_ruin:measure"},
    "steps": {"raises": "polity_ruin:step", "unimportable": "unimportable:step"},
    "exporters": {"raises": "polity_ruin:export"},
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel of this checkout and both example packages."""
    place = tmp_path_factory.mktemp("beside")
    wheel = built(ROOT, place / "dist")
    examples = [str(EXAMPLES / name) for name in ("polity-lake", "polity-axelrod")]
    return fresh(place / "env", f"polity-lab[models,report,server] @ {wheel.as_uri()}", *examples)


@pytest.fixture
def site(programs: Path, tmp_path: Path) -> Iterator[Site]:
    running = serve([str(programs / "polity")], tmp_path, tmp_path / "home", tmp_path / "serve.log", "--no-demo")
    yield running
    running.end()


@pytest.fixture
def looking(browser: Browser, site: Site) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    sign_in(context, site)
    yield Watched(context)
    context.close()


def shell(programs: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("POLITY_", "DJANGO_"))}
    command = [str(programs / "polity"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", env=environ)


def finished(site: Site, scenario: str, **how: Any) -> str:
    run: str = site.post("/runs", {"scenario": scenario, "seed": 5, "pace": 0, **how})["id"]
    site.until(run, "it has ended", lambda one: one["status"] == "finished")
    return run


def program_of(programs: Path, site: Site) -> Polity:
    """A program with a key of the site's operator."""
    made = shell(programs, "--home", str(site.home), "key", "beside")
    return Polity(site.address, key=next(word for word in made.stdout.split() if word.startswith("pk_")))


def test_what_packages_bring_is_listed_played_studied_and_exported(
    programs: Path, browser: Browser, site: Site, looking: Watched
) -> None:
    listed = json.loads(shell(programs, "plugins", "--json").stdout)
    assert {(one["kind"], one["name"]) for one in listed["plugins"]} == {
        ("games", "lake"), ("agents", "axelrod"), ("steps", "lake-belief"), ("exporters", "axelrod"),
    }  # fmt: skip
    assert listed["broken"] == {}
    checked = shell(programs, "check", "lake")
    assert checked.returncode == 0, checked.stdout + checked.stderr

    page = looking.page
    page.goto(f"{site.address}/")
    expect(page.locator("article", has_text="A lake that all fish in").first).to_be_visible()
    run = finished(site, "lake/default")
    page.goto(f"{site.address}/m/{run}?r=2&tab=feed")
    taken = site.get(f"/runs/{run}/snapshot?n=2")["frame"]["view"]["take"]
    meters = page.locator("[data-board=lake] meter")
    expect(meters).to_have_count(3)
    assert [int(one.get_attribute("value") or -1) for one in meters.all()] == taken
    page.goto(f"{site.address}/plugins")
    expect(page.locator("tr", has_text="lake-belief")).to_contain_text("in use")
    assert looking.faults == []

    seats = {"0": {"person": True}}
    run = seated(site, "lake/default", {"deadline_s": 300, "grace_s": 300}, seats, {"rounds": 3})
    mira = Person(browser, site, "Mira", **PHONE)
    mira.join(code_of(site, run))
    for amount in (5, 3, 4):
        mira.asked()
        field = mira.page.locator(".amount .number input")
        field.fill(str(amount))
        field.press("Tab")
        mira.page.locator(".do .pri").click()
        expect(mira.page.locator(".state.mine, section.end").first).to_be_hidden(timeout=20_000)
    expect(mira.page.locator("section.end")).to_be_visible(timeout=60_000)
    assert (participant(site, run, 0)["moves"], participant(site, run, 0)["timed_out"]) == (3, 0)
    assert mira.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert mira.watched.faults == []

    program = program_of(programs, site)
    for slug, document, runs in (("lakes", LAKE, 6), ("grudges", DILEMMA, 2)):
        program.experiment(slug, document)
        assert program.follow_experiment(slug)["failed"] == 0
        assert program.result(slug)["runs"] == runs
    cell = str(program.experiment_see("grudges")["cells"][0]["run"])
    moves = [row["action"]["move"] for row in program.decisions(cell, seat=0)["items"]]
    assert moves == ["C", "D", "D", "D"], "who is defected against once never forgives"
    assert program.export_as("axelrod", runs=[cell]).splitlines()[1].endswith(b"CDDD")

    page.goto(f"{site.address}/m/{cell}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Export data").click()
    page.locator("#export-form").select_option("as axelrod")
    expect(page.locator("dialog a.pri")).to_have_attribute("href", f"/api/v1/exports/as/axelrod?run={cell}")
    expect(page.locator("dialog")).to_contain_text("Interactions as the Axelrod library reads them (polity-axelrod)")

    session = site.post("/sessions", {"file": STUDY.format("lake-belief"), "seed": 1})
    phone = mira.page
    phone.goto(session["door"] if session["door"].startswith("http") else f"{site.address}{session['door']}")
    phone.locator("button[type=submit].pri").click()
    for person, fish in ((1, 6), (2, 3)):
        phone.locator(f"[data-belief='{person}'] button[value='{fish}']").click()
    expect(phone.locator("[data-step-asks]")).to_be_hidden()
    phone.locator("footer .pri").click()
    expect(phone.locator("[data-step]")).to_have_count(0)
    visits = site.operator_get(f"/exports/tables/visits?session={session['code']}")
    assert [one["why"] for one in visits] == ["answered"]
    mira.end()


def test_what_is_broken_is_named_left_out_or_told_and_nothing_else_suffers(
    programs: Path, tmp_path: Path, browser: Browser
) -> None:
    source = tmp_path / "polity-ruin"
    source.mkdir()
    (source / "polity_ruin.py").write_text(RUIN)
    (source / "unimportable.py").write_text("import nothing_of_that_name")
    (source / "pond.py").write_text((EXAMPLES / "polity-lake" / "lake.py").read_text().replace("Lake", "Pond"))
    (source / "pond.board.js").write_text(THROWS)
    entries = "\n".join(
        f'[project.entry-points."polity.{kind}"]\n' + "".join(f'{name} = "{target}"\n' for name, target in all_.items())
        for kind, all_ in ENTRIES.items()
    )
    (source / "pyproject.toml").write_text(
        f'[project]\nname = "polity-ruin"\nversion = "1.0"\n{entries}\n[build-system]\nrequires = ["hatchling"]\n'
        'build-backend = "hatchling.build"\n[tool.hatch.build.targets.wheel]\n'
        'only-include = ["polity_ruin.py", "unimportable.py", "pond.py", "pond.board.js"]\n'
    )
    uv("pip", "install", "--quiet", "--python", str(programs / "python"), str(source))
    listed = shell(programs, "plugins")
    assert listed.returncode == 1
    assert "game unimportable: it cannot be imported: ModuleNotFoundError" in listed.stderr
    assert "step unimportable of polity-ruin 1.0: ModuleNotFoundError" in listed.stderr
    assert shell(programs, "check", "lake").returncode == 0

    site = serve([str(programs / "polity")], tmp_path, tmp_path / "home", tmp_path / "serve.log", "--no-demo")
    try:
        context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
        sign_in(context, site)
        looking = Watched(context)
        page = looking.page
        page.goto(f"{site.address}/")
        expect(page.locator("article", has_text="unimportable").first).to_be_visible()
        expect(page.locator("article", has_text="A lake that all fish in").first).to_be_visible()
        assert looking.faults == []
        page.goto(f"{site.address}/plugins")
        expect(page.locator(".fault", has_text="nothing_of_that_name")).to_have_count(2)
        expect(page.locator("tr", has_text="left out")).to_have_count(2)

        lake, pond = finished(site, "lake/default"), finished(site, "pond/default")
        assert site.get(f"/runs/{pond}")["status"] == "finished", "a measure that raises fails no run"
        page.goto(f"{site.address}/m/{lake}?r=2&tab=feed")
        expect(page.locator("[data-board=lake] meter")).to_have_count(3)
        assert looking.faults == []
        page.goto(f"{site.address}/m/{pond}?r=2&tab=feed")
        expect(page.locator(".board .face").first).to_be_visible()
        assert looking.faults, "it is told in the console"
        assert all("cannot be used" in fault for fault in looking.faults)
        context.close()

        seats = {"0": {"model": "agent/raises/x"}}
        run = site.post("/runs", {"scenario": "lake/default", "seed": 5, "pace": 0, "seats": seats})["id"]
        site.until(run, "its agent is given up", lambda one: one["status"] in ("paused", "finished", "failed"))
        assert "the agent raised KeyError('lost')" in json.dumps(site.operator_get(f"/runs/{run}/calls"))
        answer = site.client.get(f"/api/v1/exports/as/raises?run={lake}")
        assert answer.json()["error"]["message"] == "exporter raises of polity-ruin 1.0: KeyError('lost')"
        for step, told in (("raises", "step raises of polity-ruin 1.0: KeyError"), ("unimportable", "No module named")):
            headers = {"X-CSRFToken": site.client.cookies["polity_csrf"], "Referer": site.address}
            body = {"file": STUDY.format(step)}
            refused = site.client.post("/api/v1/studies/check", json=body, headers=headers)
            assert refused.status_code == 422
            assert told in refused.text
        assert site.post("/studies/check", {"file": STUDY.format("lake-belief")})["study"] == "beliefs"
        assert "measure raises of polity-ruin 1.0: KeyError('lost')" in site.log.read_text()
    finally:
        site.end()
