"""Runs of one config that policies alone play: side by side where the game has a batch form, else one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final, TypeVar

from games.core.answers import JSON
from games.core.batch import Round
from games.core.bulk import in_bulk
from games.core.game import Step
from games.core.pack import NoBatch, Pack
from games.core.written import Written
from games.lab.folders.playing import TICK, Playing, play_spec
from games.lab.folders.runspec import Played, RunSpec
from games.lab.scenarios.finding import pack_of

T = TypeVar("T")
MOST: Final = 32
"""Worlds that are stepped together: more are hardly faster, and each has its files open."""
Rounds = Iterator[Sequence[Step[Any, Any] | None]]
Tick = Callable[[int, int], None]
Measures = Sequence[Mapping[str, JSON]]


@dataclass(frozen=True, slots=True)
class Seat:
    """A policy in a seat (`Seated`)."""

    policy: str
    params: Mapping[str, Any]


def grouped(specs: Sequence[RunSpec], workers: int) -> list[Sequence[RunSpec]]:
    """The specs in their order, cut where they cannot be stepped together, and so that each worker has some."""
    return cut(specs, _alike, workers)


def cut(runs: Sequence[T], alike: Callable[[T], Any], workers: int) -> list[Sequence[T]]:
    """Runs in their order, cut where they are not alike, and so that each worker has some."""
    most = max(1, min(MOST, -(-len(runs) // workers)))
    found: list[Sequence[T]] = []
    for _, same in groupby(runs, alike):
        group = list(same)
        size = -(-len(group) // -(-len(group) // most))
        found += [group[start : start + size] for start in range(0, len(group), size)]
    return found


def _alike(spec: RunSpec) -> tuple[Any, ...]:
    """What is the same in runs that can be stepped together."""
    return spec.module, spec.condition, spec.config, spec.agents, None if _is_plain(spec) else spec.replicate


def _is_plain(spec: RunSpec) -> bool:
    """Whether policies alone play, and nothing is added."""
    return spec.additions is None and all(agent["kind"] == "policy" for agent in spec.agents)


def one_by_one(specs: Sequence[RunSpec]) -> Mapping[str, int]:
    """Why runs of policies are not stepped together although their game can do so, and how many they are."""
    found = Counter[str]()
    for _, alike in groupby(specs, _alike):
        runs = list(alike)
        if _is_plain(runs[0]) and pack_of(runs[0].module).batch is not None:
            unfit = _batch(runs[:1])
            if isinstance(unfit, NoBatch):
                found[str(unfit)] += len(runs)
    return found


def _batch(specs: Sequence[RunSpec]) -> tuple[Pack, Any, Rounds] | NoBatch:
    """The game, the config and the rounds of such runs, or why there are none."""
    first = specs[0]
    pack = pack_of(first.module)
    if pack.batch is None or not _is_plain(first):
        return NoBatch("")
    config = pack.game.config_type.model_validate(first.config)
    seated = {seat: Seat(agent["policy"], agent["params"]) for seat, agent in enumerate(first.agents)}
    try:
        return pack, config, pack.batch(config, [spec.seed for spec in specs], seated)
    except NoBatch as unfit:
        return unfit


def play_group(specs: Sequence[RunSpec], folders: Sequence[Path | None], tick: Tick | None = None) -> Iterator[Played]:
    """What `play_spec` gives of each spec of a group, in order; raises what it does.

    ``tick`` is told how many of them are done, and how many steps of those that are under way.
    """
    found = _batch(specs) if len(specs) > 1 else NoBatch("")
    if not isinstance(found, NoBatch):
        yield from _play_together(specs, folders, *found, tick)
        return
    for number, (spec, folder) in enumerate(zip(specs, folders, strict=True)):
        yield play_spec(spec, folder, None if tick is None else partial(tick, number))


def _play_together(
    specs: Sequence[RunSpec],
    folders: Sequence[Path | None],
    pack: Pack,
    config: Any,
    rounds: Rounds,
    tick: Tick | None,
) -> list[Played]:
    runs = [Playing(pack, config, spec, folder) for spec, folder in zip(specs, folders, strict=True)]
    at = runs[0]
    try:
        with in_bulk(), ExitStack() as stack:
            for run in runs:
                stack.enter_context(run)
            for number, steps in enumerate(rounds):
                measures, written = unmade(steps, None if folders[0] is None else specs[0].is_packed)
                for world, run in enumerate(runs):
                    at = run
                    if measures is not None:
                        run.keep(number, measures[world], None if written is None else written[world])
                    elif (step := steps[world]) is not None:
                        run.add(step)
                at = runs[0]
                if tick is not None and number % TICK == 0:
                    tick(0, number)
            return [run.played() for run in runs]
    except Exception as error:
        # The first of them is what is kept after the runs before: no other one may stand in its place.
        if (told := at.failure(error, runs[0].so_far())) is error:
            raise
        raise told from None


def unmade(
    steps: Sequence[Step[Any, Any] | None], packs: bool | None
) -> tuple[Measures | None, Sequence[Written] | None]:
    """By world the measures of a round and what is kept of it, without a step being made; None where it has to be.

    ``packs`` None: nothing is kept of it.
    """
    if not isinstance(steps, Round) or packs is False or (measures := steps.measures()) is None:
        return None, None
    written = steps.written() if packs else None
    return (None, None) if packs and written is None else (measures, written)


def play_all(specs: Sequence[RunSpec], folders: Sequence[Path | None]) -> tuple[list[Played], Exception | None]:
    """`play_group` as one value, for another process: what was played until the error, if there is one."""
    done: list[Played] = []
    try:
        for one in play_group(specs, folders):
            done.append(one)
    except Exception as error:
        return done, error
    return done, None
