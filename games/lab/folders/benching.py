"""How fast the bulk loop plays: rounds per second, beside a plain loop of arithmetic that makes machines comparable.

Seconds are the process's own processor time, so that a busy neighbour falsifies less; on an idle machine they are those
of the clock on the wall.

A game says what is worth measuring in ``bench.yaml``, a list of cases::

    - {name: "10 miners", config: {miners: 10}, policies: all}        # each policy, alone in all seats
    - {name: "half and half", config: {miners: 20}, seats: {default: {policy: random}, 0: {policy: guided}}}
    - {name: "10 miners, log", config: {miners: 10}, events: true}    # with every step's events worded
    - {name: "10 miners", config: {miners: 10}, policies: [guided], stored: true}   # measured, chained, in a run folder
    - {name: "20 miners, 64 worlds", config: {miners: 20}, policies: [guided], worlds: 64}    # by the batch form
    - {name: "long", preset: baseline, config: {rounds: 500}, policies: all}        # over what a preset sets

A game without one is measured on its default config, each policy alone.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from games.core.agents import Decider
from games.core.engine import play
from games.core.game import Step
from games.core.pack import Pack
from games.core.rng import GAMMA, MASK
from games.errors.faults import BadScenario, Fault, among, faults_of
from games.lab.folders.playing import deciders_of, in_bulk
from games.lab.folders.recorder import Recorder
from games.lab.folders.runspec import RunSpec
from games.lab.scenarios.form import ConfigPart, SeatForms
from games.lab.scenarios.layers import Layer, merge_config
from games.lab.scenarios.seating import PolicyAgent, Seated, seat_agents
from games.lab.scenarios.yamlfile import parse_yaml

REPEATS: Final = 3
LOOPS: Final = 100_000


class CaseForm(BaseModel):
    """One case as written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    preset: str = ""
    config: ConfigPart = {}
    seats: SeatForms = {}
    events: bool = False
    policies: Annotated[
        tuple[str, ...] | Literal["all"],
        BeforeValidator(lambda value: tuple(value) if isinstance(value, list) else value),
    ] = ()
    stored: bool = False
    worlds: int = Field(1, ge=1, le=1024)


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to be measured.

    ``events``: with the events of every step worded, as a log of them needs it. ``stored``: with its measures, into a
    run folder that is thrown away. ``worlds``: so many at once, by the game's batch form; each round of each counts.
    """

    pack: Pack
    name: str
    policy: str
    config: BaseModel
    agents: tuple[Seated, ...]
    events: bool = False
    stored: bool = False
    worlds: int = 1


@dataclass(frozen=True, slots=True)
class Timing:
    """What a case came to. ``per_loop`` is rounds per second over arithmetic loops per second: a machine's own pace."""

    game: str
    case: str
    policy: str
    seats: int
    stored: bool
    rounds: int
    seconds: float
    rounds_per_s: float
    loops_per_s: float
    per_loop: float

    def plain(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def cases_of(pack: Pack) -> list[Case]:
    """The cases of a game; raises `BadScenario` where its bench.yaml cannot be used."""
    text, source = pack.files.bench(), f"{pack.slug}/bench.yaml"
    written: Any = parse_yaml(text, source) if text is not None else [{"name": "default", "policies": "all"}]
    faults: list[Fault] = []
    cases: list[Case] = []
    for number, data in enumerate(written if isinstance(written, list) else [written]):
        try:
            form = CaseForm.model_validate(data)
        except ValidationError as error:
            found = faults_of(error, CaseForm)
            faults.extend(Fault.of(source, ".".join((str(number), *path)), note) for path, note in found)
            continue
        cases.extend(
            _cases(pack, form, Layer(source, form.config, form.seats, f"{number}.config", f"{number}.seats"), faults)
        )
    if faults:
        raise BadScenario(faults)
    return cases


def _cases(pack: Pack, form: CaseForm, layer: Layer, faults: list[Fault]) -> Iterator[Case]:
    under = _preset(pack, form.preset, layer, faults) if form.preset else Layer("")
    config = merge_config(pack, [under, layer], faults) if under is not None else None
    if config is None:
        return
    specs = pack.game.seats(config)
    every = (name for name, spec in pack.policies.items() if not spec.reckons)
    names: Sequence[str] = tuple(every) if form.policies == "all" else form.policies
    for name in names:
        if name not in pack.policies:
            faults.append(Fault(layer.source, layer.config_at, f"policy {name!r}; {among(name, pack.policies)}"))
            continue
        spec = pack.policies[name]
        seated = (name if spec.can_play(one.role) else pack.default_for(one.role) for one in specs)
        alone = tuple(PolicyAgent(policy) for policy in seated)
        yield Case(pack, form.name, name, config, alone, form.events, form.stored, form.worlds)
    if form.seats or not names:
        agents = seat_agents(pack, specs, [layer], faults)
        if len(agents) == len(specs):
            policies = "+".join(dict.fromkeys(agent.policy for agent in agents))
            yield Case(pack, form.name, policies, config, agents, form.events, form.stored, form.worlds)


def _preset(pack: Pack, name: str, case: Layer, faults: list[Fault]) -> Layer | None:
    """What a preset sets of the config; None, with a fault, for one that is not there or rests on another."""
    written = parse_yaml(pack.scenarios[name], name) if name in pack.scenarios else None
    if written is not None and "base" not in written:
        return Layer(name, written.get("config", {}))
    why = among(name, pack.scenarios) if written is None else f"it rests on {written['base']}, name that"
    faults.append(Fault(case.source, case.config_at.replace("config", "preset"), f"preset {name!r}; {why}"))
    return None


def measure(case: Case, budget_s: float = 0.5) -> Timing:
    """The best of three repeats of ``budget_s`` seconds each, after a warm-up; the calibration runs between them."""
    deciders = deciders_of(case.pack, tuple(agent.plain() for agent in case.agents))

    def rounds(budget: float) -> tuple[int, float]:
        if not case.stored:
            return _rounds(case, deciders, budget)
        with tempfile.TemporaryDirectory() as place:
            return _rounds(case, deciders, budget, Path(place))

    rounds(min(budget_s, 0.1))
    best: tuple[float, int, float] = (0.0, 0, 1.0)
    loops = 0.0
    for _ in range(REPEATS):
        loops = max(loops, calibrate())
        done, seconds = rounds(budget_s)
        best = max(best, (done / seconds, done, seconds))
    pace, done, seconds = best
    slug, seats = case.pack.slug, len(case.agents)
    return Timing(slug, case.name, case.policy, seats, case.stored, done, seconds, pace, loops, pace / loops)


def _rounds(
    case: Case, deciders: Mapping[int, Decider], budget_s: float, place: Path | None = None
) -> tuple[int, float]:
    """Rounds played, and the seconds they took: run after run from seed 1 on, until the budget is used up.

    With a ``place``, each run's lines go into a folder there, as `polity run --out` writes them.
    """
    rounds = 0
    with in_bulk():
        began = time.process_time()
        for seed in count(1):
            if case.worlds > 1:
                steps = _side_by_side(case, seed)
            else:
                steps = play(case.pack.game, case.config, seed, deciders, controller=case.pack.controller)
            for step in steps if place is None else _recorded(case, seed, steps, place / str(seed)):
                if case.events:
                    tuple(step.events)
                if step.index:
                    rounds += 1
                    if rounds % 8 == 0 and time.process_time() - began >= budget_s:
                        return rounds, time.process_time() - began
            if time.process_time() - began >= budget_s:
                break
    return rounds, time.process_time() - began


def _side_by_side(case: Case, seed: int) -> Iterator[Step[Any, Any]]:
    """The steps of all worlds, round by round. Raises `NoBatch` where a policy has no form for that."""
    assert case.pack.batch is not None, f"{case.pack.slug} has no batch form"
    seeds = range(seed * case.worlds, (seed + 1) * case.worlds)
    rounds: Iterator[Sequence[Step[Any, Any] | None]] = case.pack.batch(
        case.config, seeds, dict(enumerate(case.agents))
    )
    return (step for row in rounds for step in row if step is not None)


def _recorded(case: Case, seed: int, steps: Iterator[Step[Any, Any]], folder: Path) -> Iterator[Step[Any, Any]]:
    """The steps, each measured, hashed and written before it is given on."""
    spec = RunSpec("", case.name, 1, seed, {}, ())
    before: Any = None
    with Recorder(case.pack, spec, case.config, folder) as recorder:
        for step in steps:
            measured = None if before is None else case.pack.metrics.measure(case.config, before, step)
            recorder.add(step, measured)
            before = step.state
            yield step


def calibrate() -> float:
    """Loops per second of plain Python arithmetic: one 64-bit multiply, shift and exclusive or each."""
    z = 1
    began = time.process_time()
    for _ in range(LOOPS):
        z = (z * GAMMA) & MASK
        z ^= z >> 29
    return LOOPS / (time.process_time() - began)
