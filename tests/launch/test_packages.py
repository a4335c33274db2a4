"""What a package brings: the base plays where no extra is, and what an extra brings is asked for by its name."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml

from games.errors import extras
from games.lab.folders.reading import RunFolder
from games.lab.folders.verifying import unexplained, verify

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
from games.errors import extras
from games.lab.folders.reading import RunFolder
from games.lab.folders.verifying import unexplained, verify
sys.modules.update(dict.fromkeys(extras.EXTRAS))  # as where none of them is installed
from simsite.cli import main
main(sys.argv[1:])
"""


def in_the_base(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, *words]
    return subprocess.run(
        command, cwd=place, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder that a base install played, and what it said."""
    place = tmp_path_factory.mktemp("base")
    played = in_the_base(place, "run", "public_goods", "--seeds", "1..2", "--out", "runs")
    assert played.returncode == 0, played.stderr
    return place / "runs", played.stdout


def test_the_base_plays_and_verifies_and_says_what_it_leaves_out(runs: tuple[Path, str]) -> None:
    folder, said = runs
    assert "intervals come with the extra report: pip install 'polity-lab[report]'" in said
    assert not list(folder.glob("*.parquet"))
    verified = in_the_base(folder.parent, "verify", "runs")
    assert verified.returncode == 0, verified.stderr
    assert verified.stdout.count("identical 20/20") == 2


def test_a_run_folder_of_the_base_is_verified_by_a_whole_install_too(runs: tuple[Path, str]) -> None:
    folder = RunFolder(runs[0])
    assert [verdict.difference for verdict in verify(folder)] == [None, None]
    assert unexplained(folder) == []


def test_a_command_that_needs_an_extra_asks_for_it_by_name(runs: tuple[Path, str]) -> None:
    refused = in_the_base(runs[0].parent, "serve")
    assert (refused.returncode, refused.stderr) == (2, "redis is not installed: pip install 'polity-lab[server]'\n")


def test_a_game_that_needs_an_extra_asks_for_it_by_name(tmp_path: Path) -> None:
    refused = in_the_base(tmp_path, "run", "adasociety/contract-easy", "--set", "piles=[{resource: wood, count: 9}]")
    assert (refused.returncode, refused.stderr) == (2, "scipy is not installed: pip install 'polity-lab[report]'\n")


def test_the_want_of_a_package_is_found_behind_what_it_broke() -> None:
    broken = RuntimeError("the run failed")
    broken.__cause__ = ModuleNotFoundError("No module named 'scipy.stats'", name="scipy.stats")
    assert extras.remedy(broken) == "scipy is not installed: pip install 'polity-lab[report]'"
    assert extras.remedy(ModuleNotFoundError("No module named 'games.lost'", name="games.lost")) is None


def test_the_table_of_extras_tells_what_the_project_declares() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {
        extra: {re.match(r"[\w.-]+", line)[0].lower().replace("_", "-") for line in lines}  # type: ignore[index]
        for extra, lines in project["optional-dependencies"].items()
    }
    base = {re.match(r"[\w-]+", line)[0].lower() for line in project["dependencies"]}  # type: ignore[index]
    brought = {name: {one.lower() for one in found} for name, found in packages_distributions().items()}
    for package, extra in extras.EXTRAS.items():
        if package in ("asgiref", "kombu", "flax", "jax", "gymnasium"):
            continue  # these come with what is declared
        ways = {way.replace("_", "-") for way in brought.get(package, {package})}
        assert ways & declared[extra], f"{package} does not come with the extra {extra}"
        assert not ways & base


def test_the_doctor_names_what_is_wrong_with_its_remedy_and_makes_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    command = [sys.executable, "-m", "simsite", "--home", str(home), "doctor", "--json", "--port", "1"]
    well = subprocess.run(command, capture_output=True, text=True, check=False)
    found = {row["what"]: row for row in json.loads(well.stdout)}
    assert (found["games"]["state"], found["home"]["state"], found["database"]["found"]) == ("ok", "ok", "none yet")
    assert not home.exists()
    home.write_text("a file")
    wrong = subprocess.run(command, capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    found = {row["what"]: row for row in json.loads(wrong.stdout)}
    assert found["settings"]["state"] == "WRONG"
    assert "this is a file; name a folder" in found["settings"]["found"]


def test_the_compose_file_starts_commands_and_sets_settings_that_there_are() -> None:
    from simsite.cli import app
    from simsite.environment import TABLE

    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    own = {name: one for name, one in services.items() if one["image"].startswith("polity:")}
    assert set(own) == {"web1", "web2", "live", "bulk", "beat", "backup"}
    commands = {command.name for command in app.registered_commands}
    assert {one["command"][0] for one in own.values() if "command" in one} <= commands
    named = set(re.findall(r"polity (\w+)", " ".join(own["backup"]["entrypoint"])))
    assert named == {"backup"} <= commands
    assert all(one["read_only"] and set(one["environment"]) <= TABLE.keys() for one in own.values())
