"""Runs of one config that policies alone play: side by side where the game has a batch form, else one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final, TypeVar

from games.core.answers import JSON
from games.core.batch import Round, alike, together
from games.core.bulk import in_bulk
from games.core.game import Step
from games.core.pack import NoBatch, Pack, Sitting
from games.core.written import Written
from games.lab.folders.packing import RUNS_TO_A_FILE
from games.lab.folders.playing import TICK, Playing, play_spec
from games.lab.folders.runspec import Played, RunSpec
from games.lab.scenarios.finding import pack_of
from games.lab.wire.plainjson import encoded

T = TypeVar("T")
MOST: Final = 80
"""Worlds that are stepped together: more are hardly faster, and each has its files open."""
WINDOW: Final = RUNS_TO_A_FILE
"""Runs among which those that are alike are looked for: what is done before its turn waits."""
Rounds = Iterator[Sequence[Step[Any, Any] | None]]
Tick = Callable[[int, int], None]
Measures = Sequence[Mapping[str, JSON]]


def grouped(specs: Sequence[RunSpec], workers: int) -> list[list[int]]:
    """Places of specs that can be stepped together (`cut`). What is played one by one stands in its order."""
    known: dict[Hashable, Hashable] = {}

    def key(spec: RunSpec) -> Hashable:
        if not _is_plain(spec):
            return spec.condition, spec.replicate
        told = spec.module, encoded(spec.agents), encoded(spec.config)
        if told not in known:
            found = _batch([spec])
            known[told] = told if isinstance(found, NoBatch) else (*told[:2], alike(found[0].batch, found[1][0]))
        return known[told]

    return cut(specs, key, workers)


def cut(runs: Sequence[T], key: Callable[[T], Hashable], workers: int) -> list[list[int]]:
    """Places of runs of one key, so few together that each worker has some. What is long goes first, so that all
    workers end at about the same time."""
    most = max(1, min(MOST, -(-len(runs) // workers)))
    found: list[list[int]] = []
    for window in range(0, len(runs), WINDOW):
        same: dict[Hashable, list[int]] = {}
        for place, run in enumerate(runs[window : window + WINDOW], window):
            same.setdefault(key(run), []).append(place)
        for group in same.values():
            size = -(-len(group) // -(-len(group) // most))
            found += [group[start : start + size] for start in range(0, len(group), size)]
    return sorted(found, key=lambda group: (group[0] // WINDOW, -len(group), group))


def in_turn(found: Iterable[tuple[Sequence[int], Iterable[T]]]) -> Iterator[T]:
    """What came of groups by their places, in the order of all places, each as soon as those before it are there."""
    waiting: dict[int, T] = {}
    number = 0
    for group, results in found:
        for place, one in zip(group, results, strict=False):
            waiting[place] = one
            while number in waiting:
                yield waiting.pop(number)
                number += 1


def _is_plain(spec: RunSpec) -> bool:
    """Whether policies alone play, and nothing is added."""
    return spec.additions is None and all(agent["kind"] == "policy" for agent in spec.agents)


def one_by_one(specs: Sequence[RunSpec]) -> Mapping[str, int]:
    """Why runs of policies are not stepped together although their game can do so, and how many they are."""
    found = Counter[str]()
    for _, same in groupby(specs, lambda spec: spec.condition):
        runs = list(same)
        if _is_plain(runs[0]) and pack_of(runs[0].module).batch is not None:
            unfit = _batch(runs[:1])
            if isinstance(unfit, NoBatch):
                found[str(unfit)] += len(runs)
    return found


def _batch(specs: Sequence[RunSpec]) -> tuple[Pack, Sequence[Any], Rounds] | NoBatch:
    """The game, the configs and the rounds of such runs, or why there are none."""
    first = specs[0]
    pack = pack_of(first.module)
    if pack.batch is None or not _is_plain(first):
        return NoBatch("")
    told = [encoded(spec.config) for spec in specs]  # conditions of two scenarios may have one name
    plain = {text: spec.config for text, spec in zip(told, specs, strict=True)}
    known = {text: pack.game.config_type.model_validate(one) for text, one in plain.items()}
    configs = [known[text] for text in told]
    seated = {seat: Sitting(agent["policy"], agent["params"]) for seat, agent in enumerate(first.agents)}
    try:
        return pack, configs, together(pack.batch, configs, [spec.seed for spec in specs], seated)
    except NoBatch as unfit:
        return unfit


def play_group(specs: Sequence[RunSpec], folders: Sequence[Path | None], tick: Tick | None = None) -> Iterator[Played]:
    """What `play_spec` gives of each spec of a group, in their order; raises what it does.

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
    configs: Sequence[Any],
    rounds: Rounds,
    tick: Tick | None,
) -> list[Played]:
    runs = [Playing(pack, *one) for one in zip(configs, specs, folders, strict=True)]
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
