"""What a run of the economist is set to, validated as a whole, and the same in the units of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

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
from games.core.settings import Settings, setting
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "words")
Skill = Annotated[float, Field(gt=0, le=1000)]
Coalition = Annotated[str, Field(max_length=24, pattern=r"^[\w-]*$")]


class EconomistConfig(Settings):
    """Defaults are those of the public code's default scenario; its workers are all alike here."""

    words = WORDS

    workers: int = setting(14, 1, 500, unit="workers", group="people")
    skill_gather: tuple[Skill, ...] = setting((), unit="units", group="people")
    skill_build: tuple[Skill, ...] = setting((), unit="times", group="people", exclude_if=lambda skills: not skills)
    coalitions: tuple[Coalition, ...] = setting((), group="people")
    starting_coin: Amount = setting(10.0, unit="coin", group="people")
    sight: int = setting(2, 0, 100, unit="cells", group="people")
    epochs: int = setting(20, 1, 1000, unit="epochs", group="time")
    steps_per_epoch: int = setting(15, 1, 1000, unit="steps", group="time")
    energy_per_step: Amount = setting(10.0, unit="energy", group="energy")
    energy_refill: Literal["epoch", "step"] = setting("epoch", group="energy")
    energy_cost_move: Amount = setting(1.0, unit="energy", group="energy")
    energy_cost_gather: Amount = setting(1.0, unit="energy", group="energy")
    energy_cost_trade: Amount = setting(0.5, unit="energy", group="energy")
    energy_cost_build: Amount = setting(2.0, unit="energy", group="energy")
    map: MapSettings = setting(MapSettings(), group="world")
    market: MarketSettings = setting(MarketSettings(), group="world")
    build: BuildSettings = setting(BuildSettings(), group="world")
    taxation: TaxSettings = setting(TaxSettings(), group="state")
    planner: PlannerSettings = setting(PlannerSettings(), group="state")
    gaming: GamingSettings = setting(GamingSettings(), group="state")
    misreporting: MisreportSettings = setting(MisreportSettings(), group="state")
    collusion: CollusionSettings = setting(CollusionSettings(), group="state")

    @model_validator(mode="after")
    def _lists_fit_the_workers(self) -> EconomistConfig:
        for name in ("skill_gather", "skill_build", "coalitions"):
            given = getattr(self, name)
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
        if self.map.layout == "halves" and (self.map.width < 2 or max(wood, stone) > 0.5):
            raise ConfigError(WORDS.fault("halves", width=self.map.width, wood=wood, stone=stone))
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
            rents=tuple(
                micro(build.income_per_house_per_step * skill) - micro(build.upkeep_per_house_per_step)
                for skill in self.skill_build or (1.0,) * self.workers
            ),
            houses_max=build.max_houses_per_agent,
            price_floor=micro(market.price_floor),
            price_ceiling=micro(market.price_ceiling),
            order_lifetime=market.order_lifetime_steps,
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
