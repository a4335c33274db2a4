"""Generators of clients make all of the API, every route and every shape, and have nothing to complain of."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from games.site.web.api import api
from tests.sites import ROOT

pytestmark = pytest.mark.full
CONFIG = "content_type_overrides:\n  application/zip: application/octet-stream\n"


@pytest.fixture
def described(tmp_path: Path) -> Path:
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(api.get_openapi_schema(), default=str))
    return path


@pytest.mark.timeout(300)
def test_openapi_python_client_makes_every_route(described: Path, tmp_path: Path) -> None:
    """In an environment of its own, since it asks for an older typer than ours."""
    if shutil.which("uvx") is None:
        pytest.skip("needs uvx")
    program = ["uvx", "openapi-python-client@0.29.1"]
    if subprocess.run([*program, "--version"], capture_output=True).returncode:
        pytest.skip("needs a package index that has openapi-python-client")
    (tmp_path / "generator.yml").write_text(CONFIG)
    words = ["--path", str(described), "--config", "generator.yml", "--meta", "none", "--output-path", "out"]
    done = subprocess.run([*program, "generate", *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not re.search("warning|unable", done.stdout + done.stderr, re.IGNORECASE), done.stdout[:4000]
    wanted = {
        one["operationId"] for operations in api.get_openapi_schema()["paths"].values() for one in operations.values()
    }
    assert {path.stem for path in (tmp_path / "out" / "api").glob("*/*.py")} - {"__init__"} == wanted


@pytest.mark.timeout(120)
def test_openapi_typescript_has_nothing_to_say(described: Path, tmp_path: Path) -> None:
    program = ROOT / "frontend" / "node_modules" / ".bin" / "openapi-typescript"
    if not program.is_file():
        pytest.skip("needs frontend/node_modules: npm ci")
    done = subprocess.run(
        [str(program), str(described), "--output", str(tmp_path / "api.ts")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "warn" not in (done.stdout + done.stderr).lower()
    made = (tmp_path / "api.ts").read_text()
    assert all(name in made for name in ("list_runs", "get_run_stream", "GameAction"))
