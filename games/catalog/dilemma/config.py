"""The settings of a match, each with its bounds and what it changes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from games.core.answers import ConfigError
from games.core.game import Number
from games.core.settings import Settings
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "words")

Move: TypeAlias = Literal["C", "D"]
Horizon: TypeAlias = Literal["fixed", "geometric"]
Fallback: TypeAlias = Literal["C", "D", "repeat", "void"]
Labels: TypeAlias = Literal["letters", "neutral", "framed"]

LONGEST = 10_000
"""Rounds that a match may have at most."""
DECIMALS = 3
"""Decimal places of a payoff: few enough that every total is exact to 1e-9 in any order of adding."""


class Payoffs(NamedTuple):
    """What one round pays a player, by Axelrod's letters."""

    temptation: Number
    reward: Number
    punishment: Number
    sucker: Number

    def of(self, own: Move, other: Move) -> Number:
        """The payoff of who played ``own`` against ``other``."""
        if own == "C":
            return self.reward if other == "C" else self.sucker
        return self.temptation if other == "C" else self.punishment


class Length(NamedTuple):
    """How long a match is, or what may be known of it; None where hidden or not applicable."""

    horizon: Horizon | None
    rounds: int | None
    stop_prob: float | None


HIDDEN: Final = Length(None, None, None)


def _exact(value: Number) -> Number:
    if round(value, DECIMALS) != value:
        raise ConfigError(WORDS.fault("too_many_decimals", value=str(value), decimals=DECIMALS))
    return int(value) if value == int(value) else value


PayoffNumber = Annotated[
    int | float,
    Field(ge=-1000, le=1000, allow_inf_nan=False),
    AfterValidator(_exact),
    WithJsonSchema({"type": "number", "minimum": -1000, "maximum": 1000, "multipleOf": 0.001}),
]


def _in(group: str, unit: str = "") -> dict[str, Any]:
    return {"group": group, "unit": unit}


class DilemmaConfig(Settings):
    """A match of the iterated prisoner's dilemma."""

    temptation: PayoffNumber = Field(
        5,
        title="Temptation (T)",
        description="Paid to who defects on a cooperator.",
        json_schema_extra=_in("payoffs", "points"),
    )
    reward: PayoffNumber = Field(
        3,
        title="Reward (R)",
        description="Paid to each where both cooperate.",
        json_schema_extra=_in("payoffs", "points"),
    )
    punishment: PayoffNumber = Field(
        1,
        title="Punishment (P)",
        description="Paid to each where both defect.",
        json_schema_extra=_in("payoffs", "points"),
    )
    sucker: PayoffNumber = Field(
        0,
        title="Sucker's payoff (S)",
        description="Paid to who cooperates with a defector.",
        json_schema_extra=_in("payoffs", "points"),
    )
    declared_not_a_dilemma: bool = Field(
        False,
        title="Declared not a dilemma",
        description="Accept payoffs without T > R > P > S and 2R > T + S.",
        json_schema_extra=_in("payoffs"),
    )
    horizon: Horizon = Field(
        "fixed",
        title="Horizon",
        description="fixed: exactly so many rounds. geometric: after each round the match ends with a set probability.",
        json_schema_extra=_in("length"),
    )
    rounds: int = Field(
        200,
        ge=1,
        le=LONGEST,
        title="Rounds",
        description="Length under a fixed horizon; read only there.",
        json_schema_extra=_in("length", "rounds"),
    )
    stop_prob: float = Field(
        0.02,
        gt=0,
        le=1,
        title="Stopping probability",
        description="Chance of ending after each round under a geometric horizon (mean length 1/p); read only there.",
        json_schema_extra=_in("length", "probability"),
    )
    max_rounds: int = Field(
        LONGEST,
        ge=1,
        le=LONGEST,
        title="Longest match",
        description="A geometric match is cut here, and the cut is recorded; read only there.",
        json_schema_extra=_in("length", "rounds"),
    )
    known_length: bool = Field(
        True,
        title="Length known",
        description="Whether the seats are told the number of rounds, or the stopping probability.",
        json_schema_extra=_in("information"),
    )
    show_totals: bool = Field(
        True,
        title="Totals shown",
        description="Whether the seats are shown both running totals.",
        json_schema_extra=_in("information"),
    )
    history_window: int = Field(
        10,
        ge=0,
        le=LONGEST,
        title="Transcript window",
        description="Past rounds in a model's transcript, unless its agent file says. Policies know the whole match.",
        json_schema_extra=_in("information", "rounds"),
    )
    labels: Labels = Field(
        "letters",
        title="Labels of the moves",
        description="What players and models are told: C and D, X and Y (neutral), or cooperate and defect (framed).",
        json_schema_extra=_in("information"),
    )
    noise_a: float = Field(
        0.0,
        ge=0,
        le=1,
        title="Slips of A",
        description="Chance that A's move is carried out as the other one; both seats see what was carried out.",
        json_schema_extra=_in("noise", "probability"),
    )
    noise_b: float = Field(
        0.0,
        ge=0,
        le=1,
        title="Slips of B",
        description="Chance that B's move is carried out as the other one; both seats see what was carried out.",
        json_schema_extra=_in("noise", "probability"),
    )
    talk: bool = Field(
        False,
        title="Talk first",
        description="A treatment beyond the source: before each move both send one message, at the same time.",
        json_schema_extra=_in("talk"),
    )
    talk_limit: int = Field(
        280,
        ge=1,
        le=4000,
        title="Message length",
        description="Longer messages are cut; read only where there is talk.",
        json_schema_extra=_in("talk", "characters"),
    )
    fallback: Fallback = Field(
        "C",
        title="Where no valid move came",
        description="C or D: play that. repeat: the seat's last move (C at first). void: the match has no result.",
        json_schema_extra=_in("answers"),
    )
    collapse_k: int = Field(
        10,
        ge=1,
        le=LONGEST,
        title="Collapse: rounds looked at",
        description="Cooperation has collapsed at the first round from which this many rounds have a low rate.",
        json_schema_extra=_in("metrics", "rounds"),
    )
    collapse_threshold: float = Field(
        0.2,
        ge=0,
        le=1,
        title="Collapse: rate",
        description="The rate of cooperation, both seats pooled, that counts as low (at most this).",
        json_schema_extra=_in("metrics", "fraction"),
    )

    @model_validator(mode="after")
    def _is_a_dilemma_or_says_not(self) -> DilemmaConfig:
        t, r, p, s = self.payoffs
        if self.declared_not_a_dilemma:
            return self
        if not t > r > p > s:
            raise ConfigError(WORDS.fault("no_dilemma", t=t, r=r, p=p, s=s))
        if not 2 * r > t + s:
            raise ConfigError(WORDS.fault("turns_pay", t=t, r=r, p=p, s=s, double=2 * r, sum=t + s))
        return self

    @property
    def payoffs(self) -> Payoffs:
        return Payoffs(self.temptation, self.reward, self.punishment, self.sucker)

    @property
    def longest(self) -> int:
        """Rounds after which the match is over whatever chance says."""
        return self.rounds if self.horizon == "fixed" else self.max_rounds

    @property
    def length(self) -> Length:
        """How the length is set."""
        if self.horizon == "fixed":
            return Length("fixed", self.rounds, None)
        return Length("geometric", None, self.stop_prob)

    @property
    def shown_length(self) -> Length:
        """What the seats are told of it."""
        return self.length if self.known_length else HIDDEN
