"""One world of a turn as the kernel's values: its orders, its state, and what its events are worded from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np

from games.catalog.nations import state as values
from games.catalog.nations.columns.world import ATTACKERS, EVERYBODY, Plans, Worlds
from games.catalog.nations.money import shown
from games.catalog.nations.news import Settled, opening
from games.catalog.nations.settings import RESOURCES
from games.catalog.nations.speech import worded
from games.core.game import LazyActions, LazyEvents, Seat, Step, Turn
from games.core.steps import everybody


def step(before: Worlds, plans: Plans, after: Worlds, index: int, world: int) -> Step[Any, Any]:
    """One world's step. Orders, events and the state's record are made when they are read."""
    config, state, last = after.config, _state(before, after, world), after.last
    clock = (("round", after.round), ("turn", after.turn))
    if last is None:
        news = LazyEvents(lambda: opening(config, state))
        return Step(index, Turn(clock, "opening", ()), {}, {}, {}, news, {}, state)
    seats = everybody(config.nations)
    orders = LazyActions(seats, partial(_orders, before, plans, world))
    events = LazyEvents(lambda: Settled(config, orders, state, after.turn >= after.rules.turns).events())
    return Step(index, Turn(clock, "orders", seats), orders, {}, {}, events, dict(enumerate(last.gains[world])), state)


def _state(before: Worlds, after: Worlds, world: int) -> values.NationsState:
    held = tuple(map(tuple, after.held[world].tolist())) if after.config.resources else ()
    harm, (owners, army, welfare, banked) = tuple(after.harms[world]), after.standings[world]
    known = owners, after.first, army, welfare, banked, held, harm
    state = values.NationsState(after.round, after.turn, *known, _vows(after, world))
    if after.last is not None:
        state.tell_later(partial(_record, before, after, world))
    return state


def _vows(worlds: Worlds, world: int) -> tuple[values.Vow, ...]:
    """The promises that stand, by who made them."""
    return tuple([values.Vow(by, to, "grant", amount, worlds.turn + 1) for by, to, amount in worlds.vows[world]])


def _record(before: Worlds, after: Worlds, world: int) -> values.TurnRecord:
    last, vows = after.last, _vows(before, world)
    assert last is not None
    accounts, battles, payments, cessions = (rows[world] for rows in last.rows)
    return values.TurnRecord(
        tuple([values.Account(*row) for row in accounts]),
        tuple([values.Battle(by, on, *rest) for on, by, *rest in battles]),
        tuple([values.Payment(*row) for row in payments]),
        tuple([values.Ceded(*row) for row in cessions]),
        tuple([vow for vow in vows if last.kept[world, vow.by, vow.to]]),
        tuple([vow for vow in vows if not last.kept[world, vow.by, vow.to]]),
    )


def _orders(before: Worlds, plans: Plans, world: int) -> Mapping[Seat, values.Orders]:
    """What each nation carries out."""
    nations, sent, offered, given, said = (rows[world] for rows in plans.rows)
    attacks = _by_seat((by, values.Attack(on, mils)) for by, on, _, mils in sorted(sent, key=itemgetter(2)))
    grants = _by_seat((by, values.Grant(to, amount)) for by, to, amount in offered)
    resources = _by_seat((by, values.ResourceGrant(to, RESOURCES[kind], units)) for kind, by, to, units in given)
    messages = {row[0]: (_message(before, plans, world, *row),) for row in said}
    return {
        seat: values.Orders(
            buy,
            tuple(attacks[seat]),
            (values.Cession(number, taker),) if number else (),
            tuple(grants[seat]),
            tuple(resources[seat]),
            disband,
            messages.get(seat, ()),
        )
        for seat, (buy, disband, number, taker) in enumerate(nations)
    }


def _by_seat(parts: Iterable[tuple[Seat, Any]]) -> defaultdict[Seat, list[Any]]:
    found: defaultdict[Seat, list[Any]] = defaultdict(list)
    for seat, part in parts:
        found[seat].append(part)
    return found


def _message(before: Worlds, plans: Plans, world: int, seat: Seat, *said: int) -> values.Message:
    sentence, ear, number, promised = said
    language, name, label = plans.sentences[sentence - 1]
    data = ((label, shown(number) if promised else number),) if label else ()
    to: tuple[Seat, ...] | None = None if ear == EVERYBODY else (ear,)
    if ear == ATTACKERS:
        to = tuple(np.flatnonzero(before.forces[world, :, seat]).tolist())
    text = worded(language, name, before.config.message_length, *data)
    return values.Message(to, text, values.Promise("grant", shown(promised), 1) if promised else None)
