"""The core and the whole catalog stand without Django, and every module has a floor."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PROGRAM = """
import sys
class Barred:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"django", "channels", "celery", "redis", "ninja", "daphne", "asgiref"}:
            raise ImportError(f"{name} is barred here")
sys.meta_path.insert(0, Barred())
import games.laws
from games.core.registry import packs
print(",".join(packs()))
"""


def test_the_core_and_the_catalog_import_where_django_cannot_be() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "mining" in done.stdout.strip().split(",")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The three packages and their contracts, to be changed at will."""
    place = tmp_path_factory.mktemp("checkout")
    for name in ("games", "agents_app", "simsite"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__", "bundle", "board"))
    shutil.copy(ROOT / "pyproject.toml", place)
    return place


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        ("games/stray.py", "", "games.stray"),
        ("agents_app/stray.py", "", "agents_app.stray"),
        ("simsite/stray.py", "", "simsite.stray"),
        (
            "games/catalog/fresh/__init__.py",
            "from games.catalog.mining import config as config\n",
            "games.catalog.fresh is not allowed to import games.catalog.mining",
        ),
        (
            "games/site/record/climbing.py",
            "from games.site.drive import lease as lease\n",
            "games.site.record is not allowed to import games.site.drive",
        ),
    ],
)
def test_a_module_without_a_floor_or_an_import_that_climbs_breaks_a_contract(
    checkout: Path, path: str, text: str, told: str
) -> None:
    added = checkout / path
    added.parent.mkdir(exist_ok=True)
    added.write_text(text)
    try:
        program = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
        done = subprocess.run(
            [sys.executable, "-c", program, "--no-cache"], cwd=checkout, capture_output=True, text=True, check=False
        )
    finally:
        added.unlink()
    assert done.returncode == 1
    assert told in " ".join((done.stdout + done.stderr).split())
