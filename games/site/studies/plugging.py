"""Steps that packages bring (`games.core.plugs`): pages of questions like any other, written out when a file is read.

So what a study asks stands whole in its document with the package's version and digest; a study that is held goes on
where the package is gone, only what it would have scored is missing then.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from games.core import plugs
from games.errors.faults import BadScenario, Fault, faults_of
from games.errors.requests import BadRequest
from games.errors.sentences import said
from games.site.studies.form import Step

log = logging.getLogger(__name__)
UNSCORED = "unscored"
"""Beside the answers of a visit: why the package could not score them."""
RESERVED = frozenset({UNSCORED, "wrong"})


def written_out(data: Mapping[str, Any], source: str) -> Mapping[str, Any]:
    """A study's data with the questions of each step that a package brings; raises `BadScenario` by its name."""
    steps = data.get("steps")
    if not isinstance(steps, Mapping):
        return data
    found = {
        name: _page(step, f"steps.{name}", source) if isinstance(step, Mapping) and step.get("plug") else step
        for name, step in steps.items()
    }
    return {**data, "steps": found}


def _page(raw: Mapping[str, Any], at: str, source: str) -> Mapping[str, Any]:
    if odd := sorted({"ask", "agree", "rules"} & set(raw)) if "plugged" not in raw else []:
        raise BadScenario([Fault.of(source, at, said("study_plug_key", keys=odd))])
    try:
        plug, step = plugs.loaded_one("steps", str(raw["plug"]))
    except plugs.BrokenPlug as error:
        raise BadScenario([Fault.of(source, f"{at}.plug", said("study_plug", why=str(error)))]) from None
    try:
        page = json.loads(json.dumps(step.page(step.settings.model_validate(raw.get("with", {})))))
        stores = {str(name): str(means) for name, means in step.stores.items()}
        if clash := (RESERVED | page["ask"].keys()) & stores.keys():
            raise ValueError(f"it stores {sorted(clash)[0]}, which is the name of an answer")
    except ValidationError as error:
        notes = faults_of(error, step.settings)
        raise BadScenario([Fault.of(source, ".".join((f"{at}.with", *path)), note) for path, note in notes]) from None
    except Exception as error:
        raise BadScenario([Fault.of(source, f"{at}.plug", said("study_plug", why=str(plug.fault(error))))]) from error
    told = {"package": plug.package, "version": plug.version, "digest": plug.digest, "stores": stores}
    return {**page, **raw, "ask": page["ask"], "plugged": told}


def check_plugs(steps: Mapping[str, Step]) -> None:
    """Raises `BadRequest` with the name of the first step whose package is missing or broken."""
    for name, step in steps.items():
        if step.plug is not None:
            try:
                plugs.loaded_one("steps", step.plug)
            except plugs.BrokenPlug as error:
                raise BadRequest("step_missing", f"steps.{name}.plug: {error}", f"steps.{name}.plug") from None


def scored(step: Step, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Answers with what the step's package scores of them; nobody's way ends where it cannot."""
    if step.plug is None or step.plugged is None:
        return dict(answers)
    try:
        plug, found = plugs.loaded_one("steps", step.plug)
        try:
            scores = found.score(found.settings.model_validate(step.given), dict(answers))
            kept = json.loads(json.dumps({name: scores.get(name) for name in step.plugged.stores}, allow_nan=False))
        except Exception as error:
            raise plug.fault(error) from error
    except plugs.BrokenPlug as error:
        log.error("%s; the answers are kept without what it scores", error)
        return {**answers, UNSCORED: str(error)}
    return {**answers, **kept}
