"""Mechanisms that a game in a folder has among its own settings, by the names that they have around declared games.

A run under them is a run of the game itself: rules, words, board and prompts are its own, and only settings differ.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from games.core.answers import JSON
from games.core.pack import Files, FolderFiles, Pack
from games.core.prompts import LANGUAGES
from games.core.words import Words
from games.declare.mechanisms.composing import NAMES, NONE, TOGETHER, slug_of
from games.declare.wording import fill, shared, titled

MESSAGES: Final = "messages"
"""What communication is called where words are free."""
Settings = Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class Own:
    """``on`` and ``off``: by mechanism the settings that lay it around the game, and those that leave it out.

    ``config`` and ``seats`` are those of every preset: where it can be seen what a mechanism does.
    """

    on: Mapping[str, Settings]
    off: Mapping[str, Settings]
    config: Settings = field(default_factory=dict)
    seats: Mapping[str, JSON] = field(default_factory=dict)

    def __call__(self, pack: Pack, names: Sequence[str]) -> Pack:
        """The game under these mechanisms, with a preset for each, and for none. Raises ValueError for one it lacks."""
        for name in names:
            if name not in self.on:
                raise ValueError(f"{pack.slug} has no {name}; it has {', '.join(self.on)} (docs/decisions/0037)")
        ordered = [name for name in NAMES if name in names]
        made = type(pack.game)
        body = {"slug": slug_of(pack.slug, ordered), "__module__": made.__module__}
        words = shared("en")
        called = words["say"]["and"].join(_called(name, words) for name in ordered)
        assert isinstance(pack.files, FolderFiles)
        presets = {name: json.dumps(one) for name, one in self._presets(ordered).items()}
        return replace(
            pack,
            game=type(f"{made.__name__}With", (made,), body)(),
            title=fill(words["around"], NAME=pack.title, MECHANISMS=called),
            batch=None,
            timings=None,
            files=UnderMechanisms(pack.files, presets),
            switches={name: self.on[name] for name in ordered},
        )

    def _presets(self, names: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Of none, of each, of all together where they are several; and all of them as conditions."""
        sets = {NONE: [], **{name: [name] for name in names}}
        if len(names) > 1:
            sets[TOGETHER] = list(names)
        levels = {called: self._settings(names, laid) for called, laid in sets.items()}
        base = {"seats": dict(self.seats)} if self.seats else {}
        found = {
            called: {"title": _titles(called), "about": _abouts(called), "config": {**self.config, **config}, **base}
            for called, config in levels.items()
        }
        found["treatments"] = {
            "title": _titles("treatments"),
            "about": _abouts("treatments"),
            "config": dict(self.config),
            **base,
            "conditions": {called: {"title": _titles(called), "config": config} for called, config in levels.items()},
            "control": NONE,
            "seeds": "1..5",
        }
        return dict(sorted(found.items()))

    def _settings(self, names: Sequence[str], laid: Sequence[str]) -> dict[str, JSON]:
        sides = ((self.on if name in laid else self.off)[name] for name in names)
        return {setting: value for side in sides for setting, value in side.items()}


@dataclass(frozen=True, slots=True)
class UnderMechanisms(Files):
    """A folder's words, rules and stories with other presets, which no trace, claim or benchmark is of."""

    own: FolderFiles
    presets: Mapping[str, str]

    @property
    def folder(self) -> Path:
        return self.own.folder

    def words(self) -> Words:
        return self.own.words()

    def scenarios(self) -> Mapping[str, str]:
        return self.presets

    def rule_sheet(self) -> str:
        return self.own.rule_sheet()

    def story(self) -> str | None:
        return self.own.story()


def _called(name: str, words: Mapping[str, Any]) -> str:
    groups: Mapping[str, str] = words["groups"]
    return groups.get(MESSAGES if name == "communication" else name, name)


def _titles(name: str) -> dict[str, str]:
    """What a preset is called, by language."""
    return {language: titled(_words(language).get(name) or _called(name, shared(language))) for language in LANGUAGES}


def _abouts(name: str) -> dict[str, str]:
    return {
        language: _words(language).get(f"{name}_about") or fill(shared(language)["of_its_own"], MECHANISMS=title)
        for language, title in _titles(name).items()
    }


def _words(language: str) -> Mapping[str, str]:
    found: Mapping[str, str] = shared(language)["presets"]
    return found
