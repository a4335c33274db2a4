"""The built browser bundle as pages need it: which files an entry loads, and what a file of its own holds."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from games.errors.faults import Refused

ENTRY: Final = "src/main.ts"
MANIFEST: Final = Path(".vite") / "manifest.json"
FACE: Final = "kit/face/board.svelte.ts"
WRITTEN: Final = "src/people/schemacomposer.svelte.ts"
"""The sources of the board and of the answer's form that games without their own have."""
ALONE: Final = Path("alone")
"""Below the bundle: the same page as one script and one style sheet."""


@dataclass(frozen=True)
class Bundle:
    """The folder that Vite built into. Raises `Refused` where it lacks what is asked for."""

    path: Path

    @cached_property
    def manifest(self) -> dict[str, Any]:
        return dict(json.loads(self._text(MANIFEST)))

    @property
    def script(self) -> str:
        """The entry's module, relative to the bundle."""
        return str(self._part(ENTRY)["file"])

    @property
    def styles(self) -> list[str]:
        """The styles of the entry and of what it imports, each once."""
        return self.needs(ENTRY)[1]

    def needs(self, *names: str) -> tuple[list[str], list[str]]:
        """The scripts and the styles that these sources and all that they import come in, each file once,
        what is imported before what imports it. What is imported on demand is not among them.
        """
        scripts: dict[str, None] = {}
        styles: dict[str, None] = {}
        seen = set()

        def need(name: str) -> None:
            if name in seen:
                return
            seen.add(name)
            part = self._part(name)
            for other in part.get("imports", []):
                need(other)
            scripts[part["file"]] = None
            styles.update(dict.fromkeys(part.get("css", [])))

        for name in names:
            need(name)
        return list(scripts), list(styles)

    def draws(self, game: str, lang: str, *, answers: bool) -> list[str]:
        """The sources that draw a game, in a language: words and parts of its own board, else the board of all games
        without; ``answers``: with what an answer to those is written by.
        """
        folder = game.partition("-")[0]
        own = [source for source, part in self.manifest.items() if part.get("name", "").split("~")[0] == folder]
        told = [f"../games/catalog/{folder}/words/{lang}.yaml", *(own or [FACE, *([WRITTEN] if answers else [])])]
        return [source for source in told if source in self.manifest]

    @property
    def fonts(self) -> list[str]:
        """The fonts that the entry's styles ask for."""
        return [file for file in self._part(ENTRY).get("assets", []) if file.endswith(".woff2")]

    def sheet(self, name: str) -> str:
        """A style sheet that is an entry of its own, by its source; where a script shares it, it stands beside that."""
        part = self._part(name)
        return str(part["file"] if part["file"].endswith(".css") else part["css"][0])

    def _part(self, name: str) -> dict[str, Any]:
        if name not in self.manifest:
            raise Refused(f"{self.path / MANIFEST}: knows no {name}; `npm run build` in frontend makes it")
        return dict(self.manifest[name])

    def file(self, name: str) -> Path | None:
        """A file of the bundle that a page may load, by its relative name; None where there is none."""
        if re.fullmatch(r"assets/[\w.-]+", name) is None or not (self.path / name).is_file():
            return None
        return self.path / name

    @cached_property
    def alone(self) -> tuple[str, str]:
        """Script and styles of the page that needs no other file. A site that has just begun builds them meanwhile."""
        return self._text(ALONE / "page.js"), self._text(ALONE / "page.css")

    def _text(self, name: Path) -> str:
        try:
            return (self.path / name).read_text("utf-8")
        except OSError:
            told = "not built; `npm run build` in frontend makes it, and a site in its first minute: try again then"
            raise Refused(f"{self.path / name}: {told}") from None
