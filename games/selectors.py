"""Every read of a run. One decoder serves pages, API, stream, admin and export; visibility is applied here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet, prefetch_related_objects
from django.utils import timezone

from games import blobs
from games.audience import Sight
from games.core import codec
from games.core.engine import Position
from games.core.game import Game
from games.core.game import Step as CoreStep
from games.core.registry import Pack, UnknownGame, get
from games.lab.frames import brief, frame
from games.models import (
    ACTIVE,
    ENDED,
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
    """No such run, step or scenario; one line for whoever asked. ``more`` as for a `BadRequest`."""

    def __init__(self, message: str, **more: Any) -> None:
        super().__init__(message)
        self.more = more


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
        return self.run.rules_version == self.game.rules_version and self.run.schema_version in codec.SCHEMAS_READ


def run_get(run_id: str) -> Run:
    try:
        return Run.objects.select_related("scenario").get(pk=run_id)
    except Run.DoesNotExist:
        raise NotFound(f"run {run_id[:20]!r}: there is none of that id", why="run", run=run_id[:20]) from None


def seats_of(run: Run) -> list[Seat]:
    """Its seats in order, read once for each run that is at hand."""
    prefetch_related_objects([run], "seats")
    return list(run.seats.all())


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
    return (_stored(play, row, base) for row, base in _rows(play, after, until))


def _rows(play: Playing, after: int, until: int) -> Iterator[tuple[Step, blobs.Base]]:
    """The rows of the log with ``after < index <= until``, in order, each with the base that it is stored against."""
    rows = Step.objects.filter(run=play.run, index__gt=after, index__lte=until).order_by("index")
    base: blobs.Base | None = None
    for row in rows.iterator(chunk_size=200):
        needed = blobs.snapshot_index(row.index)
        if base is None or base.index != needed:
            base = _base(play.run.pk, needed)
        yield row, base


def step(play: Playing, index: int) -> Stored:
    """One stored step; raises `NotFound`."""
    for stored in steps(play, index - 1, index):
        return stored
    raise _missing(play, index)


def _missing(play: Playing, index: int) -> NotFound:
    return NotFound(f"run {play.run.pk}: step {index} is not stored; the last is {play.run.head}")


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
    return list(frames_until(play, sight, after, until))


def frames_until(play: Playing, sight: Sight, after: int, until: int) -> Iterator[dict[str, Any]]:
    """The frames with ``after < n <= until``, in order; ``until`` is no later than the sight's head."""
    for row, base in _rows(play, after, until):
        record = base.unpack(row.record)
        state = codec.load(play.game.state_type, base.unpack(row.position)["state"])
        # What the seats did is sent as it was written.
        step: CoreStep[Any, Any] = codec.decode_step(play.game, {**record, "actions": []}, state)
        yield frame(play.game, play.config, step, sight.eyes, row.hash, record.get("metrics"), record["actions"])


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
        raise NotFound(f"frame {index}: not to be seen yet; the last is {head}", why="frame", n=index, last=head)
    if head < 0:
        return None
    wanted = head if index is None else max(index, 0)
    for shown in frames_until(play, sight, wanted - 1, wanted):
        return shown
    raise _missing(play, wanted)


def recent_runs(limit: int = 20, game: str | None = None) -> QuerySet[Run]:
    runs = Run.objects.select_related("scenario").prefetch_related("seats").order_by("-created")
    return (runs.filter(game=game) if game else runs)[:limit]


def featured_run() -> Run | None:
    """The run that the lobby shows: one that is going on, else one that stands still, else the latest that ended."""
    live = Run.objects.filter(queue="live", head__gte=0).order_by("-created")
    moving, standing = live.filter(status__in=ACTIVE), live.filter(status=RunStatus.PAUSED)
    ended = Run.objects.filter(head__gte=0, status__in=ENDED).order_by("-ended")
    return moving.first() or standing.first() or ended.first()


def run_counts() -> dict[str, int]:
    """How many runs are under way, and how many are over and can be replayed."""
    return {
        "live": Run.objects.filter(status__in=ACTIVE, queue=Queue.LIVE).count(),
        "finished": Run.objects.filter(status=RunStatus.FINISHED).count(),
    }


def waits_for_models_alone(run_id: str) -> bool:
    """Whether models play in the run and no person does."""
    kinds = set(Seat.objects.filter(run_id=run_id).values_list("kind", flat=True))
    return SeatKind.MODEL in kinds and SeatKind.PERSON not in kinds


def due_runs(limit: int = 200) -> list[tuple[str, str]]:
    """Active runs that nobody drives and that may go on now, as (id, queue): what the sweep re-enqueues."""
    now = timezone.now()
    idle = Run.objects.filter(status__in=ACTIVE, begun=True).exclude(lease_until__gt=now).exclude(wake_at__gt=now)
    idle = idle.exclude(status=RunStatus.WAITING, wake_at=None)
    return list(idle.order_by("wake_at", "created").values_list("pk", "queue")[:limit])
