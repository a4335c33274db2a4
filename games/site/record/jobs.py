"""Jobs from their posting to their end: the same request is one job, a dead worker's is another's, what is old goes.

How far a job is, and that its worker lives, is told through Redis: a job may hold a transaction of its own, in which
nothing that it writes is seen before its end.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from django.conf import settings

from games.errors.requests import Refusal
from games.lab.wire.errors import PROBLEM, error_out
from games.site.models import Job, JobPart, JobStatus
from games.site.notify.queueing import enqueue_job
from games.site.record import clock

log = logging.getLogger(__name__)
KEPT: Final = timedelta(hours=1)
"""So long an answer stays, and so long a job may take altogether."""
AGAIN: Final = timedelta(seconds=25)
"""A job that nobody has taken is asked for again after this."""
BEAT_S: Final = 5.0
BEAT_KEPT_S: Final = 20
TRIES: Final = 3
PART: Final = 2**20
STREAM_MAX: Final = 256 * 2**20
"""Bytes of the longest answer that is kept as a job; what is longer is asked for as a stream."""
OPEN_MOST: Final = 16
"""Jobs under way of one asker."""
Tell = Callable[[int, int], None]


class TooManyJobs(Refusal):
    """So many of this asker's are under way."""

    status = 429

    def __init__(self) -> None:
        told = f"{OPEN_MOST} jobs of yours are under way; wait for one of them"
        super().__init__("too_many_jobs", told, most=OPEN_MOST)


class TooLong(Refusal):
    """An answer is too long to be kept."""

    status = 413

    def __init__(self) -> None:
        told = f"the file is longer than {STREAM_MAX} bytes; ask for it without Prefer, and it is sent as it is made"
        super().__init__("too_big", told, most=STREAM_MAX)


def job_post(*, owner: str, mark: str, request: Mapping[str, Any], body: bytes) -> Job:
    """The job of that mark that is under way, else a new one; raises `TooManyJobs`."""
    under_way = Job.objects.exclude(status=JobStatus.DONE)
    if (same := under_way.filter(mark=mark).first()) is not None:
        return same
    if under_way.filter(owner=owner).count() >= OPEN_MOST:
        raise TooManyJobs
    now = clock.now()
    made = Job.objects.create(owner=owner, mark=mark, request=dict(request), body=body, queued=now, expires=now + KEPT)
    enqueue_job(made.pk)
    return made


def job_take(job_id: str) -> Job | None:
    """The job, to be carried out by whoever called; None where another has it, or it is over."""
    waiting = Job.objects.filter(pk=job_id, status=JobStatus.WAITING)
    tries = waiting.values_list("tries", flat=True).first()
    if tries is None or not waiting.update(status=JobStatus.RUNNING, begun=clock.now(), tries=tries + 1):
        return None
    JobPart.objects.filter(job=job_id).delete()  # of a worker that died at it
    return Job.objects.get(pk=job_id)


def job_parts_keep(job: Job, chunks: Iterable[bytes]) -> int:
    """Keep an answer as it comes; how many bytes it has. Keeps nothing where it breaks off, and raises `TooLong` beyond
    `STREAM_MAX`.
    """
    size, number, part = 0, 0, bytearray()
    try:
        for chunk in chain(chunks, (None,)):
            part += chunk or b""
            if part and (chunk is None or len(part) >= PART):
                size, number = size + len(part), number + 1
                if size > STREAM_MAX:
                    raise TooLong
                JobPart.objects.create(job=job, number=number, data=bytes(part))
                part.clear()
    except Exception:
        JobPart.objects.filter(job=job).delete()
        raise
    return size


def job_parts(job: Job) -> Iterator[bytes]:
    """The same again, a piece at a time."""
    number = 0
    while (data := job.parts.filter(number=(number := number + 1)).values_list("data", flat=True).first()) is not None:
        yield bytes(data)


def job_end(job: Job, code: int, headers: Mapping[str, str], answer: bytes) -> None:
    """Keep its answer; what was sent is let go."""
    Job.objects.filter(pk=job.pk, status=JobStatus.RUNNING, tries=job.tries).update(
        status=JobStatus.DONE, code=code, headers=dict(headers), answer=answer, body=b"", expires=clock.now() + KEPT
    )


def job_again(job: Job) -> bool:
    """Have it carried out once more, where its worker died or the database was away; False: that was the last time."""
    if job.tries >= TRIES:
        return False
    now = clock.now()
    running = Job.objects.filter(pk=job.pk, status=JobStatus.RUNNING, tries=job.tries)
    return bool(running.update(status=JobStatus.WAITING, begun=None, queued=now - 2 * AGAIN))


def jobs_sweep() -> None:
    """Ask again for what nobody has taken, hand over what a dead worker held, let go of what is old."""
    now = clock.now()
    Job.objects.filter(expires__lt=now).delete()
    for job in Job.objects.filter(status=JobStatus.RUNNING, begun__lt=now - timedelta(seconds=BEAT_KEPT_S)):
        if heard(job.pk) == "" and not job_again(job):
            lost = "the worker that did this was lost each time; it may be too much for it"
            told = json.dumps(error_out(503, "unavailable", lost))
            job_end(job, 503, {"Content-Type": PROBLEM}, told.encode())
    waiting = Job.objects.filter(status=JobStatus.WAITING, queued__lte=now - AGAIN)
    for job_id in waiting.values_list("pk", flat=True):
        if waiting.filter(pk=job_id).update(queued=now):
            enqueue_job(job_id)


# --- how far it is ------------------------------------------------------------------------------------


@contextmanager
def beating(job_id: str) -> Iterator[Tell]:
    """While it lasts, a thread says that the job's worker lives; what is yielded is told how far it is."""
    far, over = ["0/0"], threading.Event()

    def beat() -> None:
        while True:
            _redis_do(lambda redis: redis.set(_key(job_id), far[0], ex=BEAT_KEPT_S))
            if over.wait(BEAT_S):
                return

    def tell(done: int, of: int) -> None:
        far[0] = f"{done}/{of}"
        if of <= 50 or done % (of // 50) == 0:
            _redis_do(lambda redis: redis.set(_key(job_id), far[0], ex=BEAT_KEPT_S))

    thread = threading.Thread(target=beat, name=f"job {job_id}", daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        over.set()
        thread.join()
        _redis_do(lambda redis: redis.delete(_key(job_id)))


def heard(job_id: str) -> str | None:
    """``done/of`` as its worker last said; "" where none has for a while, None where Redis is away."""
    found = _redis_do(lambda redis: redis.get(_key(job_id)) or b"")
    return None if found is None else found.decode()


def _key(job_id: str) -> str:
    return f"{settings.POLITY_REDIS_PREFIX}:job:{job_id}"


@lru_cache(maxsize=4)
def redis_at(url: str) -> Any:
    from redis import Redis

    return Redis.from_url(url, socket_timeout=1, socket_connect_timeout=1)


def _redis_do(ask: Callable[[Any], Any]) -> Any:
    from redis.exceptions import RedisError

    try:
        return ask(redis_at(settings.POLITY_REDIS_URL))
    except (RedisError, OSError) as error:
        log.debug("Redis is away: %s", error)
        return None
