"""`polity mcp`: a site's runs, seats and experiments for agents that speak the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from simsite.commands.printing import say


def mcp(
    site: Annotated[str, typer.Option(help="The site's address.")] = "http://127.0.0.1:8000",
    key: Annotated[
        str, typer.Option(envvar="POLITY_KEY", help="A user's own key; without one, what is open.", show_envvar=True)
    ] = "",
    http: Annotated[
        str, typer.Option(metavar="[HOST:]PORT", help="Serve over HTTP; each client brings a key of its own.")
    ] = "",
    allow: Annotated[
        list[str] | None,
        typer.Option(help="A host by which it is reached beside loopback: NAME[:PORT]."),
    ] = None,
) -> int:
    """Serve the site as tools over standard input and output, or over streamable HTTP at /mcp."""
    from simsite.mcpserver import server_of  # isort: skip - what the extra brings is missed first
    from games.errors.faults import Refused
    from simsite.client import Polity

    if not http:
        server_of(Polity(site, key or None)).run("stdio")
        return 0
    if key:
        raise Refused("--http: each client brings its own key; leave --key and POLITY_KEY out")
    from mcp.server.transport_security import TransportSecuritySettings

    host, _, port = http.rpartition(":")
    if not port.isdecimal() or not int(port) < 65536:
        raise Refused(f"--http: {http!r}; [HOST:]PORT, such as 8100")
    hosts = [name for one in allow or () for name in (one, f"{one}:*")]
    hosts += ["127.0.0.1:*", "localhost:*", "[::1]:*"]
    origins = [f"{scheme}://{name}" for scheme in ("http", "https") for name in hosts]
    checks = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)
    host = host.strip("[]") or "127.0.0.1"
    say(f"MCP at http://{f'[{host}]' if ':' in host else host}:{port}/mcp, for {site}")
    server_of(Polity(site)).run("streamable-http", host=host, port=int(port), transport_security=checks)
    return 0
