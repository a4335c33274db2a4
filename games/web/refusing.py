"""A router whose routes say in the API's description what they may refuse, and how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ninja import Router
from ninja.constants import NOT_SET

from games.wire.errors import ErrorOut

READING: Final = (401, 403, 404, 422, 429, 503)
WRITING: Final = (400, 401, 403, 404, 409, 413, 422, 429, 503)
"""HTTP statuses of refusals; `games.web.errors` gives each error its own."""
MATCHED: Final = frozenset({"PATCH", "PUT", "DELETE"})
"""Methods that hear ``If-Match``, and answer 412 where it is stale."""


class RefusingRouter(Router):
    """As ninja's, with `ErrorOut` for each status that a route of its kind may answer."""

    def add_api_operation(
        self, path: str, methods: list[str], view_func: Callable[..., Any], *, response: Any = NOT_SET, **options: Any
    ) -> None:
        answers = response if isinstance(response, dict) else {200: None if response is NOT_SET else response}
        refused: tuple[int, ...] = READING if set(methods) <= {"GET"} else WRITING
        if set(methods) & MATCHED:
            refused = (*refused, 412)
        super().add_api_operation(
            path, methods, view_func, response={**answers, **dict.fromkeys(refused, ErrorOut)}, **options
        )
