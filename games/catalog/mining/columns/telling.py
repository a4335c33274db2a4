"""One world of a round as the kernel's values, told from its columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import partial

from games.catalog.mining.columns.standing import state_of
from games.catalog.mining.columns.world import Plans, Worlds
from games.catalog.mining.columns.writing import events, items_of
from games.catalog.mining.state import MiningState, Plan
from games.core.batch import Played
from games.core.codec import decode_event
from games.core.game import Event, LazyActions, LazyEvents, Seat, Step, Turn
from games.core.steps import everybody


def step(before: Worlds, plans: Plans, after: Worlds, index: int, world: int) -> Step[MiningState, Plan]:
    """One world's step. Plans and events are made when they are read."""
    seats = everybody(after.miners)
    actions = LazyActions(seats, partial(_plans, plans, after, world))
    told = LazyEvents(partial(_events, Played(before, plans, after), world))
    gains = dict(enumerate(after.last.gains[world].tolist())) if after.last else {}
    turn = Turn((("round", after.round),), "act", seats)
    return Step(index, turn, actions, {}, {}, told, gains, state_of(after, world))


def _plans(plans: Plans, after: Worlds, world: int) -> Mapping[Seat, Plan]:
    """What each seat carries out."""
    items = items_of(after.config.rows, after.config.cols, plans.stamina)
    rows = plans.items[world * after.miners : (world + 1) * after.miners].tolist()
    return {
        seat: Plan(tuple([items[code] for code in row if code >= 0]), plans.offers.get(seat, ()))
        for seat, row in enumerate(rows)
    }


def _events(played: Played[Worlds, Plans], world: int) -> Iterable[Event]:
    """As they are written, which is done once for all worlds."""
    after = played.after
    after.events = after.events or events([played])
    return map(decode_event, json.loads(after.events[world]))
