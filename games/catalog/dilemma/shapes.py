"""What the page is given: the view, and the data of the event that the board draws. The board has its types of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NotRequired

from typing_extensions import TypedDict

from games.catalog.dilemma.config import Horizon, Labels
from games.catalog.dilemma.state import Ending
from games.core.game import Seat


class DilemmaView(TypedDict):
    """Pairs are of A and B; ``moves`` has a letter a round, ``payoffs`` are by the moves of both, such as CD.

    ``totals`` and the length are None where those eyes may not see them. Without ``labels`` they are the letters:
    frames from before there was a choice have none.
    """

    moves: tuple[str, str]
    totals: tuple[float, float] | None
    payoffs: Mapping[str, tuple[float, float]]
    horizon: Horizon | None
    rounds: int | None
    stop_prob: float | None
    noise: tuple[float, float]
    talk: bool
    said: tuple[str, str] | None
    ending: Ending
    labels: NotRequired[Labels]


class SlipData(TypedDict):
    """Whose hand slipped, what was meant and what was carried out, by the labels."""

    by: Seat
    meant: str
    did: str


EVENTS: Final[dict[str, Any]] = {"hand_slipped": SlipData}
