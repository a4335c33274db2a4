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
    - {name: "100 seeds", policies: [guided], runs: 100}          # an experiment, as `polity run --out` writes it
    - {name: "guided", policies: [guided], grows: {miners: [4, 20, 100]}}    # how its cost grows with a setting,
    - {name: "guided", policies: [guided], grows: {worlds: [1, 16, 64]}}     # with worlds at once, or with runs
    - {name: "14 honest", policies: [honest], beside: {swarm: {workers: 14}}}    # what a peer plays, `games.lab.speed`

A game without one is measured on its default config, each policy alone. Cases that grow are measured only where that is
asked for.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from games.core.answers import JSON
from games.core.bulk import in_bulk
from games.core.engine import play
from games.core.game import Step
from games.core.pack import Pack
from games.core.registry import Registry
from games.core.rng import GAMMA, MASK
from games.errors.faults import BadScenario, Fault, among, faults_of
from games.lab.folders.playing import deciders_of
from games.lab.folders.recorder import Recorder
from games.lab.folders.running import run
from games.lab.folders.runspec import RunSpec
from games.lab.scenarios.finding import module_named
from games.lab.scenarios.form import ConfigPart, SeatForms
from games.lab.scenarios.layers import Layer, merge_config, merged
from games.lab.scenarios.scenario import BASE_CONDITION, Condition, Scenario
from games.lab.scenarios.seating import PolicyAgent, Seated, seat_agents
from games.lab.scenarios.yamlfile import parse_yaml

REPEATS: Final = 3
LOOPS: Final = 100_000
MANY_SEATS: Final = 100
"""From here on a round takes long enough to look at the clock after each."""
Run = Callable[[float], tuple[int, float]]
"""Plays for so many seconds, or a little longer: what was done (rounds, or steps of a peer), and the seconds."""


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
    runs: int = Field(0, ge=0, le=100_000)
    beside: Mapping[str, Mapping[str, Any]] = {}
    grows: Mapping[str, tuple[int, ...]] = Field({}, max_length=1)

    def grown(self) -> Iterator[tuple[CaseForm, str, int]]:
        """The case at each value of what it grows with, and that; itself where it does not grow."""
        if not self.grows:
            yield self, "", 0
        for path, values in self.grows.items():
            for value in values:
                if path in ("worlds", "runs"):
                    yield CaseForm.model_validate({**dict(self), path: value}), path, value
                    continue
                part: Any = value
                for name in reversed(path.split(".")):
                    part = {name: part}
                yield self.model_copy(update={"config": merged(self.config, part)}), path, value


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to be measured.

    ``events``: with the events of every step worded, as a log of them needs it. ``stored``: with its measures, into a
    run folder that is thrown away. ``worlds``: so many at once, by the game's batch form; each round of each counts.
    ``runs``: an experiment of so many seeds, written into a packed folder by one process. ``beside``: what each peer
    plays beside it. ``grows_with``, ``at``: what the case is measured at several values of, and this one; "": nothing.
    """

    pack: Pack
    name: str
    policy: str
    config: BaseModel
    agents: tuple[Seated, ...]
    events: bool = False
    stored: bool = False
    worlds: int = 1
    runs: int = 0
    beside: Mapping[str, Mapping[str, JSON]] = field(default_factory=dict)
    grows_with: str = ""
    at: int = 0


@dataclass(frozen=True, slots=True)
class Timing:
    """What a case came to. ``per_loop`` is rounds per second over arithmetic loops per second: a machine's own pace.

    ``runs_s``: seconds that all of the case's ``runs`` take, where it is an experiment.
    """

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
    grows_with: str = ""
    at: int = 0
    runs_s: float | None = None

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
        try:
            for one, grows_with, at in form.grown():
                layer = Layer(source, one.config, one.seats, f"{number}.config", f"{number}.seats")
                for case in _cases(pack, one, layer, faults):
                    cases.append(replace(case, grows_with=grows_with, at=at))
        except ValidationError as error:
            faults.extend(Fault.of(source, f"{number}.grows", note) for _, note in faults_of(error, CaseForm))
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
        yield _case(pack, form, name, config, alone)
    if form.seats or not names:
        agents = seat_agents(pack, specs, [layer], faults)
        if len(agents) == len(specs):
            policies = "+".join(dict.fromkeys(agent.policy for agent in agents))
            yield _case(pack, form, policies, config, agents)


def _case(pack: Pack, form: CaseForm, policy: str, config: BaseModel, agents: tuple[Seated, ...]) -> Case:
    how = (form.events, form.stored, form.worlds, form.runs, form.beside)
    return Case(pack, form.name, policy, config, agents, *how)


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
    play_for = player_of(case)
    play_for(min(budget_s, 0.1))
    best: tuple[float, int, float] = (0.0, 0, 1.0)
    loops = 0.0
    for _ in range(REPEATS):
        loops = max(loops, calibrate())
        done, seconds = play_for(budget_s)
        best = max(best, (done / seconds, done, seconds))
    pace, done, seconds = best
    slug, seats = case.pack.slug, len(case.agents)
    steps = case.runs * (case.pack.game.horizon(case.config) or 0)
    grown = (case.grows_with, case.at, steps / pace if steps else None)
    return Timing(slug, case.name, case.policy, seats, case.stored, done, seconds, pace, loops, pace / loops, *grown)


def player_of(case: Case) -> Run:
    """Plays the case's rounds, run after run from seed 1 on, until the seconds are used up: the next time from there
    on, as peers do, since the last rounds of a run may cost less. The seconds begin with a round.

    Of one that is ``stored``, each run's lines go into a folder of its own, as `polity run --out` writes them.
    """
    if case.runs:
        return paced(lambda: _experiment(case))
    going_on = _rounds(case)

    def play_for(budget_s: float) -> tuple[int, float]:
        if not case.stored:
            return _timed(going_on, budget_s)
        with tempfile.TemporaryDirectory() as place:
            return _timed(_rounds(case, Path(place)), budget_s)

    return play_for


def paced(work: Callable[[], int]) -> Run:
    """The same work again until the seconds are used up; it returns how much it did."""

    def work_for(budget_s: float) -> tuple[int, float]:
        done, began = 0, time.process_time()
        while True:
            done += work()
            if (spent := time.process_time() - began) >= budget_s:
                return done, spent

    return work_for


def _experiment(case: Case) -> int:
    """All seeds of the case into a packed folder that is thrown away; the rounds that were played."""
    condition = Condition(BASE_CONDITION, case.config, case.agents)
    module, seeds = module_named(Registry(), case.pack.slug), tuple(range(1, case.runs + 1))
    scenario = Scenario(module, case.pack, case.name, {}, {}, (condition,), seeds)
    with tempfile.TemporaryDirectory() as place:
        return sum(one.steps for one in run(scenario, Path(place) / "runs", jobs=1))


def _timed(rounds: Iterator[int], budget_s: float) -> tuple[int, float]:
    """How many rounds were played, and the seconds from the first on."""
    done, spent = 0, 0.0
    with in_bulk():
        began = time.process_time()
        while spent < budget_s or not done:
            done += next(rounds)
            if not done:
                began = time.process_time()  # to begin many worlds is dear, and part of no round
            spent = time.process_time() - began
    return done, spent


def _rounds(case: Case, place: Path | None = None) -> Iterator[int]:
    """How many rounds were played since it was asked last, without end; 0 when a world has begun."""
    deciders = deciders_of(case.pack, tuple(agent.plain() for agent in case.agents))
    looked_at = case.worlds if case.worlds > 1 else 1 if len(case.agents) >= MANY_SEATS else 8
    for seed in count(1):
        if case.worlds > 1:
            steps = _side_by_side(case, seed)
        else:
            steps = play(case.pack.game, case.config, seed, deciders, controller=case.pack.controller)
        rounds = 0
        for step in steps if place is None else _recorded(case, seed, steps, place / str(seed)):
            if case.events:
                tuple(step.events)
            rounds += step.index > 0
            if rounds == looked_at or not step.index:
                yield rounds
                rounds = 0
        yield rounds


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
