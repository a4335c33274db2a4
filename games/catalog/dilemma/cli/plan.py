"""An experiment file checked whole: its conditions as configs with seated agents, and the seed of every run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from pydantic import ValidationError

from games.catalog.dilemma.cli.agents import Desk, Seat
from games.catalog.dilemma.cli.forms import (
    FAMILIES,
    ConditionForm,
    ExperimentForm,
    FixedForm,
    HorizonForm,
    PayoffsForm,
)
from games.catalog.dilemma.config import DilemmaConfig
from games.core.rng import Rng
from games.lab.cells import Cell
from games.lab.faults import BadScenario, Fault, among, faults_of, shown
from games.lab.finding import Shelf
from games.lab.form import check_names
from games.lab.layers import merged
from games.lab.scenario import Condition, Scenario
from games.lab.seating import Seated
from games.lab.yamlfile import read_yaml

HOME: Final = Path(__file__).parent.parent
PAYOFF_FIELDS: Final = ("temptation", "reward", "punishment", "sucker")
HORIZON_FIELDS: Final = ("horizon", "rounds", "stop_prob", "max_rounds")
COLLAPSE_FIELDS: Final = {"collapse_k": "k", "collapse_threshold": "threshold"}
GAME_FIELDS: Final = tuple(
    name for name in DilemmaConfig.model_fields if name not in (*PAYOFF_FIELDS, *HORIZON_FIELDS, *COLLAPSE_FIELDS)
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played, and how it is to be kept."""

    form: ExperimentForm
    scenario: Scenario
    agents: Mapping[str, tuple[Seat, Seat]]
    replicates: int

    @property
    def output_dir(self) -> Path:
        return Path(self.form.run.place)

    def seed(self, condition: int, replicate: int) -> int:
        """The seed of a run, by replicate alone (paired comparisons), or by condition too where pairing says so."""
        root = Rng.root(self.form.run.seed)
        if self.form.run.pairing == "common":
            return root.bits("replicate", replicate)
        return root.bits("replicate", replicate, condition)

    def cells(self) -> list[Cell]:
        """Every run, conditions in their order and replicates from 1."""
        return [
            Cell(
                self.scenario.module,
                condition.name,
                replicate,
                self.seed(number, replicate),
                condition.config.model_dump(mode="json"),
                tuple(agent.plain() for agent in condition.seats),
            )
            for number, condition in enumerate(self.scenario.conditions)
            for replicate in range(1, self.replicates + 1)
        ]

    def told(self) -> str:
        conditions = len(self.scenario.conditions)
        return f"{self.form.run.run_id}: {conditions} conditions x {self.replicates} replicates"

    def config(self, condition: str) -> DilemmaConfig:
        return next(cast(DilemmaConfig, one.config) for one in self.scenario.conditions if one.name == condition)

    def length(self, condition: str) -> str:
        config = self.config(condition)
        if config.horizon == "fixed":
            return f"{config.rounds} rounds"
        return f"geometric, stop_prob {config.stop_prob:g}"


def locate(name: str) -> Path:
    """The file that a name means here, or else in the game's own folder."""
    for path in (Path(name), HOME / name):
        if path.is_file():
            return path
    raise BadScenario([Fault(name, "", "there is no such file here, nor in the game's own folder")])


def load(name: str, replicates: int | None = None) -> Plan:
    """The plan of an experiment file; raises `BadScenario` with every fault, each with its path in its file."""
    path = locate(name)
    data = read_yaml(path, name)
    if not isinstance(data, Mapping):
        raise BadScenario([Fault(name, "", f"{shown(data)}; a mapping of keys is needed")])
    try:
        form = ExperimentForm.model_validate(data)
    except ValidationError as error:
        raise BadScenario(
            [Fault.of(name, ".".join(at), note) for at, note in faults_of(error, ExperimentForm)]
        ) from None
    if replicates is not None and not 1 <= replicates <= 100_000:
        raise BadScenario([Fault("--replicates", "", f"{replicates}; from 1 to 100000")])
    return _planned(form, name, path.parent, form.run.replicates if replicates is None else replicates)


def _planned(form: ExperimentForm, source: str, folder: Path, replicates: int) -> Plan:
    faults: list[Fault] = []
    try:
        check_names(one.name for one in form.conditions)
        names = [one.name for one in form.conditions]
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
    agents: dict[str, tuple[Seat, Seat]] = {}
    for number, one in enumerate(form.conditions):
        config = _config(form, one, source, f"conditions.{number}", faults)
        payoffs = (config or DilemmaConfig()).payoffs
        a = desk.seat(f"conditions.{number}.agent_a", one.agent_a, payoffs)
        b = desk.seat(f"conditions.{number}.agent_b", one.agent_b, payoffs)
        if config is not None and a is not None and b is not None:
            agents[one.name] = a, b
            conditions.append(Condition(one.name, config, cast(tuple[Seated, ...], (a, b))))
    if faults:
        raise BadScenario(list(dict.fromkeys(faults)))
    module = "games.catalog.dilemma"
    pack = Shelf().pack("dilemma")
    plan = Plan(form, Scenario(module, pack, form.run.run_id, {}, {}, tuple(conditions), ()), agents, replicates)
    seeds = tuple(plan.seed(0, replicate) for replicate in range(1, replicates + 1))
    scenario = Scenario(module, pack, form.run.run_id, {"en": form.run.run_id}, {}, tuple(conditions), seeds)
    return Plan(form, scenario, agents, replicates)


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
    if len(faults) > known or payoffs is None:
        return None
    settings |= payoffs | _horizon(over.horizon or form.horizon)
    settings |= {"collapse_k": form.metrics.collapse.k, "collapse_threshold": form.metrics.collapse.threshold}
    try:
        return DilemmaConfig.model_validate(settings)
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
        table = PayoffsForm.model_validate(data)
    except ValidationError as error:
        for path, note in faults_of(error, PayoffsForm):
            faults.append(Fault.of(source, ".".join((at, "payoffs", *path)), note))
        return None
    return {"temptation": table.DC[0], "reward": table.CC[0], "punishment": table.DD[0], "sucker": table.CD[0]}


def _horizon(horizon: HorizonForm) -> dict[str, Any]:
    if isinstance(horizon, FixedForm):
        return {"horizon": "fixed", "rounds": horizon.rounds}
    told: dict[str, Any] = {"horizon": "geometric", "stop_prob": horizon.stop_prob}
    return told if horizon.max_rounds is None else told | {"max_rounds": horizon.max_rounds}
