"""The parts of a run's settings: a bad actor's goal, what is different in one round, the resources option."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from pydantic import Field

from games.core.settings import Settings

MILS_MAX: Final = 1_000_000
"""No army begins larger, and no order asks for more."""
Resource: TypeAlias = Literal["energy", "minerals", "food"]
RESOURCES: Final[tuple[Resource, ...]] = ("energy", "minerals", "food")
GoalKind: TypeAlias = Literal["territories", "heritage", "damage", "rival", "ideology"]


def shown_in(group: str, unit: str = "") -> dict[str, Any]:
    """Where the form shows a setting, and its unit."""
    return {"group": group, "unit": unit}


class Goal(Settings):
    """What a bad actor wants in place of its people's welfare. Only its seat is told."""

    seat: int = Field(ge=0, title="Seat", description="Whose goal it is, from 0.")
    kind: GoalKind = Field(title="Goal", description="What it is scored by.")
    rival: int | None = Field(None, title="Rival", description="For rival: the seat that it wants to harm.")
    heritage: tuple[int, ...] = Field((), title="Heritage", description="For heritage: the territories it claims.")
    creed: Literal["equality", "disarmament"] = Field(
        "equality",
        title="Creed",
        description="For ideology: equality is 1 - Gini of welfare; disarmament the share of others without army.",
    )
    text: str = Field("", max_length=2000, title="In words", description="What the nation is told of its goal besides.")


class RoundChange(Settings):
    """What is different in one round. What is left empty stays as in the run's own settings."""

    turns: int | None = Field(None, ge=1, le=10_000, title="Turns")
    holdings: tuple[tuple[int, ...], ...] | None = Field(None, title="Territories by nation")
    armies: tuple[int, ...] | None = Field(None, title="Armies")
    money_per_territory: float | None = Field(None, ge=0, le=1e6, allow_inf_nan=False, title="Money per territory")
    mil_purchase_price: float | None = Field(None, ge=0, le=1e6, allow_inf_nan=False, title="Price of a mil")
    mil_upkeep_price: float | None = Field(None, ge=0, le=1e6, allow_inf_nan=False, title="Upkeep of a mil")
    damage_per_attack_mil: float | None = Field(None, ge=0, le=1e6, allow_inf_nan=False, title="Damage of a mil")
    defense_destroy_factor: float | None = Field(None, ge=0.01, le=1e6, allow_inf_nan=False, title="Defence factor")
    violence_penalty: float | None = Field(None, ge=0, le=1e6, allow_inf_nan=False, title="Violence penalty")
    trade_factor: float | None = Field(None, ge=0, le=1000, allow_inf_nan=False, title="Trade factor")


class Needs(Settings):
    """The resources option: what each territory needs of the three resources and what it provides, in each turn."""

    energy: int = Field(4, ge=0, le=1000, title="Energy needed", json_schema_extra=shown_in("resources", "units"))
    minerals: int = Field(4, ge=0, le=1000, title="Minerals needed", json_schema_extra=shown_in("resources", "units"))
    food: int = Field(4, ge=0, le=1000, title="Food needed", json_schema_extra=shown_in("resources", "units"))
    deposits: Literal["even", "specialised"] = Field(
        "specialised",
        title="Deposits",
        description="even: each territory provides what it needs. specialised: the territories of each nation provide "
        "three times the need of one resource, nation by nation in turn, and nothing of the others.",
    )
    provided: tuple[tuple[int, int, int], ...] = Field(
        (),
        title="Provided by territory",
        description="Energy, minerals and food of each territory, in place of deposits. Empty: not used.",
    )

    @property
    def each(self) -> tuple[int, int, int]:
        """The needs in the order of `RESOURCES`."""
        return self.energy, self.minerals, self.food
