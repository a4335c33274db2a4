"""What was remarkable: matches that are kept for good and shown in the lobby, the best of each game first.

Operators choose by the tag ``gallery``. Of the site's own matches those with most to tell are kept by a tag of the
site's: no tagged match is let go.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypedDict

from games.lab.story import Story
from games.lab.wire.run import RunSummary
from games.site.audience import PRIVATE, Viewer, listed
from games.site.models import Run, RunStatus, Tag
from games.site.record.conduct import not_own_of
from games.site.record.stories import whole
from games.site.record.summary import run_list

CHOSEN: Final = "gallery"
REMARKABLE: Final = "remarkable"
EACH: Final = 2
"""Of each game so many are kept by rule."""
SHOWN: Final = 6


class Shown(TypedDict):
    """``at``: the step of its last turning point; null where it has none."""

    run: RunSummary
    at: int | None


def _story(run: Run) -> Story | None:
    return whole(run) if run.story else None


def worth(story: Story | None) -> float:
    """How much there is to tell: turning points, leads, a close end, broken words; nothing of what is unsound."""
    if not story or story["outcome"] in ("unsound", "unranked", "empty"):
        return 0.0
    near = 1 - min(1.0, abs(story["relative"])) if story["relative"] is not None else 0.0
    return float(len(story["turning"]) + min(len(story["led"]), 8) / 2 + 2 * near + min(story["broken"] or 0, 4) / 4)


def remember(run: Run) -> None:
    """Keep a match that is over where it is among the best of its game; the one that it surpasses is no longer kept."""
    if not worth(_story(run)):
        return
    kept = [*Run.objects.filter(game=run.game, tags__name=REMARKABLE).exclude(pk=run.pk), run]
    best = sorted(kept, key=lambda one: (-worth(_story(one)), one.created))[:EACH]
    Tag.objects.filter(name=REMARKABLE, run__in=set(kept) - set(best)).delete()
    if run in best:
        Tag.objects.get_or_create(run=run, name=REMARKABLE)


def gallery(viewer: Viewer) -> list[Shown]:
    """What a viewer may see of it: one of each game, chosen before kept by rule, then those with most to tell."""
    runs = Run.objects.filter(listed(viewer), tags__name__in=(CHOSEN, REMARKABLE), status=RunStatus.FINISHED)
    found = runs.exclude(audience__kind=PRIVATE).select_related("scenario").prefetch_related("seats", "tags").distinct()
    sound = [run for run in found if worth(_story(run)) and not (not_own_of(run) or {"unsound": False})["unsound"]]
    best = sorted(sound, key=lambda run: (not _is_chosen(run), -worth(_story(run)), run.pk))
    by_game: dict[str, Run] = {}
    for run in best:
        by_game.setdefault(run.game, run)
    picked = _filled(by_game.values(), best)
    told = {summary["id"]: summary for summary in run_list(picked, viewer)}
    return [{"run": told[run.pk], "at": _turning(_story(run))} for run in picked if run.pk in told]


def _filled(first: Iterable[Run], others: Iterable[Run]) -> list[Run]:
    """One of each game; where that leaves room, the others."""
    return list(dict.fromkeys([*first, *others]))[:SHOWN]


def _is_chosen(run: Run) -> bool:
    return any(tag.name == CHOSEN for tag in run.tags.all())


def _turning(story: Story | None) -> int | None:
    return story["turning"][-1]["at"] if story and story["turning"] else None
