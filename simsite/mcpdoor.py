"""What every tool of the Model Context Protocol's door stands on: whose key acts, and how answers and refusals read."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Final, TypeAlias, cast

import httpx
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.server.mcpserver.resolve import Resolve
from mcp.types import CallToolResult, TextContent, ToolAnnotations

from simsite.client import ApiError, Polity

CLIENTS_MAX: Final = 200
"""Lines to the site that are kept open, one for each key that came."""

NO_KEY: Final = {"code": "no_key", "message": "this needs a key; send Authorization: Bearer KEY, made by polity key"}
"""In place of the site's word on forged requests, which is for browsers."""


class Door(MCPServer[Any]):
    """Tools over a site's API. ``site``: the site with the key that acts; over HTTP each request brings its own."""

    def __init__(self, site: Polity, instructions: str) -> None:
        super().__init__("polity", instructions=instructions, log_level="WARNING")
        self.own = site
        self.clients: dict[str, Polity] = {}

    def site_for(self, authorization: str | None) -> Polity:
        """The site with the key of a request, or as a visitor sees it; never with this process's own key."""
        kind, _, key = (authorization or "").partition(" ")
        key = key.strip() if kind.lower() == "bearer" else ""
        if key not in self.clients:
            if len(self.clients) >= CLIENTS_MAX:
                self.clients.pop(next(iter(self.clients)))
            self.clients[key] = Polity(self.own.address, key or None, self.own.transport)
        return self.clients[key]

    def does(self, hints: ToolAnnotations) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Make a function a tool: what it returns is told as JSON, and what the site refuses is the tool's error."""

        def register(act: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(act)
            def answer(**how: Any) -> CallToolResult:
                try:
                    return said(act(**how))
                except ApiError as refused:
                    return said(NO_KEY if refused.code == "csrf" else refused.error, is_error=True)
                except httpx.TransportError as error:
                    told = f"the site at {self.own.address} does not answer: {error}; start it, or try again"
                    return said({"code": "site_away", "message": told}, is_error=True)

            self.add_tool(answer, annotations=hints, structured_output=False)
            return act

        return register

    def shows(self, address: str, kind: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Make a function a resource at an address with names in braces."""

        def register(read: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(read)
            def answer(**how: Any) -> Any:
                try:
                    return read(**how)
                except ApiError as refused:
                    raise ResourceError(json.dumps(refused.error, ensure_ascii=False)) from None

            return self.resource(address, mime_type=kind)(answer)

        return register


def site_of(ctx: Context) -> Polity:
    """The site as whoever made the request may use it."""
    door = cast(Door, ctx.mcp_server)
    request = ctx.request_context.request
    return door.own if request is None else door.site_for(request.headers.get("authorization"))


Site: TypeAlias = Annotated[Polity, Resolve(site_of)]
"""Of a tool's parameters: filled in here, and none that an agent sees."""


def hints(*, reads: bool = False, destroys: bool = False, again: bool = False, calls: bool = False) -> ToolAnnotations:
    """``again``: a second time changes nothing more; ``calls``: models outside may be asked for it."""
    return ToolAnnotations(
        read_only_hint=reads, destructive_hint=destroys, idempotent_hint=reads or again, open_world_hint=calls
    )


def said(value: Any, is_error: bool = False) -> CallToolResult:
    """A tool's answer as JSON without white space: what an agent reads, it pays for."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)


def refused(code: str, message: str) -> ApiError:
    return ApiError(404, {"code": code, "message": message})
