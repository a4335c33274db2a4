"""What other packages plug in here, and what cannot be used and why: for whoever makes runs and studies."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from games.core.plugs import loaded
from games.core.registry import Registry, plugged
from games.site.web.holders import experimenters

router = Router()


class PluginOut(Schema):
    kind: Literal["games", "agents", "providers", "measures", "steps", "exporters"]
    name: str
    package: str = Field(description="Empty: a file or folder of games.")
    version: str
    digest: str = Field(description="SHA-256 of what is loaded, 16 digits.")
    why: str = Field(description="Why it cannot be used and is left out; empty where it can.")
    about: dict[str, str] = Field(description="Of an exporter, what it gives, by language.")


@router.get("/plugins", response=list[PluginOut], auth=experimenters, url_name="plugins")
def plugins(request: HttpRequest) -> list[dict[str, Any]]:
    """Games, agents, providers, measures, steps of studies and exporters that packages bring."""
    return rows()


def rows() -> list[dict[str, Any]]:
    about = {plug.name: dict(value.about) for plug, value in loaded("exporters")}
    return [
        {**asdict(one), "about": about.get(one.name, {}) if one.kind == "exporters" else {}}
        for one in plugged(Registry())
    ]
