"""What the framework refuses under /api/, in the API's one shape: no such address, wrong method, a fault of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.utils.decorators import sync_and_async_middleware

from games.lab.wire.errors import PROBLEM
from games.site.web.problems import problem

SAID: Final = {
    400: ("bad_request", "the request cannot be read; see /api/v1/docs"),
    403: ("refused", "this is refused"),
    404: ("no_such_address", "there is nothing at this address; see /api/v1/docs"),
    405: ("bad_method", "this address does not take that method"),
    413: ("too_big", "the body is too long; send less"),
    500: ("internal", "an error of ours; it is in the site's log"),
}
KEPT: Final = ("Allow", "Retry-After")


def _shaped(request: HttpRequest, response: Any) -> Any:
    said = SAID.get(response.status_code)
    if said is None or not request.path.startswith("/api/") or response.streaming:
        return response
    if response.headers.get("Content-Type", "").startswith(("application/json", PROBLEM)):
        return response
    code, message = said
    allowed = response.headers.get("Allow")
    if response.status_code == 405 and allowed:
        message = f"{request.method}: this address takes {allowed}"
    headers = {name: response.headers[name] for name in KEPT if name in response.headers}
    return problem(response.status_code, code, message, headers=headers)


@sync_and_async_middleware
def one_shape(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Gives each refusal under /api/ that is no JSON the shape of the others."""
    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> Any:
            return _shaped(request, await get_response(request))

        return answer_async

    def answer(request: HttpRequest) -> Any:
        return _shaped(request, get_response(request))

    return answer
