"""Which games there are, and where their presets stand: one package of games or several, the catalog by default."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from games.core.registry import CATALOG, BrokenGame, Pack, load_pack
from games.lab.faults import Refused, among


@dataclass(frozen=True, slots=True)
class Shelf:
    """The packages in which games are looked up, in order. A game is imported only when it is asked for."""

    packages: tuple[str, ...] = (CATALOG,)

    def modules(self) -> dict[str, str]:
        """Module name by slug, sorted by slug; the first package that has a slug keeps it."""
        found: dict[str, str] = {}
        for package in self.packages:
            for name in _games_of(package):
                found.setdefault(name, f"{package}.{name}")
        return dict(sorted(found.items()))

    def module(self, slug: str) -> str:
        """The module of a game; raises `Refused` with the nearest name."""
        modules = self.modules()
        if slug not in modules:
            raise Refused(f"game {slug!r}: there is none of that name; {among(slug, modules)}")
        return modules[slug]

    def pack(self, slug: str) -> Pack:
        """A game; raises `Refused` where there is none of that name or its folder is broken."""
        return pack_of(self.module(slug))

    def preset(self, name: str) -> Path:
        """The file of ``GAME/PRESET``; raises `Refused` with the nearest names."""
        slug, _, preset = name.partition("/")
        files = presets_of(self.module(slug))
        if preset not in files:
            choice = among(preset, files) if preset else f"name one: {', '.join(f'{slug}/{p}' for p in files)}"
            raise Refused(f"scenario {name!r}: {slug} has no preset of that name; {choice}")
        return files[preset]


def pack_of(module: str) -> Pack:
    """The pack of one game's module; raises `Refused` where its folder is broken."""
    try:
        return load_pack(module)
    except BrokenGame as error:
        raise Refused(str(error)) from error


def presets_of(module: str) -> dict[str, Path]:
    """Preset files by name, sorted, without importing the game's rules where its package can be found without."""
    package, _, slug = module.rpartition(".")
    for root in importlib.import_module(package).__path__:
        folder = Path(root) / slug
        if folder.is_dir():
            return dict(sorted((path.stem, path) for path in (folder / "scenarios").glob("*.yaml")))
    return {}


def _games_of(package: str) -> Iterator[str]:
    try:
        root = importlib.import_module(package)
    except ImportError as error:
        raise Refused(f"package {package!r}: cannot be imported: {error}") from error
    for info in pkgutil.iter_modules(root.__path__):
        if info.ispkg:
            yield info.name
