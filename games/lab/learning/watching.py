"""Trainings as their folders tell them, under way or over: for whoever watches. Needs nothing of a learning library."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

PROGRESS: Final = "progress.json"
CURVE: Final = "curve.csv"


@dataclass(frozen=True, slots=True)
class Training:
    """One seed of a training.

    ``steps``      of worlds so far, of ``planned``
    ``lesson``     the one that it is at
    ``reward``     of the last runs, as a part of the most that all seats can earn; ``deviation`` between worlds
    ``entropy``    of the policy; None where the algorithm has none
    ``pace``       steps of worlds a second of learning
    ``left_s``     seconds to its end at that pace
    ``judged``     what the policy earns in runs that it did not learn from; None before the end
    ``points``     steps and reward, of each time that all worlds came to their end
    ``beside``     by name, what others come to in the runs that it is judged by; none before the end
    """

    name: str
    game: str
    preset: str
    algorithm: str
    seed: int
    planned: int
    steps: int
    lesson: str
    reward: float
    deviation: float
    entropy: float | None
    pace: float | None
    left_s: float | None
    judged: float | None
    points: Sequence[tuple[int, float]]
    beside: Mapping[str, float]


def trainings(places: str | None = None) -> list[Training]:
    """Those in the folders of ``places``, by name; what is no training, or has not come to its first point, is left
    out.
    """
    from games.catalog.adasociety.arrays.shelf import PLACES  # here, since it brings that game along

    named = os.environ.get(PLACES, "") if places is None else places
    folders = [Path(place) for place in named.split(os.pathsep) if place]
    found = {one.name: one for folder in folders for one in _in(folder)}
    return [found[name] for name in sorted(found)]


def _in(place: Path) -> Iterator[Training]:
    for path in sorted(place.glob("*/manifest.json")):
        try:
            manifest = json.loads(path.read_bytes())
            progress = json.loads((path.parent / PROGRESS).read_bytes())
            with (path.parent / CURVE).open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            if rows:
                yield _training(path.parent.name, manifest, progress, rows)
        except (OSError, ValueError, KeyError):
            continue  # another's folder, or one that is just being written


def _training(name: str, manifest: dict[str, Any], progress: dict[str, Any], rows: list[dict[str, str]]) -> Training:
    last, planned = rows[-1], int(manifest["steps"])
    steps = int(last["steps"])
    pace = steps / progress["seconds"] if progress["seconds"] else None
    judged = manifest.get("judged")
    return Training(
        name=name,
        game=manifest["game"],
        preset=manifest["preset"],
        algorithm=manifest["algorithm"],
        seed=manifest["seed"],
        planned=planned,
        steps=steps,
        lesson=last["lesson"],
        reward=float(last["reward"]),
        deviation=float(last["deviation"]),
        entropy=float(last["entropy"]) if "entropy" in last else None,
        pace=pace,
        left_s=None if pace is None or judged else max(0.0, planned - steps) / pace,
        judged=None if judged is None else judged["reward"],
        points=[(int(row["steps"]), float(row["reward"])) for row in rows],
        beside={name: sum(worths) / len(worths) for name, worths in manifest.get("beside", {}).items()},
    )
