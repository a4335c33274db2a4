"""The story of a run for one sight: kept when it ended, else told from its log as far as it is shown.

Of bulk runs, which hardly anybody opens, only what came of them is kept: what their lists are sorted by.
"""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from games.core.game import All
from games.lab.story import Story
from games.site.audience import Sight
from games.site.models import ENDED, Run, RunStatus
from games.site.record import selectors
from games.site.record.outcome import story_until

KEPT = 128
"""Stories of runs that go on, or of which no whole one was kept, that a process holds."""


def story_of(run: Run, seen: Sight) -> Story | None:
    """What those eyes may be told: all of it, since it is made of everything; None for eyes that do not see all."""
    if not isinstance(seen.eyes, All) or seen.blind:
        return None
    if run.status == RunStatus.FINISHED:
        return whole(run)
    head = selectors.shown_head(run, seen)
    return _told(run.pk, head, run.status in ENDED and head == run.head) if head >= 0 else None


def whole(run: Run) -> Story:
    """All of it, of a run that is finished."""
    is_kept = run.story is not None and "sentences" in run.story
    return cast(Story, run.story) if is_kept else _told(run.pk, run.head, True)


@lru_cache(maxsize=KEPT)
def _told(run_id: str, head: int, over: bool) -> Story:
    """What is stored of a run stays as it is, so a story is told once for each length."""
    return story_until(selectors.playing(selectors.run_get(run_id)), head, over=over)
