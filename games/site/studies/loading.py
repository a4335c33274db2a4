"""A study file read: arms laid over steps, every scenario loaded, every fault found before the first subject comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from games.core import codec
from games.core.instructions import Act, instructions
from games.errors.faults import BadScenario, Fault, Refused, faults_of, no_such
from games.errors.sentences import said
from games.lab.scenarios.layers import merged
from games.lab.scenarios.yamlfile import parse_yaml, read_yaml
from games.site.studies.form import Step, StudyForm
from games.site.studies.matching import perfect_rounds
from games.site.studies.planning import FILE_NAME, Stop, assigned_at, plan_faults, plan_of
from games.site.studies.playing import SOURCE, group_size, scenario_of, silo_of
from games.site.studies.plugging import written_out

KINDS: Final = frozenset({"policy", "model", "recording", "person", "program", "ref"})
"""Of agents, as a seat names them."""


@dataclass(frozen=True, eq=False)
class Study:
    """A checked study: the form, its data with texts in place of files, and the steps of each arm by name.

    ``at``      the step at which arms are drawn
    ``groups``  by arm the first play from there on, and how many wait for one another in it
    """

    form: StudyForm
    document: Mapping[str, Any]
    arms: Mapping[str, Mapping[str, Step]]
    at: str
    groups: Mapping[str, tuple[str, int]]

    @property
    def hash(self) -> str:
        return codec.digest(self.document)

    def step(self, arm: str, name: str) -> Step:
        return self.arms[arm or next(iter(self.arms))][name]

    def names(self) -> list[str]:
        return list(self.form.steps)

    def is_drawn(self, name: str) -> bool:
        """Whether whoever comes to a step has an arm, or is given one there."""
        return self.names().index(name) >= self.names().index(self.at)

    def plan(self, arm: str) -> list[Stop]:
        """The way through an arm, step by step."""
        return plan_of(self.form, self.arms, arm, self.at)


def is_study(path: str) -> bool:
    """Whether a file is a study's: a mapping with the key ``study``."""
    found = Path(path)
    if found.suffix not in (".yaml", ".yml") or not found.is_file():
        return False
    data = read_yaml(found, path)
    return isinstance(data, Mapping) and "study" in data


def study_file(path: str) -> Study:
    """A study from its file; texts that name files (``consent.md``) are read beside it. Raises `BadScenario`."""
    found = Path(path)
    return study_read(_with_texts(read_yaml(found, path), found.parent), path)


def study_text(text: str, source: str = SOURCE) -> Study:
    """A study from the text of its file; it names no other files. Raises `BadScenario`."""
    return study_read(parse_yaml(text, source), source)


def study_read(data: Any, source: str = SOURCE, *, is_kept: bool = False) -> Study:
    """A study from its data; raises `BadScenario` with every fault.

    ``is_kept``: one that a site already holds is not held to what files are held to since.
    """
    if not isinstance(data, Mapping):
        raise BadScenario([Fault.of(source, "", said("study_mapping"))])
    document, data = dict(data), _alike(data, source)
    if not is_kept and any(isinstance(one, Mapping) and one.get("plug") for one in _raw_steps(data).values()):
        document = data = dict(written_out(data, source))
    try:
        form = StudyForm.model_validate(data)
    except ValidationError as error:
        raise BadScenario(
            [Fault.of(source, ".".join(path), note) for path, note in faults_of(error, StudyForm)]
        ) from None
    faults: list[Fault] = []
    arms = {arm: _steps_of(data, arm, changes, source, faults) for arm, changes in form.arms.items()}
    _check_names(form, source, faults)
    if not faults:
        _check_pictures(form, arms, source, faults)
    for arm, steps in arms.items():
        for name, step in steps.items():
            at = f"arms.{arm}.{name}" if form.arms[arm].get(name) else f"steps.{name}"
            _check_step(at, step, source, faults)
    at = "" if faults else assigned_at(form, arms)
    if not faults and not is_kept:
        faults += plan_faults(form, arms, at, source)
    if faults:
        raise BadScenario(list(dict.fromkeys(faults)))
    return Study(form, document, arms, at, _groups(form, arms, at))


def _alike(data: Mapping[str, Any], source: str) -> Mapping[str, Any]:
    """The data with each step that is like an earlier one written out."""
    steps: dict[str, Any] = {}
    for name, step in _raw_steps(data).items():
        if isinstance(step, Mapping) and (like := step.get("like")) is not None:
            if like not in steps:
                raise BadScenario([Fault.of(source, f"steps.{name}.like", no_such(str(like), steps))])
            step = merged(steps[like], {key: value for key, value in step.items() if key != "like"})
        steps[name] = step
    return {**data, "steps": steps} if steps else data


def _raw_steps(data: Mapping[str, Any]) -> Mapping[str, Any]:
    raw = data.get("steps")
    return raw if isinstance(raw, Mapping) else {}


def _groups(form: StudyForm, arms: Mapping[str, Mapping[str, Step]], at: str) -> dict[str, tuple[str, int]]:
    names = list(form.steps)
    later = names[names.index(at) :]
    plays = {arm: [name for name in later if name in steps and steps[name].is_play] for arm, steps in arms.items()}
    return {arm: (found[0], silo_of(arms[arm][found[0]])) for arm, found in plays.items() if found}


def _steps_of(
    data: Mapping[str, Any], arm: str, changes: Mapping[str, Any], source: str, faults: list[Fault]
) -> dict[str, Step]:
    steps: dict[str, Step] = {}
    for name, change in changes.items():
        if {"plug", "with", "plugged"} & set(change):
            faults.append(Fault.of(source, f"arms.{arm}.{name}", said("study_plug_arm")))
        if name not in data["steps"]:
            faults.append(Fault.of(source, f"arms.{arm}.{name}", no_such(name, data["steps"])))
    for name, raw in data["steps"].items():
        try:
            step = Step.model_validate(merged(_reseated(raw, changes.get(name, {})), changes.get(name, {})))
        except ValidationError as error:
            at = f"arms.{arm}.{name}"
            faults += [Fault.of(source, ".".join((at, *path)), note) for path, note in faults_of(error, Step)]
            continue
        if step.only is None or arm in step.only:
            steps[name] = step
    return steps


def _reseated(raw: Any, changes: Mapping[str, Any]) -> Any:
    """A step without the seats in which an arm seats another kind of agent: that one is all that sits there then."""
    ours, theirs = raw.get("seats") if isinstance(raw, Mapping) else None, changes.get("seats")
    if not isinstance(ours, Mapping) or not isinstance(theirs, Mapping):
        return raw

    def kinds(agent: Any) -> set[str]:
        return set(KINDS & set(agent)) if isinstance(agent, Mapping) else set()

    others = {seat for seat, agent in theirs.items() if kinds(agent) - kinds(ours.get(seat))}
    return {**raw, "seats": {seat: agent for seat, agent in ours.items() if seat not in others}}


def _check_names(form: StudyForm, source: str, faults: list[Fault]) -> None:
    if form.assign.at is not None and form.assign.at not in form.steps:
        faults.append(Fault.of(source, "assign.at", no_such(form.assign.at, form.steps)))
    for label, arm in form.assign.fixed.items():
        if arm not in form.arms:
            faults.append(Fault.of(source, f"assign.fixed.{label}", no_such(arm, form.arms)))
    for name, step in form.steps.items():
        for arm in step.only or ():
            if arm not in form.arms:
                faults.append(Fault.of(source, f"steps.{name}.only", no_such(arm, form.arms)))
        if step.rules is not None and not (step.rules in form.steps and form.steps[step.rules].is_play):
            plays = [one for one, each in form.steps.items() if each.is_play]
            faults.append(Fault.of(source, f"steps.{name}.rules", no_such(step.rules, plays)))


def _check_pictures(form: StudyForm, arms: Mapping[str, Mapping[str, Step]], source: str, faults: list[Fault]) -> None:
    """A question's picture is one of an act of a match of the study."""
    if not any(one.picture for step in form.steps.values() for one in step.ask.values()):
        return
    known = sorted({act.picture for steps in arms.values() for step in steps.values() for act in acts_of(step)})
    for name, step in form.steps.items():
        for asked, one in step.ask.items():
            if one.picture is not None and one.picture not in known:
                faults.append(Fault.of(source, f"steps.{name}.ask.{asked}.picture", no_such(one.picture, known)))


def acts_of(step: Step) -> tuple[Act, ...]:
    """What a person may do in a play step, as its instructions say it; none in another step, or where it is faulty."""
    if not step.is_play:
        return ()
    try:
        scenario = scenario_of(step)
    except Refused:
        return ()
    condition, teller = scenario.conditions[0], scenario.pack.instructions
    seat = next((index for index, agent in enumerate(condition.seats) if agent.kind == "person"), None)
    if teller is None or seat is None:
        return ()
    return instructions(scenario.pack.game, teller, condition.config, seat, "en").acts


def _check_step(at: str, step: Step, source: str, faults: list[Fault]) -> None:
    if not step.is_play:
        return
    try:
        size = group_size(step)
        if step.gather.fill is not None:
            scenario_of(step, step.gather.fill)
    except Refused as error:
        faults += [
            Fault(source, f"{at}.{one.path}" if one.path else f"{at}.scenario", one.message, one.note)
            for one in error.faults
        ]
        return
    if size == 0:
        faults.append(Fault.of(source, f"{at}.seats", said("study_no_person")))
        return
    silo = step.silo or size
    if silo % size:
        faults.append(Fault.of(source, f"{at}.silo", said("study_silo", silo=silo, size=size)))
    elif step.match == "perfect" and step.repeat > perfect_rounds(silo, size):
        most = perfect_rounds(silo, size)
        note = said("study_perfect", rounds=step.repeat, silo=silo, size=size, most=most)
        faults.append(Fault.of(source, f"{at}.repeat", note))


def _with_texts(data: Any, folder: Path) -> Any:
    """The data with each text that names a file beside the study, or below, replaced by what that file holds."""
    if isinstance(data, Mapping):
        return {key: _with_texts(value, folder) for key, value in data.items()}
    if isinstance(data, list):
        return [_with_texts(value, folder) for value in data]
    if isinstance(data, str) and FILE_NAME.fullmatch(data) and _is_below(folder, data):
        return (folder / data).read_text(encoding="utf-8")
    return data


def _is_below(folder: Path, name: str) -> bool:
    found = (folder / name).resolve()
    return found.is_file() and found.is_relative_to(folder.resolve())
