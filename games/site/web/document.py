"""The API's description: what ninja makes of the routes, and what it cannot know of them.

Added are what a route of a kind may refuse, examples, the ways to sign in, headers that every route of a kind
understands, and each game's settings and actions as one discriminated union, made from the registry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from http.client import responses
from typing import Any, Final

from ninja import NinjaAPI
from ninja.errors import ValidationError, ValidationErrorContext
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from pydantic import TypeAdapter

from games.core.pack import Pack
from games.core.registry import packs
from games.lab.analysis.result import UNLESS_ASKED, Result
from games.lab.wire.errors import PROBLEM, ErrorOut
from games.lab.wire.stream import ClientMessage, ServerMessage
from games.site.web.examples import BODIES, REFUSED
from games.site.web.operations import operation_name
from games.site.web.queries import only_known
from games.site.web.webhooks import RECEIVED, WebhookMessage

READING: Final = (401, 403, 404, 422, 429, 503)
WRITING: Final = (400, 401, 403, 404, 409, 413, 422, 429, 503)
"""HTTP statuses of refusals; `games.site.web.errors` gives each error its own."""
MATCHED: Final = frozenset({"PATCH", "PUT", "DELETE"})
"""Methods that hear ``If-Match``, and answer 412 where it is stale."""
COMPONENTS: Final = "#/components/schemas/"
SECURITY: Final = {
    "Bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "A user's own key (`pk_…`), or the token of a seat, for programs. No page's token is needed.",
    }
}
REPEAT: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
    "description": "Of a request that may be sent twice: it is carried out once, and both are told the same for a day.",
}
MATCH: Final = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "pattern": '^(W/)?"[!#-~]*"$'},
    "description": "The ETag of an earlier answer: 304 where nothing has changed.",
}
IF_MATCH: Final = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "pattern": '^(\\*|(W/)?"[!#-~]*")$'},
    "description": "The ETag with which its settings were read: 412 where they, or its status, are others by now; "
    "absent: changed as they stand.",
}
TAGGED: Final = {
    "ETag": {
        "schema": {"type": "string"},
        "description": "Of its settings and its status, for `If-Match`; told to who may change it.",
    }
}
SAID: Final = {
    "ErrorOut": ErrorOut,
    "ServerMessage": ServerMessage,
    "ClientMessage": ClientMessage,
    "WebhookMessage": WebhookMessage,
}
"""Shapes that no route names: of refusals, and of what goes over a run's stream and socket, and to webhooks."""
UNCHANGED: Final = {304: {"description": "Nothing has changed since the ETag that was given."}}


class PolityAPI(NinjaAPI):
    """Ninja's API with the whole of its description."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._described: dict[str, OpenAPISchema] = {}
        self.add_decorator(only_known, mode="view")

    def validation_error_from_error_contexts(
        self, error_contexts: Sequence[ValidationErrorContext[Any]]
    ) -> ValidationError:
        """The first fault alone, with the value that ninja leaves out, and a parameter by its name in the address."""
        model, error = error_contexts[0].model, error_contexts[0].pydantic_validation_error
        fault: Any = error.errors(include_url=False)[0]
        for path, name in model.__ninja_flatten_map_reverse__.items():
            if fault["loc"][: len(path)] == path:
                fault["loc"] = name + fault["loc"][len(path) :]
        return ValidationError([fault])

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """The operation's name for programs: it stays, wherever the module lies that answers it."""
        return operation_name(operation.methods[0], operation.path.removeprefix("/"))

    def get_openapi_schema(
        self,
        *,
        path_prefix: str | None = None,
        path_params: dict[str, Any] | None = None,
        whole: bool = True,
    ) -> OpenAPISchema:
        """As ninja's; without ``whole``, its types alone: no examples, and nothing that differs between catalogs."""
        if not whole:
            return self._typed(path_prefix, path_params)
        kept = f"{path_prefix} {path_params}"
        if kept not in self._described:  # two seconds of work, which anybody may ask for
            self._described[kept] = self._whole(path_prefix, path_params)
        return self._described[kept]

    def _typed(self, path_prefix: str | None, path_params: dict[str, Any] | None) -> OpenAPISchema:
        """Ninja's, with what may be refused. Ninja itself would build a model for each of hundreds of refusals."""
        schema = super().get_openapi_schema(path_prefix=path_prefix, path_params=path_params)
        for operations in schema["paths"].values():
            for method, operation in operations.items():
                operation["responses"] |= _refusals(method.upper())
        for name, kind in SAID.items():
            schema["components"]["schemas"] |= _laid(name, kind)
        schema["components"]["schemas"] |= _result()
        schema["webhooks"] = RECEIVED
        return schema

    def _whole(self, path_prefix: str | None, path_params: dict[str, Any] | None) -> OpenAPISchema:
        schema = self._typed(path_prefix, path_params)
        for operations in schema["paths"].values():
            is_matched = bool({method.upper() for method in operations} & MATCHED)
            for method, operation in operations.items():
                _told(method, operation)
                if is_matched and 200 in operation["responses"]:
                    operation["responses"][200] = {**operation["responses"][200], "headers": TAGGED}
        components = schema["components"]
        components.setdefault("securitySchemes", {}).update(SECURITY)
        components["schemas"] |= game_schemas()
        components["examples"] = {name: value for said in REFUSED.values() for name, value in said.items()}
        return schema


def _refusals(method: str) -> dict[int, Any]:
    """What a route of this method may refuse, by status."""
    statuses = (READING if method == "GET" else WRITING) + ((412,) if method in MATCHED else ())
    return {
        status: {
            "description": responses[status],
            "content": {PROBLEM: {"schema": {"$ref": f"{COMPONENTS}ErrorOut"}}},
        }
        for status in statuses
    }


def _told(method: str, operation: dict[str, Any]) -> None:
    """What ninja cannot know of an operation."""
    if "security" in operation:
        operation["security"] = [*operation["security"], {"Bearer": []}]
    if method in ("post", "patch") and "security" in operation:
        operation.setdefault("parameters", []).append(REPEAT)
    if method.upper() in MATCHED:
        operation.setdefault("parameters", []).append(IF_MATCH)
    if method == "get" and 200 in operation["responses"]:
        operation.setdefault("parameters", []).append(MATCH)
        operation["responses"] |= UNCHANGED
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is not None and operation["operationId"] in BODIES:
        content["examples"] = BODIES[operation["operationId"]]
    for status, answer in operation["responses"].items():
        said = REFUSED.get(status) if isinstance(status, int) else None
        if said is not None and PROBLEM in answer.get("content", {}):
            answer["content"][PROBLEM]["examples"] = {name: {"$ref": f"#/components/examples/{name}"} for name in said}


@lru_cache(maxsize=1)
def game_schemas() -> Mapping[str, Any]:
    """``GameConfig`` and ``GameAction``: unions by ``game`` of every game's settings and of what its seats may do."""
    found: dict[str, Any] = {}
    for union, of in (("GameConfig", _config), ("GameAction", _action)):
        members = {}
        for slug, pack in packs().items():
            name = f"{union}.{slug}"
            members[slug] = f"{COMPONENTS}{name}"
            found[name] = {
                "type": "object",
                "title": f"{pack.title}: {'settings' if union == 'GameConfig' else 'an action'}",
                "required": ["game", of.__name__[1:]],
                "properties": {"game": {"const": slug, "type": "string"}, of.__name__[1:]: of(slug, pack, found)},
            }
        found[union] = {
            "oneOf": [{"$ref": ref} for ref in members.values()],
            "discriminator": {"propertyName": "game", "mapping": members},
        }
    return found


def _config(slug: str, pack: Pack, found: dict[str, Any]) -> dict[str, Any]:
    return _placed(pack.game.config_type, f"{slug}.", found)


def _action(slug: str, pack: Pack, found: dict[str, Any]) -> dict[str, Any]:
    return _placed(pack.game.action_type, f"{slug}.", found)


def _placed(kind: Any, prefix: str, found: dict[str, Any]) -> dict[str, Any]:
    """The type's schema, its parts laid among the components under the game's own prefix, by which they are titled:
    generators call a class by its title, and each once.
    """
    schema = TypeAdapter(kind).json_schema(ref_template=f"{COMPONENTS}{prefix}{{model}}")
    for name, part in schema.pop("$defs", {}).items():
        found[f"{prefix}{name}"] = {**part, "title": f"{prefix}{name}"}
    return dict(schema)


def _laid(name: str, kind: Any) -> dict[str, Any]:
    """A type and its parts, each under its own name."""
    found: dict[str, Any] = {}
    found[name] = _placed(kind, "", found)
    return found


def _result() -> dict[str, Any]:
    """What an experiment's runs say: ``Result``, and its parts under names that begin so."""
    found: dict[str, Any] = {}
    found["Result"] = _placed(Result, "Result", found)
    for shape in found.values():
        shape["required"] = [name for name in shape["properties"] if name not in UNLESS_ASKED]
    found["Result"]["properties"]["held"] = {"type": "boolean", "description": "Its tests are not told yet."}
    return found
