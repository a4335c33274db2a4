"""Every refusal of the API in one shape: a problem (RFC 9457) with ``{"error": {"code", "message", "field"?, …}}``."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, cast

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.parser import Parser
from pydantic_core import ErrorDetails

from games.core.answers import fault_told
from games.errors import extras, sentences
from games.errors.faults import BadScenario, Fault, Refused
from games.errors.plaintext import check_text
from games.errors.requests import BadRequest, Refusal
from games.lab.wire.errors import PROBLEM, ErrorOut, FaultOut, error_out
from games.site.accounts.purse import BeyondPurse
from games.site.accounts.trail import note
from games.site.web.bodies import check_body

log = logging.getLogger(__name__)

STATUS = {
    "too_many_requests": 429,
    "too_many_failures": 429,
    "no_such_run": 404,
    "no_such_game": 404,
    "no_such_experiment": 404,
    "no_such_key": 404,
    "wrong_status": 409,
    "name_taken": 409,
    "under_way": 409,
    "slug_taken": 409,
    "frozen": 409,
    "plan_changed": 409,
    "no_runs": 409,
    "full": 409,
    "over": 409,
    "late": 409,
    "early": 409,
    "not_asked": 409,
    "already_moved": 409,
    "other_tab": 409,
    "not_playing": 409,
    "still_playing": 409,
    "no_deadline": 409,
    "has_forks": 409,
    "in_experiment": 409,
    "no_rerun": 409,
    "used": 403,
    "no_budget": 403,
    "own_price": 403,
    "beyond_purse": 403,
    "not_by_purse": 403,
    "shared": 403,
    "own_account": 409,
    "not_the_keys": 403,
    "stale": 412,
    "too_big": 413,
}
"""The HTTP status of each refusal; 422 for the rest."""


RETRY_S = 2
"""When to try again where the database is away."""


class PlainParser(Parser):
    """JSON as ninja reads it, but for what is too much for its sender (`games.site.web.bodies`), and for what cannot be
    kept: NUL, control characters, lone surrogates. By name.
    """

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        check_body(request)
        body = super().parse_body(request)
        check_text(body)
        return body


@dataclass(frozen=True, slots=True)
class Told:
    """What is answered: the HTTP status, a stable code, one line, and the input that it is about ("" where none)."""

    status: int
    code: str
    message: str
    field: str = ""
    faults: Sequence[FaultOut] = ()
    more: Mapping[str, Any] | None = None

    def body(self) -> ErrorOut:
        said = dict(self.more or {})
        if self.field:
            said["field"] = self.field
        if self.faults:
            said["faults"] = list(self.faults)
        return error_out(self.status, self.code, self.message, said)


@singledispatch
def told(error: Exception, path: str) -> Told:
    """What whoever asked for ``path`` is told of an error."""
    raise TypeError(f"{type(error).__name__} has no answer")


@told.register
def _(error: Refusal, path: str) -> Told:
    return Told(STATUS.get(error.code, error.status), error.code, str(error), error.field, more=error.more)


@told.register
def _(error: Refused, path: str) -> Told:
    return Told(422, "bad_scenario", str(error), "scenario")


@told.register
def _(error: BadScenario, path: str) -> Told:
    faults = [_fault(fault) for fault in error.faults]
    return Told(422, "bad_scenario", str(error.faults[0]), error.faults[0].path or "scenario", faults)


def _fault(fault: Fault) -> FaultOut:
    says = None if fault.note is None else sentences.says(fault.note)
    if says is None:
        return {"path": fault.path, "message": fault.message}
    return {"path": fault.path, "message": fault.message, "says": says}


@told.register
def _(error: ValidationError, path: str) -> Told:
    fault = cast(ErrorDetails, error.errors[0])
    fault["loc"] = tuple(part for part in fault["loc"] if part != "body")
    text, note = fault_told(fault)
    says = sentences.says(note)
    return Told(422, "invalid", text, ".".join(map(str, fault["loc"])), more=says and {"says": says})


@told.register
def _(error: AuthenticationError, path: str) -> Told:
    if {"play", "join"} & set(path.split("/")):
        told = "the page was open for long, or the browser keeps no cookies from here: allow them and load it again"
        return Told(403, "csrf", told)
    return Told(403, "operators_only", "only a signed-in operator may do this")


@told.register
def _(error: RequestDataTooBig, path: str) -> Told:
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return told(BadRequest("too_big", f"the body is longer than {most} bytes; send less", most=most), path)


@told.register(OperationalError)
@told.register(InterfaceError)
def _(error: Exception, path: str) -> Told:
    log.warning("%s: the database is not to be had: %s", path, error)
    return Told(503, "unavailable", "the database is away for a moment; try again", more={"retry_s": RETRY_S})


@told.register
def _(error: ModuleNotFoundError, path: str) -> Told:
    if (lacking := extras.remedy(error)) is None:
        raise error
    return Told(501, "not_installed", lacking)


@told.register
def _(error: HttpError, path: str) -> Told:
    if isinstance(error.__cause__, BadRequest | OperationalError | InterfaceError):  # met while the body was parsed
        return told(error.__cause__, path)
    return Told(error.status_code, "csrf" if "CSRF" in str(error) else "http_error", str(error))


def install(api: NinjaAPI) -> None:
    """Let the API answer each of these errors."""

    def answer(request: HttpRequest, error: Any) -> HttpResponse:
        said = told(error, request.path)
        if isinstance(error, BeyondPurse):
            note(request, "key_refused", request.path, code=error.code, method=request.method)
        response = api.create_response(request, said.body(), status=said.status)
        response.headers["Content-Type"] = PROBLEM
        if retry_s := (said.more or {}).get("retry_s"):
            response.headers["Retry-After"] = str(retry_s)
        return response

    for kind in told.registry.keys() - {object}:
        api.add_exception_handler(kind, answer)
