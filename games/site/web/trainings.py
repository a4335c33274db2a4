"""Trainings of policies as JSON and as the page's rows, read from their folders each time."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from games.lab.learning.watching import Training, trainings

router = Router()
WIDTH: Final = 240
HEIGHT: Final = 48
POINTS: Final = 120
"""Of a longer curve so many points are shown, evenly."""


class TrainingOut(Schema):
    name: str
    game: str
    preset: str
    algorithm: str
    seed: int
    planned: int = Field(description="Steps of worlds, all of them together.")
    steps: int = Field(description="Those that are done.")
    lesson: str
    reward: float = Field(description="Of the last runs, as a part of the most that all seats can earn.")
    deviation: float = Field(description="Between worlds.")
    entropy: float | None
    pace: float | None = Field(description="Steps of worlds a second of learning.")
    left_s: float | None = Field(description="Seconds to the end at that pace; null once it is over.")
    judged: float | None = Field(description="What it earns in runs that it did not learn from; null before the end.")
    points: list[tuple[int, float]] = Field(description="Steps and reward along the curve.")
    beside: dict[str, float] = Field(description="What others come to in the runs that it is judged by.")


@router.get("/learning", response=list[TrainingOut], url_name="learning")
def learning_list(request: HttpRequest) -> list[dict[str, Any]]:
    """Trainings in the folders of this site, under way and over."""
    return [{**asdict(one), "points": thinned(one)} for one in trainings()]


def page() -> dict[str, Any]:
    """What the page shows: those under way first."""
    found = sorted(trainings(), key=lambda one: one.judged is not None)
    return {"trainings": [shown(one) for one in found], "going": sum(one.judged is None for one in found)}


def shown(one: Training) -> dict[str, Any]:
    """A training in words, and its curve in pixels: from 0 at the bottom to the most that can be earned; with others
    beside it from the least to the most of them all.
    """
    points = thinned(one)
    most = max(one.planned, one.steps, 1)
    rewards = [reward for _, reward in points]
    low, top = (min(*rewards, *one.beside.values()), 0.0) if one.beside else (0.0, 1.0)
    top = max(top, *rewards, *one.beside.values())

    def height(reward: float) -> str:
        return f"{(1 - (max(reward, low) - low) / max(top - low, 1e-9)) * HEIGHT:.1f}"

    return {
        **asdict(one),
        "low": f"{low:g}" if not low else f"{low:.2f}",
        "top": f"{top:.4g}",
        "others": [(name, f"{worth:.2f}", height(worth)) for name, worth in one.beside.items()],
        "done": round(100 * min(1.0, one.steps / most)),
        "line": " ".join(f"{steps / most * WIDTH:.1f},{height(reward)}" for steps, reward in points),
        "steps": f"{one.steps:,}",
        "reward": f"{one.reward:.4f}",
        "deviation": f"{one.deviation:.4f}",
        "entropy": None if one.entropy is None else f"{one.entropy:.2f}",
        "judged": None if one.judged is None else f"{one.judged:.4f}",
        "pace": None if one.pace is None else f"{one.pace:,.0f}",
        "minutes": None if one.left_s is None else max(1, round(one.left_s / 60)),
    }


def thinned(one: Training) -> list[tuple[int, float]]:
    """At most `POINTS` of the curve's points, the last among them."""
    gap = -(-len(one.points) // POINTS)
    return list(one.points)[::-1][::gap][::-1]
