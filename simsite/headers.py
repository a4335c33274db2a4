"""The one header that Django 5.2 does not set: what a page may load."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from games.site.web.csp import policy

POLICY = policy()
ADMIN = policy(scripts="'self' 'unsafe-inline' 'unsafe-eval'", styles="'self' 'unsafe-inline'")
"""The admin's theme evaluates what stands in its own pages; they hold text of people and models as text alone."""


def _policy_of(request: HttpRequest) -> str:
    return ADMIN if request.path.startswith("/admin/") else POLICY


@sync_and_async_middleware
def content_security_policy(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Adds the policy to every response that has none of its own."""
    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> HttpResponseBase:
            response: HttpResponseBase = await get_response(request)
            response.headers.setdefault("Content-Security-Policy", _policy_of(request))
            return response

        return answer_async

    def answer(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = get_response(request)
        response.headers.setdefault("Content-Security-Policy", _policy_of(request))
        return response

    return answer
