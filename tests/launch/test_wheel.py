"""The package as a stranger has it: built here, installed in fresh environments, started without a clone."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.launch.wheels import built, fresh, heads, size, uv
from tests.sites import ROOT

pytestmark = [
    pytest.mark.full,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(shutil.which("uv") is None, reason="uv builds and installs"),
]
MOST_MB = {"": 90, "client": 95, "server": 330, "server,models,report": 750}
"""What an installation may take without bytecode."""
EVERY_GAME = """
import polity
from games.core.registry import Registry

presets = {"adasociety": "exploration", "economist": "default", "nations": "baseline"}
for slug, pack in Registry().packs().items():
    runs = polity.play(f"{slug}/{presets.get(slug, next(iter(pack.files.scenarios())))}", seeds=1, jobs=1)
    assert runs.verify() and runs.figures(), slug
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, tmp_path_factory.mktemp("dist"))


def test_a_wheel_holds_its_pages_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "simsite/bundle/.vite/manifest.json" in names
    assert "simsite/templates/lobby.html" in names
    assert not [name for name in names if re.search(r"/tests/test_\w+\.py$", name) and "/template/" not in name]


def test_a_package_cannot_be_built_without_its_pages(tmp_path: Path) -> None:
    source = tmp_path / "source"
    ignored = shutil.ignore_patterns(".git", ".venv", "node_modules", "dist", "__pycache__", "tests", "screens")
    shutil.copytree(ROOT, source, ignore=ignored)
    (source / "frontend" / "package.json").write_text('{"scripts": {"build": "exit 3"}}')
    built = uv("build", "--wheel", "--out-dir", str(tmp_path / "dist"), cwd=source, check=False)
    assert built.returncode != 0
    assert "the browser bundle cannot be built" in built.stdout + built.stderr
    assert not list((tmp_path / "dist").glob("*.whl"))


@pytest.mark.parametrize("extra", MOST_MB)
def test_an_installation_is_no_larger_than_promised_and_loads_what_it_needs(
    wheel: Path, tmp_path: Path, extra: str
) -> None:
    programs = fresh(tmp_path / "env", f"polity-lab{f'[{extra}]' if extra else ''} @ {wheel.as_uri()}")
    assert size(tmp_path / "env") < MOST_MB[extra]
    doctor = [str(programs / "polity"), "--home", str(tmp_path / "home"), "doctor", "--json"]
    looked = json.loads(subprocess.run(doctor, capture_output=True, text=True, check=False, cwd=tmp_path).stdout)
    assert {row["what"]: row["state"] for row in looked}["packages"] == "ok", looked
    played = heads(programs, "import polity\npolity.play('public_goods', seeds=1)")
    assert {"polity", "games", "numpy", "pydantic"} <= played
    assert played & {"django", "litellm", "httpx", "matplotlib", "simsite"} == set()
    if extra == "client":
        loaded = heads(programs, "import polity\npolity.Client()")
        assert loaded & {"django", "games", "numpy", "pydantic", "pandas"} == set()


def test_the_base_plays_verifies_and_draws_every_game(wheel: Path, tmp_path: Path) -> None:
    programs = fresh(tmp_path / "env", f"polity-lab @ {wheel.as_uri()}")
    loaded = heads(programs, EVERY_GAME)
    assert {"numpy", "polity"} <= loaded
    assert loaded & {"django", "pandas", "scipy"} == set()


def test_the_site_of_a_wheel_serves_its_pages_and_its_demo_moves(wheel: Path, tmp_path: Path) -> None:
    programs = fresh(
        tmp_path / "env", f"polity-lab[server] @ {wheel.as_uri()}", str(ROOT / "docs/examples/polity-lake")
    )
    home = tmp_path / "home"
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("POLITY_", "DJANGO_"))}
    log = (tmp_path / "log").open("w+")
    command = [str(programs / "polity"), "--home", str(home), "serve", "--port", "0"]
    site = subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=subprocess.STDOUT, env=environ)
    try:
        address = _address(tmp_path / "log", site)
        assert b"<html" in _read(address)
        first = _demo(address)
        until = time.monotonic() + 120
        while _demo(address) == first and time.monotonic() < until:
            time.sleep(0.5)
        assert _demo(address) != first
        board = json.loads(_read(f"{address}/api/v1/games/lake"))["words"]["en"]["board"]
        assert b'data-board="lake"' in _read(f"{address}{board}")
        assert b"The whole file" in _read(f"{address}/docs/first-game")
        assert b"POLITY_SECRET_KEY" in _read(f"{address}/docs/settings")
        assert b"One site." in _read(f"{address}/docs/names")
    finally:
        site.send_signal(signal.SIGTERM)
        assert site.wait(60) == 0


def test_an_agent_of_another_framework_plays_beside_the_wheel(wheel: Path, tmp_path: Path) -> None:
    agent = str(ROOT / "docs/examples/polity-axelrod")
    polity = str(fresh(tmp_path / "env", f"polity-lab[models] @ {wheel.as_uri()}", agent) / "polity")
    seats = tmp_path / "seats.yaml"
    seats.write_text("seats:\n  0: {model: agent/axelrod/Grudger}\n")
    words = ["run", "dilemma/demo", "--agents", str(seats), "--yes", "--out", "runs", "--set", "rounds=5"]
    subprocess.run([polity, *words], cwd=tmp_path, check=True)
    listed = subprocess.run([polity, "plugins", "--json"], cwd=tmp_path, capture_output=True, text=True, check=True)
    told = {row["name"]: row for row in json.loads(listed.stdout)["plugins"]}
    assert told["axelrod"]["package"] == "polity-axelrod"
    assert told["axelrod"]["digest"] in (tmp_path / "runs" / "run_manifest.json").read_text()


def _address(log: Path, site: subprocess.Popen[Any]) -> str:
    until = time.monotonic() + 300
    while time.monotonic() < until and site.poll() is None:
        if found := re.search(r"Visitors watch at (\S+?)/ ", log.read_text()):
            return found[1]
        time.sleep(0.2)
    raise AssertionError(log.read_text())


def _read(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return bytes(answer.read())


def _demo(address: str) -> Any:
    runs = json.loads(_read(f"{address}/api/v1/runs"))
    return next((run["id"], run["head"]) for run in runs if run["game"] == "mining")
