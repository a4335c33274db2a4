"""Wheels built here and installed in fresh environments, at the versions that are pinned."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

from tests.sites import ROOT

MB = 2**20


def uv(*words: str, cwd: Path = ROOT, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(["uv", *words], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0 or not check, done.stderr
    return done


def built(source: Path, dist: Path) -> Path:
    """The wheel of a source distribution, where nothing of the clone is."""
    uv("build", "--quiet", "--out-dir", str(dist), str(source))
    return next(dist.glob("*.whl"))


def fresh(place: Path, *wanted: str) -> Path:
    """A new environment with what is named; its ``bin``."""
    uv("venv", "--quiet", str(place))
    pins = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["uv"]["constraint-dependencies"]
    (place / "pins.txt").write_text("\n".join(pins))
    python = str(place / "bin" / "python")
    uv("pip", "install", "--quiet", "--python", python, "-c", str(place / "pins.txt"), *wanted)
    return place / "bin"


def size(environment: Path) -> float:
    """Megabytes of its packages, without bytecode."""
    files = [path for path in environment.glob("lib/*/site-packages/**/*") if path.is_file()]
    return sum(path.stat().st_size for path in files if path.suffix != ".pyc") / MB


def heads(programs: Path, program: str) -> set[str]:
    """The packages that a program has imported when it ends, standard library left out."""
    told = f"{program}\nimport sys; print('heads', *{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([str(programs / "python"), "-c", told], capture_output=True, text=True, check=True)
    names = re.search(r"^heads (.*)$", done.stdout, re.MULTILINE)
    assert names
    listed = "import sys; print(*sys.stdlib_module_names)"
    known = subprocess.run([str(programs / "python"), "-c", listed], capture_output=True, text=True, check=True)
    return {name for name in set(names[1].split()) - set(known.stdout.split()) if not name.startswith("_")}
