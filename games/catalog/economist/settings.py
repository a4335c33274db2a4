"""The parts of a run's settings, one for each mechanism; names and defaults are the contract's.

Source: AI Economist full domain contract 0.1; numbers that it leaves open are those of its public code.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from pydantic.config import JsonDict

from games.core.settings import Settings

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Amount = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
Pair = tuple[float, float]
BRACKETS_MAX = 20


def _is(unit: str = "") -> JsonDict:
    return {"unit": unit}


class MapSettings(Settings):
    """The grid and what lies on it."""

    height: int = Field(15, ge=1, le=100, title="Height", description="Rows.", json_schema_extra=_is("cells"))
    width: int = Field(15, ge=1, le=100, title="Width", description="Columns.", json_schema_extra=_is("cells"))
    wood_density: Share = Field(
        0.2, title="Wood", description="Chance of a cell to bear wood.", json_schema_extra=_is("probability")
    )
    stone_density: Share = Field(
        0.15, title="Stone", description="Chance of a cell to bear stone.", json_schema_extra=_is("probability")
    )
    resource_max_amount: Amount = Field(
        5.0, title="Most in a cell", description="Stock of a cell at the start, and the most it regrows to.",
        json_schema_extra=_is("units"),
    )  # fmt: skip
    resource_regen_rate: Amount = Field(
        0.1, title="Regrowth", description="What each resource cell gains at the start of each step.",
        json_schema_extra=_is("units per step"),
    )  # fmt: skip


class MarketSettings(Settings):
    """The central market."""

    enabled: bool = Field(True, title="Open", description="Whether orders are taken.")
    transaction_fee_rate: Share = Field(
        0.02, title="Fee", description="Share of the price that each side pays to the treasury.",
        json_schema_extra=_is("share"),
    )  # fmt: skip
    price_floor: Amount = Field(
        0.1, gt=0, title="Lowest price", description="Lower prices are raised to it.",
        json_schema_extra=_is("coin per unit"),
    )  # fmt: skip
    price_ceiling: Amount = Field(
        100.0, gt=0, title="Highest price", description="Higher prices are lowered to it.",
        json_schema_extra=_is("coin per unit"),
    )  # fmt: skip


class BuildSettings(Settings):
    """What a house takes and gives."""

    wood_cost: Amount = Field(3.0, title="Wood", description="Wood in a house.", json_schema_extra=_is("units"))
    stone_cost: Amount = Field(3.0, title="Stone", description="Stone in a house.", json_schema_extra=_is("units"))
    income_per_house_per_step: Amount = Field(
        1.0, title="House income", description="Coin that a house pays its owner in every step, its first among them.",
        json_schema_extra=_is("coin per step"),
    )  # fmt: skip
    max_houses_per_agent: int = Field(
        10, ge=0, le=10_000, title="Most houses", description="Houses that one worker may own.",
        json_schema_extra=_is("houses"),
    )  # fmt: skip


class TaxSettings(Settings):
    """The first schedule and how it may change."""

    brackets: tuple[Pair, ...] = Field(
        ((0, 0.10), (10, 0.20), (25, 0.35), (50, 0.45)), min_length=1, max_length=BRACKETS_MAX, title="Brackets",
        description="Threshold in coin and marginal rate of each bracket, a pair a line. The first begins at 0.",
    )  # fmt: skip
    smoothing: Amount = Field(
        0.0, title="Smoothing", description="Width of the sigmoid at each bracket's edge; 0: hard edges.",
        json_schema_extra=_is("coin"),
    )  # fmt: skip
    damping: Share = Field(
        0.3, title="Damping", description="Share of the old rate that stays when the planner sets a new one.",
        json_schema_extra=_is("share"),
    )  # fmt: skip
    allow_non_monotone: bool = Field(
        False, title="Falling rates", description="Whether a higher bracket may have a lower rate (U-shaped schedules)."
    )
    redistribution: Literal["none", "lump_sum"] = Field(
        "none", title="Redistribution",
        description="none: the treasury keeps what it takes. lump_sum: it is shared equally at each epoch's end.",
    )  # fmt: skip


class PlannerSettings(Settings):
    """When the planner acts, and what welfare weighs."""

    update_interval_epochs: int = Field(
        1, ge=1, le=1000, title="Interval", description="Epochs between two turns of the planner.",
        json_schema_extra=_is("epochs"),
    )  # fmt: skip
    prod_weight: Amount = Field(1.0, title="Weight of production", description="Factor on mean income in welfare.")
    ineq_weight: Amount = Field(0.5, title="Weight of inequality", description="Factor on income Gini in welfare.")


class GamingSettings(Settings):
    """Shifting income to the next epoch."""

    income_shifting_enabled: bool = Field(True, title="Shifting", description="Whether income may be deferred.")
    max_shift_fraction_per_epoch: Share = Field(
        0.3, title="Most", description="Share of an epoch's income that may be deferred, over all shifts of the epoch.",
        json_schema_extra=_is("share"),
    )  # fmt: skip
    gaming_cost_fraction: Share = Field(
        0.05, title="Friction", description="Share of deferred income that is lost.", json_schema_extra=_is("share")
    )
    bunching_bin_width: Amount = Field(
        1.0, title="Bunching width", description="How far below a threshold an income counts as bunched.",
        json_schema_extra=_is("coin"),
    )  # fmt: skip


class MisreportSettings(Settings):
    """Under-reporting, audits, fines and freezing."""

    enabled: bool = Field(True, title="Misreporting", description="Whether workers may report less than they earned.")
    max_underreport_fraction: Share = Field(
        0.5, title="Most hidden", description="Largest share of income that can be hidden.",
        json_schema_extra=_is("share"),
    )  # fmt: skip
    audit_probability: Share = Field(
        0.2, title="Audits", description="Base chance that a misreport is audited.",
        json_schema_extra=_is("probability"),
    )  # fmt: skip
    risk_based_audit_multiplier: Amount = Field(
        1.5, title="Risk", description="How much more likely an audit is, per share of income hidden.",
        json_schema_extra=_is("times"),
    )  # fmt: skip
    fine_multiplier: Amount = Field(
        2.0, title="Fine", description="Fine of who is caught, in times the evaded tax.",
        json_schema_extra=_is("times"),
    )  # fmt: skip
    audit_cost: Amount = Field(
        0.5, title="Cost of an audit", description="What each audit counts for in enforcement cost; nobody pays it.",
        json_schema_extra=_is("coin"),
    )  # fmt: skip
    freeze_on_repeat: bool = Field(True, title="Freezing", description="Whether repeat offenders are frozen.")
    freeze_after_n_catches: int = Field(
        3, ge=1, le=1000, title="Catches", description="Catches from which on a worker is frozen (N).",
        json_schema_extra=_is("catches"),
    )  # fmt: skip
    freeze_duration_epochs: int = Field(
        2, ge=1, le=1000, title="Frozen for", description="Whole epochs that a freeze lasts (M).",
        json_schema_extra=_is("epochs"),
    )  # fmt: skip


class CollusionSettings(Settings):
    """The detector of collusion and what follows a flag."""

    enabled: bool = Field(True, title="Detector", description="Whether action traces are compared.")
    detection_window_steps: int = Field(
        20, ge=1, le=1000, title="Window", description="Last steps that are compared.", json_schema_extra=_is("steps")
    )
    min_shared_steps: int = Field(
        8, ge=1, le=1000, title="Shared steps",
        description="Fewest steps of the window in which both must have acted; above the window nobody is flagged.",
        json_schema_extra=_is("steps"),
    )  # fmt: skip
    similarity_threshold: Share = Field(
        0.7, title="Similarity", description="Least share of shared steps with the same action.",
        json_schema_extra=_is("share"),
    )  # fmt: skip
    suspicion_score_threshold: Share = Field(
        0.6, title="Suspicion", description="Least agreement beyond chance (kappa) for a flag.",
        json_schema_extra=_is("share"),
    )  # fmt: skip
    response_audit_multiplier: float = Field(
        2.0, ge=1, le=100, allow_inf_nan=False, title="Audit boost",
        description="Each flag adds this less 1 to a worker's audit boost, up to 5; halved each epoch without one.",
        json_schema_extra=_is("times"),
    )  # fmt: skip
    response_trade_restriction_epochs: int = Field(
        1, ge=0, le=1000, title="Trade ban", description="Whole epochs in which flagged workers may place no orders.",
        json_schema_extra=_is("epochs"),
    )  # fmt: skip
