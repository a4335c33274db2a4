"""What the page is given: the view, and the data of the events that the board draws. The board has its types of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NotRequired

from typing_extensions import TypedDict

from games.catalog.mining.state import Cell, Plot
from games.core.game import Seat


class MinerView(TypedDict):
    """``gold`` is None where those eyes may not see it."""

    plots: int
    stamina: int
    gold: int | None


class MiningView(TypedDict):
    """The world after the last round. What goes by plot stands in the order of the plots' numbers, row by row.

    ``owners`` and ``first`` are seats, -1 for nobody; ``taken`` holds (plot, owner before) of plots that changed hands.
    """

    rows: int
    cols: int
    round: int
    rounds: int
    mine_cap: int
    defence: Literal["block_all", "per_point"]
    immunity_window: int
    owners: Sequence[Seat]
    since: Sequence[int]
    first: Sequence[Seat]
    immune_until: Sequence[int]
    alpha: Sequence[int]
    defended: Sequence[Plot]
    claimed: Sequence[Plot]
    taken: Sequence[tuple[Plot, Seat]]
    treasury: int
    seats: Sequence[MinerView]


RaidData = TypedDict(
    "RaidData",
    {
        "plot": Cell,
        "raiders": Sequence[Seat],
        "from": Sequence[Cell | None],
        "owner": Seat | None,
        "by": NotRequired[Seat],
    },
)
"""``from``: for each raider its own plot that is closest to the target, None if it has none. ``by``: who took it."""


class MinedData(TypedDict):
    """``mined`` is gold by plot; ``lost`` are plots that were taken before they were mined."""

    by: Seat
    gold: int
    plots: Sequence[Cell]
    mined: Sequence[int]
    lost: Sequence[Cell]


class TotalsData(TypedDict):
    round: int
    output: int
    held: int
    plots: int
    claims: int
    raids: int
    captures: int
    repelled: int
    defences: int
    treasury: int


EVENTS: Final[dict[str, Any]] = {
    **dict.fromkeys(("plot_taken", "raid_drawn", "raid_repelled", "raid_void"), RaidData),
    "gold_mined": MinedData,
    "round_closed": TotalsData,
}
