"""Laws of a round: who may decide, what is repaired, and that resolving depends on nothing else."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from games.core import codec
from games.core.agents import Decider, Decision, Request, deciding
from games.core.answers import BadAction
from games.core.engine import News, drive, hosted, play
from games.core.game import Seat, Step, cleaning
from games.core.rng import Rng
from games.laws.case import Case, check_invariants
from games.laws.trials import swapped, trials

SHORT: Final = 20
RECKONED: Final = 2
"""So many steps of a policy that reckons, in one seat of a role: each costs as much as a run."""
"""So many steps show what a policy does in a role."""
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
                rng = cleaning(root.step(step.index), seat)
                again, notes = game.clean(case.config, before.state, seat, action, rng)
                assert codec.dump(game.action_type, again) == codec.dump(game.action_type, action), (step.index, seat)
                assert not notes, f"step {step.index}, seat {seat}: a clean action is cleaned again: {notes}"
        before = step


def hostile_answers_never_raise(case: Case) -> None:
    """Junk is refused by `read` in one line or repaired by `clean` with bounded notes, and the run goes on."""
    assert trials(case), "nobody is ever asked anything"


def junk_reaches_clean_at_every_stage(case: Case) -> None:
    """At every stage some answers made from the schema are read, so that `clean` has been tried."""
    made: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for trial in trials(case):
        made[trial.stage] += trial.made
        read[trial.stage] += trial.made and trial.refusal is None
    hollow = [
        f"{stage}: none of {made[stage]} answers made from its schema can be read" for stage in made if not read[stage]
    ]
    assert not hollow, "; ".join(hollow)


def others_actions_are_cleaned(case: Case) -> None:
    """What another seat does, or did last, or at another stage, this seat may try: it is repaired, never raised."""
    for step in swapped(case):
        check_invariants(case, step)


def silence_is_played_and_flagged(case: Case) -> None:
    """A seat that never answers gets the game's default, flagged, and the run ends all the same."""
    for step in case.run(deciders=dict.fromkeys(case.seats, lambda request: Decision(None))):
        assert set(step.flags) == set(step.turn.seats)
        assert set(step.actions) == set(step.turn.seats)


def ends_within_its_horizon(case: Case) -> None:
    """Every run ends, and no later than its rules say, where they say it."""
    steps, rounds = case.game.horizon(case.config), case.game.rounds(case.config)
    for step in play(case.game, case.config, case.seed, case.deciders()):
        assert step.index <= (steps or HORIZON_MAX), f"not over after {steps or HORIZON_MAX} steps"
        outermost = step.turn.clock[0][1] if step.turn.clock else 0
        assert rounds is None or outermost <= rounds, f"{step.turn.clock}: there are {rounds} rounds"


def payoffs_are_numbers(case: Case) -> None:
    """What a step pays are finite numbers, to seats that exist; a boolean is no number."""
    for step in case.played().steps:
        for seat, paid in step.payoffs.items():
            assert seat in case.seats, f"step {step.index}: pays seat {seat}; there are {len(case.seats)} seats"
            good = isinstance(paid, int | float) and not isinstance(paid, bool) and math.isfinite(paid)
            assert good, f"step {step.index}: pays seat {seat} {paid!r}, which is no finite number"


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


def policies_play_every_role_they_claim(case: Case) -> None:
    """A role's default plays all stages without repair; every policy answers what is asked in all roles it claims."""
    defaults = replace(case, seated={}, steps=SHORT, kept={})
    for step in defaults.played().steps:
        assert not step.notes, f"step {step.index}: a role's default is repaired: {dict(step.notes)}"
    roles = case.roles()
    for name, spec in case.pack.policies.items():
        answers = _answering(case, name, deciding(spec.bind()))
        for role in dict.fromkeys(filter(spec.can_play, roles)):
            able = [seat for seat in case.seats if roles[seat] == role]
            own = dict.fromkeys(able[:1] if spec.reckons else able, answers)
            few = replace(defaults, steps=RECKONED) if spec.reckons else defaults
            few.run({**defaults.deciders(), **own})


def _answering(case: Case, name: str, policy: Decider) -> Decider:
    """The policy, held to answers that the request's own schema can say."""
    kind, roles = case.game.action_type, case.roles()

    def decide(request: Request[Any, Any]) -> Decision[Any]:
        decision = policy(request)
        place = f"step {request.index}, {request.turn.stage}: policy {name} in role {roles[request.seat]!r}"
        assert request.actions is not None
        try:
            request.actions.read(json.loads(codec.canonical(codec.dump(kind, decision.action))))
        except BadAction as refused:
            raise AssertionError(f"{place} answers what is not asked there: {refused}") from refused
        return decision

    return decide


def each_seat_reflects_once_at_most(case: Case) -> None:
    """After a step each seat that may reflect is told the news once; after the last step nobody is."""
    told: list[int] = []
    last = -1

    def hear(news: News[Any, Any]) -> dict[Seat, Any]:
        told.append(news.index)
        return {}

    deciders = case.deciders()
    loop = drive(case.game, case.config, case.seed, reflecting=tuple(case.seats))
    asked = hosted(loop, lambda ask: {seat: deciders[seat](one) for seat, one in ask.requests.items()}, hear)
    for step in islice(asked, case.steps + 1):
        last = step.index
        seats = list(case.game.reflects(case.config, step))
        assert seats == sorted(set(seats) & set(case.seats)), f"step {step.index}: reflects names {seats}"
        if case.game.turn(case.config, step.state) is None:
            assert not seats, f"step {step.index}: seats {seats} reflect, but the run is over"
    assert len(told) == len(set(told)), f"the news of one step are told twice: {told}"
    assert all(index <= last for index in told)


def invariants_hold(case: Case) -> None:
    """The game's own conservation laws hold in every state."""
    for step in case.played().steps:
        check_invariants(case, step)
