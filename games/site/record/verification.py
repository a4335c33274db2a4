"""Re-resolves a stored run from its seed and its actions, and compares every hash, measure and count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from agents_app.deciders.rerun import Rerun, rerun
from agents_app.profile import read_profile
from games.core import codec
from games.core.agents import Decision, deciding
from games.core.engine import replay
from games.site.models import JOINED, RegisterEntry, RegisterKind, Run, RunStatus, SeatKind, Step
from games.site.models import Decision as DecisionRow
from games.site.record import calls, selectors
from games.site.record.decisions import decode_decision
from games.site.record.outcome import account_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """How much of a run is what its seed and actions give. ``difference`` names the first part that is not.

    ``erased``  how many texts were erased from it, by which entries of the register; "" where none was
    """

    run_id: str
    identical: int
    steps: int
    difference: str | None = None
    erased: str = ""

    def __str__(self) -> str:
        if self.difference is None:
            told = f"{self.run_id}: identical {self.identical}/{self.steps}"
            return f"{told}; {self.erased}" if self.erased else told
        return f"{self.run_id}: differs: {self.difference} (identical {self.identical}/{self.steps})"


def verify_run(run_id: str, tell: Callable[[int, int], None] = lambda done, of: None) -> Verdict:
    """The verdict on all stored steps, and on what was erased of them; as `replayed`."""
    verdict = replayed(run_id, tell)
    if verdict.difference is not None:
        return verdict
    told, fault = _erased(selectors.run_get(run_id))
    return replace(verdict, erased=told, difference=fault)


def replayed(run_id: str, tell: Callable[[int, int], None] = lambda done, of: None) -> Verdict:
    """The verdict on all stored steps; ``tell`` hears how many of them are compared.

    A run's measures are held to those of its steps, which are not measured anew: they may be of an older version.

    Raises `selectors.NotFound`, also where today's rules are not the run's.
    """
    selectors.forget(run_id)  # what is stored now is looked at, not what this process has read before
    run = selectors.run_get(run_id)
    play = selectors.playing(run)
    if not play.is_current:
        raise selectors.NotFound(
            f"run {run_id}: played by rules {run.rules_version}, these are {play.game.rules_version}; "
            "it can be watched, but not resolved again"
        )
    stored = list(selectors.steps(play, -1, run.head))
    if [one.step.index for one in stored] != list(range(run.head + 1)):
        return Verdict(run_id, 0, run.head, "steps are missing from the store")
    hashes = dict(Step.objects.filter(run=run).values_list("index", "hash"))
    previous, steps, since = codec.GENESIS, run.head, None
    if run.parent_id is not None and run.fork_at is not None:
        # What came before the fork was played by the parent's rules: it must be the parent's, and the parent in order.
        above = verify_run(run.parent_id)
        shared = dict(Step.objects.filter(run_id=run.parent_id, index__lte=run.fork_at).values_list("index", "hash"))
        if above.identical < run.fork_at or any(hashes.get(index) != hash_ for index, hash_ in shared.items()):
            return Verdict(run_id, 0, steps, f"before the fork at step {run.fork_at}: {above}")
        stored, since = stored[run.fork_at :], stored[run.fork_at].step
        previous = hashes[run.fork_at - 1] if run.fork_at else codec.GENESIS
    again = replay(play.game, play.config, run.seed, (one.step.actions for one in stored[1:]), since)
    try:
        for one, step in zip(stored, again, strict=True):
            previous = codec.chain(play.game, previous, step)
            tell(step.index, steps)
            fault = _difference(play.game, one, step, previous, hashes[step.index])
            if fault is not None:
                return Verdict(run_id, max(step.index - 1, 0), steps, f"step {step.index}: {fault}")
    except ValueError as error:
        return Verdict(run_id, 0, steps, str(error))
    return Verdict(run_id, steps, steps, _outcome(play, previous))


def _erased(run: Run) -> tuple[str, str | None]:
    """What was erased from the run, and what is wrong with it: its last hash must be the one that was registered."""
    if run.session is None:
        return "", None
    entries = RegisterEntry.objects.filter(kind=RegisterKind.ERASED, subject__startswith=f"session {run.session.code} ")
    found = [one for one in entries.order_by("number") if run.pk in one.document["matches"]]
    if not found:
        return "", None
    items = sum(one.document["matches"][run.pk]["items"] for one in found)
    numbers = ", ".join(str(one.number) for one in found)
    after = found[-1].document["matches"][run.pk]["after"]
    fault = None if after == run.head_hash else f"the last hash is {run.head_hash}; entry {numbers} registered {after}"
    return f"{items} items erased by entry {numbers}", fault


def _outcome(play: selectors.Playing, last: str) -> str | None:
    """What the run's row says of its whole that its steps do not: settings, last hash, measures, how it was played."""
    run = play.run
    told: list[tuple[str, Any, Any]] = [
        ("head_hash", run.head_hash, last),
    ]
    if play.config.model_dump(mode="json") == run.config:  # no setting has come since
        told.append(("config_hash", run.config_hash, play.config_hash(play.config)))
    if run.status == RunStatus.FINISHED:
        ours = codec.plain(account_of(run).outcome(play))
        for kind, old in (("metrics", run.metrics), ("tally", run.tally)):
            told += [(f"{kind}.{name}", value, ours[kind].get(name)) for name, value in (old or {}).items()]
    for name, stands, right in told:
        if codec.canonical(stands) != codec.canonical(right):
            return f"the run's {name} is {stands}; by its steps it is {right}"
    return None


def rerun_run(run_id: str) -> Rerun:
    """The run played once more with its models' stored replies in place of calls, compared step by step.

    Raises `selectors.NotFound`, also for a run of other rules, and for a fork, whose first part has no calls.
    """
    run = selectors.run_get(run_id)
    play = selectors.playing(run)
    if not play.is_current or run.parent_id is not None:
        raise selectors.NotFound(f"run {run_id}: a fork, or of other rules: its recording cannot be played again")
    deciders, profiles, recordings = {}, {}, {}
    stored: dict[int, dict[int, Decision[Any]]] = {}
    for seat in run.seats.all():
        if seat.kind == SeatKind.POLICY:
            deciders[seat.index] = deciding(play.pack.policies[seat.agent["policy"]].bind(seat.agent.get("params")))
        elif seat.kind not in JOINED:
            profiles[seat.index] = read_profile(seat.agent.get("profile"))
        if seat.kind == SeatKind.RECORDING:
            recordings[seat.index] = calls.recorded(seat.agent)
        if seat.kind in JOINED or seat.since >= 0:
            stored[seat.index] = _answers(play, seat.index, run.head if seat.kind in JOINED else seat.since)
    records = [codec.encode_step(play.game, one.step) for one in selectors.steps(play, -1, run.head)]
    kept = calls.records_of(run)
    again = rerun(play.pack, play.config, run.seed, deciders, profiles, kept, records, recordings, stored)
    return asyncio.run(again)


def _answers(play: selectors.Playing, seat: int, until: int) -> dict[int, Decision[Any]]:
    """The answers of a seat up to a step: as they were stored, else (of policies, which store none) as played."""
    rows = DecisionRow.objects.filter(run=play.run, seat=seat, step__lte=until, purpose="act")
    kept = {step: decode_decision(play, answer) for step, answer in rows.values_list("step", "answer")}
    played = {
        one.step.index: Decision(one.step.actions[seat], None, None, tuple(one.step.flags.get(seat, ())))
        for one in selectors.steps(play, -1, until)
        if one.step.index > 0 and seat in one.step.turn.seats and seat in one.step.actions
    }
    return {**played, **kept}


def _difference(game: Any, one: selectors.Stored, step: Any, hash_: str, kept: str) -> str | None:
    ours, theirs = codec.encode_step(game, one.step), codec.encode_step(game, step)
    for part in ("clock", "stage", "actions", "events", "payoffs"):
        if codec.canonical(ours[part]) != codec.canonical(theirs[part]):
            return part
    if codec.state_hash(game, one.step.state) != codec.state_hash(game, step.state):
        return "state"
    return None if hash_ == kept else "hash"
