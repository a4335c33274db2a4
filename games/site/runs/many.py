"""Many runs at once: stopped, played again, deleted, tagged. What one of them refuses is told, and stops no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from games.errors.requests import BadRequest
from games.site.models import ENDED, Run, Tag
from games.site.record.selectors import NotFound
from games.site.runs.again import run_again
from games.site.runs.creating import run_stop
from games.site.runs.deleting import run_delete

Action = Literal["stop", "delete", "rerun", "tag", "untag"]
MANY_MAX: Final = 10_000
TAG_MAX: Final = 40
REFUSED_MAX: Final = 20
"""Refusals that are told one by one."""


def runs_change(*, ids: Sequence[str], action: Action, tag: str = "", by: Any) -> dict[str, Any]:
    """Do it with each of the runs that it can be done with; how many it was done with, and who was refused and why."""
    if len(ids) > MANY_MAX:
        told = f"{len(ids)} runs; at most {MANY_MAX} at once"
        raise BadRequest("too_many_runs", told, "ids", runs=len(ids), most=MANY_MAX)
    if action in ("tag", "untag"):
        return {"done": _tag(ids, tag_checked(tag), action), "refused": [], "more": 0}
    acts: dict[str, Callable[[str], object]] = {
        "stop": lambda run_id: run_stop(run_id=run_id),
        "rerun": lambda run_id: run_again(run_id=run_id),
        "delete": lambda run_id: run_delete(run_id=run_id, by=by),
    }
    fit = Run.objects.filter(pk__in=ids)
    fit = fit.exclude(status__in=ENDED) if action == "stop" else fit.filter(status__in=ENDED)
    done, refused = 0, []
    for run_id in fit.order_by("-created").values_list("pk", flat=True):
        try:
            acts[action](run_id)
            done += 1
        except BadRequest as error:
            refused.append({"id": run_id, "code": error.code, "message": str(error), "facts": error.more})
        except NotFound:
            continue  # somebody else was first
    return {"done": done, "refused": refused[:REFUSED_MAX], "more": max(0, len(refused) - REFUSED_MAX)}


def _tag(ids: Sequence[str], name: str, action: Action) -> int:
    if action == "untag":
        return Tag.objects.filter(run__in=ids, name=name).delete()[0]
    known = list(Run.objects.filter(pk__in=ids).exclude(tags__name=name).values_list("pk", flat=True))
    Tag.objects.bulk_create((Tag(run_id=pk, name=name) for pk in known), ignore_conflicts=True)
    return len(known)


def tag_checked(name: str) -> str:
    """A tag as it is kept; raises `BadRequest`. A comma parts several in an address."""
    told = " ".join(name.split())
    if not 1 <= len(told) <= TAG_MAX or "," in told:
        raise BadRequest("bad_tag", f"tag: {name[:60]!r}; 1 to {TAG_MAX} characters, no comma", "tag", most=TAG_MAX)
    return told
