"""`polity mcp`: a site's runs and seats for agents that speak the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

import typer


def mcp(
    site: Annotated[str, typer.Option(help="The site's address.")] = "http://127.0.0.1:8000",
    key: Annotated[
        str, typer.Option(envvar="POLITY_KEY", help="A user's own key; without one, what is open.", show_envvar=True)
    ] = "",
) -> int:
    """Serve the site's runs and seats as tools over standard input and output."""
    from simsite.mcpserver import server_of  # isort: skip - what the extra brings is missed first
    from simsite.client import Polity

    server_of(Polity(site, key or None)).run("stdio")
    return 0
