"""Addresses with control characters lead nowhere: they are refused before anybody looks something up by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.decorators import sync_and_async_middleware

from games.errors.plaintext import check_text
from games.errors.requests import BadRequest
from games.site.web.errors import told
from games.site.web.refusals import refusal_page


def _refusal(request: HttpRequest) -> HttpResponse | None:
    try:
        check_text([request.path, {name: request.GET.getlist(name) for name in request.GET}])
    except BadRequest as error:
        sign = error.more["sign"]
        bad = BadRequest("bad_text", f"the address holds {sign}; leave it out", sign=sign)
        if request.path.startswith("/api/"):
            said = told(bad, request.path)
            return JsonResponse(said.body(), status=said.status)
        return refusal_page(request, bad)
    return None


@sync_and_async_middleware
def plain_addresses(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Answers a request whose path or query holds a character that no name of ours holds."""
    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> Any:
            return _refusal(request) or await get_response(request)

        return answer_async

    def answer(request: HttpRequest) -> Any:
        return _refusal(request) or get_response(request)

    return answer
