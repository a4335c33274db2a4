"""A game by its name, folder or file, with a case for each of its presets: what laws, checks and mutants begin with."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from games.core.registry import BrokenGame, Pack, Registry, UnknownGame, package_of
from games.errors.faults import Refused
from games.lab.scenarios.finding import module_named, pack_of
from games.lab.scenarios.scenario import load, load_data
from games.lab.scenarios.yamlfile import parse_yaml
from games.laws.case import Case
from games.laws.origins import origin_of, pack_at

DEFAULT: Final = "default"
"""What the one case of a game without presets is called: all settings as they are by default."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A game to be looked at. ``registry`` finds it, ``origin`` loads the very same in another process."""

    pack: Pack
    registry: Registry
    origin: str
    presets: tuple[str, ...] = field(default=())

    def case(self, preset: str) -> Case:
        """A preset's first condition; `Refused` with its faults where the file has any."""
        if preset == DEFAULT and preset not in self.pack.scenarios:
            return Case(self.pack, preset, self.pack.game.config_type(), origin=self.origin)
        if isinstance(self.registry, _Alone):
            name = f"{self.pack.slug}/{preset}"
            data = parse_yaml(self.pack.scenarios[preset], name)
            scenario = load_data(data, name, self.pack.slug, self.registry)
        else:
            scenario = load(f"{self.pack.slug}/{preset}", self.registry)
        first = scenario.conditions[0]
        seated = dict(enumerate(first.seats))
        return Case(scenario.pack, preset, first.config, seated, scenario.seeds[0], origin=self.origin)


def subject(target: str, registry: Registry | None = None) -> Subject:
    """The game of a slug, a folder or a Python file. Raises `Refused` in a line where there is none."""
    path = Path(target)
    if path.suffix == ".py" and path.is_file():
        module = path.stem
        return _of(_at(f"{module}={path.resolve()}"), _Alone(names={module: module}))
    if path.is_dir() and (path / "__init__.py").is_file():
        return _of_folder(path.resolve())
    if path.exists():
        raise Refused(f"{target}: no game; a game is a folder with an __init__.py that has a PACK, or a Python file")
    found = registry or Registry()
    return _of(pack_of(module_named(found, target)), found)


def _of_folder(folder: Path) -> Subject:
    """The game of a package's folder: importable from beside its outermost package."""
    module = package_of(folder)
    root = folder.parents[module.count(".")]
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    package = module.rpartition(".")[0]
    pack = pack_of(module) if package else _at(f"{module}={folder}")
    return _of(pack, Registry((package,)) if package else _Alone(names={module: module}))


def _at(origin: str) -> Pack:
    try:
        return pack_at(origin)
    except BrokenGame as error:
        raise Refused(str(error)) from error


def _of(pack: Pack, registry: Registry) -> Subject:
    return Subject(pack, registry, origin_of(pack), tuple(pack.scenarios) or (DEFAULT,))


@dataclass(frozen=True, slots=True)
class _Alone(Registry):
    """Finds one game that lies in no package, by its module's name."""

    names: Mapping[str, str] = field(default_factory=dict)

    def modules(self) -> dict[str, str]:
        return dict(self.names)

    def module(self, slug: str) -> str:
        if slug not in self.names:
            raise UnknownGame(f"game {slug!r}: there is none of that name; there is {', '.join(self.names)}")
        return self.names[slug]
