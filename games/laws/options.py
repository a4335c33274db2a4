"""Laws of what may be answered: the listed options are what cleaning leaves alone, and its work fits the schema."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from games.core import codec
from games.core.answers import ActionSpec, BadAction
from games.core.game import Seat, cleaning
from games.core.rng import Rng
from games.core.sampling import samples
from games.core.schema import Schema
from games.laws.case import EYES_MAX, Case

EVERY: Final = 9
"""A stage's first two steps are tried, and each so many-th after."""
DRAWN: Final = 24
"""So many answers are drawn from the schema of a request."""
LISTED_MAX: Final = 40
"""So many of the listed options are cleaned at a request."""
SHIFTS: Final = (-1, 1, -(10**6), 10**6)
"""What is added to a number of an answer that cleaning has let pass."""


class _Asked(NamedTuple):
    """One seat that is asked at one step."""

    case: Case
    step: int
    stage: str
    state: Any
    seat: Seat
    spec: ActionSpec[Any]
    rng: Rng

    def __str__(self) -> str:
        return f"step {self.step}, {self.stage}, seat {self.seat}"

    def written(self, action: Any) -> bytes:
        return codec.canonical(codec.dump(self.case.game.action_type, action))

    def cleaned(self, action: Any) -> tuple[Any, bool]:
        """The action as cleaning leaves it, and whether it left it alone."""
        key = cleaning(self.rng, self.seat)
        cleaned, notes = self.case.game.clean(self.case.config, self.state, self.seat, action, key)
        return cleaned, not notes and self.written(cleaned) == self.written(action)


def options_are_what_cleaning_leaves_alone(case: Case) -> int:
    """Where options are listed, cleaning changes none of them, and an answer that it leaves alone is one of them.

    Returns how many answers were tried.
    """
    tried = 0
    partial = case.pack.exempt.options
    for asked in _asked(case):
        options = asked.spec.options
        if options is None:
            continue
        listed = {asked.written(option) for option in options}
        for option in asked.rng.shuffled(options, "listed")[:LISTED_MAX]:
            _, alone = asked.cleaned(option)
            assert alone, f"{asked}: the option {option!r} is listed, but cleaning changes it"
            tried += 1
        for action in () if partial else _read(asked):
            for other in (action, *_shifted(asked, action, tried)):
                _, alone = asked.cleaned(other)
                assert not alone or asked.written(other) in listed, (
                    f"{asked}: {other!r} is legal, for cleaning leaves it alone, but it is not among the options"
                )
                tried += 1
    return tried


def cleaned_answers_fit_the_schema(case: Case) -> int:
    """What cleaning makes of any answer can be read again as an answer of that moment: the schema knows its bounds.

    Tried are answers drawn from the schema, and the same with a number shifted out of place. Returns how many.
    """
    tried = 0
    for asked in _asked(case):
        for action in _read(asked):
            for other in (action, *_shifted(asked, action, tried)):
                cleaned, alone = asked.cleaned(other)
                _fits(asked, other, codec.dump(case.game.action_type, cleaned), alone)
                tried += 1
    return tried


def numbers_of_an_answer_have_bounds(case: Case) -> None:
    """Every number of an answer has a least value in its schema, which form, prompt and laws go by."""
    for asked in _asked(case):
        for path, part in Schema(asked.spec.schema).numbers(asked.spec.schema):
            bounded = "minimum" in part or "exclusiveMinimum" in part
            assert bounded, f"{asked}: {path} has no minimum in its schema: say what is the least"


def _fits(asked: _Asked, before: Any, written: Any, alone: bool) -> None:
    """AssertionError where a cleaned answer cannot be read, as itself if it was left alone, or is out of bounds."""
    schema = asked.spec.schema
    place = f"{asked}: cleaning {before!r} leaves {written}"
    try:
        again = asked.spec.read(json.loads(codec.canonical(written)))
    except BadAction as refused:
        raise AssertionError(f"{place}, which is refused: {refused}") from None
    same = not alone or codec.dump(asked.case.game.action_type, again) == written
    assert same, f"{place}, which reads as {again!r}"
    beyond = next(Schema(schema).beyond(schema, written), None)
    assert beyond is None, f"{place}: {beyond}, beyond the bounds of the schema"


def _asked(case: Case) -> Iterator[_Asked]:
    """Requests of the case's run: of each stage its first ones, then some."""
    stages: Counter[str] = Counter()
    for before, step in pairwise(case.played().steps):
        stage = step.turn.stage
        stages[stage] += 1
        if stages[stage] > 2 and stages[stage] % EVERY:
            continue
        rng = Rng.root(case.seed).step(step.index)
        for seat in step.turn.seats[:EYES_MAX]:
            spec = case.game.actions(case.config, before.state, seat)
            yield _Asked(case, step.index, stage, before.state, seat, spec, rng)


def _read(asked: _Asked) -> Iterator[Any]:
    """Answers drawn from the schema, as actions."""
    for raw in samples(asked.spec.schema, asked.rng.at("drawn", asked.seat), DRAWN):
        try:
            yield asked.spec.read(raw)
        except BadAction:
            continue


def _shifted(asked: _Asked, action: Any, number: int) -> Iterator[Any]:
    """The action with a number of it moved, as only a policy can make it, whose answers no schema reads."""
    kind = asked.case.game.action_type
    data = codec.dump(kind, action)
    if places := list(_numbers(data)):
        key = asked.rng.at("shifted", number)
        with suppress(ValidationError):
            yield codec.load(kind, _with(data, key.choice(places, "place"), key.choice(SHIFTS, "by")))


def _numbers(data: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(data, dict | list):
        for key, part in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _numbers(part, (*at, key))
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield at


def _with(data: Any, place: tuple[str | int, ...], shift: int) -> Any:
    if not place:
        return data + shift if isinstance(data, int) else round(data + shift, 2)
    first, *rest = place
    if isinstance(data, dict):
        return {**data, first: _with(data[first], tuple(rest), shift)}
    return [_with(part, tuple(rest), shift) if at == first else part for at, part in enumerate(data)]
