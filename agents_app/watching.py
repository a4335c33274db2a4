"""When a seat that is asked, but does not decide, stops its run: what stood in for it would else be taken for its play.

One rule for models, people and programs. A bound is the share of a seat's decisions that may be another's
(`games.core.conduct`), substitutes apart: these are what was agreed for somebody who is away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from agents_app.ports import ModelStop, RunStop, SeatStop
from games.core.conduct import SUBSTITUTE, stand_in

FIRST: Final = 3
"""So many decisions of which none is the seat's own stop the run at its start, whatever share may be."""
BLOCK: Final = 20
"""Decisions that are looked at together. A run that was resumed is looked at again after as many more."""
ANY: Final = 1.0


def is_due(decisions: int) -> bool:
    """Whether a seat is looked at after so many decisions."""
    return decisions == FIRST or (decisions > 0 and decisions % BLOCK == 0)


def check_answers(name: str, most: float, flags: Sequence[Sequence[str]], *, is_model: bool = True) -> None:
    """Hold the flags of a seat's decisions so far against the share ``most``. Raises `ModelStop` or `SeatStop`."""
    if most >= ANY or not is_due(len(flags)):
        return
    first = len(flags) == FIRST
    looked_at = flags[-FIRST if first else -BLOCK :]
    unusable = [raised for raised in looked_at if stand_in(raised) not in (None, SUBSTITUTE)]
    if len(unusable) < FIRST if first else len(unusable) <= most * BLOCK:
        return
    number = "none" if first else str(len(looked_at) - len(unusable))
    labels = Counter(flag for raised in unusable for flag in raised if flag != "fallback")
    common = f", most of them {labels.most_common(1)[0][0]}" if labels else ""
    of = f"its first {FIRST}" if first else f"its last {BLOCK}"
    stop: type[RunStop] = ModelStop if is_model else SeatStop
    if is_model:
        raise stop(
            f"{name}: {number} of {of} answers could be used{common}; a share of {most:g} may fail (fallback_limit). "
            "Mend the profile, or resume as it is"
        )
    raise stop(
        f"{name}: {number} of {of} turns were its own{common}; a share of {most:g} may be missed (missed_limit). "
        "See who sits there, or resume as it is"
    )
