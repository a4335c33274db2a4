"""The story of a run for one sight: kept when it ended, else told from its log as far as it is shown."""

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
"""Stories of runs that go on, or that ended before stories were kept, that a process holds."""


def story_of(run: Run, seen: Sight) -> Story | None:
    """What those eyes may be told: all of it, since it is made of everything; None for eyes that do not see all."""
    if not isinstance(seen.eyes, All) or seen.blind:
        return None
    if run.status == RunStatus.FINISHED and run.story:
        return cast(Story, run.story)
    head = selectors.shown_head(run, seen)
    return _told(run.pk, head, run.status in ENDED and head == run.head) if head >= 0 else None


@lru_cache(maxsize=KEPT)
def _told(run_id: str, head: int, over: bool) -> Story:
    """What is stored of a run stays as it is, so a story is told once for each length."""
    return story_until(selectors.playing(selectors.run_get(run_id)), head, over=over)
