"""Forks: a run taken up again from one of its rounds, with another seat or rule from there on, or unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from agents_app.people import PeopleSettings
from agents_app.profile import Profile, read_profile
from games.core.pack import Pack
from games.errors.faults import BadScenario, Fault
from games.errors.requests import BadRequest
from games.lab.scenarios.form import AgentForm, FoundRecording, SubstituteForm, read_seats
from games.lab.scenarios.layers import Layer, merge_config
from games.lab.scenarios.seating import Seated, seat_agents
from games.lab.wire.plainjson import encoded
from games.site.accounts.purse import purse_check
from games.site.audience import audience_checked, audience_for_people
from games.site.models import JOINED, ApiKey, Queue, Run, RunStatus, Seat, SeatKind, Snapshot, Step
from games.site.notify.queueing import enqueue
from games.site.people.invites import code_new
from games.site.record import blobs, selectors
from games.site.record.recordings import recordings_found
from games.site.runs.creating import any_seed, batches_refused, pace_checked, spending_checked

SOURCE = "fork"


def run_fork(
    *,
    run_id: str,
    at: int,
    config: Mapping[str, Any] | None = None,
    seats: Mapping[str, Any] | None = None,
    pace: float | None = None,
    audience: Mapping[str, Any] | None = None,
    limits: Mapping[str, Any] | None = None,
    start: bool = True,
    key: ApiKey | None = None,
) -> Run:
    """A run that shares the steps of another up to ``at`` and goes on from there by itself.

    ``config`` and ``seats`` are what differs from then on. An unchanged fork plays the same run again. A replaced agent
    begins without memory or plan. In a fork with people chance takes a seed of its own, which nobody knows, and
    spectators see what is public where the parent had no people, unless ``audience`` says otherwise. Raises
    `BadRequest`, or `BadScenario` with every fault.
    """
    parent = selectors.run_get(run_id)
    play = selectors.playing(parent)
    if not play.is_current:
        raise BadRequest("old_rules", f"fork: the run was played by rules {parent.rules_version}, which are no more")
    if not 0 <= at <= parent.head:
        raise BadRequest("bad_step", f"at: {at}; a stored step, 0 to {parent.head}", "at", last=parent.head)
    stored = selectors.step(play, at)
    ours, agents = _changed(play.pack, parent, play.config, config or {}, seats or {})
    _fits(play.pack, play.config, ours, stored.step.state)
    replaced = [seat.index for seat, agent in zip(parent.seats.all(), agents, strict=True) if _other(seat, agent)]
    has_people = any(agent["kind"] in JOINED for agent in agents)
    begins = RunStatus.WAITING if has_people else RunStatus.QUEUED
    if has_people:
        eyes = audience_for_people(parent, audience)
    else:
        eyes = dict(parent.audience) if audience is None else audience_checked(audience)
    profiles = [read_profile(agent["profile"]) for agent in agents if agent["kind"] == SeatKind.MODEL]
    called = any(profile.batch is None and not profile.is_mock for profile in profiles)
    speed = parent.pace if pace is None else pace_checked(pace)
    by_batch = any(profile.batch is not None for profile in profiles)
    if has_people or speed or called:
        batches_refused(profiles)
    spending = spending_checked(parent.limits if limits is None else limits, profiles)
    with transaction.atomic():
        fork = Run.objects.create(
            scenario=parent.scenario,
            condition=parent.condition,
            parent=parent,
            fork_at=at,
            game=parent.game,
            rules_version=parent.rules_version,
            schema_version=parent.schema_version,
            config=ours.model_dump(mode="json"),
            config_hash=play.config_hash(ours),
            seed=any_seed() if has_people else parent.seed,
            audience=eyes,
            limits=spending,
            key=key,
            queue=Queue.BULK if by_batch else Queue.LIVE,
            pace=speed,
            people=(parent.people or PeopleSettings().model_dump(mode="json")) if has_people else {},
            code=code_new() if has_people else None,
            begun=not has_people,
            status=begins if start else RunStatus.PAUSED,
            head=at,
            head_hash=stored.hash,
            clock=[list(label) for label in stored.step.turn.clock],
        )
        Seat.objects.bulk_create(
            Seat(run=fork, index=seat.index, name=seat.name, role=seat.role, kind=agent["kind"], agent=agent)
            for seat, agent in zip(parent.seats.all(), agents, strict=True)
        )
        _copy(parent, fork, at, replaced)
        purse_check(key, spending, profiles)
        if start and not has_people:
            transaction.on_commit(lambda: enqueue(fork.pk, fork.queue))
    return fork


def _changed(
    pack: Pack, parent: Run, config: Any, changes: Mapping[str, Any], seats: Mapping[str, Any]
) -> tuple[Any, list[dict[str, Any]]]:
    """The config and the agents of the fork."""
    faults: list[Fault] = []
    now = Layer(SOURCE, config.model_dump(mode="json"), {str(s.index): _form(s.agent) for s in parent.seats.all()})
    given = recordings_found(pack.slug, read_seats({"seats": dict(seats)}, SOURCE), SOURCE) if seats else {}
    layers = [now, Layer(SOURCE, changes, given)]
    ours = merge_config(pack, layers, faults)
    agents: tuple[Seated, ...] = ()
    if ours is not None:
        agents = seat_agents(pack, pack.game.seats(config), layers, faults)
    if faults or ours is None:
        raise BadScenario(list(dict.fromkeys(faults)))
    return ours, [agent.plain() for agent in agents]


def _other(seat: Seat, now: Mapping[str, Any]) -> bool:
    """Whether somebody else sits there. A profile may have been stored without its defaults; what a seat itself said
    goes on from what it had in mind.
    """
    before: Mapping[str, Any] = seat.agent
    if before["kind"] == "model" and now["kind"] == "recording":
        return (now["run"], now["seat"]) != (seat.run_id, seat.index)
    if before["kind"] != "model" or now["kind"] != "model":
        return dict(before) != dict(now)
    return read_profile(before["profile"]) != read_profile(now["profile"])


def _form(agent: Mapping[str, Any]) -> AgentForm:
    """A seat's stored agent as scenario files write it."""
    if agent["kind"] == "policy":
        return AgentForm(policy=agent["policy"], params=agent["params"])
    if agent["kind"] in JOINED:
        form = SubstituteForm(policy=agent["substitute"]["policy"], params=agent["substitute"]["params"])
        if agent["kind"] == SeatKind.PROGRAM:
            return AgentForm(program=True, substitute=form)
        return AgentForm(person=True, substitute=form)
    profile = dict(agent["profile"])
    if agent["kind"] == "recording":
        return AgentForm(recording=FoundRecording(run=agent["run"], seat=agent["seat"], profile=profile))
    model = profile.pop("model", Profile().model)
    return AgentForm(model=model, profile=profile, label="" if agent["label"] == model else agent["label"])


def _fits(pack: Pack, before: Any, after: Any, state: Any) -> None:
    """Refuse rules under which the state that they meet cannot be."""
    if before == after:
        return
    if list(pack.game.seats(before)) != list(pack.game.seats(after)):
        raise BadRequest(
            "bad_fork", "config: a fork keeps its seats; start a new run for others", "config", why="seats"
        )
    try:
        broken = [law for law in pack.game.invariants(after, state) if not law.holds]
        pack.game.turn(after, state)
        told = broken[0].name if broken else None
    except (IndexError, KeyError, ValueError, ArithmeticError) as error:
        told = repr(error)
    if told is not None:
        fields = type(before).model_fields
        changed = [name for name in fields if getattr(before, name) != getattr(after, name)]
        line = f"config: the state of that step does not fit these rules: {told}"
        raise BadRequest("bad_fork", line, "config", why="state", changed=changed)


def _copy(parent: Run, fork: Run, at: int, replaced: list[int]) -> None:
    """The log up to the fork, blobs as they are; in the last position the replaced seats have nothing in mind."""
    snapshots = Snapshot.objects.filter(run=parent, index__lte=at)
    Snapshot.objects.bulk_create(Snapshot(run=fork, index=s.index, body=s.body) for s in snapshots.iterator())
    rows = Step.objects.filter(run=parent, index__lte=at).order_by("index")
    copies = [
        Step(run=fork, index=r.index, stage=r.stage, record=r.record, position=r.position, hash=r.hash)
        for r in rows.iterator()
    ]
    if replaced:
        base = selectors.base_of(parent.pk, blobs.snapshot_index(at))
        held = base.unpack(copies[-1].position)
        for name in ("memories", "plans"):
            held[name] = [[seat, value] for seat, value in held[name] if seat not in replaced]
        copies[-1].position = base.pack(encoded(held))
    Step.objects.bulk_create(copies, batch_size=500)
