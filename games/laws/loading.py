"""A game by its name, folder or file, with a case for each of its presets: what laws, checks and mutants begin with."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from games.core.pack import Pack
from games.core.plugs import without_measures
from games.core.registry import BrokenGame, Registry, UnknownGame, is_file, package_of
from games.errors.faults import Refused
from games.lab.scenarios.finding import module_named, pack_of
from games.lab.scenarios.scenario import load, load_data
from games.lab.scenarios.yamlfile import parse_yaml
from games.laws.case import Case
from games.laws.origins import pack_at, place_of

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
        pack = without_measures(scenario.pack)
        return Case(pack, preset, first.config, seated, scenario.seeds[0], origin=self.origin)


def subject(target: str, registry: Registry | None = None) -> Subject:
    """The game of a slug, a folder or a Python file. Raises `Refused` in a line where there is none."""
    path = Path(target)
    if path.suffix == ".py" and path.is_file():
        return _alone(path.stem, path.resolve())
    if path.is_dir() and (path / "__init__.py").is_file():
        return _of_folder(path.resolve())
    if path.exists():
        raise Refused(f"{target}: no game; a game is a folder with an __init__.py that has a PACK, or a Python file")
    registry = registry or Registry()
    module = module_named(registry, target)
    if is_file(module) and Path(module).is_file():
        return _alone(Path(module).stem, Path(module))
    return _of(pack_of(module), module, registry)


def _of_folder(folder: Path) -> Subject:
    """The game of a package's folder: importable from beside its outermost package."""
    module = package_of(folder)
    root = folder.parents[module.count(".")]
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    package = module.rpartition(".")[0]
    return _of(pack_of(module), module, Registry((package,))) if package else _alone(module, folder)


def _alone(module: str, place: Path) -> Subject:
    """A game that lies in no package, as a module of its own name."""
    try:
        pack = pack_at(f"{module}={place}")
    except BrokenGame as error:
        raise Refused(str(error)) from error
    return _of(pack, module, _Alone(names={module: module}))


def _of(pack: Pack, module: str, registry: Registry) -> Subject:
    return Subject(
        without_measures(pack), registry, f"{module}={place_of(module)}", tuple(pack.scenarios) or (DEFAULT,)
    )


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
