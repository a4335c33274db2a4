"""Who comes without a browser: by ``Authorization: Bearer TOKEN``, a user's own key or the token of one seat.

A key says whose it is and what it may be used for; a seat's token holds that one seat, as a browser's session would.
With either, cookies are not looked at, and no page's token is needed: what no browser adds by itself cannot be forged.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

from games.site.accounts.keys import BadToken, WrongScope, key_checked
from games.site.accounts.purse import BeyondPurse, act_check, key_of
from games.site.accounts.trail import note
from games.site.audience import Forbidden
from games.site.models import Participant
from games.site.people.invites import digest_of
from games.site.web.access import HELD
from games.site.web.problems import problem

API: Final = "/api/v1/"
SAFE: Final = ("GET", "HEAD", "OPTIONS")
BROUGHT: Final = ("/api/", "/metrics")
"""Where tokens are read."""
SCHEME: Final = "bearer "
NAMED: Final = re.compile(r"/api/v1/runs/[^/]+/participants\.csv")
"""Tells people's labels, which are names, where it is asked to."""
OPENING: Final = re.compile(r"/api/v1/(runs/[^/]+/people|sessions/[^/]+/knocks)")
"""Tells labels, and addresses by which seats are taken."""
TAKEN: Final = re.compile(r"/api/v1/(exports|sessions/[^/]+/(files/|publication)|experiments/[^/]+/publication\.zip).*")
"""Data that are taken away."""
SCRAPER: Final = "metrics"
"""Who holds POLITY_METRICS_KEY, which opens the figures and nothing else."""
KEEPING: Final = re.compile(r"/api/v1/(accounts|keys)(/.*)?")
"""Keys and accounts, which only a key that says so makes, changes or voids; and the names of accounts."""
CHALLENGE: Final = 'Bearer realm="polity"'


def _refusal(request: HttpRequest) -> HttpResponse | None:
    """Let the request be made by whom its token names; an answer where there is no such token, or not for this."""
    token = request.headers.get("Authorization", "")[len(SCHEME) :].strip()
    own = settings.POLITY_METRICS_KEY if request.path == "/metrics" else ""
    if own and hmac.compare_digest(token.encode(), own.encode()):
        _become(request, AnonymousUser(), {}, SCRAPER)
        return None
    try:
        user, held, bearer = holder_by(token, scope_of(request))
        _become(request, user or AnonymousUser(), held, bearer)
        if request.method not in SAFE and (key := key_of(request)) is not None:
            act_check(key, request.method or "", request.path.removeprefix(API))
    except BeyondPurse as error:
        return _refused(request, 403, error.code, str(error), error.more)
    except BadToken as error:
        return problem(401, "bad_token", str(error), headers={"WWW-Authenticate": CHALLENGE})
    except WrongScope as error:
        more = {"scope": error.scope, "scopes": list(error.given)}
        request.user, request.bearer = error.key.user, f"key:{error.key.prefix}"  # type: ignore[attr-defined]
        return _refused(request, 403, "wrong_scope", str(error), more)
    return None


def _refused(request: HttpRequest, status: int, code: str, message: str, more: Mapping[str, Any]) -> HttpResponse:
    """What a key is not good for; it stands in the audit trail."""
    note(request, "key_refused", request.path, code=code, method=request.method)
    return problem(status, code, message, more)


def holder_by(token: str, scope: str) -> tuple[Any, dict[str, Any], str]:
    """Whose a token is (None: nobody who is signed in), what their session would hold, and its name.

    Raises `BadToken` and `WrongScope`.
    """
    if token.startswith("pk_"):
        key = key_checked(token, scope)
        return key.user, {}, f"key:{key.prefix}"
    seat, _, secret = token.partition(".")
    one = Participant.objects.filter(pk=seat).first() if secret else None
    if one is None or not one.holder or not hmac.compare_digest(digest_of(secret), one.holder):
        raise BadToken("this token is not known; make a key, or ask for a new token of the seat")
    return None, {HELD: {seat: secret}}, f"seat:{seat}"


def scope_of(request: HttpRequest) -> str:
    """What a key must be good for, to be used for this request."""
    if KEEPING.fullmatch(request.path) and (request.method not in SAFE or "/accounts" in request.path):
        return "accounts"
    if TAKEN.fullmatch(request.path) or (NAMED.fullmatch(request.path) and "labels" in request.GET):
        return "export"
    if OPENING.fullmatch(request.path):
        return "run"
    return "read" if request.method in SAFE else "run"


def check_scope(request: HttpRequest, path: str) -> None:
    """Raises `Forbidden` where whoever asks brings a key that takes no data away, for what is of such a path."""
    key = key_of(request)
    if key is not None and TAKEN.fullmatch(path) and "export" not in key.scopes:
        error = WrongScope("export", key)
        raise Forbidden("wrong_scope", str(error), scope="export", scopes=list(error.given))


def _become(request: Any, user: Any, session: dict[str, Any], bearer: str) -> None:
    request.user, request.session, request.bearer = user, session, bearer
    request._dont_enforce_csrf_checks = True


def _comes(request: HttpRequest) -> bool:
    return request.path.startswith(BROUGHT) and request.headers.get("Authorization", "").lower().startswith(SCHEME)


@sync_and_async_middleware
def bearers(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Reads the token of requests to the API that bring one."""
    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> Any:
            refused = await sync_to_async(_refusal)(request) if _comes(request) else None
            return refused or await get_response(request)

        return answer_async

    def answer(request: HttpRequest) -> Any:
        return (_refusal(request) if _comes(request) else None) or get_response(request)

    return answer
