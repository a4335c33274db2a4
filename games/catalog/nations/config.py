"""What a run of the nations game is set to. Every constant of the source is a field; each round may have its own."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import model_validator

from games.catalog.nations.money import has_two_decimals, hundredths
from games.catalog.nations.settings import MILS_MAX, Goal, Needs, RoundChange
from games.catalog.nations.terms import MONEY, RoundRules, dealt
from games.core.answers import ConfigError
from games.core.settings import Settings, setting
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "words")
NAMES: Final = (
    "Aldor", "Brevia", "Corvane", "Dessaly", "Estrel", "Fenwick", "Galdria", "Hespera", "Istria", "Jorvik",
    "Kelmar", "Lorana",
)  # fmt: skip
"""What nations are called, in seat order; later ones go by number."""


class NationsConfig(Settings):
    """Defaults are the source's typical values, with four nations."""

    words = WORDS

    nations: int = setting(4, 2, 200, unit="nations", group="world")
    territories: int = setting(20, 1, 2000, unit="territories", group="world")
    holdings: tuple[tuple[int, ...], ...] = setting((), group="world")
    armies: tuple[int, ...] = setting((), unit="mils", group="world")
    borders: tuple[tuple[int, int], ...] = setting((), group="world")
    rounds: int = setting(1, 1, 1000, unit="rounds", group="time")
    turns: int = setting(12, 1, 10_000, unit="turns", group="time")
    changes: tuple[RoundChange, ...] = setting((), group="time")
    money_per_territory: float = setting(10, 0, 1e6, unit="money", group="money")
    mil_purchase_price: float = setting(20, 0, 1e6, unit="money", group="money")
    mil_upkeep_price: float = setting(2, 0, 1e6, unit="money", group="money")
    trade_factor: float = setting(2, 0, 1000, unit="times", group="money")
    income_at: Literal["start", "end"] = setting("start", group="money")
    damage_per_attack_mil: float = setting(10, 0, 1e6, unit="money", group="war")
    defense_destroy_factor: float = setting(4, 0.01, 1e6, unit="mils", group="war")
    losses: Literal["each", "shared"] = setting("each", group="war")
    cut_off: Literal["in_order", "in_proportion"] = setting("in_order", group="war")
    violence_penalty: float = setting(1, 0, 1e6, unit="money", group="war")
    penalty: Literal["per_attack", "flat"] = setting("per_attack", group="war")
    resources: Needs | None = setting(None, group="resources")
    goals: tuple[Goal, ...] = setting((), group="people")
    messages: int = setting(4, 0, 50, unit="messages", group="talk")
    message_length: int = setting(280, 1, 10_000, unit="characters", group="talk")
    messages_seen: Literal["own", "all"] = setting("own", group="information")
    attacks_seen: Literal["all", "own"] = setting("all", group="information")
    armies_seen: Literal["own", "all"] = setting("own", group="information")
    welfare_seen: Literal["own", "all"] = setting("own", group="information")
    end_known: bool = setting(True, group="information")

    @model_validator(mode="after")
    def _each_round_has_its_world(self) -> NationsConfig:
        if len(self.changes) > self.rounds:
            raise ConfigError(WORDS.fault("too_many_changes", given=len(self.changes), rounds=self.rounds))
        for rules in self.by_round:
            _check_holdings(self, rules.holdings)
            if len(rules.armies) != self.nations or not all(0 <= army <= MILS_MAX for army in rules.armies):
                raise ConfigError(WORDS.fault("armies", given=len(rules.armies), nations=self.nations))
        for one, other in self.borders:
            if one == other or not (1 <= one <= self.territories and 1 <= other <= self.territories):
                raise ConfigError(WORDS.fault("border", one=one, other=other, last=self.territories))
        for layer in (self, *self.changes):
            for name in MONEY:
                amount = getattr(layer, name)
                if amount is not None and not has_two_decimals(amount):
                    raise ConfigError(WORDS.fault("decimals", field=name, value=amount))
        return self

    @model_validator(mode="after")
    def _goals_can_be_scored(self) -> NationsConfig:
        seats = [goal.seat for goal in self.goals]
        for goal in self.goals:
            if goal.seat >= self.nations or seats.count(goal.seat) > 1:
                raise ConfigError(WORDS.fault("goal_seat", seat=goal.seat, last=self.nations - 1))
            if goal.kind == "rival" and (goal.rival == goal.seat or goal.rival not in range(self.nations)):
                raise ConfigError(WORDS.fault("goal_rival", seat=goal.seat, last=self.nations - 1))
            known = set(range(1, self.territories + 1))
            if goal.kind == "heritage" and not (goal.heritage and set(goal.heritage) <= known):
                raise ConfigError(WORDS.fault("goal_heritage", seat=goal.seat, last=self.territories))
        return self

    @model_validator(mode="after")
    def _deposits_fit(self) -> NationsConfig:
        given = self.resources.provided if self.resources else ()
        if given and (len(given) != self.territories or min(min(each) for each in given) < 0):
            raise ConfigError(WORDS.fault("provided", given=len(given), territories=self.territories))
        return self

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The nations by seat."""
        return tuple(NAMES[seat] if seat < len(NAMES) else f"Nation-{seat + 1}" for seat in range(self.nations))

    @cached_property
    def by_round(self) -> tuple[RoundRules, ...]:
        """The numbers of each round that has changes, and of those after it."""
        return tuple(_gathered(self, change) for change in (*self.changes, RoundChange()))

    @cached_property
    def told_by_round(self) -> tuple[RoundRules, ...]:
        """The same as every seat may know them: no end that is not told, and nobody's first army that is not seen."""
        told: dict[str, object] = {} if self.end_known else {"turns": 0}
        told |= {} if self.armies_seen == "all" else {"armies": ()}
        return tuple(rules.model_copy(update=told) for rules in self.by_round)

    @cached_property
    def goal_of(self) -> dict[int, Goal]:
        """The bad actors' goals by seat."""
        return {goal.seat: goal for goal in self.goals}


def rules_of(config: NationsConfig, number: int) -> RoundRules:
    """The numbers of a round, from 1."""
    return config.by_round[min(number, len(config.by_round)) - 1]


def told_of(config: NationsConfig, number: int) -> RoundRules:
    """The numbers of a round, from 1, as every seat may know them."""
    return config.told_by_round[min(number, len(config.told_by_round)) - 1]


def _gathered(config: NationsConfig, change: RoundChange) -> RoundRules:
    def value(name: str) -> Any:
        own = getattr(change, name)
        return getattr(config, name) if own is None else own

    return RoundRules(
        turns=value("turns"),
        holdings=value("holdings") or dealt(config.nations, config.territories),
        armies=value("armies") or (0,) * config.nations,
        **{short: hundredths(value(name)) for name, short in MONEY.items()},
    )


def provided_by(config: NationsConfig, number: int) -> tuple[tuple[int, ...], ...]:
    """Resources that each territory provides in a turn of a round; () without the option."""
    needs = config.resources
    if needs is None:
        return ()
    if needs.provided:
        return needs.provided
    if needs.deposits == "even":
        return (needs.each,) * config.territories
    found: list[tuple[int, ...]] = [()] * config.territories
    for seat, block in enumerate(rules_of(config, number).holdings):
        own = tuple(3 * need if kind == seat % 3 else 0 for kind, need in enumerate(needs.each))
        for territory in block:
            found[territory - 1] = own
    return tuple(found)


def _check_holdings(config: NationsConfig, holdings: tuple[tuple[int, ...], ...]) -> None:
    if len(holdings) != config.nations:
        raise ConfigError(WORDS.fault("holdings_count", given=len(holdings), nations=config.nations))
    every = sorted(territory for block in holdings for territory in block)
    if every != list(range(1, config.territories + 1)):
        raise ConfigError(WORDS.fault("holdings_cover", territories=config.territories))
