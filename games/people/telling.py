"""What a person's seat is told of the game: its instructions in every language and its first board."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from games.core.game import Seat
from games.core.instructions import opening
from games.core.prompts import LANGUAGES
from games.models import Run
from games.record import selectors
from games.wire.firstboard import FirstBoard, first_board
from games.wire.seat import Rules


def rules_of(run: Run, seat: Seat) -> dict[str, Rules]:
    """The instructions of a seat by language; empty where the game has none."""
    return dict(_told(run.pk, seat))


@lru_cache(maxsize=64)
def board_of(run_id: str, seat: Seat, is_own: bool) -> FirstBoard:
    """The board of a run as it begins, through a seat's eyes.

    Who comes by a code that opens several seats may get another one: such a board is of another seed, and tells nothing
    of what one seat alone may see of this match.
    """
    play = selectors.playing(selectors.run_get(run_id))
    return first_board(play.game, play.config, seat, *((play.run.seed,) if is_own else ()))


@lru_cache(maxsize=256)
def _told(run_id: str, seat: Seat) -> dict[str, Rules]:
    play = selectors.playing(selectors.run_get(run_id))
    if play.pack.instructions is None:
        return {}
    request = opening(play.game, play.config, seat, play.run.seed)
    return {lang: cast(Rules, play.pack.instructions(play.config, request, lang).plain()) for lang in LANGUAGES}
