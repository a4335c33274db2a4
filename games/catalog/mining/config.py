"""What a run of the mining game is set to. Every number that the source varies is a field here.

Gold is a whole number. Where productivity must differ by less than a factor of two, choose a finer unit: ``alpha`` 10
with single plots of 15 in ``alpha_map`` is gold in tenths.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, model_validator

from games.core.answers import ConfigError
from games.core.settings import Settings
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "words")


def _shown(group: str, unit: str = "") -> dict[str, Any]:
    return {"group": group, "unit": unit}


class MiningConfig(Settings):
    """Defaults are the source's baseline with ten miners."""

    miners: int = Field(
        10,
        ge=1,
        le=1000,
        title="Miners",
        description="How many miners share the land (N).",
        json_schema_extra=_shown("people", "miners"),
    )
    stamina: int = Field(
        10,
        ge=0,
        le=1000,
        title="Stamina",
        description="What each miner may spend in a round (S). Nothing carries over.",
        json_schema_extra=_shown("people", "stamina"),
    )
    stamina_each: tuple[int, ...] = Field(
        (),
        title="Stamina by miner",
        description="One budget for each miner, in seat order, in place of the common one. Empty: all alike.",
        json_schema_extra=_shown("people", "stamina"),
    )
    stamina_draw: tuple[int, ...] = Field(
        (),
        title="Stamina drawn between",
        description="Lowest and highest budget; each miner's is drawn from the seed. Empty: all alike.",
        json_schema_extra=_shown("people", "stamina"),
    )
    rows: int = Field(
        10, ge=1, le=200, title="Rows", description="Rows of the grid.", json_schema_extra=_shown("land", "plots")
    )
    cols: int = Field(
        10, ge=1, le=200, title="Columns", description="Columns of the grid.", json_schema_extra=_shown("land", "plots")
    )
    mine_cap: int = Field(
        3,
        ge=1,
        le=1000,
        title="Mining cap",
        description="The most stamina that one plot can use in one round (M_CAP).",
        json_schema_extra=_shown("land", "stamina per plot"),
    )
    alpha: int = Field(
        1,
        ge=0,
        le=1000,
        title="Productivity",
        description="Gold for each stamina that is mined.",
        json_schema_extra=_shown("land", "gold per stamina"),
    )
    gold_mines: int = Field(
        0,
        ge=0,
        le=40_000,
        title="Gold mines",
        description="How many plots, drawn from the seed, yield more than the others.",
        json_schema_extra=_shown("land", "plots"),
    )
    gold_mine_factor: int = Field(
        3,
        ge=0,
        le=1000,
        title="Gold mine factor",
        description="How many times the productivity a gold mine has.",
        json_schema_extra=_shown("land", "times"),
    )
    alpha_map: tuple[tuple[int, ...], ...] = Field(
        (),
        title="Map of productivity",
        description="Gold per stamina of every plot, row by row, in place of the three fields above. Empty: not used.",
        json_schema_extra=_shown("land", "gold per stamina"),
    )
    rounds: int = Field(
        200,
        ge=1,
        le=10_000,
        title="Rounds",
        description="The horizon (R). Everybody knows it.",
        json_schema_extra=_shown("time", "rounds"),
    )
    immunity_window: int = Field(
        1,
        ge=0,
        le=10_000,
        title="Immunity window",
        description="For how many rounds a claimed plot cannot be raided, the round of the claim among them. "
        "At 0 an unowned plot may be raided in case somebody claims it in the same round.",
        json_schema_extra=_shown("rules", "rounds"),
    )
    defence: Literal["block_all", "per_point"] = Field(
        "block_all",
        title="Defence",
        description="block_all: one stamina repels every raid on the plot. per_point: each stamina offsets one raid.",
        json_schema_extra=_shown("rules"),
    )
    rationalisation: Literal["off", "seeded"] = Field(
        "off",
        title="Rationalisation",
        description="seeded: an answer that cannot be read, or of which nothing legal is left, "
        "is replaced by a plan drawn from the seed. off: such a miner does nothing.",
        json_schema_extra=_shown("rules"),
    )
    history: Literal["last", "last_k", "full"] = Field(
        "last_k",
        title="History",
        description="Which earlier rounds' public events a miner is shown: the last, the last K, or all.",
        json_schema_extra=_shown("information"),
    )
    history_k: int = Field(
        5,
        ge=1,
        le=1000,
        title="K",
        description="How many rounds last_k shows, and the rolling summary covers at most.",
        json_schema_extra=_shown("information", "rounds"),
    )
    occupancy_summary: bool = Field(
        False,
        title="Occupancy summary",
        description="Show the ownership map to models as a short code of runs in place of the whole map.",
        json_schema_extra=_shown("information"),
    )
    messages: int = Field(
        0,
        ge=0,
        le=20,
        title="Messages",
        description="How many messages a miner may send with each plan. 0: no talk.",
        json_schema_extra=_shown("talk", "messages per round"),
    )
    message_length: int = Field(
        280,
        ge=1,
        le=10_000,
        title="Message length",
        description="The longest message.",
        json_schema_extra=_shown("talk", "characters"),
    )
    raid_tax: int = Field(
        0,
        ge=0,
        le=1_000_000,
        title="Raid tax",
        description="Gold that each executed raid costs its raider, as far as the raider has any.",
        json_schema_extra=_shown("authority", "gold per raid"),
    )
    capture_fine: int = Field(
        0,
        ge=0,
        le=1_000_000,
        title="Capture fine",
        description="Gold that each captured plot costs its captor, as far as the captor has any.",
        json_schema_extra=_shown("authority", "gold per capture"),
    )
    share_out: bool = Field(
        False,
        title="Share out",
        description="Whether taxes and fines are shared out equally at the end of each round; else they are kept.",
        json_schema_extra=_shown("authority"),
    )
    adjudication: float = Field(
        0.0,
        ge=0.0,
        le=1.0,
        allow_inf_nan=False,
        title="Adjudication",
        description="The chance that a captured plot goes back to its first possessor at the end of the round.",
        json_schema_extra=_shown("authority", "probability"),
    )

    @model_validator(mode="after")
    def _stamina_is_given_once(self) -> MiningConfig:
        if self.stamina_each and self.stamina_draw:
            raise ConfigError(WORDS.fault("stamina_twice"))
        if self.stamina_each and len(self.stamina_each) != self.miners:
            raise ConfigError(WORDS.fault("budget_count", given=len(self.stamina_each), miners=self.miners))
        if self.stamina_draw and len(self.stamina_draw) != 2:
            raise ConfigError(WORDS.fault("draw_count", given=len(self.stamina_draw)))
        for name, budgets in (("stamina_each", self.stamina_each), ("stamina_draw", self.stamina_draw)):
            for budget in budgets:
                if not 0 <= budget <= 1000:
                    raise ConfigError(WORDS.fault("budget_range", field=name, budget=budget))
        if self.stamina_draw and self.stamina_draw[0] > self.stamina_draw[1]:
            lowest, highest = self.stamina_draw
            raise ConfigError(WORDS.fault("draw_order", lowest=lowest, highest=highest))
        return self

    @model_validator(mode="after")
    def _land_fits_the_grid(self) -> MiningConfig:
        if self.gold_mines > self.plots:
            raise ConfigError(WORDS.fault("too_many_mines", mines=self.gold_mines, plots=self.plots))
        if not self.alpha_map:
            return self
        if self.gold_mines or self.alpha != 1:
            raise ConfigError(WORDS.fault("map_beside"))
        if len(self.alpha_map) != self.rows:
            raise ConfigError(WORDS.fault("map_rows", given=len(self.alpha_map), rows=self.rows))
        for row, values in enumerate(self.alpha_map):
            if len(values) != self.cols:
                raise ConfigError(WORDS.fault("map_columns", row=row, given=len(values), cols=self.cols))
            for value in values:
                if not 0 <= value <= 1_000_000:
                    raise ConfigError(WORDS.fault("map_value", value=value, row=row))
        return self

    @cached_property
    def plots(self) -> int:
        """How many plots the grid has."""
        return self.rows * self.cols

    @property
    def history_rounds(self) -> int | None:
        """How many earlier rounds are visible; None means all."""
        return {"last": 1, "last_k": self.history_k, "full": None}[self.history]
