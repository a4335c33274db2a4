"""What a person's seat is told of the game: its instructions in every language and its first board.

Who comes by a code that opens several seats is told as in a match of another seed: nothing then tells what one seat
alone may see of this match.
"""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from games.core.game import Seat
from games.core.instructions import opening
from games.core.prompts import LANGUAGES
from games.lab.wire.firstboard import FirstBoard, first_board
from games.lab.wire.seat import Rules
from games.site.models import Run
from games.site.record import selectors
from games.site.record.selectors import Playing

EXAMPLE_SEED = 0


def rules_of(run: Run, seat: Seat, is_own: bool = True) -> dict[str, Rules]:
    """The instructions of a seat by language; empty where the game has none."""
    return dict(_rules(run.pk, seat, is_own))


@lru_cache(maxsize=64)
def board_of(run_id: str, seat: Seat, is_own: bool) -> FirstBoard:
    """The board of a match as it begins, through a seat's eyes."""
    play = selectors.playing(selectors.run_get(run_id))
    return first_board(play.game, play.config, seat, _seed(play, is_own))


@lru_cache(maxsize=256)
def _rules(run_id: str, seat: Seat, is_own: bool) -> dict[str, Rules]:
    play = selectors.playing(selectors.run_get(run_id))
    if play.pack.instructions is None:
        return {}
    request = opening(play.game, play.config, seat, _seed(play, is_own))
    return {lang: cast(Rules, play.pack.instructions(play.config, request, lang).plain()) for lang in LANGUAGES}


def _seed(play: Playing, is_own: bool) -> int:
    return play.run.seed if is_own else EXAMPLE_SEED
