"""What a run of the mining game is set to. Every number that the source varies is a field here.

Gold is a whole number. Where productivity must differ by less than a factor of two, choose a finer unit: ``alpha`` 10
with single plots of 15 in ``alpha_map`` is gold in tenths.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from pydantic import model_validator

from games.core.answers import ConfigError
from games.core.settings import Settings, setting
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "words")


class MiningConfig(Settings):
    """Defaults are the source's baseline with ten miners."""

    words = WORDS

    miners: int = setting(10, 1, 1000, unit="miners", group="people")
    stamina: int = setting(10, 0, 1000, unit="stamina", group="people")
    stamina_each: tuple[int, ...] = setting((), unit="stamina", group="people")
    stamina_draw: tuple[int, ...] = setting((), unit="stamina", group="people")
    rows: int = setting(10, 1, 200, unit="plots", group="land")
    cols: int = setting(10, 1, 200, unit="plots", group="land")
    mine_cap: int = setting(3, 1, 1000, unit="stamina per plot", group="land")
    alpha: int = setting(1, 0, 1000, unit="gold per stamina", group="land")
    gold_mines: int = setting(0, 0, 40_000, unit="plots", group="land")
    gold_mine_factor: int = setting(3, 0, 1000, unit="times", group="land")
    alpha_map: tuple[tuple[int, ...], ...] = setting((), unit="gold per stamina", group="land")
    rounds: int = setting(200, 1, 10_000, unit="rounds", group="time")
    immunity_window: int = setting(1, 0, 10_000, unit="rounds", group="rules")
    defence: Literal["block_all", "per_point"] = setting("block_all", group="rules")
    rationalisation: Literal["off", "seeded"] = setting("off", group="rules")
    history: Literal["last", "last_k", "full"] = setting("last_k", group="information")
    history_k: int = setting(5, 1, 1000, unit="rounds", group="information")
    occupancy_summary: bool = setting(False, group="information")
    messages: int = setting(0, 0, 20, unit="messages per round", group="talk")
    message_length: int = setting(280, 1, 10_000, unit="characters", group="talk")
    raid_tax: int = setting(0, 0, 1_000_000, unit="gold per raid", group="authority")
    capture_fine: int = setting(0, 0, 1_000_000, unit="gold per capture", group="authority")
    share_out: bool = setting(False, group="authority")
    adjudication: float = setting(0.0, 0.0, 1.0, unit="probability", group="authority")

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
