"""Every refusal of the API in one shape: ``{"error": {"code", "message", "field"?, "says"?, "faults"?}}``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic_core import ErrorDetails

from games import refusing
from games.audience import Refused
from games.core.answers import note_of, placed
from games.doors import NoSuchDoor
from games.lab.faults import BadScenario, Fault
from games.lab.faults import Refused as LabRefused
from games.selectors import NotFound
from games.services.faults import BadRequest

STATUS = {
    "no_such_run": 404,
    "no_such_game": 404,
    "wrong_status": 409,
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
    "used": 403,
    "too_big": 413,
}
"""The HTTP status of each refusal; 422 for the rest."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is answered: the HTTP status, a stable code, one line, and the input that it is about ("" where none)."""

    status: int
    code: str
    message: str
    field: str = ""
    faults: Sequence[Mapping[str, Any]] = ()
    more: Mapping[str, Any] | None = None

    def body(self) -> dict[str, Any]:
        said: dict[str, Any] = {"code": self.code, "message": self.message, **(self.more or {})}
        if self.field:
            said["field"] = self.field
        if self.faults:
            said["faults"] = list(self.faults)
        return {"error": said}


@singledispatch
def told(error: Exception, path: str) -> Told:
    """What whoever asked for ``path`` is told of an error."""
    raise TypeError(f"{type(error).__name__} has no answer")


@told.register
def _(error: NotFound, path: str) -> Told:
    return Told(404, "not_found", str(error), more=error.more)


@told.register
def _(error: Refused, path: str) -> Told:
    return Told(403, error.code, str(error), more=error.more)


@told.register
def _(error: BadRequest, path: str) -> Told:
    return Told(STATUS.get(error.code, 422), error.code, str(error), error.field, more=error.more)


@told.register
def _(error: NoSuchDoor, path: str) -> Told:
    return Told(404, "no_such_code", str(error))


@told.register
def _(error: LabRefused, path: str) -> Told:
    return Told(422, "bad_scenario", str(error), "scenario")


@told.register
def _(error: BadScenario, path: str) -> Told:
    faults = [_fault(fault) for fault in error.faults]
    return Told(422, "bad_scenario", str(error.faults[0]), error.faults[0].path or "scenario", faults)


def _fault(fault: Fault) -> dict[str, Any]:
    says = None if fault.note is None else refusing.says(fault.note)
    return {"path": fault.path, "message": fault.message, **({} if says is None else {"says": says})}


@told.register
def _(error: ValidationError, path: str) -> Told:
    fault = error.errors[0]
    where = ".".join(str(part) for part in fault["loc"][1:] if part != "body")
    says = refusing.says(placed(note_of(cast(ErrorDetails, fault)), where))
    return Told(422, "invalid", f"{where}: {fault['msg']}", where, more=says and {"says": says})


@told.register
def _(error: AuthenticationError, path: str) -> Told:
    if {"play", "join"} & set(path.split("/")):
        return Told(403, "csrf", "the page's own token is missing; load the page again")
    return Told(403, "operators_only", "only a signed-in operator may do this")


@told.register
def _(error: HttpError, path: str) -> Told:
    return Told(error.status_code, "csrf" if "CSRF" in str(error) else "http_error", str(error))


def install(api: NinjaAPI) -> None:
    """Let the API answer each of these errors."""

    def answer(request: HttpRequest, error: Any) -> HttpResponse:
        said = told(error, request.path)
        return api.create_response(request, said.body(), status=said.status)

    for kind in told.registry.keys() - {object}:
        api.add_exception_handler(kind, answer)
