"""Finds the games: every folder and every file of `games/catalog`, and of the other places given, that is one.

A folder has a PACK; a file has a PACK too, or declares one game (`games.declare`). A place is a package, or a file by
its path. A game is found, not listed, and imported when it is asked for. A broken one is named with its reason, and
takes nothing else down.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import pkgutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from games.core.agents import Controller, PolicySpec
from games.core.answers import JSON, Note
from games.core.derived import from_prompts
from games.core.exempt import Exempt
from games.core.game import Game, Seat, Step
from games.core.instructions import Teller
from games.core.prompts import GamePrompts
from games.core.rng import label_word
from games.core.words import Words

CATALOG = "games.catalog"


class Metrics(Protocol):
    """A game's measures. Undefined is None, never 0 or NaN; they stay outside every hash."""

    def measure(self, config: Any, before: Any, step: Step[Any, Any]) -> Mapping[str, JSON]:
        """One step's measures, from the state before it and the step. Lists and counts may be kept for `summarise`."""
        ...

    def summarise(self, config: Any, series: Sequence[Mapping[str, Any]]) -> Mapping[str, JSON]:
        """A run's measures, from those of its steps (the start, step 0, is not among them)."""
        ...

    def about(self) -> Mapping[str, str]:
        """Formula, range and what higher means, for each name that `summarise` gives."""
        ...


class Export(Protocol):
    """Writes the run files that the game's own source names. Made for one run; fed every step, the start first."""

    def add(self, step: Step[Any, Any]) -> None: ...
    def close(self) -> None: ...


class Meeting(NamedTuple):
    """One run of a round robin: the numbers of the two who met, the replicate, and the run's measures."""

    a: int
    b: int
    replicate: int
    metrics: Mapping[str, Any]


class Robin(Protocol):
    """Who did how well in a round robin, as a game of two seats counts it."""

    def __call__(self, names: Sequence[str], meetings: Sequence[Meeting], counts_itself: bool) -> Mapping[str, JSON]:
        """``matrices`` by name, rows by columns in the order of ``names``, and ``ranking``, best first.

        ``counts_itself``: whether self-matches count in the ranking.
        """
        ...


class Seated(Protocol):
    """Who sits in a seat where policies play: a policy by name, with its parameters."""

    @property
    def policy(self) -> str: ...
    @property
    def params(self) -> Mapping[str, Any]: ...


class Renaming(NamedTuple):
    """Seats that the rules treat alike, given other names: seat ``i`` becomes ``order[i]``.

    ``action`` gives an action in the new names; None: what its schema marks as ``x-seat`` is renamed.
    """

    order: tuple[Seat, ...]
    action: Callable[[Any], Any] | None = None


class NoBatch(ValueError):
    """Raised by `Pack.batch` for a config that it does not cover; one line that says which setting is in the way."""


class Files(ABC):
    """What a game has beside its rules, as texts: read from a folder, or made from a declaration."""

    @abstractmethod
    def words(self) -> Words:
        """What the game calls its things, by language."""

    @abstractmethod
    def scenarios(self) -> Mapping[str, str]:
        """The presets by name, sorted, as YAML. Raises OSError where one cannot be read."""

    @abstractmethod
    def rule_sheet(self) -> str:
        """The rules in markdown, under the fixed headings."""

    def bench(self) -> str | None:
        """What `polity bench` measures, as YAML; None: the defaults with each policy."""
        return None

    def golden(self) -> Path | None:
        """The folder of golden traces, where there is one."""
        return None

    def changed(self) -> int:
        """When the presets were changed, in nanoseconds; 0 where they do not change while the process lives."""
        return 0


@dataclass(frozen=True, slots=True)
class FolderFiles(Files):
    """The files of a game's folder."""

    folder: Path

    def words(self) -> Words:
        return Words(self.folder / "words")

    def _presets(self) -> list[Path]:
        return sorted((self.folder / "scenarios").glob("*.yaml"))

    def scenarios(self) -> Mapping[str, str]:
        return LazyTexts({path.stem: path for path in self._presets()})

    def rule_sheet(self) -> str:
        return (self.folder / "README.md").read_text("utf-8")

    def bench(self) -> str | None:
        path = self.folder / "bench.yaml"
        return path.read_text("utf-8") if path.is_file() else None

    def golden(self) -> Path | None:
        return self.folder / "tests" / "golden"

    def changed(self) -> int:
        return max((path.stat().st_mtime_ns for path in self._presets()), default=0)


class LazyTexts(Mapping[str, str]):
    """Texts by name that are read when they are asked for."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = paths

    def __getitem__(self, name: str) -> str:
        return self._paths[name].read_text("utf-8")

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


class NoFiles(Files):
    """Of a pack that stands by itself."""

    def words(self) -> Words:
        return Words(Path())

    def scenarios(self) -> Mapping[str, str]:
        return {}

    def rule_sheet(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Pack:
    """One game, as a value.

    ``policies``           the named baselines, by name; ``default_policy`` is the one that sits where nothing is said,
                           ``role_defaults`` that of a role which has one of its own
    ``cadences``           the label of the clock by which a metric is measured, for those that are not measured at each
                           step: their value is of the last step before that label moves on, and None at any other
    ``headline``           the measure of a step that says most of a match in one curve; "": none does. Its noun stands
                           in the words under ``headline``: "cooperation" in "cooperation fell from 77% to 31%"
    ``prompts``            its words for models and the stages that have them; None: models are shown JSON
    ``instructions``       what people in its seats are told; see `games.core.instructions`. A game that is loaded
                           without any has those of `games.core.derived`, made from its prompts
    ``controller``         carries plans out, where the game has plans
    ``export``             ``(config, folder) -> Export``, where the source names run files of its own
    ``folder_name``        ``(scenario's name, seed, timestamp) -> path`` of the run folder that ``--out auto``
                           writes, below the working directory, where the source has a name for it
    ``spent``              ``(config, state, seat, action) -> Note``: how much a cleaned action takes of what its seat
                           may spend in this step, where the game has such a bound; None where it takes nothing
    ``indistinguishable``  ``(config, state, seat) -> states`` that differ from the given one only in facts which this
                           seat may not know: it must observe, be asked and be shown the same in all of them
    ``open_state``         in its place, why no state holds a private fact: all seats are then shown the same of it
    ``alike``              ``(config) -> renamings`` under which payoffs are only renamed; by default any two seats of
                           a role may change places. Seats that are never alike are `Exempt.unequal`
    ``batch``              a faster form of `play`, equal to it step for step: ``(config, seeds, seated) -> steps by
                           seed``, with every seat in ``seated``; raises `NoBatch` where it does not cover the config
    ``timings``            further rows for `polity bench`, such as batch forms beside a peer library in the same run:
                           ``(repeats) -> rows`` of plain values, each with its ``case``
    ``policy_label``       ``(config, policy, params) -> name``: what a policy is called, where its parameters say it
                           badly
    ``standings``          who did how well in a round robin, in a game of two seats
    ``inert_settings``     fields of the config (``piles.*.units`` inside others) that change nothing which is played,
                           told, asked or measured, each with the reason; the laws hold every other field to changing
                           something
    ``config_samples``     configs over the defaults that use what no preset uses, for that law
    ``exempt``             what the game does otherwise than the laws expect, each with its reason
    ``demo_pace``          rounds a second at which the site's demo plays the preset ``demo``, if there is one: slow
                           enough to follow, fast enough that something has happened within ten seconds
    ``files``              words, presets, rule sheet: of the folder, or made from the declaration
    """

    game: Game[Any, Any, Any, Any]
    title: str
    tagline: str
    policies: Mapping[str, PolicySpec]
    default_policy: str
    metrics: Metrics
    role_defaults: Mapping[str, str] = field(default_factory=dict)
    cadences: Mapping[str, str] = field(default_factory=dict)
    headline: str = ""
    prompts: GamePrompts | None = None
    instructions: Teller | None = None
    controller: Controller | None = None
    export: Callable[[Any, Path], Export] | None = None
    folder_name: Callable[[str, int, str], str] | None = None
    spent: Callable[[Any, Any, Seat, Any], Note | None] | None = None
    indistinguishable: Callable[[Any, Any, Seat], Iterable[Any]] | None = None
    open_state: str = ""
    alike: Callable[[Any], Iterable[Renaming]] | None = None
    batch: Callable[..., Any] | None = None
    timings: Callable[[int], Sequence[Mapping[str, JSON]]] | None = None
    policy_label: Callable[[Any, str, Mapping[str, Any]], str] | None = None
    standings: Robin | None = None
    inert_settings: Mapping[str, str] = field(default_factory=dict)
    config_samples: Sequence[Mapping[str, JSON]] = ()
    exempt: Exempt = field(default_factory=Exempt)
    demo_pace: float = 1.0
    files: Files = field(default_factory=NoFiles)

    @property
    def slug(self) -> str:
        return self.game.slug

    def default_for(self, role: str) -> str:
        """The policy that sits in a seat of this role where nothing is said."""
        return self.role_defaults.get(role, self.default_policy)

    @property
    def words(self) -> Words:
        """What the game calls its things, by language."""
        return self.files.words()

    @property
    def scenarios(self) -> Mapping[str, str]:
        """The presets by name, sorted, each as YAML."""
        return self.files.scenarios()

    @property
    def folder(self) -> Path | None:
        """The folder of a game that has one."""
        return self.files.folder if isinstance(self.files, FolderFiles) else None


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
    return Path(module_name).stem if is_file(module_name) else module_name.rpartition(".")[2]


def is_file(place: str) -> bool:
    """Whether a place in which games are looked for is a file by its path."""
    return place.endswith(".py")


def _pack_in(module_name: str) -> Pack:
    slug = slug_of(module_name)
    try:
        module = _module_at(Path(module_name)) if is_file(module_name) else importlib.import_module(module_name)
    except Exception as error:
        is_told = type(error).__name__ == "BadDeclaration"
        raise BrokenGame(f"game {slug}: {error if is_told else f'it cannot be imported: {error!r}'}") from error
    pack = _pack_of(module, slug)
    if pack.slug != slug:
        raise BrokenGame(f"game {slug}: its game calls itself {pack.slug!r}; both must be the same")
    if pack.default_policy not in pack.policies:
        raise BrokenGame(f"game {slug}: default_policy {pack.default_policy!r} is not one of its policies")
    for role, name in pack.role_defaults.items():
        if name not in pack.policies or not pack.policies[name].can_play(role):
            raise BrokenGame(f"game {slug}: role_defaults[{role!r}] names {name!r}, which is no policy of that role")
    if pack.instructions is None and pack.prompts is not None:
        pack = replace(pack, instructions=from_prompts(pack.game, pack.prompts))
    if isinstance(pack.files, NoFiles):
        return replace(pack, files=FolderFiles(Path(str(module.__file__)).parent))
    return pack


def _pack_of(module: Any, slug: str) -> Pack:
    """A module's PACK, or the pack of the one game that it declares."""
    pack = getattr(module, "PACK", None)
    if isinstance(pack, Pack):
        return pack
    declared: list[Any] = [one for one in vars(module).values() if isinstance(one, type) and "declared" in vars(one)]
    own = [one for one in declared if one.__module__ == module.__name__]
    if len(own) == 1:
        made: Pack = own[0].pack()
        return made
    if own:
        raise BrokenGame(f"game {slug}: it declares {', '.join(one.__name__ for one in own)}; one game a file")
    raise BrokenGame(f"game {slug}: it has no PACK = Pack(...), and declares no game")


def _module_at(path: Path) -> Any:
    """The module of a file that stands in no package, under a name of its own."""
    name = f"polity_file_{path.stem}_{abs(label_word(str(path.resolve()))):x}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
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


@dataclass(frozen=True, slots=True)
class Registry:
    """The packages in which games are looked up, in order; by default those that this process looks in.

    A game is imported when it is asked for, and one that cannot be used stands in nobody's way.
    """

    packages: tuple[str, ...] = field(default_factory=lambda: tuple(_PLACES))

    def modules(self) -> dict[str, str]:
        """Module name by slug, sorted by slug; the first package that has a slug keeps it."""
        found: dict[str, str] = {}
        for package in self.packages:
            if is_file(package):
                found.setdefault(slug_of(package), package)
                continue
            for name in _games_of(package) or ():
                found.setdefault(name, f"{package}.{name}")
        return dict(sorted(found.items()))

    def module(self, slug: str) -> str:
        """The module of a game; raises `UnknownGame`."""
        modules = self.modules()
        if slug not in modules:
            lost = "".join(f"; {why}" for why in self.lost().values())
            raise UnknownGame(f"game {slug!r}: there is none of that name; there are {', '.join(modules)}{lost}")
        return modules[slug]

    def get(self, slug: str) -> Pack:
        """The pack of a game; raises `UnknownGame`, or `BrokenGame` where its folder cannot be used."""
        return load_pack(self.module(slug))

    def packs(self) -> dict[str, Pack]:
        """Every game that can be used, by slug, sorted."""
        loaded = {slug: _loaded(module) for slug, module in self.modules().items()}
        return {slug: pack for slug, pack in loaded.items() if isinstance(pack, Pack)}

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
            try:
                importlib.import_module(package)
            except Exception as error:
                lost[package] = f"package {package!r}: cannot be imported: {error}"
        return lost


def _games_of(package: str) -> tuple[str, ...] | None:
    """The names of a package's folders and of its files that are games; None where it cannot be imported."""
    try:
        root = importlib.import_module(package)
    except Exception:
        return None
    return tuple(info.name for info in pkgutil.iter_modules(root.__path__) if info.ispkg or _is_game(info))


def _is_game(info: pkgutil.ModuleInfo) -> bool:
    path = Path(getattr(info.module_finder, "path", "")) / f"{info.name}.py"
    return path.is_file() and _declares(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1024)
def _declares(path: Path, changed: int) -> bool:
    """Whether a file looks like a game, without importing it: it has a PACK, or a class or value made from the words
    of `games.declare`. One that cannot be read as Python is taken for a game, so that it is named as broken."""
    try:
        body = ast.parse(path.read_text("utf-8")).body
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
