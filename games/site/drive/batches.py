"""The vendor's batch interface for runs of the site: letters and batches are rows, and nobody waits in a thread.

A run whose calls are in batches is let go of. The clock's process gathers letters into batches, orders them, looks at
them and stores the answers; then it wakes their runs, which find their answers as if they had waited. Any number of
processes may do that at once: each batch is put off, on condition that nobody else did, before it is taken further.
One whose holder died on this machine is due again at once; one of another machine when it was put off to.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from channels.db import database_sync_to_async
from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet, Sum

from agents_app.ports import BatchWaits
from agents_app.profile import Batch as Settings
from agents_app.profile import Profile
from agents_app.providers import batching
from agents_app.providers.batching import LINES_MAX, Answer, BatchServer, Sent, connection_of, forward, group_of
from agents_app.providers.protocol import ProviderFault
from games.site.drive.lease import is_dead, this_process
from games.site.models import ACTIVE, ENDED, Batch, Letter, Run
from games.site.notify.doorbell import ring
from games.site.notify.queueing import enqueue
from games.site.record import clock

log = logging.getLogger(__name__)

HOLD: Final = timedelta(seconds=batching.REQUEST_S * 4)
"""So long nobody else takes a batch further: as long as the requests of one step may take."""
AT_ONCE: Final = 16
"""Batches that one process takes further at a time."""


@dataclass(frozen=True, slots=True)
class RunMail:
    """A run's way to its letters."""

    place: str

    async def has(self, letter_id: str) -> bool:
        return bool(await database_sync_to_async(_has, thread_sensitive=False)(letter_id))

    async def answer(self, letter: batching.Letter) -> Answer:
        """What came; raises `BatchWaits` where nothing has come yet."""
        found = await database_sync_to_async(_posted, thread_sensitive=False)(self.place, letter)
        if not found:
            raise BatchWaits([letter.id])
        await database_sync_to_async(_taken, thread_sensitive=False)(letter.id)
        told: Answer = json.loads(found)
        return told


def _has(name: str) -> bool:
    return Letter.objects.filter(name=name).exists()


def _posted(run_id: str, letter: batching.Letter) -> str:
    """The answer; "" where there is none yet. A letter that was posted before is not posted again."""
    kept = Letter.objects.filter(name=letter.id).values_list("answer", flat=True).first()
    if kept is not None:
        return kept
    try:
        with transaction.atomic():
            Letter.objects.create(
                run_id=run_id,
                name=letter.id,
                group=group_of(letter.profile),
                profile=connection_of(letter.profile),
                seat=letter.seat,
                tokens=letter.tokens,
                line=letter.line,
                posted=clock.now(),
            )
    except IntegrityError:
        log.info("run %s: letter %s was posted by another driver", run_id, letter.id)
    return ""


def _taken(name: str) -> None:
    Letter.objects.filter(name=name).update(taken=True)


def in_batches(run_id: str) -> list[tuple[int, int, int]]:
    """Seat, number and expected tokens of a run's calls that were posted and whose answers it does not have."""
    rows = Letter.objects.filter(run_id=run_id, taken=False).values("seat")
    told = rows.annotate(number=Count("pk"), expected=Sum("tokens"))
    return [(row["seat"], row["number"], row["expected"]) for row in told]


def is_answered_by_batch(names: Sequence[str]) -> bool:
    """Whether one of the letters has an answer."""
    return Letter.objects.filter(name__in=names).exclude(answer="").exists()


def batches_continue() -> None:
    """Make batches of what waits, and take those that are due one step further. Idempotent."""
    _gather()
    _free_of_dead()
    now = clock.now()
    due = list(Batch.objects.filter(over=False, look_at__lte=now).order_by("look_at")[:AT_ONCE])
    mine = [one for one in due if _is_taken(one)]
    if mine:
        asyncio.run(_all_forward(mine))


def _is_taken(batch: Batch) -> bool:
    """Whether it is ours to take further."""
    now = clock.now()
    mine = Batch.objects.filter(pk=batch.pk, over=False, look_at=batch.look_at)
    return bool(mine.update(look_at=now + HOLD, holder=this_process()))


def _free_of_dead() -> None:
    """What a process of this machine had taken that is no more is due now."""
    held = Batch.objects.filter(over=False).exclude(holder="")
    for pk, look_at, holder in held.values_list("pk", "look_at", "holder"):
        if is_dead(holder):
            Batch.objects.filter(pk=pk, look_at=look_at).update(look_at=clock.now(), holder="")


def _gather() -> None:
    """Make a batch of each group whose first letter has waited for its time; of runs that stand still, none."""
    waiting = Letter.objects.filter(batch=None, answer="", run__status__in=ACTIVE)
    now = clock.now()
    for row in waiting.values("group").annotate(first=Min("posted"), count=Count("pk")):
        letters = waiting.filter(group=row["group"]).order_by("pk")
        profile = letters.values_list("profile", flat=True).first()
        if profile is None:
            continue
        settings = Settings.model_validate(profile["batch"])
        if now < row["first"] + timedelta(seconds=settings.gather_s) and row["count"] < LINES_MAX:
            continue
        with transaction.atomic():
            made = Batch.objects.create(
                key=secrets.token_hex(16),
                profile=profile,
                posted=row["first"],
                deadline=now + timedelta(seconds=settings.deadline_s),
                look_at=now,
            )
            chosen = list(letters.values_list("pk", flat=True)[:LINES_MAX])
            if not Letter.objects.filter(pk__in=chosen, batch=None).update(batch=made):
                transaction.set_rollback(True)  # another process was first


async def _all_forward(batches: Sequence[Batch]) -> None:
    await asyncio.gather(*(_forward(one) for one in batches))


async def _forward(batch: Batch) -> None:
    profile = Profile.model_validate(batch.profile)
    names, is_wanted = await _in_thread(lambda: _asked_in(batch))
    state = Sent(batch.key, batch.deadline.timestamp(), batch.vendor_id, batch.ordered, batch.cancelled, is_wanted)

    async def lines() -> Sequence[str]:
        found: Sequence[str] = await _in_thread(
            lambda: list(batch.letters.order_by("pk").values_list("line", flat=True))
        )
        return found

    async def keep(sent: Sent) -> None:
        changes = {"vendor_id": sent.id, "ordered": sent.ordered, "cancelled": sent.cancelled}
        await _in_thread(lambda: Batch.objects.filter(pk=batch.pk).update(**changes))
        if sent.id != batch.vendor_id:
            await _in_thread(lambda: _tell(batch))

    found: dict[str, Answer] | None = None
    error = ""
    try:
        now = await _in_thread(clock.now)
        found = await forward(state, BatchServer(profile), names, lines, keep, now.timestamp())
    except ProviderFault as fault:
        error = str(fault)[:400]
        log.warning("batch %s: %s; again later", batch, error)
    except Exception:
        log.exception("batch %s", batch)
    if found is not None:
        await _in_thread(lambda: _close(batch, found))
        return
    settings = profile.batch or Settings()
    later = await _in_thread(clock.now) + timedelta(seconds=settings.poll_s)
    await _in_thread(lambda: Batch.objects.filter(pk=batch.pk).update(look_at=later, holder="", error=error))


def _asked_in(batch: Batch) -> tuple[list[str], bool]:
    """A batch's letters by name, and whether a run that is not over waits for one of them."""
    letters = batch.letters.all()
    return list(letters.values_list("name", flat=True)), letters.exclude(run__status__in=ENDED).exists()


def _tell(batch: Batch) -> None:
    """Whoever watches its runs sees how far it is."""
    for run_id in set(Letter.objects.filter(batch=batch, answer="").values_list("run_id", flat=True)):
        ring(run_id)


async def _in_thread(work: Any) -> Any:
    return await database_sync_to_async(work, thread_sensitive=False)()


def _close(batch: Batch, found: Mapping[str, Answer]) -> None:
    """Store the answers in place of their lines, and wake the runs that wait for them."""
    took = round((clock.now() - batch.posted).total_seconds() * 1000)
    known = {"at": batch.posted.isoformat(timespec="milliseconds"), "latency_ms": took}
    with transaction.atomic():
        if not Batch.objects.filter(pk=batch.pk, over=False).update(over=True, holder="", error=""):
            return
        letters = list(Letter.objects.filter(batch=batch, answer=""))
        for letter in letters:
            letter.answer, letter.line = json.dumps({**found[letter.name], **known}), ""
        Letter.objects.bulk_update(letters, ["answer", "line"], batch_size=200)
        runs = Run.objects.filter(pk__in={letter.run_id for letter in letters}, status__in=ACTIVE)
        woken = list(runs.select_for_update(no_key=True).order_by("pk").values_list("pk", "queue"))
        runs.update(wake_at=None)
        transaction.on_commit(lambda: _wake(woken))


def _wake(runs: Sequence[tuple[str, str]]) -> None:
    for run_id, queue in runs:
        enqueue(run_id, queue)


def done_with() -> tuple[QuerySet[Letter], QuerySet[Batch]]:
    """Letters, and batches, that no run needs any more: those of ended runs, as soon as their vendor is done with them.
    To be deleted in this order.
    """
    letters = Letter.objects.filter(Q(batch=None) | Q(batch__over=True), run__status__in=ENDED)
    needed = Letter.objects.filter(batch=OuterRef("pk")).exclude(run__status__in=ENDED)
    return letters, Batch.objects.filter(~Exists(needed), over=True)
