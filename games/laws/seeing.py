"""Laws of what is seen: views for all eyes, from any snapshot, and nothing of what is private."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from pydantic import TypeAdapter, ValidationError

from games.core import codec
from games.core.engine import replay
from games.core.game import All, Past, Public, Seat, SeatEyes, View
from games.laws.case import EYES_MAX, Case


def views_are_json_for_all_eyes(case: Case) -> None:
    """What is drawn is plain JSON, whoever looks."""
    for step in case.played().steps[::7]:
        for eyes in case.eyes():
            codec.canonical(case.game.view(case.config, step.state, eyes))


def views_have_their_declared_shape(case: Case) -> None:
    """What is drawn is of the game's `view_type`, whoever looks: each field there, of its type, and no other."""
    if case.game.view_type is None:
        return
    shape = codec.adapter(case.game.view_type)
    for step in case.played().steps[::7]:
        for eyes in case.eyes():
            _fits(shape, case.game.view(case.config, step.state, eyes), f"step {step.index}: the view of {eyes}")


def events_have_their_declared_shapes(case: Case) -> None:
    """What an event holds is of the type that `event_types` gives its kind, which is one of the game's."""
    declared = case.game.event_types
    if not declared:
        return
    known = case.pack.words.book("en").get("events", declared)
    strange = sorted(declared.keys() - known.keys())
    assert not strange, f"event_types names {strange}, which no event is"
    for step in case.played().steps:
        for event in step.events:
            if event.kind in declared:
                _fits(codec.adapter(declared[event.kind]), event.data, f"step {step.index}: {event.kind}")


def _fits(shape: TypeAdapter[Any], shown: View, what: str) -> None:
    try:
        shape.validate_json(codec.canonical(shown), strict=True, extra="forbid")
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()[:5])
        raise AssertionError(f"{what} has not its declared shape: {faults}") from None


def a_snapshot_and_later_frames_equal_a_fresh_view(case: Case) -> None:
    """Whoever joins at any step, and is shown what follows from the stored state, sees what a fresh look shows.

    A view may depend on nothing that is not written down.
    """
    steps = case.played().steps
    joined = len(steps) // 3
    state = codec.load(case.game.state_type, codec.plain(codec.dump(case.game.state_type, steps[joined].state)))
    stored = codec.decode_step(case.game, codec.plain(codec.encode_step(case.game, steps[joined])), state)
    later = replay(case.game, case.config, case.seed, (step.actions for step in steps[joined + 1 :]), stored)
    for fresh, shown in zip(steps[joined:], later, strict=True):
        for eyes in case.eyes():
            ours, theirs = (case.game.view(case.config, step.state, eyes) for step in (fresh, shown))
            assert codec.canonical(ours) == codec.canonical(theirs), f"step {fresh.index}: {eyes} is shown another view"
            told = [[codec.encode_event(event) for event in step.events_for(eyes)] for step in (fresh, shown)]
            assert codec.canonical(told[0]) == codec.canonical(told[1]), f"step {fresh.index}: {eyes} hears other news"


def every_stage_has_its_view(case: Case) -> None:
    """What is drawn tells the stages apart: no two worlds in which different stages come next look the same."""
    stages: dict[bytes, str] = {}
    for step in case.played().steps:
        turn = case.game.turn(case.config, step.state)
        stage = "" if turn is None else turn.stage
        shown = codec.canonical(case.game.view(case.config, step.state, All()))
        other = stages.setdefault(shown, stage)
        assert other == stage, f"step {step.index}: the view is the same before {other!r} and before {stage!r}"


def private_facts_stay_private(case: Case) -> None:
    """What a seat observes, is asked and is shown is the same in states that differ in others' private facts.

    Where a game says that its states hold nothing private, all seats are shown the same of them.
    """
    if case.pack.indistinguishable is None:
        _all_seats_see_the_same(case)
    for (at, seat), found in groupby(twins(case), key=itemgetter(0, 1)):
        past: Past[Any] = Past(case.played().steps[: at + 1], seat)
        ours = None
        for _, _, state, twin in found:
            ours = ours or _sees(case, state, seat, past)
            theirs = _sees(case, twin, seat, past)
            assert ours[0] == theirs[0], f"step {at}: seat {seat} observes a private fact"
            assert ours[1] == theirs[1], f"step {at}: seat {seat} may do what a private fact allows"
            assert ours[2] == theirs[2], f"step {at}: seat {seat} is shown a private fact"


def _sees(case: Case, state: Any, seat: Seat, past: Past[Any]) -> tuple[Any, Any, bytes]:
    """What a seat observes, the schema of what it may do, and its view's bytes."""
    game, config = case.game, case.config
    view = codec.canonical(game.view(config, state, SeatEyes(seat)))
    return game.observe(config, state, seat, past), game.actions(config, state, seat).schema, view


def public_eyes_see_no_more_than_a_seat(case: Case) -> int:
    """States that a seat cannot tell apart look alike to public eyes: what is hidden from anybody is not public.

    Where a game says that its states hold nothing private, public eyes see what seats see and no more. Returns how many
    states were looked at.
    """
    looked = 0
    if case.pack.indistinguishable is None:
        for step in case.played().steps:
            more = _more(*(case.game.view(case.config, step.state, eyes) for eyes in (Public(), SeatEyes(0))))
            assert not more, f"step {step.index}: the public is shown {more}, which no seat is shown"
            looked += 1
    for at, found in groupby(twins(case), key=itemgetter(0)):
        ours = case.game.view(case.config, case.played().steps[at].state, Public())
        for _, seat, _, twin in found:
            more = _more(ours, case.game.view(case.config, twin, Public()))
            assert not more, f"step {at}: the public is shown in {more} what seat {seat} may not know"
            looked += 1
    return looked


def _more(shown: View, other: View) -> list[str]:
    """The parts of a view that differ from another's, by name."""
    written = [{name: codec.canonical(part) for name, part in view.items()} for view in (shown, other)]
    return sorted(name for name in written[0] if written[0][name] != written[1].get(name))


def privacy_is_declared_and_has_been_tried(cases: Sequence[Case]) -> None:
    """A game gives states that a seat cannot tell apart, one at least in some preset, or why it has none."""
    pack = cases[0].pack
    if pack.indistinguishable is None:
        assert pack.open_state, "the pack gives neither `indistinguishable` nor the reason why it has an `open_state`"
        return
    assert not pack.open_state, "`open_state` is said beside `indistinguishable`: leave one of them out"
    tried = sum(1 for case in cases for _ in twins(case))
    assert tried, "`indistinguishable` yields no state in any preset: where nothing is private, say `open_state`"


def twins(case: Case) -> Iterator[tuple[int, Seat, Any, Any]]:
    """Steps, seats, their states, and other states that the seat must not tell apart from them."""
    indistinguishable, steps = case.pack.indistinguishable, case.played().steps
    for step in steps[::7] if indistinguishable is not None else ():
        if indistinguishable is None or case.game.turn(case.config, step.state) is None:
            return
        written = codec.canonical(codec.dump(case.game.state_type, step.state))
        for seat in case.seats[:EYES_MAX]:
            for twin in indistinguishable(case.config, step.state, seat):
                other = codec.canonical(codec.dump(case.game.state_type, twin))
                assert other != written, f"step {step.index}: seat {seat} is to tell a state from itself"
                yield step.index, seat, step.state, twin


def _all_seats_see_the_same(case: Case) -> None:
    for step in case.played().steps:
        shown = {codec.canonical(case.game.view(case.config, step.state, SeatEyes(seat))) for seat in case.seats}
        assert len(shown) == 1, f"step {step.index}: seats are shown different views, but the pack says `open_state`"
