"""Studies that come with Polity: files to begin with, each checked and rehearsed by the tests."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from games.site.studies.loading import Study, study_file

FOLDER: Final = Path(__file__).parent / "files"


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")


def study(name: str) -> Study:
    return study_file(str(FOLDER / f"{name}.yaml"))


@lru_cache(maxsize=4)
def titles(lang: str) -> list[tuple[str, str]]:
    """Name and title of each."""
    found = [(name, study(name).form.title) for name in names()]
    return [(name, title.get(lang) or title.get("en") or name) for name, title in found]
