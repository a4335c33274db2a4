"""What one person's seat is asked now, and what an answer of theirs would become: the same request as a model's."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from agents_app.people import PeopleSettings
from agents_app.prompting import observed, prompts_of
from games import describing, refusing, selectors
from games.asking import decode_decision, encode_decision
from games.core import codec
from games.core.agents import Decision, Request, begin
from games.core.answers import ActionSpec, BadAction, Note
from games.core.engine import Position, requests
from games.core.game import PASSED, Seat
from games.core.rng import Rng
from games.models import ACTIVE, Participant, ParticipantState, Run
from games.models import Decision as DecisionRow
from games.services.faults import BadRequest

MOVE_MAX = 16_384
"""Bytes of a move as JSON."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat's request at the step that is open, with the run that it belongs to."""

    play: selectors.Playing
    position: Position[Any, Any]
    request: Request[Any, Any]

    @property
    def step(self) -> int:
        return self.request.index

    def cleaned(self, action: Any) -> tuple[Any, tuple[Note, ...]]:
        """What the rules would leave of an action, and why: exactly what they will do when the round is resolved."""
        game, seat = self.play.game, self.request.seat
        rng = Rng.root(self.play.run.seed).step(self.step).at("clean", seat)
        return game.clean(self.play.config, self.position.last.state, seat, action, rng)


@dataclass(frozen=True, slots=True)
class Tried:
    """An answer that can be read, dry: the decision, what would be struck out, and what would stand."""

    decision: Decision[Any]
    notes: tuple[Note, ...]
    action: Any


def asked_of(play: selectors.Playing, people: Iterable[Participant]) -> dict[Seat, Asked]:
    """What each of them is asked now, by seat; without those that are not, and empty where the run does not go on."""
    run = play.run
    if run.status not in ACTIVE or not run.begun or run.head < 0 or not play.is_current:
        return {}
    fresh = tuple(seat.index for seat in selectors.seats_of(run) if seat.since == run.head)
    halted = {one.seat: one.halted for one in people}
    found = {}
    for seat, asked in _open(_Open(run.pk, run.head_hash, fresh, play)).items():
        if seat in halted:
            found[seat] = replace(asked, request=replace(asked.request, plan=None)) if halted[seat] else asked
    return found


@dataclass(frozen=True, slots=True)
class _Open:
    """What decides what a run asks now; equal for the same stored step and the same agents."""

    run_id: str
    head_hash: str
    fresh: tuple[Seat, ...]
    play: selectors.Playing = field(compare=False)


@lru_cache(maxsize=64)
def _open(key: _Open) -> Mapping[Seat, Asked]:
    play = key.play
    position, _ = selectors.position(play)
    memories = {seat: memory for seat, memory in position.memories.items() if seat not in key.fresh}
    plans = {seat: plan for seat, plan in position.plans.items() if seat not in key.fresh}
    position = replace(position, memories=memories, plans=plans)
    turn = play.game.turn(play.config, position.last.state)
    if turn is None:
        return {}
    told = requests(play.game, play.config, play.run.seed, position, turn)
    return {seat: Asked(play, position, request) for seat, request in told.items()}


def tried(asked: Asked, raw: Mapping[str, Any]) -> Tried:
    """Read ``action``, ``plan`` or ``pass`` as the rules will; raises `BadRequest` where it cannot be read."""
    given = [name for name in ("action", "plan", "pass") if raw.get(name) is not None and raw.get(name) is not False]
    if len(given) != 1:
        raise BadRequest("bad_action", "a move is one of action, plan and pass: true", "action", why="one_of")
    if len(json.dumps(raw[given[0]], ensure_ascii=False).encode()) > MOVE_MAX:
        raise BadRequest("too_big", f"{given[0]}: more than {MOVE_MAX} bytes; make it shorter", given[0], most=MOVE_MAX)
    request = asked.request
    try:
        match given[0]:
            case "pass":
                decision: Decision[Any] = Decision(None, request.memory, None, (PASSED,))
                return Tried(decision, (), None)
            case "plan":
                decision = _planned(asked, raw["plan"])
            case _:
                assert request.actions is not None
                decision = Decision(request.actions.read(raw["action"]), request.memory)
    except BadAction as error:
        raise BadRequest("bad_action", f"{given[0]}: {error}", given[0], error.note) from None
    action, notes = asked.cleaned(decision.action)
    return Tried(decision, notes, action)


def plans_of(asked: Asked) -> ActionSpec[Any] | None:
    """What a plan of this seat looks like now; None where there are no plans."""
    pack = asked.play.pack
    return None if pack.controller is None else prompts_of(pack).plan_spec(asked.play.config, asked.request)


def _planned(asked: Asked, raw: Any) -> Decision[Any]:
    """The first action of a plan; raises `BadRequest` where the game has no plans, or this one cannot begin."""
    spec = plans_of(asked)
    if spec is None:
        raise BadRequest("bad_action", "plan: there are no plans here; send an action", "plan", why="no_plans")
    plan = spec.read(raw)
    decision = begin(asked.play.pack.controller, asked.request, Decision(None, asked.request.memory, plan))
    if decision.action is None:
        why = _why(asked, decision)
        raise BadRequest("bad_action", f"plan: {refusing.fault(why)}", "plan", why)
    return decision


def turn_out(
    asked: Asked, run: Run, participant: Participant, moves: Mapping[Seat, DecisionRow]
) -> dict[str, Any] | None:
    """What the page is told of the turn; None where this person is not asked: they wait, left, or were replaced.

    ``moves`` are the stored answers of this step, by seat.
    """
    if participant.state != ParticipantState.PLAYING:
        return None
    request, play = asked.request, asked.play
    terms = PeopleSettings.model_validate(run.people)
    plans = plans_of(asked)
    spec = request.actions
    options = None if spec is None or spec.options is None else [plain(play, action) for action in spec.options]
    turn = run.open_turn if run.open_turn and run.open_turn["step"] == asked.step else None
    left = terms.turn_s if turn is None else describing.left_of(turn)
    agent = next(seat.agent for seat in selectors.seats_of(run) if seat.index == request.seat)
    row = moves.get(request.seat)
    return {
        "step": asked.step,
        "stage": request.turn.stage,
        "clock": [list(part) for part in request.turn.clock],
        "deadline": turn["deadline"] if turn is not None else None,
        "left_s": left,
        "total_s": terms.turn_s,
        "tick": terms.is_ticking,
        "default": "plan" if request.plan is not None else terms.default,
        "substitute": agent["substitute"]["policy"],
        "schema": spec.schema if spec is not None else {},
        "options": options,
        "plan_schema": plans.schema if plans is not None else None,
        "observation": observed(request.observation),
        "plan": request.plan,
        "moved": None if row is None else move_out(play, row),
    }


def _why(asked: Asked, decision: Decision[Any]) -> Note:
    """Why a plan cannot begin."""
    told = decision.trace.get("replan")
    if told is None:
        return Note("cannot_begin")
    return asked.play.pack.words.said(codec.decode_note(told))


def moved(play: selectors.Playing, step: int, seat: Seat) -> dict[str, Any] | None:
    """The seat's stored move of a step, as its page is told of it."""
    row = DecisionRow.objects.filter(run_id=play.run.pk, step=step, seat=seat, purpose="act").first()
    return None if row is None else move_out(play, row)


def move_out(play: selectors.Playing, row: DecisionRow) -> dict[str, Any]:
    decision = decode_decision(play, row.answer)
    return {
        "id": row.client_id,
        "step": row.step,
        "stored": True,
        "action": None if decision.action is None else plain(play, decision.action),
        "plan": decision.plan,
        "passed": PASSED in decision.flags,
    }


def answer_of(asked: Asked, done: Tried) -> str:
    """What is stored of a move."""
    return encode_decision(asked.play, done.decision)


def plain(play: selectors.Playing, action: Any) -> Any:
    """An action as JSON."""
    return codec.adapter(play.game.action_type).dump_python(action, mode="json")
