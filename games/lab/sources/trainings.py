"""What trainings came to, as an entry beside a game's other results, for the rows of its source."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, Final

from games.errors.faults import Refused
from games.lab.scenarios.scenario import load
from games.lab.sources.rows import LAST, LEARNT, interval

ALIKE: Final = ("game", "preset", "algorithm", "steps", "worlds", "held_out", "hyperparameters", "lessons")
"""What the seeds of one entry have in common."""
LEARNER: Final = "learnt"
"""What was learnt, where it is itself among what was played beside it."""
COURSE: Final = {"start": slice(0, 3), "rest": slice(6, None)}
"""Rows of what is earned in the first three twentieths of a run, and from the seventh on."""


def entry_of(folders: Sequence[Path]) -> tuple[str, str, dict[str, Any]]:
    """The game, the entry's name, and the entry: of each lesson the mean over seeds of what the policy then earned in
    runs that it had not learnt from, with its 95% interval; parts of a run (`COURSE`); and the difference to what was
    played beside it (``over NAME``).

    Raises `Refused` for a training that is not over, or that was not done as the others were.
    """
    manifests: list[dict[str, Any]] = [json.loads((folder / "manifest.json").read_bytes()) for folder in folders]
    first = manifests[0]
    for folder, one in zip(folders, manifests, strict=True):
        if "judged" not in one:
            raise Refused(f"{folder}: the training is not over; the same command goes on with it")
        if other := next((name for name in ALIKE if one[name] != first[name]), None):
            raise Refused(f"{folder}: {other} is another than in {folders[0]}; seeds of one training are kept together")
    seeds = [one["seed"] for one in manifests]
    changed = "".join(f" --set {name}={value}" for name, value in first["changed"].items())
    lessons = {name: [one["played"]["after"][name]["reward"] for one in manifests] for name in first["played"]["after"]}
    rows = {**lessons, LAST: [one["judged"]["reward"] for one in manifests]}
    if "course" in first["judged"] and "beside" not in first:
        rows |= {name: [sum(one["judged"]["course"][of]) for one in manifests] for name, of in COURSE.items()}
    for name in sorted({*first.get("beside", ())} - {LEARNER}):
        rows[f"over {name}"] = [_apart(one["beside"], name, one["judged"]["reward"]) for one in manifests]
    return (
        first["game"],
        f"{LEARNT}{first['preset']}/{first['algorithm']}",
        {
            "command": f"polity learn {first['game']}/{first['preset']} --algo {first['algorithm']} --steps "
            f"{first['steps']} --worlds {first['worlds']} --seeds {min(seeds)}..{max(seeds)}{changed} --keep",
            "plan": load(f"{first['game']}/{first['preset']}").plan_hash(),
            "runs": len(seeds),
            "seconds": round(sum(one["played"]["processor_seconds"] for one in manifests), 1),
            "steps": first["played"]["steps"],
            **({"measure": first["measure"]} if "measure" in first else {}),
            **({"changed": first["changed"]} if first["changed"] else {}),
            "hyperparameters": first["hyperparameters"],
            "networks": [one.get("digest") for one in manifests],
            "rows": {name: interval(values) for name, values in rows.items()},
        },
    )


def _apart(beside: Mapping[str, Sequence[float]], name: str, reward: float) -> float:
    """What was learnt less what stands beside it in the same runs."""
    return (mean(beside[LEARNER]) if LEARNER in beside else reward) - mean(beside[name])
