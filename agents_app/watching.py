"""When a model that answers, but not usably, stops its run: its defaults would else be taken for its play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from agents_app.ports import ModelStop
from agents_app.profile import Profile

BLOCK: Final = 20
"""Answers that are looked at together. A run that was resumed is looked at again after as many more."""
FALLBACK: Final = "fallback"


def check_block(name: str, profile: Profile, flags: Sequence[Sequence[str]]) -> None:
    """Hold the flags of a seat's answers so far against its bound, at the end of each block. Raises `ModelStop`."""
    if not flags or len(flags) % BLOCK or profile.fallbacks_at_most >= 1:
        return
    block = flags[-BLOCK:]
    unusable = [told for told in block if FALLBACK in told]
    if len(unusable) <= profile.fallbacks_at_most * BLOCK:
        return
    labels = Counter(flag for told in unusable for flag in told if flag != FALLBACK)
    most = f", most of them {labels.most_common(1)[0][0]}" if labels else ""
    raise ModelStop(
        f"{name}: {len(unusable)} of its last {BLOCK} answers could not be used{most}; at most "
        f"{profile.fallbacks_at_most:g} of them may (fallback_limit). Mend the profile, or resume as it is"
    )
