"""An experiment file checked whole: its conditions as configs with seated agents, and the seed of every run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

from pydantic import ValidationError

from games.catalog.dilemma.config import DilemmaConfig
from games.core.registry import Registry
from games.core.rng import Rng
from games.errors.faults import BadScenario, Fault, among, faults_of
from games.lab.pdbench.agents import Desk, Seated
from games.lab.pdbench.forms import (
    FAMILIES,
    ConditionForm,
    ExperimentForm,
    FixedForm,
    HorizonForm,
    PayoffsForm,
)
from games.lab.pdbench.reading import Read, read
from games.lab.scenarios.form import check_names
from games.lab.scenarios.layers import merged, strictly
from games.lab.scenarios.scenario import Condition, Scenario
from games.lab.scenarios.seating import Seated as Sitting
from games.lab.scenarios.yamlfile import read_yaml

HOME: Final = Path(__file__).parent
MODULE: Final = "games.catalog.dilemma"
PAYOFF_FIELDS: Final = ("temptation", "reward", "punishment", "sucker")
HORIZON_FIELDS: Final = ("horizon", "rounds", "stop_prob", "max_rounds")
COLLAPSE_FIELDS: Final = {"collapse_k": "k", "collapse_threshold": "threshold"}
ELSEWHERE: Final = (*PAYOFF_FIELDS, *HORIZON_FIELDS, *COLLAPSE_FIELDS, "labels")
"""Settings that stand in other parts of a file, and the labels: its prompts and its parser know C and D alone."""
GAME_FIELDS: Final = tuple(name for name in DilemmaConfig.model_fields if name not in ELSEWHERE)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played, and how it is to be kept."""

    form: ExperimentForm
    scenario: Scenario
    agents: Mapping[str, tuple[Seated, Seated]]
    replicates: int

    out: Path | None = None

    @property
    def output_dir(self) -> Path:
        return Path(self.form.run.place) if self.out is None else self.out

    def summary(self) -> str:
        conditions = len(self.scenario.conditions)
        return f"{self.form.run.run_id}: {conditions} conditions x {self.replicates} replicates"

    def config(self, condition: str) -> DilemmaConfig:
        return next(cast(DilemmaConfig, each.config) for each in self.scenario.conditions if each.name == condition)

    def length(self, condition: str) -> str:
        config = self.config(condition)
        if config.horizon == "fixed":
            return f"{config.rounds} rounds"
        return f"geometric, stop_prob {config.stop_prob:g}"


def locate(name: str) -> Path:
    """The file that a name means here, or else in the folder of `pdbench`."""
    for path in (Path(name), HOME / name):
        if path.is_file():
            return path
    raise BadScenario([Fault(name, "", "there is no such file here, nor in the folder of pdbench")])


def load(name: str, replicates: int | None = None, out: Path | None = None) -> Plan:
    """The plan of an experiment file; raises `BadScenario` with every fault, each with its path in its file."""
    path = locate(name)
    written = read(read_yaml(path, name), name)
    if replicates is not None and not 1 <= replicates <= 100_000:
        written.faults.append(Fault("--replicates", "", f"{replicates}; from 1 to 100000"))
    return _planned(written, name, path.parent, written.form.run.replicates if replicates is None else replicates, out)


def _planned(written: Read, source: str, folder: Path, replicates: int, out: Path | None) -> Plan:
    form, faults = written.form, written.faults
    try:
        check_names(condition.name for condition in form.conditions)
        names = [condition.name for condition in form.conditions]
        twice = next((name for number, name in enumerate(names) if name in names[:number]), None)
        if twice is not None:
            raise ValueError(f"{twice!r} stands twice; names must differ")
    except ValueError as error:
        faults.append(Fault(source, "conditions", str(error)))
    for number, measure in enumerate(form.metrics.names):
        if measure not in FAMILIES:
            faults.append(Fault(source, f"metrics.names.{number}", f"{measure!r}; {among(measure, FAMILIES)}"))
    desk = Desk(source, folder, form.run.keeps, faults)
    conditions: list[Condition] = []
    agents: dict[str, tuple[Seated, Seated]] = {}
    for number, condition in enumerate(form.conditions):
        config = _config(form, condition, source, f"conditions.{number}", faults)
        payoffs = (config or DilemmaConfig()).payoffs
        seated = [
            desk.seat(f"conditions.{number}.{key}", ref, payoffs)
            for key, ref in (("agent_a", condition.agent_a), ("agent_b", condition.agent_b))
            if (number, key) not in written.unread
        ]
        a, b = seated if len(seated) == 2 else (None, None)
        if config is not None and a is not None and b is not None:
            agents[condition.name] = a, b
            conditions.append(Condition(condition.name, config, cast(tuple[Sitting, ...], (a, b))))
    if faults:
        raise BadScenario(list(dict.fromkeys(faults)))
    title = {"en": form.run.run_id}
    if form.run.pairing == "independent":
        conditions = [replace(condition, seeds=_seeds(form, replicates, n)) for n, condition in enumerate(conditions)]
    seeds = conditions[0].seeds or _seeds(form, replicates)
    scenario = Scenario(MODULE, Registry().get("dilemma"), form.run.run_id, title, {}, tuple(conditions), seeds)
    return Plan(form, scenario, agents, replicates, out)


def _seeds(form: ExperimentForm, replicates: int, condition: int | None = None) -> tuple[int, ...]:
    """The seeds of the replicates: common to all conditions (paired comparisons), or a condition's own."""
    root, own = Rng.root(form.run.seed), () if condition is None else (condition,)
    return tuple(root.bits("replicate", replicate, *own) for replicate in range(1, replicates + 1))


def _config(
    form: ExperimentForm, condition: ConditionForm, source: str, at: str, faults: list[Fault]
) -> DilemmaConfig | None:
    """The condition's config: the file's game and horizon, the condition's over them, the collapse of the metrics."""
    over = condition.overrides
    game = merged(form.game, over.game)
    in_game = f"{at}.overrides.game" if over.game else "game"
    in_horizon = f"{at}.overrides.horizon" if over.horizon else "horizon"
    settings: dict[str, Any] = {name: value for name, value in game.items() if name != "payoffs"}
    known = len(faults)
    for name in settings:
        if name not in GAME_FIELDS:
            where = in_game if name in over.game else "game"
            faults.append(Fault(source, f"{where}.{name}", f"unknown; {among(name, ['payoffs', *GAME_FIELDS])}"))
    payoffs = _payoffs(game.get("payoffs", {}), source, f"{in_game if 'payoffs' in over.game else 'game'}", faults)
    settings = {name: value for name, value in settings.items() if name in GAME_FIELDS}
    settings |= (payoffs or {}) | _horizon(over.horizon or form.horizon)
    settings |= {"collapse_k": form.metrics.collapse.k, "collapse_threshold": form.metrics.collapse.threshold}
    try:
        config = strictly(DilemmaConfig, settings)
        return config if len(faults) == known else None
    except ValidationError as error:
        for path, note in faults_of(error, DilemmaConfig):
            field = path[0] if path else ""
            if field in HORIZON_FIELDS:
                place = f"{in_horizon}.{field}"
            elif field in COLLAPSE_FIELDS:
                place = f"metrics.collapse.{COLLAPSE_FIELDS[field]}"
            elif field in GAME_FIELDS:
                place = f"{in_game if field in over.game else 'game'}.{field}"
            else:
                place = f"{in_game if 'payoffs' in over.game else 'game'}.payoffs"
            faults.append(Fault.of(source, place, note))
        return None


def _payoffs(data: Any, source: str, at: str, faults: list[Fault]) -> dict[str, Any] | None:
    try:
        table = strictly(PayoffsForm, data)
    except ValidationError as error:
        for path, note in faults_of(error, PayoffsForm):
            faults.append(Fault.of(source, ".".join((at, "payoffs", *path)), note))
        return None
    return {"temptation": table.DC[0], "reward": table.CC[0], "punishment": table.DD[0], "sucker": table.CD[0]}


def _horizon(horizon: HorizonForm) -> dict[str, Any]:
    if isinstance(horizon, FixedForm):
        return {"horizon": "fixed", "rounds": horizon.rounds}
    settings: dict[str, Any] = {"horizon": "geometric", "stop_prob": horizon.stop_prob}
    return settings if horizon.max_rounds is None else settings | {"max_rounds": horizon.max_rounds}
