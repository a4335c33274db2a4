"""Laws of a round: who may decide, what is repaired, and that resolving depends on nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, Final

from games.core import codec
from games.core.agents import Decision, Request
from games.core.answers import BadAction
from games.core.conformance.case import Case, check_invariants
from games.core.engine import Ask, drive, hosted, play
from games.core.game import Seat, Step
from games.core.rng import Rng

HORIZON_MAX: Final = 20_000
"""Steps after which a run counts as one that never ends."""


def mapping_order_is_irrelevant(case: Case) -> None:
    """Actions handed over in another order of seats resolve to the same state, events and payoffs."""
    game, root = case.game, Rng.root(case.seed)
    before: Step[Any, Any] | None = None
    for step in case.played().steps:
        if before is not None and len(step.actions) > 1:
            backwards = {seat: step.actions[seat] for seat in reversed(list(step.actions))}
            other = game.resolve(case.config, before.state, backwards, root.step(step.index))
            same = codec.state_hash(game, other.state) == codec.state_hash(game, step.state)
            assert same, f"step {step.index}: the state depends on the mapping's order"
            ours, theirs = list(step.events), list(other.events)
            assert ours == theirs, f"step {step.index}: the events depend on the mapping's order"
            assert dict(other.payoffs) == dict(step.payoffs), step.index
        before = step


def resolve_mutates_nothing(case: Case) -> None:
    """A state that was resolved from is the same bytes afterwards."""
    game = case.game
    kept: list[tuple[int, Any, bytes]] = []
    for step in islice(play(game, case.config, case.seed, case.deciders()), case.steps + 1):
        kept.append((step.index, step.state, codec.canonical(codec.dump(game.state_type, step.state))))
    for index, state, written in kept:
        same = codec.canonical(codec.dump(game.state_type, state)) == written
        assert same, f"step {index}: its state was changed by resolving from it"


def cleaning_is_idempotent(case: Case) -> None:
    """Cleaning a cleaned action changes nothing and leaves no note."""
    game, root = case.game, Rng.root(case.seed)
    before: Step[Any, Any] | None = None
    for step in case.played().steps:
        if before is not None:
            for seat, action in step.actions.items():
                rng = root.step(step.index).at("clean", seat)
                again, notes = game.clean(case.config, before.state, seat, action, rng)
                assert codec.dump(game.action_type, again) == codec.dump(game.action_type, action), (step.index, seat)
                assert not notes, f"step {step.index}, seat {seat}: a clean action is cleaned again: {notes}"
        before = step


HOSTILE: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 10**400, 1e308, float("nan"), float("inf"), "", "C", "\x00", "x" * 10_000, ["\ud800"],
    [], {}, [[]], [None], [[0, 0]] * 1000, list(range(100_000)), {"a": {"b": {"c": {"d": []}}}}, {"__class__": "x"},
    {"type": "claim"}, {"claim": [[-1, -1]], "mine": [{"cell": [0, 0], "s": 1e99}]}, [{"type": []}],
    [{"type": "mine", "cell": ["0", None], "s": "3"}], [{"type": "raid", "cell": [10**30, 0]}],
    {"messages": [{"to": "all", "text": "x" * 100_000}]}, {"type": "move", "direction": "sideways"},
    {"type": "join", "group": 10**9}, {"type": "propose", "share": float("nan")},
)  # fmt: skip


def hostile_answers_never_raise(case: Case) -> None:
    """Junk is refused by `read` in one line or repaired by `clean` with bounded notes, and the run goes on."""
    for step in case.run(deciders=dict.fromkeys(case.seats, hostile)):
        for note in chain.from_iterable(step.notes.values()):
            size = len(codec.canonical(note.data))
            assert size < 1000, f"a note {note.kind} of {size} bytes"
        check_invariants(case, step)


def hostile(request: Request[Any, Any]) -> Decision[Any]:
    """A decider that answers with junk; what `read` refuses, it refuses in one line."""
    raw = HOSTILE[request.rng.below(len(HOSTILE), "hostile")]
    assert request.actions is not None
    refusal = ""
    try:
        return Decision(request.actions.read(raw))
    except BadAction as refused:
        refusal = str(refused)
    assert "\n" not in refusal, f"more than one line: {refusal}"
    assert 0 < len(refusal) < 1000, f"{len(refusal)} characters of refusal"
    return Decision(None)


def others_actions_are_cleaned(case: Case) -> None:
    """What another seat might do, this seat may try: it is repaired, never raised."""
    for _ in swapped(case):
        pass


def swapped(case: Case) -> Iterator[Step[Any, Any]]:
    """The run in which each seat tries what the next one on turn would do."""
    deciders = case.deciders()

    def ask(turn: Ask[Any, Any]) -> dict[Seat, Decision[Any]]:
        given = {seat: deciders[seat](request) for seat, request in turn.requests.items()}
        seats = sorted(given)
        return {seat: given[seats[(i + 1) % len(seats)]] for i, seat in enumerate(seats)}

    for step in hosted(drive(case.game, case.config, case.seed), ask):
        yield step
        if step.index >= case.steps:
            return


def silence_is_played_and_flagged(case: Case) -> None:
    """A seat that never answers gets the game's default, flagged, and the run ends all the same."""
    for step in case.run(deciders=dict.fromkeys(case.seats, lambda request: Decision(None))):
        assert set(step.flags) == set(step.turn.seats)
        assert set(step.actions) == set(step.turn.seats)


def ends_within_its_horizon(case: Case) -> None:
    """Every run ends."""
    for step in play(case.game, case.config, case.seed, case.deciders()):
        assert step.index <= HORIZON_MAX, f"not over after {HORIZON_MAX} steps"


def turns_are_well_formed(case: Case) -> None:
    """The seats of a turn exist and are strictly increasing; clocks never stand still."""
    clocks = set()
    for step in case.played().steps:
        assert list(step.turn.seats) == sorted(set(step.turn.seats) & set(case.seats)), step.turn
        assert (step.turn.clock, step.turn.stage) not in clocks, f"the same clock twice: {step.turn}"
        clocks.add((step.turn.clock, step.turn.stage))


def policies_play_legally(case: Case) -> None:
    """What the named policies do needs no repair."""
    for step in case.played().steps:
        assert not step.notes, f"step {step.index}: {dict(step.notes)}"


def invariants_hold(case: Case) -> None:
    """The game's own conservation laws hold in every state."""
    for step in case.played().steps:
        check_invariants(case, step)
