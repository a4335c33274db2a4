"""What a run of the nations game is set to. Every constant of the source is a field; each round may have its own."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, model_validator

from games.catalog.nations.money import has_two_decimals, hundredths
from games.catalog.nations.settings import MILS_MAX, Goal, Needs, RoundChange, shown_in
from games.catalog.nations.terms import MONEY, RoundRules, dealt
from games.core.answers import ConfigError
from games.core.settings import Settings
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "words")
NAMES: Final = (
    "Aldor", "Brevia", "Corvane", "Dessaly", "Estrel", "Fenwick", "Galdria", "Hespera", "Istria", "Jorvik",
    "Kelmar", "Lorana",
)  # fmt: skip
"""What nations are called, in seat order; later ones go by number."""


class NationsConfig(Settings):
    """Defaults are the source's typical values, with four nations."""

    nations: int = Field(
        4, ge=2, le=200, title="Nations", description="How many nations there are.",
        json_schema_extra=shown_in("world", "nations"),
    )  # fmt: skip
    territories: int = Field(
        20, ge=1, le=2000, title="Territories",
        description="Territories of the world, dealt evenly in seat order (c_num_of_territories).",
        json_schema_extra=shown_in("world", "territories"),
    )  # fmt: skip
    holdings: tuple[tuple[int, ...], ...] = Field(
        (), title="Territories by nation",
        description="The territories that each nation begins with, numbered from 1. Empty: dealt evenly.",
        json_schema_extra=shown_in("world"),
    )  # fmt: skip
    armies: tuple[int, ...] = Field(
        (), title="Armies", description="The army that each nation begins with. Empty: none has any.",
        json_schema_extra=shown_in("world", "mils"),
    )  # fmt: skip
    borders: tuple[tuple[int, int], ...] = Field(
        (), title="Borders",
        description="Pairs of neighbouring territories. With any, a territory can be ceded only to a nation that owns "
        "a neighbour of it. Empty: to any nation.", json_schema_extra=shown_in("world"),
    )  # fmt: skip
    rounds: int = Field(
        1, ge=1, le=1000, title="Rounds", description="Rounds of the run. Each begins anew.",
        json_schema_extra=shown_in("time", "rounds"),
    )  # fmt: skip
    turns: int = Field(
        12, ge=1, le=10_000, title="Turns", description="Turns of each round.",
        json_schema_extra=shown_in("time", "turns"),
    )  # fmt: skip
    changes: tuple[RoundChange, ...] = Field(
        (), title="Changes by round", description="What is different in the first round, the second, and on.",
        json_schema_extra=shown_in("time"),
    )  # fmt: skip
    money_per_territory: float = Field(
        10, ge=0, le=1e6, allow_inf_nan=False, title="Money per territory",
        description="Gross income of a territory in a turn (c_money_per_territory).",
        json_schema_extra=shown_in("money", "money"),
    )  # fmt: skip
    mil_purchase_price: float = Field(
        20, ge=0, le=1e6, allow_inf_nan=False, title="Price of a mil",
        description="Money that a new mil costs (c_mil_purchase_price).", json_schema_extra=shown_in("money", "money"),
    )  # fmt: skip
    mil_upkeep_price: float = Field(
        2, ge=0, le=1e6, allow_inf_nan=False, title="Upkeep of a mil",
        description="Money that a mil costs in each turn (c_mil_upkeep_price).",
        json_schema_extra=shown_in("money", "money"),
    )  # fmt: skip
    trade_factor: float = Field(
        2, ge=0, le=1000, allow_inf_nan=False, title="Trade factor",
        description="How many times a grant arrives as welfare (c_trade_factor).",
        json_schema_extra=shown_in("money", "times"),
    )  # fmt: skip
    income_at: Literal["start", "end"] = Field(
        "start", title="Income goes to",
        description="start: whoever owns a territory at the start of the turn. end: whoever owns it after cessions.",
        json_schema_extra=shown_in("money"),
    )  # fmt: skip
    damage_per_attack_mil: float = Field(
        10, ge=0, le=1e6, allow_inf_nan=False, title="Damage of a mil",
        description="Money that an attacking mil destroys (c_damage_per_attack_mil).",
        json_schema_extra=shown_in("war", "money"),
    )  # fmt: skip
    defense_destroy_factor: float = Field(
        4, ge=0.01, le=1e6, allow_inf_nan=False, title="Defence factor",
        description="Defending mils that it takes to destroy one attacking mil (c_defense_destroy_factor).",
        json_schema_extra=shown_in("war", "mils"),
    )  # fmt: skip
    losses: Literal["each", "shared"] = Field(
        "each", title="Losses",
        description="each: every attacking force meets the whole defence. shared: attackers share what it destroys.",
        json_schema_extra=shown_in("war"),
    )  # fmt: skip
    cut_off: Literal["in_order", "in_proportion"] = Field(
        "in_order", title="Attacks beyond the army",
        description="in_order: cut off in the order listed. in_proportion: all scaled down alike.",
        json_schema_extra=shown_in("war"),
    )  # fmt: skip
    violence_penalty: float = Field(
        1, ge=0, le=1e6, allow_inf_nan=False, title="Violence penalty",
        description="Money that each attack anywhere costs every nation for each of its territories "
        "(c_violence_penalty).", json_schema_extra=shown_in("war", "money"),
    )  # fmt: skip
    penalty: Literal["per_attack", "flat"] = Field(
        "per_attack", title="Penalty counts",
        description="per_attack: every attack on the board. flat: once, if there is any attack at all.",
        json_schema_extra=shown_in("war"),
    )  # fmt: skip
    resources: Needs | None = Field(
        None, title="Resources",
        description="Energy, minerals and food, without which territories earn less. Empty: the plain game.",
        json_schema_extra=shown_in("resources"),
    )  # fmt: skip
    goals: tuple[Goal, ...] = Field(
        (), title="Bad actors", description="Nations that want something else than their people's welfare.",
        json_schema_extra=shown_in("people"),
    )  # fmt: skip
    messages: int = Field(
        4, ge=0, le=50, title="Messages", description="How many messages a nation may send in a turn. 0: no talk.",
        json_schema_extra=shown_in("talk", "messages"),
    )  # fmt: skip
    message_length: int = Field(
        280, ge=1, le=10_000, title="Message length", description="The longest message.",
        json_schema_extra=shown_in("talk", "characters"),
    )  # fmt: skip
    messages_seen: Literal["own", "all"] = Field(
        "own", title="Messages seen by", description="own: whoever they are sent to. all: every nation.",
        json_schema_extra=shown_in("information"),
    )  # fmt: skip
    attacks_seen: Literal["all", "own"] = Field(
        "all", title="Attacks seen by", description="all: every nation. own: the two that are part of them.",
        json_schema_extra=shown_in("information"),
    )  # fmt: skip
    armies_seen: Literal["own", "all"] = Field(
        "own", title="Armies seen by", description="own: their nation. all: every nation.",
        json_schema_extra=shown_in("information"),
    )  # fmt: skip
    welfare_seen: Literal["own", "all"] = Field(
        "own", title="Welfare seen by", description="own: its nation. all: every nation, with the breakdown of income.",
        json_schema_extra=shown_in("information"),
    )  # fmt: skip
    end_known: bool = Field(
        True, title="End known", description="Whether nations know how many turns and rounds there are.",
        json_schema_extra=shown_in("information"),
    )  # fmt: skip

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
    def goal_of(self) -> dict[int, Goal]:
        """The bad actors' goals by seat."""
        return {goal.seat: goal for goal in self.goals}


def rules_of(config: NationsConfig, number: int) -> RoundRules:
    """The numbers of a round, from 1."""
    return config.by_round[min(number, len(config.by_round)) - 1]


def _gathered(config: NationsConfig, change: RoundChange) -> RoundRules:
    def value(name: str) -> Any:
        own = getattr(change, name)
        return getattr(config, name) if own is None else own

    return RoundRules(
        turns=value("turns"),
        holdings=value("holdings") or dealt(config.nations, config.territories),
        armies=value("armies") or (0,) * config.nations,
        income=hundredths(value("money_per_territory")),
        price=hundredths(value("mil_purchase_price")),
        upkeep=hundredths(value("mil_upkeep_price")),
        damage=hundredths(value("damage_per_attack_mil")),
        defence=hundredths(value("defense_destroy_factor")),
        penalty=hundredths(value("violence_penalty")),
        trade=hundredths(value("trade_factor")),
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
