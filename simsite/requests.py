"""Each request has an id, which its log lines and its answer carry; figures and, in JSON logs, a line of each."""

from __future__ import annotations

import contextvars
import logging
import re
import secrets
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.http import HttpRequest
from django.utils.decorators import sync_and_async_middleware, sync_only_middleware
from prometheus_client import Counter, Histogram

from agents_app.tracing import Span, span

HEADER: Final = "X-Request-ID"
GIVEN: Final = re.compile(r"[A-Za-z0-9-]{8,64}")
"""What a proxy may name a request by; anything else is replaced."""
current: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")
log = logging.getLogger("simsite.access")

ANSWERS = Counter("polity_http_answers", "Answers of this web process.", ["method", "status"])
SECONDS = Histogram(
    "polity_http_seconds", "Time to the first byte.", buckets=(0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30)
)


UNTRACED: Final = ("/healthz", "/readyz", "/metrics", "/static/")


def _span(request: HttpRequest) -> AbstractContextManager[Span]:
    """What is asked by a name that its route gives, since a path may hold a code that opens a seat."""
    if request.path.startswith(UNTRACED):
        return nullcontext(Span())
    return span(request.method or "", {"http.request.method": request.method or ""}, "server")


def _begin(request: HttpRequest) -> tuple[str, float]:
    given = request.headers.get(HEADER, "")
    name = given if GIVEN.fullmatch(given) else secrets.token_hex(8)
    current.set(name)
    return name, time.perf_counter()


def _end(request: HttpRequest, response: Any, name: str, begun: float, kept: Span) -> Any:
    took = time.perf_counter() - begun
    route = getattr(request.resolver_match, "route", "")
    told = {"http.route": route, "http.response.status_code": response.status_code, "polity.request": name}
    kept.note(f"{request.method} {route}", told, str(response.status_code) if response.status_code >= 500 else "")
    response.headers[HEADER] = name
    method = request.method if request.method in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD") else "other"
    ANSWERS.labels(method, f"{response.status_code // 100}xx").inc()
    SECONDS.observe(took)
    if settings.POLITY_LOGS == "json":
        from games.site.web.peers import address_of_request

        more = {"status": response.status_code, "ms": round(took * 1000, 1), "address": address_of_request(request)}
        log.info("%s %s", request.method, request.path, extra={"more": more})
    return response


@sync_and_async_middleware
def request_ids(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Names the request, and counts its answer."""
    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> Any:
            name, begun = _begin(request)
            with _span(request) as kept:
                return _end(request, await get_response(request), name, begun, kept)

        return answer_async

    def answer(request: HttpRequest) -> Any:
        name, begun = _begin(request)
        with _span(request) as kept:
            return _end(request, get_response(request), name, begun, kept)

    return answer


@sync_only_middleware
def in_one_thread(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """The innermost: it has all that stand around it called in turn, in the request's one thread.

    Django calls what can be asynchronous asynchronously up to the first that cannot. What reads the database in
    `process_request` or `process_response` then goes to that thread and comes back, once for each of them.
    """
    return get_response
