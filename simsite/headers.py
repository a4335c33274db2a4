"""The one header that Django 5.2 does not set: what a page may load."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware


def policy(framed_by: str = "'none'") -> str:
    """Everything from the site itself. Pictures also as data and blobs: a board's canvas is saved as one.

    ``framed_by`` says which sites may show the page in a frame.
    """
    return "; ".join(
        (
            "default-src 'self'",
            "img-src 'self' data: blob:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            f"frame-ancestors {framed_by}",
        )
    )


POLICY = policy()


@sync_and_async_middleware
def content_security_policy(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Adds the policy to every response that has none of its own."""
    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> HttpResponseBase:
            response: HttpResponseBase = await get_response(request)
            response.headers.setdefault("Content-Security-Policy", POLICY)
            return response

        return answer_async

    def answer(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response

    return answer
