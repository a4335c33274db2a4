"""Another value in the place of one: what a fact that nobody else may know might be instead."""

from __future__ import annotations

from typing import Any

from games.declare.declaration import Declaration
from games.declare.fields import Amount, Cell, Given, Pick, Points
from games.declare.money import CENTS
from games.declare.plan import Plan
from games.declare.seeing import Fact


def other_value(plan: Plan, made: Declaration, fact: Fact, value: Any, at: int) -> Any:
    """A value that the fact could have at that seat or group too."""
    if fact.in_cents:
        return value + CENTS
    for draw in made.draws:
        if draw.name == fact.name:
            return next((one for one in draw.of if one != value), value) if draw.of else value + 1
    part = next(part for name, _, part in made.fields() if name == fact.name)
    match part:
        case Amount():
            return value + 1 if part.is_whole else value + part.step / CENTS
        case Pick():
            choices: list[Any] = list(part.choices_of(at)) or [seat for seat in plan.seats if seat != at]
            return next((one for one in choices if one != value), value)
        case Points():
            return () if value else (Given(next(seat for seat in plan.seats if seat != at), 1),)
        case Cell():
            return value[0] + 1, value[1]
    return f"{value}x"
