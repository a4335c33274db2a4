"""Finds the games: every folder of `games/catalog`, and of the other packages given, that has a PACK.

A game is found, not listed, and imported when it is asked for. A broken folder is named with its reason, and takes
nothing else down.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True)
class Pack:
    """One game's folder, as a value.

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
    folder: Path = Path()

    @property
    def slug(self) -> str:
        return self.game.slug

    def default_for(self, role: str) -> str:
        """The policy that sits in a seat of this role where nothing is said."""
        return self.role_defaults.get(role, self.default_policy)

    @property
    def words(self) -> Words:
        """What the game calls its things, by language."""
        return Words(self.folder / "words")

    def scenario_files(self) -> dict[str, Path]:
        """The presets by name, sorted: ``scenarios/NAME.yaml``."""
        return {path.stem: path for path in sorted((self.folder / "scenarios").glob("*.yaml"))}


def package_of(folder: Path) -> str:
    """The dotted name of a folder as a package: as many of its parents as are packages come before it."""
    folder = folder.resolve()
    parts = [folder.name]
    while (folder.parent / "__init__.py").is_file():
        folder = folder.parent
        parts.insert(0, folder.name)
    return ".".join(parts)


class BrokenGame(RuntimeError):
    """A folder of the catalog that cannot be used; the message names it."""


class UnknownGame(LookupError):
    """No folder of the catalog has that name; the message lists those that exist."""


def load_pack(module_name: str) -> Pack:
    """The PACK of one game's package, its folder filled in; raises `BrokenGame`."""
    found = _loaded(module_name)
    if isinstance(found, BrokenGame):
        raise BrokenGame(str(found)) from found.__cause__
    return found


def _pack_in(module_name: str) -> Pack:
    slug = module_name.rpartition(".")[2]
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise BrokenGame(f"game {slug}: its folder cannot be imported: {error!r}") from error
    pack = getattr(module, "PACK", None)
    if not isinstance(pack, Pack):
        raise BrokenGame(f"game {slug}: its package has no PACK = Pack(...)")
    if pack.slug != slug:
        raise BrokenGame(f"game {slug}: its game calls itself {pack.slug!r}; folder and slug must be the same")
    if pack.default_policy not in pack.policies:
        raise BrokenGame(f"game {slug}: default_policy {pack.default_policy!r} is not one of its policies")
    for role, name in pack.role_defaults.items():
        if name not in pack.policies or not pack.policies[name].can_play(role):
            raise BrokenGame(f"game {slug}: role_defaults[{role!r}] names {name!r}, which is no policy of that role")
    fields = {name: getattr(pack, name) for name in Pack.__dataclass_fields__}
    if pack.instructions is None and pack.prompts is not None:
        fields["instructions"] = from_prompts(pack.game, pack.prompts)
    return Pack(**{**fields, "folder": Path(str(module.__file__)).parent})


_PLACES: list[str] = [CATALOG]


def look_in(packages: Iterable[str]) -> None:
    """Let this process look for games in these packages too, after the catalog."""
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
            try:
                importlib.import_module(package)
            except Exception as error:
                lost[package] = f"package {package!r}: cannot be imported: {error}"
        return lost


def _games_of(package: str) -> tuple[str, ...] | None:
    """The names of a package's folders; None where the package cannot be imported."""
    try:
        root = importlib.import_module(package)
    except Exception:
        return None
    return tuple(info.name for info in pkgutil.iter_modules(root.__path__) if info.ispkg)


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
