"""The parts of a run's settings: a bad actor's goal, what is different in one round, the resources option."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from games.core.settings import Settings, setting

MILS_MAX: Final = 1_000_000
"""No army begins larger, and no order asks for more."""
Resource: TypeAlias = Literal["energy", "minerals", "food"]
RESOURCES: Final[tuple[Resource, ...]] = ("energy", "minerals", "food")
GoalKind: TypeAlias = Literal["territories", "heritage", "damage", "rival", "ideology"]


class Goal(Settings):
    """What a bad actor wants in place of its people's welfare. Only its seat is told."""

    seat: int = setting(least=0)
    kind: GoalKind = setting()
    rival: int | None = setting(None)
    heritage: tuple[int, ...] = setting(())
    creed: Literal["equality", "disarmament"] = setting("equality")
    text: str = setting("", max_length=2000)


class RoundChange(Settings):
    """What is different in one round. What is left empty stays as in the run's own settings."""

    turns: int | None = setting(None, 1, 10_000)
    holdings: tuple[tuple[int, ...], ...] | None = setting(None)
    armies: tuple[int, ...] | None = setting(None)
    money_per_territory: float | None = setting(None, 0, 1e6)
    mil_purchase_price: float | None = setting(None, 0, 1e6)
    mil_upkeep_price: float | None = setting(None, 0, 1e6)
    damage_per_attack_mil: float | None = setting(None, 0, 1e6)
    defense_destroy_factor: float | None = setting(None, 0.01, 1e6)
    violence_penalty: float | None = setting(None, 0, 1e6)
    trade_factor: float | None = setting(None, 0, 1000)


class Needs(Settings):
    """The resources option: what each territory needs of the three resources and what it provides, in each turn."""

    energy: int = setting(4, 0, 1000, unit="units", group="resources")
    minerals: int = setting(4, 0, 1000, unit="units", group="resources")
    food: int = setting(4, 0, 1000, unit="units", group="resources")
    deposits: Literal["even", "specialised"] = setting("specialised")
    provided: tuple[tuple[int, int, int], ...] = setting(())

    @property
    def each(self) -> tuple[int, int, int]:
        """The needs in the order of `RESOURCES`."""
        return self.energy, self.minerals, self.food
