"""What can be set."""

from __future__ import annotations

from pydantic import Field

from games.core.settings import Settings


class CommonsFundConfig(Settings):
    """The settings of one run; money in units, whose hundredths are counted."""

    players: int = Field(
        4,
        ge=2,
        le=20,
        title="Players",
        description="Seats in play.",
        json_schema_extra={"unit": "players", "group": "rules"},
    )
    rounds: int = Field(
        10,
        ge=1,
        le=1000,
        title="Rounds",
        description="The run ends after this many.",
        json_schema_extra={"unit": "rounds", "group": "rules"},
    )
    endowment: int = Field(
        20,
        ge=1,
        le=10_000,
        title="Endowment",
        description="What everybody begins a round with.",
        json_schema_extra={"unit": "units", "group": "rules"},
    )
    multiplier: float = Field(
        1.6,
        ge=1,
        le=20,
        title="Multiplier",
        description="By what the fund grows before it is shared.",
        json_schema_extra={"unit": "times", "group": "rules"},
    )
    budget: int = Field(
        10,
        ge=0,
        le=100,
        title="Points",
        description="The most points that a seat may give in a round; none: nobody is fined.",
        json_schema_extra={"unit": "points", "group": "rules"},
    )
    fine: int = Field(
        3,
        ge=0,
        le=100,
        title="Fine",
        description="What a point takes from whom it is given to. It costs its giver 1.",
        json_schema_extra={"unit": "units", "group": "rules"},
    )
