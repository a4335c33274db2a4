"""An experiment file read part by part: what cannot be read is told and left out, and the rest is looked at too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from games.errors.faults import BadScenario, Fault, faults_of, shown
from games.lab.pdbench.forms import ExperimentForm
from games.lab.scenarios.layers import strictly

STAND_INS: Final[Mapping[str, Any]] = {
    "run": {"run_id": "unread"},
    "game": {},
    "horizon": {"type": "fixed", "rounds": 1},
    "metrics": {},
}
OF_A_CONDITION: Final[Mapping[str, Any]] = {"agent_a": {"ref": ""}, "agent_b": {"ref": ""}, "overrides": {}}


@dataclass(slots=True)
class Read:
    """``form`` holds stand-ins for the parts that ``faults`` tell of; agents in ``unread`` are stand-ins too."""

    form: ExperimentForm
    faults: list[Fault] = field(default_factory=list)
    unread: set[tuple[int, str]] = field(default_factory=set)
    """Conditions by number, and which of their parts."""


def read(data: Any, source: str) -> Read:
    """Raises `BadScenario` where the file has no conditions to look at."""
    if not isinstance(data, Mapping):
        raise BadScenario([Fault(source, "", f"{shown(data)}; a mapping of keys is needed")])
    try:
        return Read(strictly(ExperimentForm, data))
    except ValidationError as error:
        notes = faults_of(error, ExperimentForm)
    faults = [Fault.of(source, ".".join(path), note) for path, note in notes]
    whole: dict[str, Any] = {str(key): value for key, value in data.items()}
    conditions = whole.get("conditions")
    if (
        not isinstance(conditions, list)
        or not conditions
        or not all(isinstance(condition, Mapping) for condition in conditions)
    ):
        raise BadScenario(faults)
    patched = [{str(key): value for key, value in condition.items()} for condition in conditions]
    unread: set[tuple[int, str]] = set()
    for path, _ in notes:
        if path[0] == "conditions" and len(path) > 2:
            number, key = int(path[1]), path[2]
            _patch(patched[number], key, {**OF_A_CONDITION, "name": f"unread-{number}"})
            unread.add((number, key))
        else:
            _patch(whole, path[0], STAND_INS)
    whole["conditions"] = patched
    try:
        return Read(strictly(ExperimentForm, whole), faults, unread)
    except ValidationError:
        raise BadScenario(faults) from None


def _patch(part: dict[str, Any], key: str, stand_ins: Mapping[str, Any]) -> None:
    """A stand-in for what cannot be read; what is unknown goes."""
    if key in stand_ins:
        part[key] = stand_ins[key]
    else:
        part.pop(key, None)
