"""Which arm the next member or group is given: pure, and the same for the same seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from games.core.rng import Rng

How: TypeAlias = Literal["balanced", "random", "fixed"]


def assigned(how: How, arms: Sequence[str], filled: Mapping[str, int], number: int, seed: int, fixed: str = "") -> str:
    """The arm of the ``number``-th assignment (from 0).

    ``filled``  how many each arm has that have not ended early; balanced gives the one with the fewest
    ``fixed``   what the member's own label or address says, for ``how`` fixed; the first arm where it says nothing
    """
    rng = Rng.root(seed).at("studies.arms")
    match how:
        case "balanced":
            least = min(filled.get(arm, 0) for arm in arms)
            return rng.choice([arm for arm in arms if filled.get(arm, 0) == least], "balanced", number)
        case "random":
            return rng.choice(list(arms), "random", number)
        case "fixed":
            return fixed if fixed in arms else arms[0]
