"""Visitors play at once: a match of one person against a game's policies, made by who asks for it, within bounds."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import timedelta
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.db import transaction

from games.core.pack import Pack
from games.core.registry import packs
from games.errors.faults import Refused
from games.errors.requests import BadRequest, NotFound
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import Scenario, load
from games.site.audience import Forbidden
from games.site.models import ENDED, HOLDING, Participant, Run, RunStatus, Tag
from games.site.record.clock import now
from games.site.runs.creating import any_seed, run_create, run_stop
from games.site.runs.demo import SHOWN

AT_ONCE: Final = 16
"""Matches of visitors that may be under way, whoever began them."""
TAG: Final = "visitor"
"""By which operators find them again."""
OF_ONE: Final = 4
"""And of these, begun by one address."""
EMPTY: Final = timedelta(minutes=5)
"""So long a match waits for the one who asked for it."""
FIRST: Final = (*SHOWN, "mixed", "baseline")
"""Presets that are tried first, in this order."""
TERMS: Final = {"deadline_s": 120, "grace_s": 30, "room_s": 60, "missed_limit": 1.0}


def visit_begin(*, game: str) -> Run:
    """A match of the game with its first seat free for whoever comes by its code."""
    if not settings.POLITY_VISITORS:
        raise Forbidden("visitors_off", "on this site only operators begin matches")
    pack = packs().get(game)
    if pack is None:
        known = list(packs())
        raise BadRequest(
            "no_such_game",
            f"{game[:40]}: there is no such game here; there are {', '.join(known)}",
            game=game[:40],
            known=known,
        )
    name = playable(pack)
    if name is None:
        raise NotFound(f"game {game}: none of its presets is played by policies alone")
    with transaction.atomic():
        if Run.objects.filter(tags__name=TAG).exclude(status__in=ENDED).count() >= AT_ONCE:
            raise Forbidden("visitors_many", f"{AT_ONCE} visitors play already; try again in minutes", most=AT_ONCE)
        run = run_create(scenario=_with_a_free_seat(pack, name), seed=any_seed(), audience={"kind": "public"})
        Tag.objects.create(run=run, name=TAG)
    return run


def visits_under_way(runs: Collection[str]) -> int:
    """How many of these matches go on."""
    return Run.objects.filter(pk__in=runs, tags__name=TAG).exclude(status__in=ENDED).count()


def visits_sweep() -> None:
    """End the matches to which nobody came, or in whose room nobody is any more. Idempotent."""
    waiting = Run.objects.filter(tags__name=TAG, begun=False, status=RunStatus.WAITING, created__lt=now() - EMPTY)
    there = Participant.objects.filter(state__in=HOLDING, gone_at=None)
    for run_id in waiting.exclude(participants__in=there).values_list("pk", flat=True):
        with suppress(BadRequest):  # it was ended or begun meanwhile
            run_stop(run_id=run_id)


def playable(pack: Pack) -> str | None:
    """The preset that a visitor plays: one that policies play alone."""
    return _playable(pack.slug)


@lru_cache(maxsize=64)
def _playable(slug: str) -> str | None:
    names = list(packs()[slug].scenarios)
    for name in sorted(names, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name)):
        try:
            scenario = load(f"{slug}/{name}")
        except Refused:
            continue
        if all(agent.kind == "policy" for agent in scenario.conditions[0].seats):
            return name
    return None


def _with_a_free_seat(pack: Pack, name: str) -> Scenario:
    first = load(f"{pack.slug}/{name}").conditions[0]
    role = pack.game.seats(first.config)[0].role
    seats = read_seats({"0": {"person": True, "substitute": pack.default_for(role)}}, "visitor")
    return load(f"{pack.slug}/{name}", extra=[Layer("visitor", {}, seats, people=TERMS)])
