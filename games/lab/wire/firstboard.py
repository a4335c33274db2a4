"""The board as a match of some settings begins, through one seat's eyes: the picture beside the rules."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from games.core.engine import start
from games.core.game import Game, Seat, SeatEyes
from games.lab.wire.frames import Frame, frame
from games.lab.wire.plainjson import decoded, encoded


class NamedSeat(TypedDict):
    seat: int
    name: str
    role: str


class FirstBoard(TypedDict):
    """What a board is drawn from, before anybody has moved."""

    game: str
    seat: Annotated[int, Field(description="Through whose eyes.")]
    seats: list[NamedSeat]
    frame: Frame


def first_board(game: Game[Any, Any, Any, Any], config: Any, seat: Seat, seed: int = 0) -> FirstBoard:
    """The board of these settings and this seed, as plain data; where nobody plays yet, seed 0 stands for all."""
    begun = frame(game, config, start(game, config, seed), SeatEyes(seat), "", None)
    return {
        "game": game.slug,
        "seat": seat,
        "seats": [{"seat": n, "name": one.name, "role": one.role} for n, one in enumerate(game.seats(config))],
        "frame": decoded(encoded(begun)),
    }
