"""``Idempotency-Key``: a request that was sent twice is carried out once, and both are told the same.

For whoever can be known again: a signed-in user, a key, a seat's token. Answers are kept for a day.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.decorators import sync_and_async_middleware

from games.errors.requests import BadRequest
from games.lab.wire.errors import PROBLEM
from games.site.models import KeptAnswer
from games.site.web.errors import told

HEADER: Final = "Idempotency-Key"
KEY_MAX: Final = 200
KEPT: Final = timedelta(days=1)
BODY_MAX: Final = 2**20
"""Bytes of the longest answer that is kept."""


def _owner(request: Any) -> str:
    bearer = getattr(request, "bearer", "")
    if bearer:
        return str(bearer)
    user = getattr(request, "user", None)
    return f"user:{user.pk}" if user is not None and user.is_authenticated else ""


def _begin(request: HttpRequest) -> HttpResponse | KeptAnswer | None:
    """The row of a request that is new, the answer of one that is not, or None where nobody could be known again."""
    owner = _owner(request)
    if not owner:
        return None
    key = request.headers[HEADER]
    try:
        if not (1 <= len(key) <= KEY_MAX and key.isascii() and key.isprintable()):
            message = f"{HEADER}: 1 to {KEY_MAX} plain characters"
            raise BadRequest("bad_idempotency_key", message, HEADER, most=KEY_MAX)
        asked = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode() + request.body).hexdigest()
        KeptAnswer.objects.filter(created__lt=timezone.now() - KEPT).delete()
        try:
            with transaction.atomic():
                return KeptAnswer.objects.create(owner=owner, key=key, asked=asked)
        except IntegrityError:
            return _again(owner, key, asked)
    except BadRequest as error:
        said = told(error, request.path)
        return JsonResponse(said.body(), status=said.status, content_type=PROBLEM)


def _again(owner: str, key: str, asked: str) -> HttpResponse:
    kept = KeptAnswer.objects.filter(owner=owner, key=key).first()
    if kept is not None and kept.asked != asked:
        raise BadRequest("other_request", f"{HEADER}: it was used for another request; take a new one", HEADER)
    if kept is None or kept.status is None:
        raise BadRequest("under_way", f"{HEADER}: the first request with it is still under way; try again", HEADER)
    headers = {"Idempotency-Replayed": "true"}
    return HttpResponse(bytes(kept.body), status=kept.status, content_type=kept.kind, headers=headers)


def _end(request: HttpRequest, row: KeptAnswer, response: Any) -> None:
    """Keep what was answered, without the secret that is told once (`tell_once`); what was our fault, or is too long to
    be kept, may be asked once more.
    """
    if response.streaming or response.status_code >= 500 or len(response.content) > BODY_MAX:
        row.delete()
        return
    kind = response.headers.get("Content-Type", "")
    secret: bytes = getattr(request, "told_once", b"")
    body = response.content.replace(secret, b"") if secret else response.content
    KeptAnswer.objects.filter(pk=row.pk).update(status=response.status_code, kind=kind, body=body)


def tell_once(request: Any, secret: str) -> str:
    """The secret, for the answer to this request and for no answer to the same again."""
    request.told_once = secret.encode()
    return secret


def _applies(request: HttpRequest) -> bool:
    return request.method in ("POST", "PATCH") and HEADER in request.headers and request.path.startswith("/api/")


@sync_and_async_middleware
def asked_once(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Carries a request with a key out once."""
    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> Any:
            if not _applies(request):
                return await get_response(request)
            row = await sync_to_async(_begin)(request)
            if isinstance(row, HttpResponse):
                return row
            try:
                response = await get_response(request)
            except BaseException:
                if row is not None:
                    await sync_to_async(row.delete)()
                raise
            if row is not None:
                await sync_to_async(_end)(request, row, response)
            return response

        return answer_async

    def answer(request: HttpRequest) -> Any:
        if not _applies(request):
            return get_response(request)
        row = _begin(request)
        if isinstance(row, HttpResponse):
            return row
        try:
            response = get_response(request)
        except BaseException:
            if row is not None:
                row.delete()
            raise
        if row is not None:
            _end(request, row, response)
        return response

    return answer
