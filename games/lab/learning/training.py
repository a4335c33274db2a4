"""A training run: lessons, a curve, checkpoints, and a manifest of all that it rests on. Needs ``polity[learn]``.

A run's folder is ``OUT/PRESET-ALGO-SEED`` with ``manifest.json`` (settings, versions, steps, what was judged),
``curve.csv`` (a row each time that all worlds came to their end under the lesson's own settings), ``progress.json``,
``checkpoint.zst``, and the network for matches.
A run that was broken off goes on from its checkpoint and ends in the same bytes; other settings are refused.
"""

from __future__ import annotations

import csv
import importlib
import io
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from flax import serialization

from games.catalog.adasociety.arrays.network import Network, digest
from games.errors.faults import Refused
from games.lab.folders.folder import machine
from games.lab.learning import ppo, rainbow
from games.lab.learning.field import Field, Game, Lesson
from games.lab.learning.nets import stored
from games.lab.learning.plan import HELD_OUT, SEEDS_APART, CurriculumSettings, Plan, RainbowSettings, parts
from games.lab.learning.watching import CURVE, PROGRESS
from games.lab.wire import zst

CHECKPOINT_S: Final = 30.0
STRETCHES: Final = 20

Learner = ppo.PPO | rainbow.Rainbow


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the curve: after so many steps of worlds, the mean of what all seats earned, as a part of the most
    that they can, its deviation between worlds, and what the algorithm says of itself.
    """

    lesson: str
    steps: int
    reward: float
    deviation: float
    losses: Mapping[str, float]


@dataclass(slots=True)
class Progress:
    """How far a training run has come: steps and runs of worlds, time, the curve, what was judged after each lesson."""

    steps: int = 0
    runs: int = 0
    seconds: float = 0.0
    processor_seconds: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)
    after: dict[str, dict[str, Any]] = field(default_factory=dict)


def trained(plan: Plan, out: Path, tell: Callable[[Point, float], None]) -> dict[str, Any]:
    """Learn from where it stands to the end; the manifest. ``tell`` gets each point of the curve, and seconds."""
    game: Game = importlib.import_module(f"games.lab.learning.{plan.game}.field")
    settings, lessons = plan.settings, list[Lesson]()
    if taught := isinstance(settings, CurriculumSettings):
        lessons += game.lessons(plan.preset, settings)
    lessons = lessons or [Lesson("all", 1.0, {})]
    folder = out / plan.name
    folder.mkdir(parents=True, exist_ok=True)
    manifest = _begun(
        folder, {**asdict(plan), "hyperparameters": asdict(settings), "lessons": [asdict(one) for one in lessons]}
    )
    if "judged" in manifest:
        return manifest
    course = list(parts(plan, lessons))
    learner = _learner(plan, game.field(plan.preset, plan.worlds, course[0].settings, taught))
    so_far = _checkpoint(folder, learner) or Progress()
    saved = time.monotonic()
    for number, part in enumerate(course):
        now = game.field(plan.preset, plan.worlds, part.settings, taught)
        every, recalled = part.recalled or (0, part.settings)
        earlier = game.field(plan.preset, plan.worlds, recalled, taught)
        run = now.sizes.horizon * plan.worlds
        while so_far.steps < part.until:
            began, own = time.monotonic(), time.process_time()
            recalls = every > 0 and so_far.runs // plan.worlds % every == 0 and so_far.steps + run < part.until
            worlds = earlier if recalls else now
            first = plan.seed * SEEDS_APART + so_far.runs
            worlds.begin(range(first, first + plan.worlds))
            done = so_far.steps / plan.steps
            learner.learn(worlds, min(1.0, done / lessons[0].share), min(1.0, done))
            totals = worlds.totals()
            so_far.steps += run
            so_far.runs += plan.worlds
            point = Point(part.lesson, so_far.steps, float(totals.mean()), float(totals.std(ddof=1)), learner.losses)
            so_far.seconds += time.monotonic() - began
            so_far.processor_seconds += time.process_time() - own
            if not recalls:
                so_far.curve.append(asdict(point))
                tell(point, so_far.seconds)
            if time.monotonic() - saved > CHECKPOINT_S:
                _save(folder, learner, so_far)
                saved = time.monotonic()
        if part.lesson not in so_far.after and (number + 1 == len(course) or course[number + 1].lesson != part.lesson):
            so_far.after[part.lesson] = judged(learner, game.field(plan.preset, plan.held_out, part.settings, taught))
    _save(folder, learner, so_far)
    told = {name: value for name, value in asdict(so_far).items() if name != "curve"}
    manifest |= {"played": told, "judged": so_far.after[course[-1].lesson], **_network(game, plan, learner, folder)}
    if (beside := getattr(game, "beside", None)) is not None:
        manifest["measure"] = game.MEASURE  # type: ignore[attr-defined]
        manifest["beside"] = beside(plan.preset, _held_out(plan.held_out), partial(played, learner))
    _write(folder / "manifest.json", json.dumps(manifest, indent=2).encode())
    return manifest


def judged(learner: Learner, worlds: Field) -> dict[str, Any]:
    """What the policy earns in runs that it did not learn from: the mean over runs and its deviation; and the part of
    the most that all seats get in each of `STRETCHES` equal stretches of a run.
    """
    got: list[float] = []
    totals = np.array(played(learner, worlds, _held_out(worlds.worlds), got))
    course = [round(float(np.sum(part)) / worlds.best, 6) for part in np.array_split(got, STRETCHES)]
    told = {"runs": len(totals), "reward": float(totals.mean()), "deviation": float(totals.std(ddof=1))}
    return {**told, "course": course}


def played(learner: Learner, worlds: Field, seeds: Sequence[int], got: list[float] | None = None) -> list[float]:
    """What the policy earns in runs of these seeds, each as a part of the most that can be earned; step by step what
    all seats of a world got, the mean over worlds, is put into ``got``.
    """
    worlds.begin(seeds)
    act = learner.player(worlds.worlds)
    for _ in range(worlds.sizes.horizon):
        gained = worlds.act(act(*worlds.see())).sum(-1).mean()
        if got is not None:
            got.append(float(gained))
    told: list[float] = worlds.totals().tolist()
    return told


def _held_out(runs: int) -> range:
    return range(HELD_OUT, HELD_OUT + runs)


def _network(game: Game, plan: Plan, learner: Learner, folder: Path) -> dict[str, Any]:
    """Write the actor in whole numbers, which a match plays, and who seats it; or say why there is none."""
    about = game.about(plan.preset)
    if about is None:
        return {"network": None, "why": f"no seat of {plan.game} is played by a network"}
    if isinstance(learner, rainbow.Rainbow) or learner.settings.body != "small":
        return {"network": None, "why": "matches play two dense layers, with or without a memory between them"}
    layers, cell = stored(learner.params)
    raw = Network.rounded(layers, {**about, "run": plan.name, "steps": plan.steps}, cell).packed()
    _write(folder / f"{plan.name}.npz", raw)
    agents = f'default: {{policy: trained, params: {{weights: "{plan.name}"}}}}\n'
    _write(folder / "agents.yaml", agents.encode())
    return {"network": f"{plan.name}.npz", "digest": digest(raw)}


def _learner(plan: Plan, worlds: Field) -> Learner:
    settings = plan.settings
    if isinstance(settings, RainbowSettings):
        return rainbow.Rainbow(worlds, settings, plan.seed)
    recurrent, central = plan.algorithm in ("rppo", "curriculum"), plan.algorithm == "mappo"
    return ppo.PPO(worlds.sizes, settings, plan.seed, recurrent, central)


def _begun(folder: Path, asked: dict[str, Any]) -> dict[str, Any]:
    path = folder / "manifest.json"
    asked = json.loads(json.dumps(asked))
    if not path.exists():
        manifest: dict[str, Any] = {**asked, **machine()}
        _write(path, json.dumps(manifest, indent=2).encode())
        return manifest
    manifest = json.loads(path.read_bytes())
    for name, value in asked.items():
        if manifest.get(name) != value:
            raise Refused(f"{folder}: {name} was {manifest.get(name)}, and is {value} now; take another --out")
    return manifest


def _save(folder: Path, learner: Learner, so_far: Progress) -> None:
    told = {"learner": serialization.to_state_dict(learner.state), "so_far": json.dumps(asdict(so_far))}
    _write(folder / "checkpoint.zst", zst.pack(serialization.msgpack_serialize(told), zst.compressor(1)))
    _write(folder / CURVE, _curve(so_far.curve))
    _write(folder / PROGRESS, json.dumps({"steps": so_far.steps, "seconds": so_far.seconds}).encode())


def _checkpoint(folder: Path, learner: Learner) -> Progress | None:
    """How far a run has come, with the learner as it was; None where nothing is kept."""
    path = folder / "checkpoint.zst"
    if not path.exists():
        return None
    told = serialization.msgpack_restore(zst.unpack(path.read_bytes()))
    learner.state = serialization.from_state_dict(learner.state, told["learner"])
    return Progress(**json.loads(told["so_far"]))


def _write(path: Path, raw: bytes) -> None:
    """All of it or nothing."""
    aside = path.with_suffix(".part")
    aside.write_bytes(raw)
    aside.replace(path)


def _curve(curve: Sequence[Mapping[str, Any]]) -> bytes:
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    losses = sorted({name for point in curve for name in point["losses"]})
    rows.writerow(["lesson", "steps", "reward", "deviation", *losses])
    for point in curve:
        told = [point["lesson"], point["steps"], round(point["reward"], 6), round(point["deviation"], 6)]
        rows.writerow([*told, *(round(point["losses"].get(name, float("nan")), 6) for name in losses)])
    return file.getvalue().encode()
