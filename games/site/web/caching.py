"""Answers that are big or asked for again: an ETag that is known before anything is read, and gzip.

Gzip is for what is read in bulk; Django's own lengthens each answer by a random amount, so that its length tells little
of a secret in it (BREACH).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag

SHORT: Final = 1024
"""Bytes below which compressing gains nothing."""
_gzip = GZipMiddleware(lambda request: HttpResponse())


def etag_of(*parts: Any) -> str:
    """The tag of what those parts decide."""
    return quote_etag(hashlib.blake2b(repr(parts).encode(), digest_size=12).hexdigest())


def answered(
    request: HttpRequest, etag: str, body: Callable[[], bytes], kind: str = "application/json; charset=utf-8"
) -> HttpResponse:
    """The body under its tag, compressed where the asker takes that; 304 where they have it, and nothing is read."""
    known = get_conditional_response(request, etag=etag)
    if known is not None and known.status_code == 304:
        response = HttpResponse(status=304, headers={"ETag": etag})
    else:
        response = compressed(request, HttpResponse(body(), content_type=kind, headers={"ETag": etag}))
    response.headers["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ("Accept-Encoding", "Authorization", "Cookie"))
    return response


def compressed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The same answer under gzip, where it is long and the asker takes it."""
    if len(response.content) < SHORT:
        return response
    _gzip.process_response(request, response)
    return response
