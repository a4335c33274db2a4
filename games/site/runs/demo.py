"""The match that a fresh site shows: always one under way, the next when it has ended, and no heap of old ones.

Games take turns: first mining's, which explains itself at a glance, then each that has a preset to be shown.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from django.db import transaction

from games.core.registry import packs
from games.errors.faults import Refused
from games.lab.scenarios.scenario import load
from games.site.models import ENDED, Demo, Run
from games.site.record import clock
from games.site.runs.creating import run_create
from games.site.runs.gallery import remember
from games.site.runs.links import let_go, replayed_check, to_let_go

log = logging.getLogger(__name__)
FIRST: Final = "mining/mixed"
SHOWN: Final = ("living", "demo")
"""What a game calls the preset that it offers; the first that it has."""
PAUSE = timedelta(seconds=15)
"""How long an ended match is left on show before the next begins."""
KEPT = 10
"""Ended demo matches that are kept though nobody opened, tagged or forked them."""
OPENED = 1000
"""Those that are kept because somebody opened them: some 64 MB. The others are played again when they are opened."""


def demo_ensure() -> str:
    """A match worth watching is under way: the one that was, or a new one. Its id."""
    current = Run.objects.filter(demo=Demo.CURRENT).exclude(status__in=ENDED).order_by("-created").first()
    if current is not None:
        return current.pk
    Run.objects.filter(demo=Demo.CURRENT).update(demo=Demo.PAST)
    return _begin()


def demo_continue() -> str | None:
    """The next demo match, if the current one ended a while ago; its id. Idempotent, from whichever process."""
    replayed_check()
    ended = Run.objects.filter(demo=Demo.CURRENT, status__in=ENDED, ended__lt=clock.now() - PAUSE)
    for run_id in ended.values_list("pk", flat=True):
        with transaction.atomic():
            if ended.filter(pk=run_id).update(demo=Demo.PAST):
                remember(Run.objects.get(pk=run_id))
                return _begin()
    return None


def offered() -> Iterator[str]:
    """The scenarios that take turns, as ``game/preset``. The first asks for no other game to be loaded."""
    yield FIRST
    for slug, pack in packs().items():
        yield from (f"{slug}/{name}" for name in [name for name in SHOWN if name in pack.scenarios][:1])


def _after(shown: str, names: list[str]) -> list[str]:
    at = names.index(shown) + 1 if shown in names else 0
    return [*names[at:], *names[:at]]


def _begin() -> str:
    past = Run.objects.filter(demo=Demo.PAST).select_related("scenario").order_by("-created")
    for run in to_let_go(past, KEPT, OPENED):
        let_go(run)
    last = past.first()
    for name in offered() if last is None else _after(f"{last.game}/{last.scenario.name}", list(offered())):
        try:
            scenario = load(name)
        except Refused as error:  # one game's broken preset is no reason to show nothing
            log.warning("demo %s is left out: %s", name, error)
            continue
        before = past.filter(game=scenario.pack.slug, scenario__name=scenario.name).first()
        seed = 1 if before is None else before.seed + 1
        return run_create(scenario=scenario, seed=seed, pace=scenario.pack.demo_pace, demo=Demo.CURRENT).pk
    raise RuntimeError(f"none of the demos can be played: {', '.join(offered())}")
