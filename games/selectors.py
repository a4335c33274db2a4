"""Every read of a run. One decoder serves pages, API, stream, admin and export; visibility is applied here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from games import blobs
from games.audience import Sight
from games.core import codec
from games.core.engine import Position
from games.core.game import All, Game
from games.core.game import Step as CoreStep
from games.core.registry import Pack, UnknownGame, get
from games.lab.frames import brief, frame
from games.lab.naming import agent_label
from games.lab.scenario import load
from games.models import (
    ACTIVE,
    ENDED,
    Decision,
    Notice,
    Participant,
    ParticipantState,
    Queue,
    Run,
    RunStatus,
    Seat,
    SeatKind,
    Snapshot,
    Step,
)

FRAMES_MAX = 500


class NotFound(LookupError):
    """No such run, step or scenario; one line for whoever asked."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A step as it was stored: the kernel's value, its chained hash and measures, and what the seats carry on."""

    step: CoreStep[Any, Any]
    hash: str
    metrics: Any
    memories: dict[int, Any]
    plans: dict[int, Any]


@dataclass(frozen=True, slots=True)
class Playing:
    """A run with its game and validated config at hand."""

    run: Run
    pack: Pack
    config: Any

    @property
    def game(self) -> Game[Any, Any, Any, Any]:
        return self.pack.game

    def config_hash(self, config: Any) -> str:
        return codec.config_hash(self.game, config)

    @property
    def is_current(self) -> bool:
        """Whether today's rules are the ones that the run was played by."""
        return self.run.rules_version == self.game.rules_version and self.run.schema_version == codec.SCHEMA


def run_get(run_id: str) -> Run:
    try:
        return Run.objects.select_related("scenario").prefetch_related("seats").get(pk=run_id)
    except Run.DoesNotExist:
        raise NotFound(f"run {run_id[:20]!r}: there is none of that id") from None


def playing(run: Run) -> Playing:
    """The run with its game; raises `NotFound` where the game is no longer there."""
    try:
        pack = get(run.game)
    except UnknownGame as unknown:
        raise NotFound(str(unknown)) from None
    return Playing(run, pack, _config(run.game, run.config_hash, codec.canonical(run.config)))


@lru_cache(maxsize=256)
def _config(game: str, config_hash: str, text: bytes) -> Any:
    return get(game).game.config_type.model_validate_json(text)


def steps(play: Playing, after: int, until: int) -> Iterator[Stored]:
    """The stored steps with ``after < index <= until``, in order."""
    rows = Step.objects.filter(run=play.run, index__gt=after, index__lte=until).order_by("index")
    base: blobs.Base | None = None
    for row in rows.iterator(chunk_size=200):
        needed = blobs.snapshot_index(row.index)
        if base is None or base.index != needed:
            base = _base(play.run.pk, needed)
        yield _stored(play, row, base)


def step(play: Playing, index: int) -> Stored:
    """One stored step; raises `NotFound`."""
    for stored in steps(play, index - 1, index):
        return stored
    raise NotFound(f"run {play.run.pk}: step {index} is not stored; the last is {play.run.head}")


def position(play: Playing) -> tuple[Position[Any, Any], str]:
    """Where the run stands, with as many steps as its rules recall, and the chained hash."""
    recall = play.game.recall(play.config)
    head = play.run.head
    first = 0 if recall is None else max(0, head - max(recall, 1) + 1)
    kept = list(steps(play, first - 1, head))
    if not kept:
        raise NotFound(f"run {play.run.pk}: nothing is stored yet")
    last = kept[-1]
    return Position([stored.step for stored in kept], last.memories, last.plans), last.hash


def base_of(run_id: str, index: int) -> blobs.Base:
    """The base that records and positions after the snapshot at ``index`` are stored against."""
    return _base(run_id, index)


@lru_cache(maxsize=64)
def _base(run_id: str, index: int) -> blobs.Base:
    body = Snapshot.objects.values_list("body", flat=True).get(run_id=run_id, index=index)
    return blobs.Base.read(index, body)


def _stored(play: Playing, row: Step, base: blobs.Base) -> Stored:
    record = base.unpack(row.record)
    held = base.unpack(row.position)
    state = codec.load(play.game.state_type, held["state"])
    return Stored(
        codec.decode_step(play.game, record, state),
        row.hash,
        record.get("metrics"),
        dict(held["memories"]),
        dict(held["plans"]),
    )


def frames(play: Playing, sight: Sight, after: int, limit: int = FRAMES_MAX) -> list[dict[str, Any]]:
    """The frames after a number that the sight allows, at most ``limit``."""
    until = min(sight.head(play.run), after + max(1, min(limit, FRAMES_MAX)))
    return [
        frame(play.game, play.config, stored.step, sight.eyes, stored.hash, stored.metrics)
        for stored in steps(play, after, until)
    ]


def briefs(play: Playing, sight: Sight, after: int, limit: int = FRAMES_MAX) -> list[dict[str, Any]]:
    """The briefs after a number that the sight allows, at most ``limit``. No state is read for them."""
    until = min(sight.head(play.run), after + max(1, min(limit, FRAMES_MAX)))
    rows = Step.objects.filter(run=play.run, index__gt=after, index__lte=until).order_by("index")
    found = []
    for index, body, hash_ in rows.values_list("index", "record", "hash").iterator(chunk_size=100):
        record = base_of(play.run.pk, blobs.snapshot_index(index)).unpack(body)
        step: CoreStep[Any, Any] = codec.decode_step(play.game, {**record, "actions": []}, None)
        found.append(brief(step, sight.eyes, hash_, record.get("metrics")))
    return found


def snapshot(play: Playing, sight: Sight, index: int | None = None) -> dict[str, Any] | None:
    """The frame at ``index`` (the last visible one by default); None while nothing may be shown."""
    head = sight.head(play.run)
    if index is not None and index > head:
        raise NotFound(f"frame {index}: not to be seen yet; the last is {head}")
    if head < 0:
        return None
    stored = step(play, head if index is None else max(index, 0))
    return frame(play.game, play.config, stored.step, sight.eyes, stored.hash, stored.metrics)


def run_meta(run: Run, sight: Sight, *, control: bool = False) -> dict[str, Any]:
    """What a page says of a run beside its frames. Settings, which may tell when it ends, are for omniscient eyes."""
    everything = isinstance(sight.eyes, All)
    # Where people play, nobody who may be one of them learns what plays in the other seats before the end.
    is_blind = not everything and bool(run.people) and run.status not in ENDED
    return {
        "id": run.pk,
        "game": run.game,
        "scenario": {"name": run.scenario.name, "title": run.scenario.title},
        "condition": run.condition,
        "replicate": run.replicate,
        "seed": _seed(run, control),
        "status": run.status,
        "head": sight.head(run),
        "horizon": _horizon(run) if everything else None,
        "pace": run.pace,
        "seats": [
            {
                "seat": seat.index,
                "name": seat.name,
                "role": seat.role,
                "kind": seat.kind,
                "agent": "" if is_blind else label_of(run, seat),
            }
            for seat in run.seats.all()
        ],
        "config": run.config if everything else None,
        "rules_version": run.rules_version,
        "audience": run.audience or {"kind": "omniscient"},
        "error": run.error or None,
        "can": {"control": control},
        "waiting_for": _waiting_for(run),
        "people": _people(run),
        "notices": notices(run),
        "created": run.created.isoformat(),
        "ended": run.ended.isoformat() if run.ended else None,
        "cost_usd": float(run.cost_usd) if any(seat.kind == SeatKind.MODEL for seat in run.seats.all()) else None,
        "limits": run.limits,
        "parent": run.parent_id,
        "fork_at": run.fork_at,
    }


def _seed(run: Run, control: bool) -> int | str | None:
    """From the seed everybody's chances follow: while people play it is for operators alone."""
    if run.people and run.status not in ENDED and not control:
        return None
    return str(run.seed) if run.seed > 2**53 else run.seed


NOTICES_MAX = 100


def notices(run: Run) -> list[dict[str, Any]]:
    """What befell the run from outside its rules, the latest hundred, oldest first."""
    if not run.notices_head:
        return []
    rows = Notice.objects.filter(run=run, number__gt=run.notices_head - NOTICES_MAX).order_by("number")
    return [
        {
            "n": row.number,
            "step": row.step,
            "kind": row.kind,
            "seat": row.seat,
            "data": row.data,
            "at": row.created.isoformat(),
        }
        for row in rows
    ]


def _people(run: Run) -> dict[str, int] | None:
    """How many seats are people's, whose holder is there, and can still be taken."""
    if not run.people:
        return None
    seats = [seat for seat in run.seats.all() if seat.kind == SeatKind.PERSON]
    held = Participant.objects.filter(run=run)
    came = set(held.values_list("seat", "link"))
    ready = held.filter(state__in=(ParticipantState.READY, ParticipantState.PLAYING)).count()
    free = sum(1 for seat in seats if (seat.index, seat.link) not in came) if run.status not in ENDED else 0
    return {"of": len(seats), "ready": ready, "open": free}


def missing_seats(run: Run) -> list[int]:
    """The seats whose holders are waited for, in seat order."""
    turn = run.open_turn
    if turn is None or turn["step"] != run.head + 1:
        return []
    moved = Decision.objects.filter(run=run, step=turn["step"], purpose="act").values_list("seat", flat=True)
    there = Participant.objects.filter(run=run, state=ParticipantState.PLAYING, seat__in=turn["seats"])
    return sorted(set(there.values_list("seat", flat=True)) - set(moved))


def left_of(turn: Mapping[str, Any]) -> float | None:
    """Seconds until an open turn's deadline; what a stopped clock shows; None where there is no deadline."""
    if not turn.get("deadline"):
        return turn.get("left_s")
    return max(0.0, (datetime.fromisoformat(turn["deadline"]) - timezone.now()).total_seconds())


def _waiting_for(run: Run) -> list[dict[str, Any]]:
    seats = missing_seats(run)
    if not seats or run.open_turn is None:
        return []
    since = (timezone.now() - datetime.fromisoformat(run.open_turn["opened"])).total_seconds()
    left = left_of(run.open_turn)
    return [{"seat": seat, "since_s": max(0.0, since), "left_s": left} for seat in seats]


@lru_cache(maxsize=32)
def game_detail(slug: str) -> dict[str, Any]:
    """All that a form needs of a game; raises `NotFound`."""
    try:
        pack = get(slug)
    except UnknownGame as unknown:
        raise NotFound(str(unknown)) from None
    return {
        "slug": slug,
        "title": pack.title,
        "tagline": pack.tagline,
        "rules_version": pack.game.rules_version,
        "config": pack.game.config_type.model_json_schema(),
        "default_policy": pack.default_policy,
        "policies": [
            {
                "name": spec.name,
                "rule": spec.rule,
                "source": spec.source,
                "aka": list(spec.aka),
                "params": spec.params.model_json_schema(),
            }
            for spec in pack.policies.values()
        ],
        "presets": [preset_detail(slug, name) for name in pack.scenario_files()],
        "words": {lang: words(pack, lang) for lang in ("en", "zh")},
    }


@lru_cache(maxsize=256)
def preset_detail(slug: str, name: str, condition: str | None = None) -> dict[str, Any]:
    """A preset with the settings and seats of one of its conditions, the first where none is named."""
    try:
        pack = get(slug)
    except UnknownGame as unknown:
        raise NotFound(str(unknown)) from None
    if name not in pack.scenario_files():
        raise NotFound(f"{slug}/{name[:40]}: there is no such preset")
    scenario = load(f"{slug}/{name}")
    conditions = {one.name: one for one in scenario.conditions}
    chosen = conditions.get(condition or scenario.conditions[0].name)
    if chosen is None:
        wanted = str(condition)[:40]
        raise NotFound(f"{slug}/{name}: there is no condition {wanted!r}; there are {', '.join(conditions)}")
    return {
        "name": name,
        "title": dict(scenario.title),
        "about": dict(scenario.about),
        "condition": chosen.name,
        "config": chosen.config.model_dump(mode="json"),
        "seats": [agent.plain() for agent in chosen.seats],
        "seat_names": [spec.name for spec in pack.game.seats(chosen.config)],
        "seeds": list(scenario.seeds[:1000]),
        "conditions": list(conditions),
    }


def words(pack: Pack, lang: str) -> dict[str, Any]:
    """What a game calls its things in a language."""
    return dict(json.loads((pack.folder / "words" / f"{lang}.json").read_text("utf-8")))


def label_of(run: Run, seat: Seat) -> str:
    """Who sits in a seat, in a word or two; a game may have better words for its policies than their parameters."""
    play = _known(run)
    return agent_label(play.pack if play else None, play.config if play else None, seat.agent)


def _known(run: Run) -> Playing | None:
    """The run with its game, where that is still there."""
    try:
        return playing(run)
    except NotFound:
        return None


def _horizon(run: Run) -> int | None:
    play = _known(run)
    return play.game.horizon(play.config) if play else None


def recent_runs(limit: int = 20, game: str | None = None) -> QuerySet[Run]:
    runs = Run.objects.select_related("scenario").prefetch_related("seats").order_by("-created")
    return (runs.filter(game=game) if game else runs)[:limit]


def featured_run() -> Run | None:
    """The run that the lobby shows: one that is going on, else the latest that has something to show."""
    live = Run.objects.filter(queue="live", status__in=[*ACTIVE, RunStatus.PAUSED], head__gte=0).order_by("-created")
    return live.first() or Run.objects.filter(head__gte=0, status__in=ENDED).order_by("-ended").first()


def run_counts() -> dict[str, int]:
    """How many runs are under way, and how many are over and can be replayed."""
    return {
        "live": Run.objects.filter(status__in=ACTIVE, queue=Queue.LIVE).count(),
        "finished": Run.objects.filter(status=RunStatus.FINISHED).count(),
    }


def due_runs(limit: int = 200) -> list[tuple[str, str]]:
    """Active runs that nobody drives and that may go on now, as (id, queue): what the sweep re-enqueues."""
    now = timezone.now()
    idle = Run.objects.filter(status__in=ACTIVE, begun=True).exclude(lease_until__gt=now).exclude(wake_at__gt=now)
    idle = idle.exclude(status=RunStatus.WAITING, wake_at=None)
    return list(idle.order_by("wake_at", "created").values_list("pk", "queue")[:limit])
