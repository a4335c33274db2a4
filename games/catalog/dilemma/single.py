"""One match by plain look-ups: for a few matches numpy's calls cost more than the play.

What is never looked at is never drawn, and rounds in which nothing can change are filled in together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from games.catalog.dilemma import draws
from games.catalog.dilemma.config import LONGEST, DilemmaConfig
from games.catalog.dilemma.draws import Keys
from games.catalog.dilemma.tables import Tables
from games.core.game import Seat
from games.core.rng import increments, mixed

ROUNDS: Final = increments(np.arange(1, LONGEST + 1, dtype=np.uint64))
"""What the number of each round adds to a match's key."""
UNDRAWN: Final[Sequence[int]] = ()
SLIPPING: Final = bytes([0, 1, 1, 1]) + bytes(252)
"""Translates the code of a slip into whether there is one."""


def play_single(
    config: DilemmaConfig, tables: Tables, start: int, key: int, length: int, mixes: tuple[bool, bool]
) -> tuple[bytes, bytes]:
    """The outcomes and the slips of a match of ``length`` rounds, a code a round, from a row of the tables."""
    steps, slips = None, bytes(length)
    if config.noise_a or config.noise_b:
        steps = _steps(key, length)
        slips = draws.slip_codes(config, steps).tobytes()
    slipping = slips.translate(SLIPPING) + b"\1"
    bits_a = bits_b = UNDRAWN
    codes = bytearray(length)
    row, t = tables.rows[start // 4], 0
    while t < length:
        code, reach_a, reach_b, rests, after = row
        if code is None:
            if bits_a is UNDRAWN:
                steps = _steps(key, length) if steps is None else steps
                bits_a, bits_b = (_bits(steps, seat, mixes[seat]) for seat in (0, 1))
            code = (0 if bits_a[t] < reach_a else 2) + (0 if bits_b[t] < reach_b else 1)
        elif rests:
            slip_at = slipping.index(1, t)
            if code:  # what is not written is CC
                codes[t:slip_at] = bytes([code]) * (slip_at - t)
            t = slip_at
            if t == length:
                break
        codes[t] = code = code ^ slips[t]
        row = after[code]
        t += 1
    return bytes(codes), slips


def _steps(key: int, length: int) -> Keys:
    return mixed(ROUNDS[:length] + np.array(key, dtype=np.uint64))


def _bits(steps: Keys, seat: Seat, is_mixing: bool) -> Sequence[int]:
    """What a seat mixes by in each step; whatever it is, where the seat is sure."""
    return draws.move_bits(steps, seat).data if is_mixing else bytes(len(steps))
