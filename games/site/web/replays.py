"""A run of the site as one HTML file, with what one sight may see of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from games.core.game import SeatEyes
from games.lab.folders.bundle import Bundle
from games.lab.folders.replayfile import replay_file, words_of
from games.lab.wire.plainjson import encoded
from games.site.audience import Sight
from games.site.models import ENDED
from games.site.record import selectors, summary
from games.site.record.stories import story_of


def replay(play: selectors.Playing, sight: Sight) -> bytes:
    """The file, with the frames that there are now.

    Raises `NotFound` while nothing may be seen, and `Refused` of the lab where the bundle is not built.
    """
    if selectors.shown_head(play.run, sight) < 0:
        raise selectors.NotFound(f"run {play.run.pk}: nothing of it may be seen yet", why="nothing_yet")
    seat = sight.eyes.seat if isinstance(sight.eyes, SeatEyes) else None
    run = summary.run_summary(play.run, sight)
    if play.run.status not in ENDED:
        run["status"], run["waiting_for"] = "paused", []  # nobody plays it in the file
    return replay_file(
        Bundle(Path(settings.BUNDLE_DIR)),
        run,
        _lines(play, sight),
        words_of(play.pack),
        seat,
        story_of(play.run, sight),
    )


def _lines(play: selectors.Playing, sight: Sight) -> Iterator[bytes]:
    return map(encoded, selectors.frames_until(play, sight, -1, selectors.shown_head(play.run, sight)))
