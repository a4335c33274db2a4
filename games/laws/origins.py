"""Where a game's code lies, as one line that another process can load it by.

``package.name`` is a module with a PACK, ``package.name:NAME`` one that calls it otherwise, and
``package.name=/folder`` a module that is read from another place than its name says: a copy of a game, changed, then
stands in the game's own place and nothing else has to know.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

from games.core.pack import Pack
from games.core.plugs import without_measures
from games.core.registry import AROUND, BrokenGame, load_pack, without_mechanisms


def origin_of(pack: Pack) -> str:
    """The origin of a pack whose class lies in a module, or a package, that is called as its game."""
    parts = pack.game.module.split(".")
    base, around, _ = pack.slug.partition(AROUND)
    if around and base in parts:
        module = ".".join(parts[: parts.index(base) + 1]) + pack.slug[len(base) :]
        return f"{module}={place_of(module)}"
    if pack.slug not in parts:
        raise ValueError(f"game {pack.slug}: its class comes from {'.'.join(parts)}, by which no process can find PACK")
    module = ".".join(parts[: parts.index(pack.slug) + 1])
    return f"{module}={place_of(module)}"


def place_of(origin: str) -> Path:
    """The folder or file of an origin whose module has been imported."""
    module, _, place = origin.partition("=")
    if place:
        return Path(place)
    known = sys.modules[without_mechanisms(module.partition(":")[0])[0]]
    path = Path(str(known.__file__))
    return path.parent if hasattr(known, "__path__") else path


def pack_at(origin: str) -> Pack:
    """The pack of an origin; raises `BrokenGame` with the reason where there is none."""
    module, _, place = origin.partition("=")
    module, _, name = module.partition(":")
    if place:
        stand_in(without_mechanisms(module)[0], Path(place))
    if not name:
        return without_measures(load_pack(module))
    pack = getattr(importlib.import_module(module), name)
    if not isinstance(pack, Pack):
        raise BrokenGame(f"{origin}: no Pack")
    return pack


def stand_in(module: str, place: Path) -> None:
    """Let a module of that name be what lies in a folder or file, in this process and from now on.

    Nothing is done where it is that already; what is loaded under the name from elsewhere stays in whoever has it.
    """
    file = place / "__init__.py" if place.is_dir() else place
    known = sys.modules.get(module)
    if known is not None and Path(str(known.__file__)).resolve() == file.resolve():
        return
    parent = module.rpartition(".")[0]
    if parent:
        importlib.import_module(parent)
    where = [str(place)] if place.is_dir() else None
    spec = importlib.util.spec_from_file_location(module, file, submodule_search_locations=where)
    if spec is None or spec.loader is None:
        raise BrokenGame(f"{file}: no Python module")
    for name in [name for name in sys.modules if name == module or name.startswith(f"{module}.")]:
        del sys.modules[name]
    made = importlib.util.module_from_spec(spec)
    sys.modules[module] = made
    try:
        spec.loader.exec_module(made)
    except Exception as error:
        del sys.modules[module]
        raise BrokenGame(f"game {place.name}: it cannot be imported: {error!r}") from error
