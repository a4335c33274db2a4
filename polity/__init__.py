"""Polity for programs: play games of agents, read and verify their runs, write games and agents.

::

    import polity

    runs = polity.play("mining/baseline", seeds=range(1, 6))
    runs.frame("rounds")
    runs

This package holds names alone, each imported when it is first used; ``docs/python.md`` says what each is. What is not
named here may change without notice.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.core import game as kernel
    from games.core import measures
    from games.core.agents import Agent, Decision, Request
    from games.core.rng import Rng
    from games.declare import (
        Amount,
        Cell,
        Fixed,
        Game,
        Geometric,
        Matrix,
        Mixed,
        Money,
        Pick,
        Points,
        Reference,
        Text,
        When,
        carried,
        deal,
        draw,
        example,
        measure,
        policy,
        setting,
        show,
        stage,
    )
    from games.errors.faults import Refused
    from games.lab.exploring import multiverse, multiverse_svg, sensitivity
    from games.lab.notebook import Runs, figures, load, play, replay, verify
    from simsite.client import AsyncPolity as AsyncClient
    from simsite.client import Polity as Client

__all__ = [
    "Agent",
    "Amount",
    "AsyncClient",
    "Cell",
    "Client",
    "Decision",
    "Fixed",
    "Game",
    "Geometric",
    "Matrix",
    "Mixed",
    "Money",
    "Pick",
    "Points",
    "Reference",
    "Refused",
    "Request",
    "Rng",
    "Runs",
    "Text",
    "When",
    "carried",
    "deal",
    "draw",
    "example",
    "figures",
    "kernel",
    "load",
    "measure",
    "measures",
    "multiverse",
    "multiverse_svg",
    "play",
    "policy",
    "replay",
    "sensitivity",
    "setting",
    "show",
    "stage",
    "verify",
]

_PLACES = {
    "games.core.agents": ("Agent", "Decision", "Request"),
    "games.core.rng": ("Rng",),
    "games.declare": (
        "Amount",
        "Cell",
        "Fixed",
        "Game",
        "Geometric",
        "Matrix",
        "Mixed",
        "Money",
        "Pick",
        "Points",
        "Reference",
        "Text",
        "When",
        "carried",
        "deal",
        "draw",
        "example",
        "measure",
        "policy",
        "setting",
        "show",
        "stage",
    ),
    "games.errors.faults": ("Refused",),
    "games.lab.exploring": ("multiverse", "multiverse_svg", "sensitivity"),
    "games.lab.notebook": ("Runs", "figures", "load", "play", "replay", "verify"),
}
_HOMES = {name: module for module, names in _PLACES.items() for name in names}


def __getattr__(name: str) -> Any:
    match name:
        case "kernel" | "measures":
            value: Any = import_module(f"games.core.{'game' if name == 'kernel' else name}")
        case "Client" | "AsyncClient":
            value = getattr(import_module("simsite.client"), f"{name.removesuffix('Client')}Polity")
        case _ if name in _HOMES:
            value = getattr(import_module(_HOMES[name]), name)
        case _:
            raise AttributeError(f"polity has no {name!r}; it has {', '.join(__all__)}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
