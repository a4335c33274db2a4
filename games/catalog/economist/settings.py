"""The parts of a run's settings, one for each mechanism; names and defaults are the contract's.

Source: AI Economist full domain contract 0.1; numbers that it leaves open are those of its public code.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from games.core.settings import Settings, setting

Share = Annotated[float, Field(ge=0, le=1)]
Amount = Annotated[float, Field(ge=0, le=1_000_000)]
Pair = tuple[float, float]
BRACKETS_MAX = 20


class MapSettings(Settings):
    """The grid and what lies on it."""

    height: int = setting(15, 1, 100, unit="cells")
    width: int = setting(15, 1, 100, unit="cells")
    wood_density: Share = setting(0.2, unit="probability")
    stone_density: Share = setting(0.15, unit="probability")
    resource_max_amount: Amount = setting(5.0, unit="units")
    resource_regen_rate: Amount = setting(0.1, unit="units per step")
    layout: Literal["mixed", "halves"] = setting("mixed")


class MarketSettings(Settings):
    """The central market."""

    enabled: bool = setting(True)
    transaction_fee_rate: Share = setting(0.02, unit="share")
    price_floor: Amount = setting(0.1, unit="coin per unit", gt=0)
    price_ceiling: Amount = setting(100.0, unit="coin per unit", gt=0)
    order_lifetime_steps: int = setting(1, 1, 1000, unit="steps", exclude_if=lambda steps: steps == 1)


class BuildSettings(Settings):
    """What a house takes and gives."""

    wood_cost: Amount = setting(3.0, unit="units")
    stone_cost: Amount = setting(3.0, unit="units")
    income_per_house_per_step: Amount = setting(1.0, unit="coin per step")
    max_houses_per_agent: int = setting(10, 0, 10_000, unit="houses")
    upkeep_per_house_per_step: Amount = setting(0.0, unit="coin per step", exclude_if=lambda coin: coin == 0)


class TaxSettings(Settings):
    """The first schedule and how it may change."""

    brackets: tuple[Pair, ...] = setting(
        ((0, 0.10), (10, 0.20), (25, 0.35), (50, 0.45)), min_length=1, max_length=BRACKETS_MAX
    )
    smoothing: Amount = setting(0.0, unit="coin")
    damping: Share = setting(0.3, unit="share")
    allow_non_monotone: bool = setting(False)
    redistribution: Literal["none", "lump_sum"] = setting("none")


class PlannerSettings(Settings):
    """When the planner acts, and what welfare weighs."""

    update_interval_epochs: int = setting(1, 1, 1000, unit="epochs")
    prod_weight: Amount = setting(1.0)
    ineq_weight: Amount = setting(0.5)


class GamingSettings(Settings):
    """Shifting income to the next epoch."""

    income_shifting_enabled: bool = setting(True)
    max_shift_fraction_per_epoch: Share = setting(0.3, unit="share")
    gaming_cost_fraction: Share = setting(0.05, unit="share")
    bunching_bin_width: Amount = setting(1.0, unit="coin")
    taxed_at_the_end: bool = setting(False)


class MisreportSettings(Settings):
    """Under-reporting, audits, fines and freezing."""

    enabled: bool = setting(True)
    max_underreport_fraction: Share = setting(0.5, unit="share")
    audit_probability: Share = setting(0.2, unit="probability")
    risk_based_audit_multiplier: Amount = setting(1.5, unit="times")
    fine_multiplier: Amount = setting(2.0, unit="times")
    audit_cost: Amount = setting(0.5, unit="coin")
    freeze_on_repeat: bool = setting(True)
    freeze_after_n_catches: int = setting(3, 1, 1000, unit="catches")
    freeze_duration_epochs: int = setting(2, 1, 1000, unit="epochs")


class CollusionSettings(Settings):
    """The detector of collusion and what follows a flag."""

    enabled: bool = setting(True)
    detection_window_steps: int = setting(20, 1, 1000, unit="steps")
    min_shared_steps: int = setting(8, 1, 1000, unit="steps")
    similarity_threshold: Share = setting(0.7, unit="share")
    suspicion_score_threshold: Share = setting(0.6, unit="share")
    response_audit_multiplier: float = setting(2.0, 1, 100, unit="times")
    response_trade_restriction_epochs: int = setting(1, 0, 1000, unit="epochs")
    evidence: Literal["acts", "offers"] = setting("acts")
    counted_once: bool = setting(False)
