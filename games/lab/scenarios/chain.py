"""A scenario's file and the files that it rests on: the chain of its bases, and what the chain says as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from games.core.answers import JSON
from games.core.registry import AROUND, Registry
from games.declare.mechanisms import NAMES, slug_of
from games.errors.faults import BadScenario, Fault, Refused, among
from games.lab.scenarios.design import ExperimentForm, read_experiment
from games.lab.scenarios.finding import Found, preset_named, presets_of
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.yamlfile import read_yaml

BASES_MAX: Final = 8
DEFAULT: Final = "default"
"""The preset that a game's bare name means, where it has one."""


@dataclass(frozen=True, slots=True)
class Link:
    """One file of a chain. ``game`` is the game that it speaks of, None where it names none."""

    form: ExperimentForm
    source: str
    folder: Path | None
    game: str | None

    def layer(self, switches: Mapping[str, Mapping[str, JSON]]) -> Layer:
        """``switches``: by mechanism the settings that lay it around the game, where they are others than its name."""
        form = self.form
        config = {name: value for part in form.mechanisms.values() for name, value in (part or {}).items()}
        for name in reversed(form.mechanisms):
            config = {**switches.get(name, {name: True}), **config}
        config |= form.config
        return Layer(self.source, config, form.seats, folder=self.folder, people=form.people, profile=form.profile)


@dataclass(frozen=True, slots=True)
class Chain:
    """A file and the bases that it rests on, the deepest base first."""

    links: tuple[Link, ...]

    @classmethod
    def of(cls, form: ExperimentForm, source: str, at: Found, registry: Registry, faults: list[Fault]) -> Chain:
        links = [Link(form, source, at.folder, form.game or at.game)]
        while (base := links[0].form.base) is not None:
            here = links[0]
            if len(links) > BASES_MAX:
                raise BadScenario([Fault(here.source, "base", f"{base!r}; more than {BASES_MAX} files in a row")])
            try:
                found = locate(base, registry, here.folder)
                below = read_experiment(found.read(), base, faults)
            except BadScenario:
                raise
            except Refused as error:
                raise BadScenario([Fault(here.source, "base", str(error))]) from None
            links.insert(0, Link(below, base, found.folder, below.game or found.game))
        return cls(tuple(links))

    @property
    def top(self) -> Link:
        return self.links[-1]

    def game(self) -> str:
        """The one game that all files speak of."""
        named = [(link, link.game) for link in self.links if link.game is not None]
        if not named:
            raise BadScenario([Fault(self.top.source, "game", "missing; name the game, or a base")])
        first = named[0][1]
        for link, game in named[1:]:
            if game != first:
                raise BadScenario([Fault(link.source, "game", f"{game!r}; its base plays {first!r}")])
        return self._with_mechanisms(first)

    def _with_mechanisms(self, game: str) -> str:
        """The game with all mechanisms around it that the files name."""
        wanted = {name: link for link in self.links for name in link.form.mechanisms}
        for name, link in wanted.items():
            if name not in NAMES:
                raise BadScenario([Fault(link.source, "mechanisms", f"{name!r}: {among(name, NAMES)}")])
        if not wanted:
            return game
        base, *there = game.split(AROUND)
        return slug_of(base, [name for name in NAMES if name in wanted or name in there])

    def designed(self) -> Link:
        """The last file that says what differs; the top one where none does."""
        return next((link for link in reversed(self.links) if link.form.names_conditions), self.top)

    def declared(self) -> Link | None:
        """The last file that declares hypotheses, references, or what its report shows."""
        told = (
            link
            for link in reversed(self.links)
            if link.form.hypotheses or link.form.references or "report" in link.form.model_fields_set
        )
        return next(told, None)

    def is_inherited(self, link: Link) -> bool:
        """Whether a file lies below the one that says what differs, so that it may speak of other conditions."""
        return self.links.index(link) < self.links.index(self.designed())

    def seeds(self) -> tuple[int, ...]:
        for link in reversed(self.links):
            chosen = link.form.chosen_seeds()
            if chosen is not None:
                return chosen
        return (1,)


def locate(target: str, registry: Registry, folder: Path | None) -> Found:
    """What a name means: a YAML file under ``folder``, a preset, or a game by its name or its file, whose preset
    ``default`` it is then. Raises `Refused`."""
    if target.endswith((".yaml", ".yml")):
        if folder is None:
            raise Refused(f"{target}: files cannot be referred to from here; name a preset as GAME/PRESET")
        path = folder / target
        if not path.is_file():
            raise Refused(f"{target}: there is no such file")
        return Found(lambda: read_yaml(path, target), path.parent, _home(path))
    if folder is not None and (folder / target).exists() and not (folder / target).is_file():
        raise Refused(f"{target}: no file; a scenario is a YAML file, or a preset as GAME/PRESET")
    is_file = folder is not None and (folder / target).is_file()
    if is_file or ("/" not in target and not registry.has(target)):
        raise Refused(f"{target}: a preset is named as GAME/PRESET, a file by its name, which ends in .yaml")
    if "/" not in target and DEFAULT in presets_of(registry.module(target)):
        target = f"{target}/{DEFAULT}"
    return preset_named(registry, target)


def _home(path: Path) -> str | None:
    """The game in whose ``scenarios`` folder a preset stands."""
    if path.parent.name != "scenarios" or not (path.parent.parent / "__init__.py").is_file():
        return None
    return path.resolve().parent.parent.name
