"""A copy of a game with one file changed; whatever is not changed is linked to."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from games.laws.mutation.source import Mutant


@contextmanager
def changed(origin: str, mutant: Mutant) -> Iterator[str]:
    """The origin of a copy of the game with the mutant in its place; what is not changed is linked to."""
    module, _, place = origin.partition("=")
    with tempfile.TemporaryDirectory(prefix="polity-mutant-") as home:
        if Path(place).is_file():
            copy = Path(home) / Path(place).name
            _linked(Path(place).parent, Path(home), mutant.file)
        else:
            copy = Path(home) / Path(place).name
            copy.mkdir()
            _linked(Path(place), copy, mutant.file)
        target = copy if copy.is_file() or Path(place).is_file() else copy / mutant.file
        target.write_text(mutant.text, "utf-8")
        yield f"{module}={copy}"


def _linked(source: Path, target: Path, but: str) -> None:
    """Everything of a folder as links, but the one file, whose folders are made anew."""
    first, _, rest = but.partition("/")
    for path in source.iterdir():
        if path.name == "__pycache__" or (path.name == first and not rest):
            continue
        if path.name == first:
            (target / first).mkdir()
            _linked(path, target / first, rest)
        elif hasattr(os, "symlink") and os.name != "nt":
            (target / path.name).symlink_to(path)
        elif path.is_dir():
            shutil.copytree(path, target / path.name)
        else:
            shutil.copy(path, target / path.name)
