"""Scenarios as a list: the presets of every game, and what else runs were made of."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.db.models import Count, Q

from games.core.registry import packs
from games.errors.faults import Refused
from games.lab.scenarios.scenario import load
from games.site.audience import Viewer, listed
from games.site.models import Run, Scenario


def scenario_rows(viewer: Viewer, game: str | None = None) -> list[dict[str, Any]]:
    """Presets first, by game and name; then stored ones, of runs that the viewer finds. A preset that cannot be read is
    left out: the lobby tells.
    """
    made = _made(viewer, game)
    rows = []
    for slug, pack in packs().items():
        for name in pack.scenarios if game in (None, slug) else ():
            told = _preset(slug, name, pack.files.changed())
            if told is not None:
                rows.append({**told, "runs": made.pop((slug, name), ({}, 0, []))[1]})
    others = [
        {
            "name": f"{slug}/{name}",
            "game": slug,
            "title": title,
            "about": {},
            "preset": False,
            "conditions": conditions,
            "runs": runs,
        }
        for (slug, name), (title, runs, conditions) in sorted(made.items())
    ]
    return rows + others


@lru_cache(maxsize=1024)
def _preset(slug: str, name: str, changed: int) -> dict[str, Any] | None:
    """What a preset's file says of itself; read once, for all of them together take most of a second."""
    try:
        loaded = load(f"{slug}/{name}", tries=False)
    except Refused:
        return None
    return {
        "name": f"{slug}/{name}",
        "game": slug,
        "title": dict(loaded.title),
        "about": dict(loaded.about),
        "preset": True,
        "conditions": [one.name for one in loaded.conditions],
    }


def _made(viewer: Viewer, game: str | None) -> dict[tuple[str, str], tuple[dict[str, str], int, list[str]]]:
    """Title, number of runs and conditions of each scenario that runs were made of."""
    found_runs = None if viewer.operator else Q(runs__in=Run.objects.filter(listed(viewer)))
    kept = Scenario.objects.annotate(number=Count("runs", filter=found_runs)).order_by("pk")
    kept = kept if viewer.operator else kept.filter(number__gt=0)
    found: dict[tuple[str, str], tuple[dict[str, str], int, list[str]]] = {}
    for row in (kept.filter(game=game) if game else kept).values_list(
        "game", "name", "title", "number", "document__condition"
    ):
        slug, name, title, number, condition = row
        _, runs, conditions = found.get((slug, name), ({}, 0, []))
        found[slug, name] = title, runs + number, list(dict.fromkeys([*conditions, condition or "base"]))
    return found
