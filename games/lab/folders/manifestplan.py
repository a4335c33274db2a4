"""What a run folder's manifest declares, as a document or a scenario that plays the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.lab.folders.experiment import EXPERIMENT, plan_of
from games.lab.folders.reading import RunFolder
from games.lab.folders.sealing import MANIFEST
from games.lab.scenarios.hypotheses import Experiment
from games.lab.scenarios.scenario import Scenario, load_data


def scenario_of(folder: RunFolder) -> Scenario:
    """The plan once more: its conditions, agents, seeds and hypotheses under its name.

    Raises `BadFolder` where this version reads another plan in it, `BadScenario` where it cannot be played here.
    """
    folder.check_unaltered((MANIFEST,))
    plan_of(folder)
    told, declared = folder.manifest, folder.manifest.get(EXPERIMENT)
    again = replace(
        load_data(document_of(folder), str(folder.path), folder.game, folder.registry),
        name=str(told["scenario"]["name"]),
        changes=told["scenario"].get("changes") or {},
        tournament=told.get("tournament") or {},
        experiment=None if declared is None else Experiment.read(declared),
    )
    if again.plan_hash() != told.get("plan_hash"):
        raise folder.bad(MANIFEST, f"plan_hash {told.get('plan_hash')}; read here it is {again.plan_hash()}")
    return again


def document_of(folder: RunFolder) -> dict[str, Any]:
    """A document that plays the same: every condition with all its settings and seats, as a folder keeps them."""
    told: Mapping[str, Any] = folder.manifest.get("scenario", {})
    document: dict[str, Any] = {
        "game": folder.game,
        "title": dict(told.get("title") or {}),
        "about": dict(told.get("about") or {}),
        "seeds": list(folder.manifest.get("seeds") or [1]),
        **({"pairing": pairing} if (pairing := folder.manifest.get(EXPERIMENT, {}).get("pairing")) else {}),
        "conditions": {},
    }
    for name, one in folder.conditions.items():
        document["conditions"][name] = {
            "title": dict(one.get("title") or {}),
            "about": dict(one.get("about") or {}),
            "config": one["config"],
            "seats": {str(agent["seat"]): _agent(agent) for agent in one["agents"]},
        }
    return document


def _agent(told: Mapping[str, Any]) -> dict[str, Any]:
    """An agent as a scenario file names it."""
    if told.get("kind") == "model":
        profile = {name: value for name, value in told["profile"].items() if name != "model"}
        return {"model": told["profile"]["model"], "label": told["label"], "profile": profile}
    if told.get("kind") == "policy":
        return {"policy": told["policy"], "params": told.get("params") or {}}
    return {name: value for name, value in told.items() if name not in ("seat", "name", "role", "kind")}
