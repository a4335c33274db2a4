"""One run of an experiment: a condition and a seed, played to its end, its records streamed to files as they come."""

from __future__ import annotations

import gc
import json
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from agents_app.budget import MemoryLedger, Meter, Spent
from agents_app.deciders.contract import CallRecord, SpendStop
from agents_app.deciders.hosting import play_seated, steps_of
from agents_app.deciders.llm import ModelAgent
from agents_app.deciders.seating import model_agent
from agents_app.profile import read_profile
from games.core.agents import Decider, deciding
from games.core.answers import JSON
from games.core.codec import GENESIS, chain, encode_step
from games.core.engine import play
from games.core.game import Step
from games.core.registry import Export, Pack
from games.lab.calllog import CALLS, CallLog, Keep, line_of
from games.lab.faults import BadScenario, Fault, Refused
from games.lab.finding import pack_of
from games.lab.plainjson import encoded
from games.lab.scenario import Scenario

ROUNDS: Final = "rounds.jsonl"
EVENTS: Final = "events.jsonl"
DECISIONS: Final = "decisions.jsonl"
LOGS: Final = (ROUNDS, EVENTS, DECISIONS)
EXPORT: Final = "export"
TICK: Final = 50
YOUNG: Final = 50_000
"""Objects that may be made before those that live are searched for cycles."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One run, as plain values that another process can be sent. Replicates count from 1 within a condition.

    ``keep`` says whether models' prompts are kept whole or as hashes, ``journal`` where calls are noted as they come.
    """

    module: str
    condition: str
    replicate: int
    seed: int
    config: Mapping[str, Any]
    agents: tuple[Mapping[str, Any], ...]
    keep: Keep = "full"
    journal: Path | None = None

    def __str__(self) -> str:
        return f"condition {self.condition}, replicate {self.replicate} (seed {self.seed})"


@dataclass(frozen=True, slots=True)
class Played:
    """What a run came to: its steps after the start, its last chained hash (where records were kept), its metrics.

    ``account``  what its models were asked and cost; None where none plays
    """

    condition: str
    replicate: int
    seed: int
    steps: int
    hash: str | None
    metrics: Mapping[str, JSON]
    account: Mapping[str, JSON] | None = None

    def plain(self) -> dict[str, Any]:
        told = {name: getattr(self, name) for name in self.__slots__}
        if self.account is None:
            del told["account"]
        return told


class RunFailed(RuntimeError):
    """A game that raised: a bug, told with its run and step so that it can be played up to there again."""

    def __init__(self, where: str, trace: str) -> None:
        self.where, self.trace = where, trace
        super().__init__(where)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.where, self.trace)


def cells_of(scenario: Scenario, keep: Keep = "full", journals: Path | None = None) -> list[Cell]:
    """Every run of a scenario: conditions in their order, and in each the seeds in theirs.

    ``journals`` is a folder for the calls of runs that cannot be repeated for nothing. Raises `BadScenario` where a
    person would sit: nobody can join without a site.
    """
    for condition in scenario.conditions:
        person = next((seat for seat, agent in enumerate(condition.seats) if agent.kind == "person"), None)
        if person is not None:
            told = f"seat {person} is a person's, who can join on a site alone; use polity serve, or --agents"
            raise BadScenario([Fault(scenario.name, f"{condition.name}.seats", told)])
    return [
        Cell(
            scenario.module,
            condition.name,
            replicate,
            seed,
            config,
            agents,
            keep,
            None if journals is None else journals / f"{condition.name}-{seed}.jsonl",
        )
        for condition in scenario.conditions
        for config, agents in [(condition.config.model_dump(mode="json"), tuple(a.plain() for a in condition.seats))]
        for replicate, seed in enumerate(scenario.seeds, 1)
    ]


def deciders_of(pack: Pack, agents: tuple[Mapping[str, Any], ...]) -> dict[int, Decider]:
    """The policies of a cell, by seat."""
    return {
        seat: deciding(pack.policies[agent["policy"]].bind(agent["params"]))
        for seat, agent in enumerate(agents)
        if agent["kind"] == "policy"
    }


def models_of(pack: Pack, config: Any, agents: tuple[Mapping[str, Any], ...]) -> dict[int, ModelAgent]:
    """The models of a cell, by seat."""
    return {
        seat: model_agent(pack, config, read_profile(agent["profile"]))
        for seat, agent in enumerate(agents)
        if agent["kind"] == "model"
    }


def steps_of_cell(pack: Pack, config: Any, cell: Cell, log: CallLog) -> Iterator[Step[Any, Any]]:
    """Every step of a cell: at once where policies alone play, else with all models of a turn asked together.

    A model's limits are its seat's own; there is no account for the whole run here.
    """
    deciders, models = deciders_of(pack, cell.agents), models_of(pack, config, cell.agents)
    if not models:
        return play(pack.game, config, cell.seed, deciders)
    meters = {seat: Meter(f"seat {seat}", model.profile.limits, log.spent(seat)) for seat, model in models.items()}

    def ledger(seat: int, step: int) -> MemoryLedger:
        return log.ledger(seat, step, (meters[seat],))

    return steps_of(play_seated(pack.game, config, cell.seed, deciders, models, ledger))


@contextmanager
def in_bulk() -> Iterator[None]:
    """While runs are played: look for cycles of garbage seldom. A step's objects go when nothing refers to them, and
    to search through all of them while they are made takes a third of the time."""
    usual = gc.get_threshold()
    gc.set_threshold(max(YOUNG, usual[0]), *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def play_cell(cell: Cell, folder: Path | None, tick: Callable[[int], None] | None = None) -> Played:
    """Play one run; with a folder, its logs go there and its game's own files under ``export``.

    ``tick`` is told now and then how many steps are done. Raises `RunFailed`.
    """
    pack = pack_of(cell.module)
    game, metrics = pack.game, pack.metrics
    config = game.config_type.model_validate(cell.config)
    series: list[Mapping[str, JSON]] = []
    before: Step[Any, Any] | None = None
    log, account = CallLog(cell.journal), Account(cell.agents)
    try:
        with ExitStack() as stack:
            recorder = None if folder is None else stack.enter_context(Recorder(pack, cell, config, folder))
            stack.enter_context(in_bulk())
            for step in steps_of_cell(pack, config, cell, log):
                account.add(log.drain(), step, recorder)
                measured = None if before is None else metrics.measure(config, before.state, step)
                if measured is not None:
                    series.append(measured)
                if recorder is not None:
                    recorder.add(step, measured)
                if tick is not None and step.index % TICK == 0:
                    tick(step.index)
                before = step
            account.add(log.drain(), None, recorder)
            summary = dict(metrics.summarise(config, series))
            last = None if recorder is None else recorder.hash
            return Played(cell.condition, cell.replicate, cell.seed, len(series), last, summary, account.plain())
    except SpendStop as stop:
        kept = "" if cell.journal is None else f" What was paid for is kept in {cell.journal.parent.name} beside --out."
        raise Refused(f"{pack.slug}: {cell}: {stop}{kept}") from None
    except Exception as error:
        at = 0 if before is None else before.index + 1
        where = f"{pack.slug}: {cell}, step {at}: {type(error).__name__}: {error}"
        raise RunFailed(" ".join(where.split()), traceback.format_exc()) from None


class Account:
    """What a run's models were asked and cost, and in how many of their decisions the game's default stood in."""

    def __init__(self, agents: tuple[Mapping[str, Any], ...]) -> None:
        self.models = {seat for seat, agent in enumerate(agents) if agent["kind"] == "model"}
        self.spent = Spent()
        self.decisions = self.fallbacks = 0

    def add(self, calls: list[CallRecord], step: Step[Any, Any] | None, recorder: Recorder | None) -> None:
        """The calls since the last step, and the step."""
        for call in calls:
            self.spent.add(call)
            if recorder is not None:
                recorder.add_call(call)
        if step is not None and step.index > 0 and self.models:
            asked = self.models.intersection(step.turn.seats)
            self.decisions += len(asked)
            self.fallbacks += sum("fallback" in step.flags.get(seat, ()) for seat in asked)

    def plain(self) -> Mapping[str, JSON] | None:
        if not self.models:
            return None
        spent = self.spent
        return {
            "calls": spent.calls,
            "tokens_in": spent.tokens_in,
            "tokens_out": spent.tokens_out,
            "usd": f"{spent.usd:f}",
            "unpriced": spent.unpriced,
            "failures": dict(sorted(spent.failures.items())),
            "decisions": self.decisions,
            "fallbacks": self.fallbacks,
        }


class Recorder:
    """Writes one run's lines: a round a step, an event an event, a decision a seat."""

    def __init__(self, pack: Pack, cell: Cell, config: Any, folder: Path) -> None:
        self.pack, self.cell, self.config, self.folder = pack, cell, config, folder
        self.hash = GENESIS
        run = f'{{"condition":{json.dumps(cell.condition)},"replicate":{cell.replicate},'
        self._head = f'{run}"seed":{cell.seed},'.encode()
        self._run = f'{run}"step":'.encode()
        self._export: Export | None = None
        self._calls: BinaryIO | None = None

    def __enter__(self) -> Recorder:
        self.folder.mkdir(parents=True)
        self._rounds, self._events, self._decisions = [(self.folder / name).open("wb") for name in LOGS]
        if self.pack.export is not None:
            target = self.folder / EXPORT
            target.mkdir()
            self._export = self.pack.export(self.config, target)
        return self

    def __exit__(self, *_: object) -> None:
        for file in (self._rounds, self._events, self._decisions):
            file.close()
        if self._calls is not None:
            self._calls.close()
        if self._export is not None:
            self._export.close()

    def add(self, step: Step[Any, Any], measured: Mapping[str, JSON] | None) -> None:
        record = encode_step(self.pack.game, step)
        self.hash = chain(self.pack.game, self.hash, step, record)
        tail = b',"hash":"%b","metrics":%b}\n' % (self.hash.encode(), encoded(measured))
        self._rounds.write(self._head + encoded(record)[1:-1] + tail)
        here = self._run + str(step.index).encode() + b","
        self._events.writelines(
            b'%b"n":%d,%b\n' % (here, n, encoded(event)[1:]) for n, event in enumerate(record["events"])
        )
        self._decisions.writelines(b"%b%b\n" % (here, encoded(made)[1:]) for made in decisions_of(record))
        if self._export is not None:
            self._export.add(step)

    def add_call(self, call: CallRecord) -> None:
        """A line of the calls' file, which is there only where models play."""
        if self._calls is None:
            self._calls = (self.folder / CALLS).open("wb")
        self._calls.write(self._run + b"%d,%b\n" % (call.step, encoded(line_of(call, self.cell.keep))[1:]))


def decisions_of(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each seat of a round did, after cleaning, with what was said about it."""
    notes, flags = dict(record["notes"]), dict(record["flags"])
    return [
        {"seat": seat, "action": action, "notes": notes.get(seat, []), "flags": flags.get(seat, [])}
        for seat, action in record["actions"]
    ]
