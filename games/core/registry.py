"""Finds the games: every folder and every file of `games/catalog`, and of the other places given, that is one.

A folder has a PACK; a file has a PACK too, or declares one game (`games.declare`). A place is a package, or a file or a
folder of games by its path; what other packages plug in (`games.core.plugs`) comes last. A game is found, not listed,
and imported when it is asked for. A broken one is named with its reason, and takes nothing else down.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

from games.core.derived import from_prompts
from games.core.pack import FolderFiles, NoFiles, Pack
from games.core.plugs import KINDS, Plug, broken, digest_of, plugs, with_measures
from games.core.reckoning import with_reckoners
from games.core.rng import label_word

CATALOG = "games.catalog"
AROUND = "-"
"""Between a declared game and each mechanism around it, in a slug; no module has it in its name."""


def package_of(folder: Path) -> str:
    """The dotted name of a folder as a package: as many of its parents as are packages come before it."""
    folder = folder.resolve()
    parts = [folder.name]
    while (folder.parent / "__init__.py").is_file():
        folder = folder.parent
        parts.insert(0, folder.name)
    return ".".join(parts)


class BrokenGame(RuntimeError):
    """A folder or file that cannot be used as a game; the message names it."""


class UnknownGame(LookupError):
    """No game has that name; the message lists those that exist."""


def load_pack(module_name: str) -> Pack:
    """The pack of one game's module, by its dotted name or by the path of its file; raises `BrokenGame`."""
    found = _loaded(module_name)
    if isinstance(found, BrokenGame):
        raise BrokenGame(str(found)) from found.__cause__
    return found


def slug_of(module_name: str) -> str:
    """The game that a module is to be: the last part of its name, or of its path."""
    if not is_file(module_name):
        return module_name.rpartition(".")[2]
    path = Path(module_name)
    return path.parent.name if path.name == "__init__.py" else path.stem


def is_file(place: str) -> bool:
    """Whether a place in which games are looked for is a file by its path."""
    return place.endswith(".py")


def is_folder(place: str) -> bool:
    """Whether a place is a folder of games by its path, as the option ``--games`` gives it."""
    return Path(place).is_absolute() and not is_file(place)


def with_mechanisms(module_name: str, slug: str) -> str:
    """The module name of a declared game with mechanisms around it, by its slug ``GAME-MECHANISM-MECHANISM``."""
    more = slug[len(slug_of(module_name)) :]
    return f"{module_name[:-3]}{more}.py" if is_file(module_name) else f"{module_name}{more}"


def without_mechanisms(module_name: str) -> tuple[str, tuple[str, ...]]:
    """The module of a game, and the mechanisms around it that its name adds."""
    if is_file(module_name) and Path(module_name).is_file():
        return module_name, ()
    base, *mechanisms = slug_of(module_name).split(AROUND)
    if not mechanisms:
        return module_name, ()
    end = -3 if is_file(module_name) else None
    return f"{module_name[: -len(slug_of(module_name)) + (end or 0)]}{base}" + (".py" if end else ""), tuple(mechanisms)


def _pack_in(module_name: str) -> Pack:
    slug = slug_of(module_name)
    place, mechanisms = without_mechanisms(module_name)
    try:
        module = _module_at(Path(place)) if is_file(place) else importlib.import_module(place)
        pack = _pack_around(module, slug, mechanisms) if mechanisms else _whole(module, _pack_of(module, slug))
    except BrokenGame:
        raise
    except Exception as error:
        is_told = type(error).__name__ == "BadDeclaration"
        raise BrokenGame(f"game {slug}: {error if is_told else f'it cannot be imported: {error!r}'}") from error
    if pack.slug != slug:
        raise BrokenGame(f"game {slug}: its game calls itself {pack.slug!r}; both must be the same")
    if pack.default_policy not in pack.policies:
        raise BrokenGame(f"game {slug}: default_policy {pack.default_policy!r} is not one of its policies")
    for role, name in pack.role_defaults.items():
        if name not in pack.policies or not pack.policies[name].can_play(role):
            raise BrokenGame(f"game {slug}: role_defaults[{role!r}] names {name!r}, which is no policy of that role")
    pack = with_measures(with_reckoners(pack))
    if pack.instructions is None and pack.prompts is not None:
        pack = replace(pack, instructions=from_prompts(pack.game, pack.prompts))
    return pack


def _whole(module: Any, pack: Pack) -> Pack:
    """With what lies beside its module: a board that came with it, and its folder's files."""
    path = Path(str(module.__file__))
    board = path.parent / "board.js" if path.name == "__init__.py" else path.with_suffix(".board.js")
    if board.is_file():
        pack = replace(pack, board=board)
    if isinstance(pack.files, NoFiles):
        return replace(pack, files=FolderFiles(path.parent))
    return pack


def _declared_in(module: Any) -> list[Any]:
    """The games that a module declares."""
    declared: list[Any] = [one for one in vars(module).values() if isinstance(one, type) and "declared" in vars(one)]
    return [one for one in declared if one.__module__ == module.__name__]


def _pack_around(module: Any, slug: str, mechanisms: Sequence[str]) -> Pack:
    """The pack of a module's game with mechanisms around it."""
    own = _declared_in(module)
    if len(own) == 1:
        pack: Pack = own[0].around(*mechanisms).pack()
        return pack
    whole = _whole(module, _pack_of(module, slug))
    if whole.around is None:
        raise BrokenGame(f"game {slug}: mechanisms are laid around games that one file declares; this is none")
    try:
        return whole.around(whole, mechanisms)
    except ValueError as error:
        raise BrokenGame(f"game {slug}: {error}") from error


def _pack_of(module: Any, slug: str) -> Pack:
    """A module's PACK, or the pack of the one game that it declares."""
    pack = getattr(module, "PACK", None)
    if isinstance(pack, Pack):
        return pack
    own = _declared_in(module)
    if len(own) == 1:
        made: Pack = own[0].pack()
        return made
    if own:
        raise BrokenGame(f"game {slug}: it declares {', '.join(one.__name__ for one in own)}; one game a file")
    raise BrokenGame(f"game {slug}: it has no PACK = Pack(...), and declares no game")


def _module_at(path: Path) -> Any:
    """The module of a file that stands in no package, under a name of its own."""
    name = f"polity_file_{slug_of(str(path))}_{abs(label_word(str(path.resolve()))):x}"
    if name in sys.modules:
        return sys.modules[name]
    inside = [str(path.parent)] if path.name == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=inside)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path}: no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


_PLACES: list[str] = [CATALOG]


def look_in(packages: Iterable[str]) -> None:
    """Let this process look for games in these places too, after the catalog: packages, or files by their path."""
    _PLACES[1:] = packages


def looked_in() -> tuple[str, ...]:
    """The packages after the catalog in which this process looks for games."""
    return tuple(_PLACES[1:])


class Packs(dict[str, Pack]):
    """Packs by slug; one with mechanisms around it is made when it is asked for."""

    def __init__(self, registry: Registry, packs: Mapping[str, Pack]) -> None:
        super().__init__(packs)
        self.registry = registry

    def __missing__(self, slug: str) -> Pack:
        if AROUND in slug:
            try:
                return self.registry.get(slug)
            except (UnknownGame, BrokenGame):
                pass
        raise KeyError(slug)

    def __contains__(self, slug: object) -> bool:
        return super().__contains__(slug) or self.get(str(slug)) is not None

    def get(self, slug: str, default: Any = None) -> Any:
        try:
            return self[slug]
        except KeyError:
            return default


@dataclass(frozen=True, slots=True)
class Plugged(Plug):
    """What is plugged in, and why it cannot be used; "" where it can."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Registry:
    """The packages in which games are looked up, in order; by default those that this process looks in.

    A game is imported when it is asked for, and one that cannot be used stands in nobody's way.
    """

    packages: tuple[str, ...] = field(default_factory=lambda: tuple(_PLACES))
    has_plugs: bool = True

    def modules(self) -> dict[str, str]:
        """Module name by slug, sorted by slug; the first package that has a slug keeps it."""
        found: dict[str, str] = {}
        for package in self.packages:
            if is_file(package):
                found.setdefault(slug_of(package), package)
                continue
            if is_folder(package):
                found = {**{slug_of(file): file for file in _files_of(Path(package))}, **found}
                continue
            for name in _games_of(package) or ():
                found.setdefault(name, f"{package}.{name}")
        for name, plug in plugs("games").items() if self.has_plugs else ():
            found.setdefault(name, plug.target)
        return dict(sorted(found.items()))

    def module(self, slug: str) -> str:
        """The module of a game; raises `UnknownGame`."""
        modules = self.modules()
        base, mechanisms, _ = slug.partition(AROUND)
        if mechanisms and slug not in modules and base in modules:
            return with_mechanisms(modules[base], slug)
        if slug not in modules:
            lost = "".join(f"; {why}" for why in self.lost().values())
            raise UnknownGame(f"game {slug!r}: there is none of that name; there are {', '.join(modules)}{lost}")
        return modules[slug]

    def has(self, slug: str) -> bool:
        """Whether there is a game of that name, or one that mechanisms of that name are laid around."""
        modules = self.modules()
        return slug in modules or slug.partition(AROUND)[0] in modules

    def get(self, slug: str) -> Pack:
        """The pack of a game; raises `UnknownGame`, or `BrokenGame` where its folder cannot be used."""
        return load_pack(self.module(slug))

    def packs(self) -> dict[str, Pack]:
        """Every game that can be used, by slug, sorted. Those with mechanisms around them are found, not listed."""
        loaded = {slug: _loaded(module) for slug, module in self.modules().items()}
        return Packs(self, {slug: pack for slug, pack in loaded.items() if isinstance(pack, Pack)})

    def broken(self) -> dict[str, str]:
        """Why a game, or a whole package, cannot be used, by its name."""
        loaded = {slug: _loaded(module) for slug, module in self.modules().items()}
        return {**self.lost(), **{slug: str(why) for slug, why in loaded.items() if isinstance(why, BrokenGame)}}

    def lost(self) -> dict[str, str]:
        """Packages that cannot be imported, each with a line that says so."""
        lost: dict[str, str] = {}
        for package in self.packages:
            if is_file(package):
                continue
            if is_folder(package):
                lost |= {} if Path(package).is_dir() else {package: f"{package}: there is no such folder of games"}
                continue
            try:
                importlib.import_module(package)
            except Exception as error:
                lost[package] = f"package {package!r}: cannot be imported: {error}"
        return lost


def _files_of(folder: Path) -> list[str]:
    """The games of a folder that is no package: files that declare one, and folders with an ``__init__.py``."""
    files = [path for path in sorted(folder.glob("*.py")) if _declares(path, path.stat().st_mtime_ns)]
    return [str(path) for path in (*files, *sorted(folder.glob("*/__init__.py")))]


def _games_of(package: str) -> tuple[str, ...] | None:
    """The names of a package's folders and of its files that are games; None where it cannot be imported."""
    try:
        paths = tuple(importlib.import_module(package).__path__)
    except Exception:
        return None
    return _listed(paths, tuple(Path(path).stat().st_mtime_ns for path in paths if Path(path).is_dir()))


@lru_cache(maxsize=64)
def _listed(paths: tuple[str, ...], changed: tuple[int, ...]) -> tuple[str, ...]:
    """The games below the paths of a package, looked through again when a file has come or gone."""
    return tuple(info.name for info in pkgutil.iter_modules(paths) if info.ispkg or _is_game(info))


def _is_game(info: pkgutil.ModuleInfo) -> bool:
    path = Path(getattr(info.module_finder, "path", "")) / f"{info.name}.py"
    return path.is_file() and _declares(path, path.stat().st_mtime_ns)


def parsed(text: str) -> ast.Module:
    """Python as a tree, by one thread at a time: CPython 3.11 counts the depth of all in one place and fails else."""
    with _parser:
        return ast.parse(text)


_parser: Final = Lock()


@lru_cache(maxsize=1024)
def _declares(path: Path, changed: int) -> bool:
    """Whether a file looks like a game, without importing it: it has a PACK, or a class or value made from the words
    of `games.declare`. One that cannot be read as Python is taken for a game, so that it is named as broken."""
    try:
        body = parsed(path.read_text("utf-8")).body
    except (SyntaxError, ValueError):
        return True
    names = {name.asname or name.name for one in body if _from_declare(one) for name in one.names}  # type: ignore[attr-defined]
    for one in body:
        if isinstance(one, ast.Assign) and any(getattr(target, "id", "") == "PACK" for target in one.targets):
            return True
        called = getattr(one.value, "func", None) if isinstance(one, ast.Assign) else None
        makers = one.bases if isinstance(one, ast.ClassDef) else [called]
        if names & {getattr(maker, "id", "") for maker in makers} & {"Game", "Matrix"}:
            return True
    return False


def _from_declare(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] in ("games", "polity")


@lru_cache(maxsize=256)
def _loaded(module: str) -> Pack | BrokenGame:
    """A game, or what is wrong with it: tried once in a process."""
    try:
        return _pack_in(module)
    except BrokenGame as error:
        return error


def packs() -> Mapping[str, Pack]:
    """Every game that this process finds and can use, by slug, sorted."""
    return Registry().packs()


def get(slug: str) -> Pack:
    """The pack of a game; raises `UnknownGame`, or `BrokenGame` where its folder cannot be used."""
    return Registry().get(slug)


def plugged(games: Registry) -> list[Plugged]:
    """All that packages and folders plug in, by kind and name, and places of games in which nothing is found."""
    lost = games.broken()
    found = [
        Plugged(**asdict(plug), why=(lost if kind == "games" else broken(kind)).get(name, ""))
        for kind in KINDS for name, plug in plugs(kind).items()
    ]  # fmt: skip
    known = {one.name for one in found if one.kind == "games"}
    for slug, module in games.modules().items():
        if slug not in known and not module.startswith(CATALOG):
            digest = digest_of(Path(module)) if is_file(module) else ""
            found.append(Plugged("games", slug, module, "", "", digest, lost.get(slug, "")))
    known |= {one.name for one in found}
    return [*found, *(Plugged("games", name, "", "", "", "", why) for name, why in lost.items() if name not in known)]
