"""Requests that take longer than a web process may give them: a bulk worker carries them out as they came.

A route says `by_worker(request, work)` once it has refused what it can refuse at once. What a worker answers within a
moment is the answer; else it is 202 with the address at which to ask how far it is, and later for the answer itself,
which has the status, the headers and the body that the route gives.
"""

from __future__ import annotations

import contextvars
import hashlib
import io
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Final, Literal, TypeVar, cast

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.wsgi import WSGIRequest
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.urls import resolve
from ninja import Field, Router, Schema
from prometheus_client import Counter

from games.site.models import Job, JobStatus
from games.site.record import jobs
from games.site.record.capacity import has_bulk
from games.site.record.jobs import Tell, TooLong
from games.site.record.selectors import NotFound
from games.site.web.bearer import check_scope
from games.site.web.peers import address_of_request
from games.site.web.problems import problem

log = logging.getLogger(__name__)
router = Router()
MOMENT_S: Final = 0.4
"""So long a request is held for a worker's answer."""
LOOK_S: Final = 0.03
KEPT_HEADERS: Final = (
    "Content-Type", "Content-Disposition", "Cache-Control", "ETag", "X-Polity-Runs", "X-Polity-Rows"
)  # fmt: skip
HERE = Counter("polity_jobs_here", "Work for a bulk worker that a web process did, because none lives.")
AS_ANSWERED: Final = (200, 201, 400, 409, 413, 500)
"""Statuses that a job's answer may have beside those of every route."""
T = TypeVar("T")
_tell: contextvars.ContextVar[Tell | None] = contextvars.ContextVar("job", default=None)
"""Set in a worker, while it carries a job out."""
_again: contextvars.ContextVar[bool] = contextvars.ContextVar("again", default=False)


class JobOut(Schema):
    """A request that a worker carries out."""

    id: str
    status: Literal["waiting", "running", "done"] = Field(description="waiting: no worker has taken it yet.")
    done: int | None = Field(description="Of `of`: runs, or steps; null where that cannot be told.")
    of: int | None
    address: str = Field(description="Where this is told again.")
    answer: str | None = Field(description="Where the answer is, as the request would have got it; null: not yet.")
    expires: str = Field(description="When its answer is let go.")


def by_worker(request: HttpRequest, work: Callable[[Tell], T]) -> T | HttpResponse:
    """What ``work`` gives, from a worker: its answer, or 202 where that takes longer than a moment.

    Where no bulk worker lives it is done here, which is counted and logged. Raises `TooManyJobs`.
    """
    if (tell := _tell.get()) is not None:
        return work(tell)
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return work(lambda done, of: None)
    if not has_bulk():
        HERE.inc()
        log.warning("%s %s: no bulk worker lives, so a web process does it", request.method, request.path)
        return work(lambda done, of: None)
    job = _posted(request)
    until = time.monotonic() + MOMENT_S
    while job.status != JobStatus.DONE and time.monotonic() < until:
        time.sleep(LOOK_S)
        job.refresh_from_db(fields=("status",))
    if job.status == JobStatus.DONE:
        job.refresh_from_db()
        return cast(HttpResponse, _answer(request, job))
    return _accepted(request, job)


def wished(prefer: str) -> bool:
    """Whether a header ``Prefer`` wishes a job for an answer (RFC 7240)."""
    return "respond-async" in (one.split(";")[0].strip().lower() for one in prefer.split(","))


def as_job(request: HttpRequest) -> HttpResponse:
    """202 with the address where the answer will be: a worker asks the same without ``Prefer``.

    Where no bulk worker lives it is done before that. Raises `TooManyJobs`.
    """
    job = _posted(request)
    if settings.CELERY_TASK_ALWAYS_EAGER or not has_bulk():
        carry_out(job.pk)
        job.refresh_from_db()
    answer = _accepted(request, job)
    answer.headers["Preference-Applied"] = "respond-async"
    return answer


def is_again() -> bool:
    """Whether another worker has begun this job before, and may have done all of it but say so."""
    return _again.get()


def _posted(request: HttpRequest) -> Job:
    user: Any = request.user
    body = request.body
    asked = {
        "method": request.method,
        "path": request.path,
        "query": request.META.get("QUERY_STRING", ""),
        "type": request.content_type,
        "user": user.pk if user.is_authenticated else None,
        "bearer": getattr(request, "bearer", ""),
    }
    mark = hashlib.sha256(json.dumps(asked, sort_keys=True).encode() + body).hexdigest()
    return jobs.job_post(owner=_owner(request), mark=mark, request=asked, body=body)


def _owner(request: HttpRequest) -> str:
    """By whom jobs are counted, and who may read the answer: a stranger's job by whoever knows its id."""
    user: Any = request.user
    return f"user:{user.pk}" if user.is_authenticated else f"address:{address_of_request(request)}"[:80]


def _accepted(request: HttpRequest, job: Job) -> HttpResponse:
    told = _out(job)
    headers = {"Location": told["address"], "Retry-After": "1", "Cache-Control": "no-store"}
    if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):  # a browser that opens the address
        text = "It is being made; this page asks again by itself.\n正在生成，本页会自动刷新。\n"
        page = HttpResponse(text, "text/plain; charset=utf-8", 202, headers=headers)
        page.headers["Refresh"] = f"1; url={told['answer'] or told['address'] + '/answer'}"
        return page
    return JsonResponse(told, status=202, headers=headers)


def _out(job: Job) -> dict[str, Any]:
    far = jobs.heard(job.pk) if job.status == JobStatus.RUNNING else ""
    done, _, of = (far or "0/0").partition("/")
    address = f"/api/v1/jobs/{job.pk}"
    return {
        "id": job.pk,
        "status": job.status,
        "done": int(done) if int(of) else None,
        "of": int(of) or None,
        "address": address,
        "answer": f"{address}/answer" if job.status == JobStatus.DONE else None,
        "expires": job.expires.isoformat(timespec="seconds"),
    }


def _answer(request: HttpRequest, job: Job) -> Any:
    if job.parts.exists():
        return StreamingHttpResponse(sent(request, jobs.job_parts(job)), status=job.code or 500, headers=job.headers)
    return HttpResponse(bytes(job.answer), status=job.code or 500, headers=job.headers)


def sent(request: HttpRequest, chunks: Iterator[bytes]) -> Iterator[bytes] | AsyncIterator[bytes]:
    """The chunks as the request's server takes them: each made in a thread when the one before has been handed over."""
    if not isinstance(request, ASGIRequest):
        return chunks
    take = sync_to_async(lambda: next(chunks, None), thread_sensitive=True)

    async def each() -> AsyncIterator[bytes]:
        while (chunk := await take()) is not None:
            yield chunk

    return each()


@router.get("/jobs/{job}", response=JobOut, url_name="job")
def job_state(request: HttpRequest, job: str) -> dict[str, Any]:
    """How far a request is that a worker carries out."""
    return _out(_found(request, job))


@router.get(
    "/jobs/{job}/answer",
    response={202: JobOut},
    url_name="job_answer",
    openapi_extra={"responses": {code: {"description": "As the request is answered."} for code in AS_ANSWERED}},
)
def job_answer(request: HttpRequest, job: str) -> Any:
    """What the request is answered, whatever that is; 202 while it is under way."""
    found = _found(request, job)
    check_scope(request, found.request.get("path", ""))
    return _answer(request, found) if found.status == JobStatus.DONE else _accepted(request, found)


def _found(request: HttpRequest, job_id: str) -> Job:
    """The job, where it is the asker's; raises `NotFound`."""
    job = Job.objects.filter(pk=job_id[:22]).first()
    if job is None or (job.owner.startswith("user:") and job.owner != _owner(request)):
        raise NotFound(f"job {job_id[:22]!r}: you have none of that id; its answer is kept for an hour")
    return job


# --- in a worker --------------------------------------------------------------------------------------


def carry_out(job_id: str) -> None:
    """Take the job, answer its request, keep the answer. A job that another has, or that is over, is left alone."""
    from games.site.web import api  # noqa: F401 - the routes, before the first address is resolved

    job = jobs.job_take(job_id)
    if job is None:
        return
    with jobs.beating(job.pk) as tell:
        token, before = _tell.set(tell), _again.set(job.tries > 1)
        try:
            response = _response(job)
        except (OperationalError, InterfaceError) as error:
            log.warning("job %s: the database is away: %s", job.pk, error)
            response = problem(503, "unavailable", "the database is away for a moment; try again")
        except Exception:
            log.exception("job %s: %s", job.pk, job)
            response = problem(500, "internal", "an error of ours; it is in the site's log")
        finally:
            _tell.reset(token)
            _again.reset(before)
        kept = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
        try:
            if response.streaming:
                kept["Content-Length"] = str(jobs.job_parts_keep(job, response))
        except Exception as error:
            log.warning("job %s breaks off: %r", job.pk, error)
            away = problem(503, "unavailable", "it broke off; try again")
            response = problem(error.status, error.code, str(error), error.more) if isinstance(error, TooLong) else away
            kept = {"Content-Type": response.headers["Content-Type"]}
    if response.status_code == 503 and jobs.job_again(job):
        return
    jobs.job_end(job, response.status_code, kept, b"" if response.streaming else response.content)


def _response(job: Job) -> Any:
    asked, body = job.request, bytes(job.body)
    user = User.objects.filter(pk=asked["user"], is_active=True).first() if asked["user"] else AnonymousUser()
    if user is None:
        return problem(403, "refused", "the account is gone")
    request: Any = WSGIRequest(
        {
            "REQUEST_METHOD": asked["method"],
            "PATH_INFO": asked["path"].encode().decode("latin-1"),
            "QUERY_STRING": asked["query"],
            "CONTENT_TYPE": asked["type"],
            "CONTENT_LENGTH": str(len(body)),
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "wsgi.input": io.BytesIO(body),
        }
    )
    request.user, request.session, request.bearer = user, {}, asked["bearer"]
    request._dont_enforce_csrf_checks = True  # the web process has looked
    found = resolve(asked["path"])
    return found.func(request, *found.args, **found.kwargs)
