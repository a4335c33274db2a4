"""A refusal as a response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import JsonResponse

from games.lab.wire.errors import PROBLEM, error_out


def problem(
    status: int,
    code: str,
    message: str,
    more: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JsonResponse:
    """As `error_out`."""
    told = error_out(status, code, message, more)
    return JsonResponse(told, status=status, content_type=PROBLEM, headers=dict(headers or {}))
