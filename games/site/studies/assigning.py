"""Which arm the next member or group is given: pure, and the same for the same seed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, TypeAlias

from games.core.rng import Rng

How: TypeAlias = Literal["balanced", "random", "fixed"]


def assigned(
    how: How,
    arms: Sequence[str],
    filled: Mapping[str, int],
    number: int,
    seed: int,
    fixed: str = "",
    begun: Collection[str] = (),
) -> str:
    """The arm of the ``number``-th assignment (from 0).

    ``filled``  how many each arm has that have not ended early; balanced gives the one with the fewest
    ``begun``   arms whose members on their way to a group are no whole groups: balanced completes these first
    ``fixed``   what the member's own label or address says, for ``how`` fixed; the first arm where it says nothing
    """
    rng = Rng.root(seed).at("studies.arms")
    match how:
        case "balanced":
            wanted = [arm for arm in arms if arm in begun] or list(arms)
            least = min(filled.get(arm, 0) for arm in wanted)
            return rng.choice([arm for arm in wanted if filled.get(arm, 0) == least], "balanced", number)
        case "random":
            return rng.choice(list(arms), "random", number)
        case "fixed":
            return fixed if fixed in arms else arms[0]
