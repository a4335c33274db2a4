"""One run of a folder, played to its end, its records streamed to files as they come."""

from __future__ import annotations

import errno
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from agents_app.budget import MemoryLedger, Meter, Spent
from agents_app.deciders.hosting import play_seated, steps_of
from agents_app.deciders.llm import ModelAgent
from agents_app.deciders.seating import model_agent
from agents_app.ports import CallRecord, RunStop
from agents_app.profile import Profile, read_profile
from agents_app.watching import check_answers
from games.core.agents import Decider, Decision, Request, deciding
from games.core.answers import JSON
from games.core.bulk import in_bulk
from games.core.engine import play
from games.core.game import Seat, Step
from games.core.pack import Pack
from games.core.written import Written
from games.lab.folders.calllog import CallLog
from games.lab.folders.mailing import Office
from games.lab.folders.recorder import Recorder
from games.lab.folders.runspec import Played, RunFailed, RunSpec, RunStopped
from games.lab.scenarios.finding import pack_of

TICK: Final = 50
UNWRITABLE: Final = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE}
)
"""What an operating system says where a file cannot be written."""


def deciders_of(pack: Pack, agents: tuple[Mapping[str, Any], ...]) -> dict[int, Decider]:
    """The policies of a run, by seat."""
    return {
        seat: deciding(pack.policies[agent["policy"]].bind(agent["params"]))
        for seat, agent in enumerate(agents)
        if agent["kind"] == "policy"
    }


def models_of(pack: Pack, config: Any, agents: tuple[Mapping[str, Any], ...]) -> dict[int, ModelAgent]:
    """The models of a run, by seat."""
    roles = [spec.role for spec in pack.game.seats(config)]
    return {
        seat: model_agent(pack, config, read_profile(agent["profile"]), role=roles[seat])
        for seat, agent in enumerate(agents)
        if agent["kind"] == "model"
    }


def spec_steps(
    pack: Pack, config: Any, spec: RunSpec, log: CallLog, traces: dict[Seat, Mapping[str, Any]] | None = None
) -> Iterator[Step[Any, Any]]:
    """Every step of a run: at once where policies alone play, else with all models of a turn asked together.

    A model's limits are its seat's own; there is no account for the whole run here. ``traces`` is filled with what
    deciders without I/O tell of their decisions.
    """
    deciders, models = deciders_of(pack, spec.agents), models_of(pack, config, spec.agents)
    if spec.additions is not None:
        deciders |= spec.additions.deciders(spec)
    if traces is not None:
        deciders = {seat: _traced(decider, seat, traces) for seat, decider in deciders.items()}
    if not models:
        return play(pack.game, config, spec.seed, deciders, controller=pack.controller)
    meters = {seat: Meter(f"seat {seat}", model.profile.limits, log.spent(seat)) for seat, model in models.items()}
    run = Meter("the run")

    def ledger(seat: int, step: int) -> MemoryLedger:
        return log.ledger(seat, step, (meters[seat], run))

    steps = play_seated(pack.game, config, spec.seed, deciders, models, ledger, controller=pack.controller)
    return _watched(steps_of(steps), {seat: model.profile for seat, model in models.items()})


def _watched(steps: Iterator[Step[Any, Any]], profiles: Mapping[Seat, Profile]) -> Iterator[Step[Any, Any]]:
    """The steps, until too many answers of a model cannot be used; raises `RunStop` then."""
    flags: dict[Seat, list[tuple[str, ...]]] = {seat: [] for seat in profiles}
    for step in steps:
        yield step
        for seat in profiles if step.index > 0 else ():
            if seat in step.turn.seats:
                flags[seat].append(tuple(step.flags.get(seat, ())))
                check_answers(f"seat {seat}", profiles[seat].fallbacks_at_most, flags[seat])


def _traced(decider: Decider, seat: Seat, traces: dict[Seat, Mapping[str, Any]]) -> Decider:
    """The same decider, whose traces are laid by."""

    def decide(request: Request[Any, Any]) -> Decision[Any]:
        decision = decider(request)
        if decision.trace:
            traces[seat] = decision.trace
        return decision

    return decide


def play_spec(
    spec: RunSpec,
    folder: Path | None,
    tick: Callable[[int], None] | None = None,
    office: Office | None = None,
) -> Played:
    """Play one run; with a folder, its logs go there and its game's own files under ``export``.

    ``office`` sends what its models are asked by batch, where they are. ``tick`` is told now and then how many steps
    are done. Raises `RunFailed` where the game does, `RunStopped` where a limit is reached, OSError where the folder
    cannot be written.
    """
    pack = pack_of(spec.module)
    config = pack.game.config_type.model_validate(spec.config)
    mail = None if office is None else office.mail(f"{spec.condition}/{spec.replicate}/{spec.seed}")
    log = CallLog(spec.journal, mail)
    traces: dict[Seat, Mapping[str, Any]] | None = None if spec.additions is None else {}
    run = Playing(pack, config, spec, folder)
    try:
        with in_bulk(), run:
            for step in spec_steps(pack, config, spec, log, traces):
                run.called(log.drain(), step)
                run.add(step, _fields(spec, config, step, traces))
                if tick is not None and step.index % TICK == 0:
                    tick(step.index)
            run.called(log.drain())
            return run.played()
    except Exception as error:
        if (told := run.failure(error, run.so_far())) is error:
            raise
        raise told from None


class Playing:
    """A run under way: what it has come to, and its records where it has a folder."""

    def __init__(self, pack: Pack, config: Any, spec: RunSpec, folder: Path | None) -> None:
        self.pack, self.config, self.spec, self.folder = pack, config, spec, folder
        self.account = Account(spec.agents)
        self.recorder: Recorder | None = None
        self.before: Step[Any, Any] | None = None
        self.last = -1
        self._series: list[Mapping[str, JSON]] = []
        self._stack = ExitStack()

    def __enter__(self) -> Playing:
        if self.folder is not None:
            recorder = Recorder(self.pack, self.spec, self.config, self.folder)
            self.recorder = self._stack.enter_context(recorder)
        return self

    def called(self, calls: list[CallRecord], step: Step[Any, Any] | None = None) -> None:
        """What models were asked since the last step."""
        self.account.add(calls, step, self.recorder)

    def add(self, step: Step[Any, Any], fields: Mapping[str, Any] | None = None) -> None:
        """The next step, measured and recorded."""
        measured = None
        if self.before is not None:
            measured = self.pack.metrics.measure(self.config, self.before.state, step)
        self.before = step
        self.keep(step.index, measured, step, fields)

    def keep(
        self,
        index: int,
        measured: Mapping[str, JSON] | None,
        step: Step[Any, Any] | Written | None,
        fields: Mapping[str, Any] | None = None,
    ) -> None:
        """The next step, which is measured; of the start there are no measures. None where nothing is recorded."""
        if measured is not None:
            self._series.append(measured)
        if self.recorder is not None and step is not None:
            self.recorder.add(step, measured, fields)
        self.last = index

    def played(self) -> Played:
        """What the whole run came to."""
        spec, recorder = self.spec, self.recorder
        last, told = (None, None) if recorder is None else (recorder.hash, recorder.told)
        summary = dict(self.pack.metrics.summarise(self.config, self._series))
        steps, account = len(self._series), self.account.plain()
        return Played(spec.condition, spec.replicate, spec.seed, steps, last, summary, account, told)

    def so_far(self) -> Played | None:
        """The run until now, without metrics; None where no step of it was recorded."""
        spec, recorder = self.spec, self.recorder
        if recorder is None or recorder.last < 0:
            return None
        steps, account = recorder.last, self.account.plain()
        return Played(spec.condition, spec.replicate, spec.seed, steps, recorder.hash, {}, account, recorder.told)

    def failure(self, error: BaseException, kept: Played | None) -> BaseException:
        """What is raised where the run broke on this error; ``kept`` is what of the runs goes on being kept."""
        if isinstance(error, RunStop):
            return RunStopped(f"{self.pack.slug}: {self.spec}: {error}", kept)
        if not isinstance(error, Exception) or (isinstance(error, OSError) and error.errno in UNWRITABLE):
            return error  # broken off, or the disk's fault and not the game's
        where = f"{self.pack.slug}: {self.spec}, step {self.last + 1}: {type(error).__name__}: {error}"
        return RunFailed(" ".join(where.split()), "".join(traceback.format_exception(error)), kept)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        self._stack.__exit__(kind, error, trace)


def _fields(
    spec: RunSpec, config: Any, step: Step[Any, Any], traces: dict[Seat, Mapping[str, Any]] | None
) -> Mapping[str, Any] | None:
    """What the spec's additions tell of a step; its traces are used up."""
    if spec.additions is None or traces is None:
        return None
    told = spec.additions.fields(spec, config, step, traces)
    traces.clear()
    return told


class Account:
    """What a run's models were asked and cost, and in how many of their decisions the game's default stood in.

    ``served``   models as the provider named them, each with its first and last day (UTC); nothing of mocks
    ``prompts``  the sum of the digests of all prompts, modulo 2**128, in hexadecimal
    """

    def __init__(self, agents: tuple[Mapping[str, Any], ...]) -> None:
        self.models = {seat for seat, agent in enumerate(agents) if agent["kind"] == "model"}
        self.spent = Spent()
        self.decisions = self.fallbacks = 0
        self.served: dict[str, list[str]] = {}
        self.prompts = 0

    def add(self, calls: list[CallRecord], step: Step[Any, Any] | None, recorder: Recorder | None) -> None:
        """The calls since the last step, and the step."""
        for call in calls:
            self.spent.add(call)
            self.prompts = (self.prompts + int(call.prompt_hash or "0", 16)) % 2**128
            if name := call.served or (call.model if call.address else ""):
                days = [*self.served.get(name, ()), call.at[:10]]
                self.served[name] = [min(days), max(days)]
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
            "prompts": f"{self.prompts:032x}",
            **({"served": self.served} if self.served else {}),
        }
