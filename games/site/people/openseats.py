"""Seats that stand in the lobby for whoever comes: of matches that are listed there by their terms."""

from __future__ import annotations

from typing import Any

from agents_app.people import PeopleSettings
from games.site.audience import Viewer
from games.site.models import ENDED, JOINED, Participant, Run

SHOWN = 8


def open_seats(viewer: Viewer) -> list[dict[str, Any]]:
    """The latest listed matches with a free seat, each with the address by which one joins."""
    listed = Run.objects.filter(people__listed=True, code__isnull=False).exclude(status__in=ENDED)
    if not (viewer.member or viewer.operator):
        listed = listed.filter(audience__to__isnull=True)
    found: list[dict[str, Any]] = []
    for run in listed.select_related("scenario").prefetch_related("seats").order_by("-created")[: 4 * SHOWN]:
        seats = [seat for seat in run.seats.all() if seat.kind in JOINED]
        came = set(Participant.objects.filter(run=run).values_list("seat", "link"))
        free = sum(1 for seat in seats if (seat.index, seat.link) not in came)
        if free:
            terms = PeopleSettings.model_validate(run.people)
            found.append(
                {
                    "run": run.pk,
                    "address": f"/join/{run.code}",
                    "game": run.game,
                    "title": run.scenario.title,
                    "open": free,
                    "of": len(seats),
                    "turn_s": terms.turn_s,
                }
            )
    return found[:SHOWN]
