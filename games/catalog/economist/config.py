"""What a run of the economist is set to, validated as a whole, and the same in the units of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, model_validator
from pydantic.config import JsonDict

from games.catalog.economist.money import micro
from games.catalog.economist.settings import (
    Amount,
    BuildSettings,
    CollusionSettings,
    GamingSettings,
    MapSettings,
    MarketSettings,
    MisreportSettings,
    PlannerSettings,
    TaxSettings,
)
from games.catalog.economist.tax import Schedule, fault_in, schedule_of
from games.catalog.economist.terms import Terms
from games.core.answers import ConfigError
from games.core.settings import Settings
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "words")
Skill = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
Coalition = Annotated[str, Field(max_length=24, pattern=r"^[\w-]*$")]


def _is(group: str, unit: str = "") -> JsonDict:
    return {"group": group, "unit": unit}


class EconomistConfig(Settings):
    """Defaults are those of the public code's default scenario; its workers are all alike here."""

    workers: int = Field(
        14, ge=1, le=500, title="Workers", description="Workers in the economy; the planner sits after them.",
        json_schema_extra=_is("people", "workers"),
    )  # fmt: skip
    skill_gather: tuple[Skill, ...] = Field(
        (), title="Skill by worker", description="Units that each worker gathers at a time, in seat order; empty: 1.",
        json_schema_extra=_is("people", "units"),
    )  # fmt: skip
    coalitions: tuple[Coalition, ...] = Field(
        (), title="Coalition by worker",
        description="Name of each worker's coalition, in seat order; empty: in none. The detector is not told.",
        json_schema_extra=_is("people"),
    )  # fmt: skip
    starting_coin: Amount = Field(
        10.0, title="Coin at the start", description="Coin that each worker begins with.",
        json_schema_extra=_is("people", "coin"),
    )  # fmt: skip
    sight: int = Field(
        2, ge=0, le=100, title="Sight", description="Cells that a worker sees each way.",
        json_schema_extra=_is("people", "cells"),
    )  # fmt: skip
    epochs: int = Field(
        20, ge=1, le=1000, title="Epochs", description="Tax periods in a run.",
        json_schema_extra=_is("time", "epochs"),
    )  # fmt: skip
    steps_per_epoch: int = Field(
        15, ge=1, le=1000, title="Steps per epoch", description="Steps of all workers before taxes fall due.",
        json_schema_extra=_is("time", "steps"),
    )  # fmt: skip
    energy_per_step: Amount = Field(
        10.0, title="Energy", description="What a worker has when its energy is refilled, and the most it can have.",
        json_schema_extra=_is("energy", "energy"),
    )  # fmt: skip
    energy_refill: Literal["epoch", "step"] = Field(
        "epoch", title="Refilled", description="epoch: at each epoch's end. step: before each step.",
        json_schema_extra=_is("energy"),
    )  # fmt: skip
    energy_cost_move: Amount = Field(
        1.0, title="Move", description="Energy of a move.", json_schema_extra=_is("energy", "energy")
    )
    energy_cost_gather: Amount = Field(
        1.0, title="Gather", description="Energy of gathering once.", json_schema_extra=_is("energy", "energy")
    )
    energy_cost_trade: Amount = Field(
        0.5, title="Order", description="Energy of an order, filled or not.", json_schema_extra=_is("energy", "energy")
    )
    energy_cost_build: Amount = Field(
        2.0, title="Build", description="Energy of building a house.", json_schema_extra=_is("energy", "energy")
    )
    map: MapSettings = Field(
        MapSettings(), title="Map", description="The grid and what lies on it.", json_schema_extra=_is("world")
    )
    market: MarketSettings = Field(
        MarketSettings(), title="Market", description="The central market.", json_schema_extra=_is("world")
    )
    build: BuildSettings = Field(
        BuildSettings(), title="Houses", description="What a house takes and gives.", json_schema_extra=_is("world")
    )
    taxation: TaxSettings = Field(
        TaxSettings(), title="Tax", description="The first schedule and how it may change.",
        json_schema_extra=_is("state"),
    )  # fmt: skip
    planner: PlannerSettings = Field(
        PlannerSettings(), title="Planner", description="When it acts, and what welfare weighs.",
        json_schema_extra=_is("state"),
    )  # fmt: skip
    gaming: GamingSettings = Field(
        GamingSettings(), title="Shifting", description="Deferring income to the next epoch.",
        json_schema_extra=_is("state"),
    )  # fmt: skip
    misreporting: MisreportSettings = Field(
        MisreportSettings(), title="Misreporting", description="Under-reporting, audits, fines and freezing.",
        json_schema_extra=_is("state"),
    )  # fmt: skip
    collusion: CollusionSettings = Field(
        CollusionSettings(), title="Collusion", description="The detector and what follows a flag.",
        json_schema_extra=_is("state"),
    )  # fmt: skip

    @model_validator(mode="after")
    def _lists_fit_the_workers(self) -> EconomistConfig:
        for name, given in (("skill_gather", self.skill_gather), ("coalitions", self.coalitions)):
            if given and len(given) != self.workers:
                raise ConfigError(WORDS.fault("list_length", field=name, given=len(given), workers=self.workers))
        return self

    @model_validator(mode="after")
    def _parts_fit_together(self) -> EconomistConfig:
        lowest, highest = self.market.price_floor, self.market.price_ceiling
        if lowest > highest:
            raise ConfigError(WORDS.fault("price_order", lowest=lowest, highest=highest))
        wood, stone = self.map.wood_density, self.map.stone_density
        if wood + stone > 1 + 1e-9:
            raise ConfigError(WORDS.fault("densities", wood=wood, stone=stone))
        fault = fault_in(self.taxation.brackets, self.taxation.allow_non_monotone)
        if fault is not None:
            raise ConfigError(WORDS.fault(fault.kind, **fault.data))
        return self

    @cached_property
    def terms(self) -> Terms:
        """These settings in the units of the rules."""
        build, market = self.build, self.market
        return Terms(
            rows=self.map.height,
            cols=self.map.width,
            stock_max=micro(self.map.resource_max_amount),
            regrowth=micro(self.map.resource_regen_rate),
            skills=tuple(micro(skill) for skill in self.skill_gather) or (micro(1),) * self.workers,
            coin=micro(self.starting_coin),
            energy=micro(self.energy_per_step),
            refills_each_step=self.energy_refill == "step",
            cost_move=micro(self.energy_cost_move),
            cost_gather=micro(self.energy_cost_gather),
            cost_trade=micro(self.energy_cost_trade),
            cost_build=micro(self.energy_cost_build),
            house_wood=micro(build.wood_cost),
            house_stone=micro(build.stone_cost),
            house_income=micro(build.income_per_house_per_step),
            houses_max=build.max_houses_per_agent,
            price_floor=micro(market.price_floor),
            price_ceiling=micro(market.price_ceiling),
            fee=micro(market.transaction_fee_rate),
            shift_max=micro(self.gaming.max_shift_fraction_per_epoch),
            friction=micro(self.gaming.gaming_cost_fraction),
            hidden_max=micro(self.misreporting.max_underreport_fraction),
            damping=micro(self.taxation.damping),
            smoothing=self.taxation.smoothing,
        )

    @cached_property
    def schedule(self) -> Schedule:
        """The first schedule."""
        return schedule_of(self.taxation.brackets)

    @cached_property
    def allies(self) -> Mapping[int, tuple[int, ...]]:
        """The other members of each worker's coalition; only of workers in one."""
        members: dict[str, list[int]] = {}
        for seat, name in enumerate(self.coalitions):
            members.setdefault(name, []).append(seat)
        return {
            seat: tuple(other for other in members[name] if other != seat)
            for seat, name in enumerate(self.coalitions)
            if name
        }

    def coalition(self, worker: int) -> str:
        """The name of a worker's coalition, "" for none."""
        return self.coalitions[worker] if self.coalitions else ""
