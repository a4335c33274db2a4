"""The one header that Django 5.2 does not set: what a page may load."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from games.csp import policy

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
