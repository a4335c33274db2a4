"""Queries of addresses are read as bodies are: a name that is not known is refused, with the nearest that is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from django.http import HttpRequest

from games.core.answers import placed
from games.errors.faults import among, no_such
from games.errors.requests import BadRequest

NAME_SHOWN = 40


def check_names(given: Iterable[str], known: Collection[str]) -> None:
    """Raises `BadRequest` for the first name that is not known."""
    for name in given:
        if name not in known:
            short = name[:NAME_SHOWN]
            note = placed(no_such(name, known, "unknown"), short)
            raise BadRequest("invalid", f"{short}: unknown; {among(name, known)}", short, note)


def only_known(run: Callable[..., Any]) -> Callable[..., Any]:
    """For `NinjaAPI.add_decorator`: the operation refuses what its address asks beside its own parameters, once it
    knows that its asker may ask at all.
    """
    operation: Any = run.__self__  # type: ignore[attr-defined]
    models = [model for model in operation.models if model.__ninja_param_source__ == "query"]
    known = frozenset(name for model in models for name in model.__ninja_flatten_map__)
    read = operation._get_values

    def values(request: HttpRequest, *given: Any) -> Any:
        check_names(request.GET, known)
        return read(request, *given)

    operation._get_values = values
    return run
