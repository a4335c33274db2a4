"""The law on dead settings: what a preset varies changes what somebody does, or the preset says why it cannot.

A preset varies its conditions beside the control, and the settings that a condition has otherwise than the game by
default. Both sides are played by the preset's own seats, models' mocks among them, until an action differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest
from typing import Any, Final, TypeAlias

from pydantic import ValidationError

from games.core import codec
from games.core.game import Step
from games.lab.folders.calllog import CallLog
from games.lab.folders.playing import spec_steps
from games.lab.folders.runspec import RunSpec
from games.lab.scenarios.scenario import Condition, Scenario
from games.lab.scenarios.seating import ModelSeat, PolicyAgent, Seated
from games.laws.case import Case
from games.laws.probing import probed, written
from games.laws.settings import changed, config_paths, is_only_told, others

SEEDS: Final = 5
"""So many runs are compared before a setting counts as dead."""
CONDITIONS: Final = 3
VALUES: Final = 8
STEPS: Final = 40
"""So many conditions of a preset, values in each, and steps are tried for a setting that moves nobody by default."""


@dataclass(frozen=True, slots=True)
class Varied:
    """What a preset varies: a condition or a setting by its ``name``, the first step at which somebody acts otherwise
    (None: nobody does), and the reason that the preset gives for that ("": none)."""

    name: str
    step: int | None
    reason: str


def varied(scenario: Scenario, seeds: int = SEEDS, steps: int | None = None) -> Iterator[Varied]:
    """Each condition beside the control, then each setting of a condition beside the default.

    ``seeds, steps``  how much of the runs is compared where a reason says that nothing differs; None: all steps.
                      Where no reason is given, all of up to `SEEDS` runs, until an action differs
    """
    own = scenario.seeds if len(scenario.seeds) >= SEEDS else range(1, SEEDS + 1)
    for name, pairs in _sides(scenario):
        reason = scenario.inert.get(name, "")
        runs, most = (seeds, steps) if reason else (SEEDS, None)
        first = next(pairs, None)
        if first is None:
            continue
        found = (_differs(scenario, *pair, seed, most) for pair in chain([first], pairs) for seed in own[:runs])
        yield Varied(name, next((at for at in found if at is not None), None), reason)


def dead(scenario: Scenario, seeds: int = SEEDS, steps: int | None = None) -> list[str]:
    """What is wrong: names that move nobody and have no reason, and reasons of names that do or are not varied."""
    found = list(varied(scenario, seeds, steps))
    names = {one.name for one in found}
    why = [_wrong(one) for one in found]
    return [
        *filter(None, why),
        *(f"inert.{name}: the preset does not vary it" for name in scenario.inert.keys() - names),
    ]


def _wrong(one: Varied) -> str:
    if one.step is None:
        return (
            "" if one.reason else f"{one.name}: nobody acts otherwise; say why in inert, or seat somebody who heeds it"
        )
    return (
        f"inert.{one.name}: is given a reason, but somebody acts otherwise from step {one.step}" if one.reason else ""
    )


def elsewhere(scenarios: Sequence[Scenario], cases: Sequence[Case], setting: str) -> str:
    """Of a setting that moves nobody by default: where it moves somebody, and from which step; else the reason that a
    preset or the game gives, or that it is only told or measured; "" where it is dead.

    Of each preset's first run `STEPS` steps are compared, and of the settings that the game's laws are tried with
    `SEEDS` runs of each policy; ``cases`` are the presets as laws take them.
    """
    for scenario in scenarios:
        step = moved_in(scenario, setting, STEPS)
        if step is not None:
            return f"in {scenario.name}, from step {step}"
    pack = cases[0].pack
    cheap = [name for name, policy in pack.policies.items() if not policy.reckons]
    for sample in ({}, *pack.config_samples):
        for seed in range(1, SEEDS + 1):
            config = pack.game.config_type.model_validate(sample)
            (moved,) = probed(pack, config, cheap, seed, STEPS, [setting])
            if moved.by_policy:
                where = ", ".join(f"{name} {value}" for name, value in sample.items()) or f"seed {seed}"
                return f"in {where}, from step {min(moved.by_policy.values())}"
    reasons = (scenario.inert.get(setting) for scenario in scenarios)
    if reason := next(filter(None, reasons), None) or pack.unheeded.get(setting):
        return reason
    return "only what is told or measured" if is_only_told(cases, setting) else ""


def moved_in(scenario: Scenario, setting: str, steps: int) -> int | None:
    """The first step at which the preset's own seats act otherwise, in its first run, for another value of a setting.

    Conditions that have it otherwise than the game by default come first, beside that; then `VALUES` values are tried.
    """
    kind = scenario.pack.game.config_type
    annotation = dict(config_paths(kind))[setting]
    usual = {one.name: _usual(scenario, one, setting) for one in scenario.conditions}
    for one in sorted(scenario.conditions, key=lambda one: usual[one.name] is None)[:CONDITIONS]:
        sides = [other for other in [usual[one.name]] if other is not None]
        data = written(one.config)
        for value in others(data, (setting,), annotation):
            if len(sides) == VALUES:
                break
            with suppress(ValidationError):
                sides.append(replace(one, config=kind.model_validate(changed(data, (setting,), value))))
        steps_found = (_differs(scenario, one, other, scenario.seeds[0], steps) for other in sides)
        if (found := next((step for step in steps_found if step is not None), None)) is not None:
            return found
    return None


Pair: TypeAlias = tuple[Condition, Condition]


def _sides(scenario: Scenario) -> Iterator[tuple[str, Iterator[Pair]]]:
    """By name what is held against what. The pairs of a round robin are no treatments."""
    experiment, conditions = scenario.experiment, scenario.conditions
    if experiment is None or experiment.robin is None:
        control = next((one for one in conditions if experiment and one.name == experiment.control), conditions[0])
        yield from ((one.name, iter([(control, one)])) for one in conditions if one is not control)
    for name in scenario.pack.game.config_type.model_fields:
        yield name, _reset(scenario, name)


def _reset(scenario: Scenario, setting: str) -> Iterator[Pair]:
    for one in scenario.conditions:
        other = _usual(scenario, one, setting)
        if other is not None:
            yield one, other


def _usual(scenario: Scenario, one: Condition, setting: str) -> Condition | None:
    """The condition with one setting as the game has it by default; None where it has it so, or is refused then."""
    kind = scenario.pack.game.config_type
    ours, usual = (config.model_dump(mode="json") for config in (one.config, kind()))
    if setting not in ours or setting not in usual or ours[setting] == usual[setting]:
        return None
    try:
        return replace(one, config=kind.model_validate({**ours, setting: usual[setting]}))
    except ValidationError:
        return None


def _differs(scenario: Scenario, one: Condition, other: Condition, seed: int, steps: int | None) -> int | None:
    """The first step whose actions differ; 0 where the seats do; None where none does."""
    roles = [[spec.role for spec in scenario.pack.game.seats(side.config)] for side in (one, other)]
    if roles[0] != roles[1]:
        return 0
    sides = (islice(_told(scenario, side, seed), None if steps is None else steps + 1) for side in (one, other))
    return next((at for at, (ours, theirs) in enumerate(zip_longest(*sides)) if ours != theirs), None)


def _told(scenario: Scenario, side: Condition, seed: int) -> Iterator[bytes]:
    """What everybody does, step by step."""
    pack, config = scenario.pack, side.config
    agents = tuple(_playing(agent) for agent in side.seats)
    spec = RunSpec(scenario.module, side.name, 1, seed, config.model_dump(mode="json"), agents)
    steps: Iterator[Step[Any, Any]] = spec_steps(pack, config, spec, CallLog(None, None))
    kind = pack.game.action_type
    for step in steps:
        yield codec.canonical({str(seat): codec.dump(kind, action) for seat, action in step.actions.items()})


def _playing(agent: Seated) -> Mapping[str, Any]:
    """Policies and mock models play themselves; for whoever cannot be asked here its policy does."""
    if isinstance(agent, PolicyAgent) or (isinstance(agent, ModelSeat) and agent.profile.model.startswith("mock/")):
        return agent.plain()
    return PolicyAgent(agent.policy, agent.params).plain()
