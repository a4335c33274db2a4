"""Laws of what is seen: views for all eyes, from any snapshot, and nothing of what is private."""

from __future__ import annotations

from typing import Any

from games.core import codec
from games.core.conformance.case import Case
from games.core.engine import replay
from games.core.game import All, Past, SeatEyes


def views_are_json_for_all_eyes(case: Case) -> None:
    """What is drawn is plain JSON, whoever looks."""
    for step in case.played().steps[::7]:
        for eyes in case.eyes():
            codec.canonical(case.game.view(case.config, step.state, eyes))


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
    """What a seat observes, is asked and is shown is the same in states that differ in others' private facts."""
    if case.pack.twins is None:
        raise AssertionError("the pack declares no twins: what is private, and from whom?")
    game = case.game
    steps = case.played().steps
    for at in range(0, len(steps), 7):
        kept = steps[: at + 1]
        state = steps[at].state
        if game.turn(case.config, state) is None:
            break
        for seat in case.seats[:6]:
            past: Past[Any] = Past(kept, seat)
            for twin in case.pack.twins(case.config, state, seat):
                ours = game.observe(case.config, state, seat, past)
                theirs = game.observe(case.config, twin, seat, past)
                assert ours == theirs, f"step {at}: seat {seat} observes a private fact"
                assert game.actions(case.config, state, seat).schema == game.actions(case.config, twin, seat).schema, (
                    f"step {at}: seat {seat} may do what a private fact allows"
                )
                eyes = SeatEyes(seat)
                assert codec.canonical(game.view(case.config, state, eyes)) == codec.canonical(
                    game.view(case.config, twin, eyes)
                ), f"step {at}: seat {seat} is shown a private fact"
