"""How often one asker may ask: a token bucket in Redis for each kind of request, shared by all web processes.

An asker is a key, a seat, a signed-in user, or an address where there is none of these. Where Redis is away everything
is let through, which is logged and counted.
"""

from __future__ import annotations

import hashlib
import logging
import math
import time
from collections.abc import Callable
from typing import Any, Final

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

from games.errors.requests import Refusal
from games.site.record.jobs import redis_at
from games.site.web.access import HELD
from games.site.web.peers import address_of_request, is_own
from games.site.web.problems import problem
from games.site.web.refusals import refusal_page

log = logging.getLogger(__name__)
AWAY_S: Final = 5.0
"""So long Redis is left alone after it did not answer."""
HEAVY: Final = (
    "/replay.html",
    "/report.html",
    "/report.zip",
    "/publication",
    "/publication.zip",
    "/table.csv",
    "/runs.csv",
    "/data.zip",
)
FAILURES: Final = 5
"""Wrong passwords of one address that cost nothing."""
FAILURES_OF_NAME: Final = 30
"""And of one name from wherever: more, since somebody else can bring them about."""
KNOWN_S: Final = 90 * 86_400
"""So long an address is known from which a name signed in: guesses elsewhere do not lock it out."""
FAILURES_S: Final = 900
"""So long they are remembered, each from the last."""
SLOW_MAX_S: Final = 300
VISITS_S: Final = 86_400

BUCKET: Final = """
local now = redis.call('TIME')
local t = tonumber(now[1]) + tonumber(now[2]) / 1000000
local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local kept = redis.call('HMGET', KEYS[1], 't', 'n')
local n = math.min(burst, (tonumber(kept[2]) or burst) + math.max(0, t - (tonumber(kept[1]) or t)) * rate)
local wait = 0
if n >= 1 then n = n - 1 else wait = (1 - n) / rate end
redis.call('HSET', KEYS[1], 't', string.format('%.6f', t), 'n', string.format('%.6f', n))
redis.call('PEXPIRE', KEYS[1], math.ceil(burst / rate * 1000) + 1000)
return {string.format('%.6f', wait), string.format('%.6f', n)}
"""
"""Takes one token. The answer: seconds until there is one again, 0 where one was taken; and how many are left."""


class TooMany(Refusal):
    """Too often: not now."""

    status = 429

    def __init__(self, code: str, wait_s: float) -> None:
        retry_s = max(1, math.ceil(wait_s))
        super().__init__(code, f"that was too often; try again in {retry_s} s", retry_s=retry_s)
        self.retry_s = retry_s


class Buckets:
    """The buckets of this site, and what is remembered of wrong passwords."""

    def __init__(self) -> None:
        self._away_until = 0.0
        self.unlimited = 0
        """Requests that were let through because Redis was away."""

    def take(self, kind: str, asker: str) -> tuple[float, float | None]:
        """Take a token of the kind: seconds to wait where there is none, and how many are left (None: not counted)."""
        rate, burst = settings.POLITY_RATES.get(kind, (0, 0))
        if not rate:
            return 0.0, None
        told = self._do(lambda redis: redis.eval(BUCKET, 1, _name(f"rate-{kind}", asker), rate, burst))
        return (float(told[0]), float(told[1])) if told else (0.0, None)

    def failures_wait_s(self, name: str, address: str) -> float:
        """Seconds until a password may be tried again for that name, from that address."""
        if not settings.POLITY_RATES:
            return 0.0

        def left(redis: Any) -> list[int]:
            is_known = redis.exists(_name("known", f"{name}@{address}"))
            return [
                redis.pttl(_name("slow", asker))
                for asker in _guessing(name, address)
                if not (is_known and asker == name)
            ]

        return max(0.0, float(max(self._do(left) or [0])) / 1000)

    def failed(self, name: str, address: str) -> None:
        """A wrong password: after so many of them each doubles the time to wait."""
        if not settings.POLITY_RATES:
            return

        def note(redis: Any) -> None:
            for asker, free in _guessing(name, address).items():
                count = redis.incr(_name("fails", asker))
                redis.expire(_name("fails", asker), FAILURES_S)
                if count >= free:
                    redis.set(_name("slow", asker), 1, ex=min(SLOW_MAX_S, 2 ** min(10, count - free)))

        self._do(note)

    def passed(self, name: str, address: str) -> None:
        """The right password: what was wrong before is forgotten, and the address known."""

        def note(redis: Any) -> None:
            redis.delete(*(_name(what, asker) for asker in _guessing(name, address) for what in ("fails", "slow")))
            redis.set(_name("known", f"{name}@{address}"), 1, ex=KNOWN_S)

        if settings.POLITY_RATES:
            self._do(note)

    def visits(self, asker: str) -> list[str]:
        """The matches that this visitor began in the last day."""
        if not settings.POLITY_RATES:
            return []
        return [found.decode() for found in self._do(lambda redis: redis.smembers(_name("visits", asker))) or ()]

    def visited(self, asker: str, run: str) -> None:
        """Remember a match that this visitor began."""

        def note(redis: Any) -> None:
            redis.sadd(_name("visits", asker), run)
            redis.expire(_name("visits", asker), VISITS_S)

        if settings.POLITY_RATES:
            self._do(note)

    def _do(self, ask: Callable[[Any], Any]) -> Any:
        from redis.exceptions import RedisError

        if time.monotonic() < self._away_until:
            self.unlimited += 1
            return None
        try:
            return ask(redis_at(settings.POLITY_REDIS_URL))
        except (RedisError, OSError) as error:
            self._away_until = time.monotonic() + AWAY_S
            self.unlimited += 1
            log.warning("Redis is away, so nothing is limited for %g s: %s", AWAY_S, error)
            return None


buckets = Buckets()


def _name(what: str, asker: str) -> str:
    mark = hashlib.blake2b(asker.encode("utf-8", "replace"), digest_size=12).hexdigest()
    return f"{settings.POLITY_REDIS_PREFIX}:{what}:{mark}"


def _guessing(name: str, address: str) -> dict[str, int]:
    """By whom wrong passwords are counted, and how many of them cost nothing."""
    return {f"{name}@{address}": FAILURES, f"@{address}": FAILURES, name: FAILURES_OF_NAME}


def kind_of(request: HttpRequest) -> str:
    """What kind of request this is; "" for what is not limited."""
    path = request.path
    writes = request.method not in ("GET", "HEAD", "OPTIONS")
    if writes and path.startswith(("/sign-in", "/enter/", "/account/password", "/account/second-factor")):
        return "login"
    if path.startswith(("/api/v1/join/", "/join/", "/s/")):
        return "join"
    if writes and path.endswith("/guess"):
        return "guess"
    if path.endswith(HEAVY) or path.startswith("/api/v1/exports"):
        return "replay"
    return "api" if path.startswith("/api/") else ""


def asker_of(request: Any, kind: str) -> str:
    """By whom a request is counted; "" for nobody. At doors it is the address alone: a name is what is asked for there.

    This machine's own address is counted for passwords alone.
    """
    if kind not in ("join", "login"):
        if bearer := getattr(request, "bearer", ""):
            return str(bearer)
        if request.COOKIES.get(settings.SESSION_COOKIE_NAME):
            if request.user.is_authenticated:
                return f"user:{request.user.pk}"
            if held := request.session.get(HELD):
                return f"seat:{next(iter(held))}"
    address = address_of_request(request)
    return "" if kind != "login" and is_own(address) else f"address:{address}"


def _refusal(request: HttpRequest) -> tuple[HttpResponse | None, dict[str, str]]:
    """The answer to who asks too often; and what is told of the bucket, as headers."""
    kind = kind_of(request)
    if not kind or kind not in settings.POLITY_RATES:
        return None, {}
    asker = asker_of(request, kind)
    wait_s, left = buckets.take(kind, asker) if asker else (0.0, None)
    headers = {} if left is None else told_of(kind, left)
    return told_to_wait(request, TooMany("too_many_requests", wait_s)) if wait_s > 0 else None, headers


def told_of(kind: str, left: float) -> dict[str, str]:
    """How many requests are left, and when there are all again, as draft-ietf-httpapi-ratelimit-headers-10 has it."""
    rate, burst = settings.POLITY_RATES[kind]
    full_s, window_s = math.ceil((burst - left) / rate), math.ceil(burst / rate)
    policy, standing = f'"{kind}";q={burst};w={window_s}', f'"{kind}";r={math.floor(left)};t={full_s}'
    return {"RateLimit-Policy": policy, "RateLimit": standing}


def told_to_wait(request: HttpRequest, error: TooMany) -> HttpResponse:
    """The answer: in the API's shape, or as a page."""
    answer: HttpResponse
    if request.path.startswith("/api/"):
        answer = problem(error.status, error.code, str(error), error.more)
    else:
        answer = refusal_page(request, error)
    answer.headers["Retry-After"] = str(error.retry_s)
    return answer


def _with(headers: dict[str, str], response: Any) -> Any:
    for name, value in headers.items():
        response.headers[name] = value
    return response


@sync_and_async_middleware
def not_too_often(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Refuses with 429 and Retry-After whoever asks too often."""
    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> Any:
            if kind_of(request) not in settings.POLITY_RATES:
                return await get_response(request)
            refused, headers = await sync_to_async(_refusal)(request)
            return _with(headers, refused or await get_response(request))

        return answer_async

    def answer(request: HttpRequest) -> Any:
        refused, headers = _refusal(request)
        return _with(headers, refused or get_response(request))

    return answer
