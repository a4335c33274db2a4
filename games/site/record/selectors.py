"""Every read of a run. One decoder serves pages, API, stream, admin and export; visibility is applied here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet, prefetch_related_objects

from games.core import codec
from games.core.engine import Position
from games.core.game import Clock, Game, SeatEyes
from games.core.game import Step as CoreStep
from games.core.pack import Pack
from games.core.registry import BrokenGame, UnknownGame, get
from games.errors.requests import NotFound as NotFound
from games.lab.wire.frames import FRAMES_MAX, Brief, Frame, brief, frame
from games.site.audience import PRIVATE, Sight, Viewer, listed
from games.site.models import (
    ACTIVE,
    ENDED,
    JOINED,
    Queue,
    Run,
    RunStatus,
    Seat,
    SeatKind,
    Snapshot,
    Step,
)
from games.site.record import blobs, clock


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


@dataclass(frozen=True, slots=True)
class _Starts:
    """Where the rounds of a run begin, as far as it was read: up to ``head``, in the round of ``label``."""

    head: int
    label: Clock
    starts: list[int]


STARTS_MAX = 256
_starts: dict[str, _Starts] = {}
"""By run. What is stored of a run never changes, so it is read on from where it was read last."""


def run_get(run_id: str) -> Run:
    try:
        return Run.objects.select_related("scenario").get(pk=run_id)
    except Run.DoesNotExist:
        raise NotFound(f"run {run_id[:20]!r}: there is none of that id", why="run", run=run_id[:20]) from None


def runs_at_hand(run_ids: Iterable[str]) -> dict[str, Run]:
    """Those of the runs that there are, with scenario and seats, in two queries."""
    runs = Run.objects.select_related("scenario").prefetch_related("seats").in_bulk(list(run_ids))
    return dict(runs)


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
    except BrokenGame:
        raise NotFound(f"game {run.game}: its folder is broken; the lobby tells operators why") from None
    return Playing(run, pack, _config(run.game, run.config_hash, codec.canonical(run.config)))


@lru_cache(maxsize=256)
def _config(game: str, config_hash: str, text: bytes) -> Any:
    return get(game).game.config_type.model_validate_json(text)


def steps(play: Playing, after: int, until: int) -> Iterator[Stored]:
    """The stored steps with ``after < index <= until``, in order."""
    return (_stored(play, row, base) for row, base in _rows(play, after, until))


def _rows(play: Playing, after: int, until: int) -> Iterator[tuple[Step, blobs.Base]]:
    """The rows of the log with ``after < index <= until``, in order, each with the base that it is stored against."""
    base: blobs.Base | None = None
    for row in _log(play.run, after, until):
        needed = blobs.snapshot_index(row.index)
        if base is None or base.index != needed:
            base = _base(play.run.pk, needed)
        yield row, base


def _log(run: Run, after: int, until: int) -> Iterable[Step]:
    """The rows with ``after < index <= until``, in order. Of a run that goes on whatever is told when a step is stored
    reads that one alone; nothing is erased from it before its end.
    """
    if run.status in ACTIVE and after + 1 == until == run.head:
        return (_latest(run.pk, until, run.head_hash),)
    rows = Step.objects.filter(run=run, index__gt=after, index__lte=until).order_by("index")
    return rows.iterator(chunk_size=200)


@lru_cache(maxsize=16)
def _latest(run_id: str, index: int, _hash: str) -> Step:
    return Step.objects.get(run=run_id, index=index)


def step(play: Playing, index: int) -> Stored:
    """One stored step; raises `NotFound`."""
    for stored in steps(play, index - 1, index):
        return stored
    raise _missing(play, index)


def _missing(play: Playing, index: int) -> NotFound:
    return NotFound(f"run {play.run.pk}: step {index} is not stored; the last is {play.run.head}")


def position(play: Playing) -> tuple[Position[Any, Any], str]:
    """Where the run stands, with as many steps as its rules recall, and the chained hash.

    Whoever sat down after the last step has neither memory nor plan of who sat there before.
    """
    recall = play.game.recall(play.config)
    head = play.run.head
    first = 0 if recall is None else max(0, head - max(recall, 1) + 1)
    kept = list(steps(play, first - 1, head))
    if not kept:
        raise NotFound(f"run {play.run.pk}: nothing is stored yet")
    last = kept[-1]
    fresh = {seat.index for seat in seats_of(play.run) if seat.since == head}
    memories, plans = _of_others(last.memories, fresh), _of_others(last.plans, fresh)
    return Position([one.step for one in kept], memories, plans), last.hash


def _of_others(held: Mapping[int, Any], seats: set[int]) -> dict[int, Any]:
    return {seat: value for seat, value in held.items() if seat not in seats}


def base_of(run_id: str, index: int) -> blobs.Base:
    """The base that records and positions after the snapshot at ``index`` are stored against."""
    return _base(run_id, index)


@lru_cache(maxsize=128)
def _base(run_id: str, index: int) -> blobs.Base:
    body = Snapshot.objects.values_list("body", flat=True).get(run_id=run_id, index=index)
    return blobs.Base.read(index, body)


def forget(run_id: str) -> None:
    """What this process kept of a run that was written anew; whatever reads a run needs none of it to be of today."""
    _base.cache_clear()
    _starts.pop(run_id, None)


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


def shown_head(run: Run, sight: Sight) -> int:
    """The last step of the run that may be shown to that sight now; -1: none yet.

    A delay counts rounds as those who watch do (`Game.counted`), whole ones: of the round under way nothing is shown.
    """
    if run.status in ENDED:
        return run.head
    if sight.after_end:
        return -1
    if sight.delay == 0 or run.head < 0:
        return run.head
    try:
        starts = _round_starts(playing(run))
    except NotFound:  # its game is no longer there
        return -1
    return starts[-sight.delay] - 1 if sight.delay <= len(starts) else -1


def _round_starts(play: Playing) -> list[int]:
    """The first step of each round up to the head, in order; the start of the run counts as one."""
    known = _starts.get(play.run.pk, _Starts(-1, (), []))
    rows = Step.objects.filter(run=play.run, index__gt=known.head, index__lte=play.run.head).order_by("index")
    label, starts, head = known.label, list(known.starts), known.head
    for index, body in rows.values_list("index", "record").iterator(chunk_size=200):
        record = base_of(play.run.pk, blobs.snapshot_index(index)).unpack(body)
        step: CoreStep[Any, Any] = codec.decode_step(play.game, {**record, "actions": []}, None)
        counted, head = _counted(step.turn.clock, play.game.counted), index
        if counted != label or not starts:
            label, starts = counted, [*starts, index]
    while len(_starts) >= STARTS_MAX:
        _starts.pop(next(iter(_starts)), None)
    _starts[play.run.pk] = _Starts(head, label, starts)
    return [start for start in starts if start <= play.run.head]


def _counted(clock: Clock, counted: str) -> Clock:
    """The labels that name a step's round: the counted one, else the outermost, with those around it."""
    names = [name for name, _ in clock]
    return tuple(clock[: names.index(counted) + 1 if counted in names else 1])


def frames(play: Playing, sight: Sight, after: int, limit: int = FRAMES_MAX) -> list[Frame]:
    """The frames after a number that the sight allows, at most ``limit``."""
    until = min(shown_head(play.run, sight), after + max(1, min(limit, FRAMES_MAX)))
    return list(frames_until(play, sight, after, until))


def frames_until(play: Playing, sight: Sight, after: int, until: int) -> Iterator[Frame]:
    """The frames with ``after < n <= until``, in order; ``until`` is no later than the sight's head."""
    for row, base in _rows(play, after, until):
        record = base.unpack(row.record)
        state = codec.load(play.game.state_type, base.unpack(row.position)["state"])
        # What the seats did is sent as it was written.
        step: CoreStep[Any, Any] = codec.decode_step(play.game, {**record, "actions": []}, state)
        shown = frame(play.game, play.config, step, sight.eyes, row.hash, record.get("metrics"), record["actions"])
        yield blinded(shown, sight) if sight.blind else shown


def blinded(shown: Frame, sight: Sight) -> Frame:
    """A frame without what others' kinds can be told by: how an answer came about, what was repaired of it, and the
    measures that count either.
    """
    own = sight.eyes.seat if isinstance(sight.eyes, SeatEyes) else None
    flags = [pair for pair in shown["flags"] if pair[0] == own]
    notes = [pair for pair in shown["notes"] if pair[0] == own]
    return {**shown, "flags": flags, "notes": notes, "metrics": None}


def briefs(play: Playing, sight: Sight, after: int, limit: int = FRAMES_MAX) -> list[Brief]:
    """The briefs after a number that the sight allows, at most ``limit``. No state is read for them."""
    until = min(shown_head(play.run, sight), after + max(1, min(limit, FRAMES_MAX)))
    rows = Step.objects.filter(run=play.run, index__gt=after, index__lte=until).order_by("index")
    found = []
    for index, body, hash_ in rows.values_list("index", "record", "hash").iterator(chunk_size=100):
        record = base_of(play.run.pk, blobs.snapshot_index(index)).unpack(body)
        step: CoreStep[Any, Any] = codec.decode_step(play.game, {**record, "actions": []}, None)
        found.append(brief(step, sight.eyes, hash_, None if sight.blind else record.get("metrics")))
    return found


def snapshot(play: Playing, sight: Sight, index: int | None = None) -> Frame | None:
    """The frame at ``index`` (the last visible one by default); None while nothing may be shown."""
    head = shown_head(play.run, sight)
    if index is not None and index > head:
        raise NotFound(f"frame {index}: not to be seen yet; the last is {head}", why="frame", n=index, last=head)
    if head < 0:
        return None
    wanted = head if index is None else max(index, 0)
    for shown in frames_until(play, sight, wanted - 1, wanted):
        return shown
    raise _missing(play, wanted)


def featured_run(viewer: Viewer) -> Run | None:
    """The run that the lobby shows: one that is going on, else one that stands still, else the latest that ended."""
    open_runs = Run.objects.filter(listed(viewer)).exclude(audience__kind=PRIVATE)
    live = open_runs.filter(queue="live", head__gte=0).order_by("-created")
    moving, standing = live.filter(status__in=ACTIVE), live.filter(status=RunStatus.PAUSED)
    ended = open_runs.filter(head__gte=0, ended__isnull=False).order_by("-ended")
    # One that keeps a pace is made to be watched; one without stands long, or is over at once.
    going_on = moving.exclude(status=RunStatus.WAITING)
    return moving.filter(pace__gt=0).first() or going_on.first() or moving.first() or standing.first() or ended.first()


def run_counts(viewer: Viewer) -> dict[str, int]:
    """How many runs are under way, and how many are over and can be replayed, of those that the viewer finds."""
    runs = Run.objects.filter(listed(viewer))
    return {
        "live": runs.filter(status__in=ACTIVE, queue=Queue.LIVE).count(),
        "finished": runs.filter(status=RunStatus.FINISHED).count(),
    }


def waits_for_models_alone(run_id: str) -> bool:
    """Whether models play in the run, and neither a person nor a program does."""
    kinds = set(Seat.objects.filter(run_id=run_id).values_list("kind", flat=True))
    return SeatKind.MODEL in kinds and not kinds & set(JOINED)


def idle_runs() -> QuerySet[Run]:
    """Active runs that nobody drives and that may go on now."""
    now = clock.now()
    idle = Run.objects.filter(status__in=ACTIVE, begun=True).exclude(lease_until__gt=now).exclude(wake_at__gt=now)
    return idle.exclude(status=RunStatus.WAITING, wake_at=None)


def due_runs(limit: int = 200) -> list[tuple[str, str, int]]:
    """The idle ones as (id, queue, lease's generation): what the sweep re-enqueues."""
    return list(idle_runs().order_by("wake_at", "created").values_list("pk", "queue", "lease_generation")[:limit])
