"""Several experiments at once, as the admin's table has them: started, paused, cancelled, cloned. What one of them
refuses is told, and stops no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal

from games.errors.faults import BadScenario, Refused
from games.errors.requests import BadRequest
from games.site.accounts.trail import audit
from games.site.experiments.declaring import SLUG, experiment_clone
from games.site.experiments.running import experiment_cancel, experiment_pause, experiment_start
from games.site.models import Experiment

Action = Literal["start", "pause", "cancel", "clone"]
NOTED: Final[dict[Action, str]] = {
    "start": "experiment_started",
    "pause": "experiment_paused",
    "cancel": "experiment_cancelled",
    "clone": "experiment_cloned",
}
SLUG_MAX: Final = 64


def experiments_change(
    *, experiments: Iterable[Experiment], action: Action, who: str
) -> tuple[list[Experiment], list[tuple[Experiment, Exception]]]:
    """Those it was done with, of clones the new drafts; and those that refused, with what they said."""
    acts: dict[Action, Callable[..., Experiment | None]] = {
        "start": experiment_start,
        "pause": experiment_pause,
        "cancel": experiment_cancel,
        "clone": _cloned,
    }
    done, refused = list[Experiment](), list[tuple[Experiment, Exception]]()
    for one in experiments:
        try:
            made = acts[action](experiment=one)
        except (BadRequest, BadScenario, Refused) as error:
            refused.append((one, error))
            continue
        data: dict[str, Any] = {} if made is None else {"clone": made.slug}
        audit(who=who, what=NOTED[action], on=f"experiment {one.slug}", data=data)
        done.append(made or one)
    return done, refused


def _cloned(*, experiment: Experiment) -> Experiment:
    return experiment_clone(experiment=experiment, slug=free_slug(experiment.slug))


def free_slug(slug: str) -> str:
    """The first of ``slug-2``, ``slug-3`` and so on that is free, cut where it would be too long."""
    number = 2
    while True:
        ending = f"-{number}"
        found = slug[: SLUG_MAX - len(ending)] + ending
        assert SLUG.fullmatch(found)
        if not Experiment.objects.filter(slug=found).exists():
            return found
        number += 1
