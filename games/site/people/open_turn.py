"""What one person's seat is asked now, and what an answer of theirs would become: the same request as a model's."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from agents_app.people import PeopleSettings
from agents_app.profile import Language
from agents_app.prompting import observed, prompts_of, words_at
from games.core import codec
from games.core.agents import Decision, Request, begin, without_plan
from games.core.answers import ActionSpec, BadAction, Note
from games.core.engine import Position, cleaned
from games.core.game import PASSED, Seat
from games.core.prompts import PromptContext
from games.core.requests import Requests
from games.errors import sentences
from games.errors.requests import BadRequest
from games.lab.wire.frames import note_out
from games.lab.wire.seat import OpenTurn, SeatPrompt, StoredMove
from games.site.models import ACTIVE, Participant, ParticipantState, Run
from games.site.models import Decision as DecisionRow
from games.site.record import selectors, waiting
from games.site.record.decisions import decode_decision, encode_decision

MOVE_MAX = 16_384
"""Bytes of a move as JSON."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A seat's request at the step that is open, with the run that it belongs to."""

    play: selectors.Playing
    position: Position[Any, Any]
    request: Request[Any, Any]

    @property
    def step(self) -> int:
        return self.request.index

    def cleaned(self, action: Any) -> tuple[Any, tuple[Note, ...]]:
        """What the rules would leave of an action, and why: exactly what they will do when the round is resolved."""
        play, seat = self.play, self.request.seat
        return cleaned(play.game, play.config, play.run.seed, self.position, seat, action)


@dataclass(frozen=True, slots=True)
class DryRun:
    """An answer that can be read, dry: the decision, what would be struck out, and what would stand."""

    decision: Decision[Any]
    notes: tuple[Note, ...]
    action: Any


def open_requests(play: selectors.Playing, people: Iterable[Participant]) -> dict[Seat, OpenRequest]:
    """What each of them is asked now, by seat; without those that are not, and empty where the run does not go on.

    Each has the run as it was given here, whose clock may have been moved since others asked.
    """
    run = play.run
    if run.status not in ACTIVE or not run.begun or run.head < 0 or not play.is_current:
        return {}
    fresh = tuple(seat.index for seat in selectors.seats_of(run) if seat.since == run.head)
    halted = {one.seat: one.halted for one in people}
    found = {}
    for seat, asked in _open(_Open(run.pk, run.head_hash, fresh, play)).items():
        if seat in halted:
            request = without_plan(asked.request) if halted[seat] else asked.request
            found[seat] = replace(asked, play=play, request=request)
    return found


@dataclass(frozen=True, slots=True)
class _Open:
    """What decides what a run asks now; equal for the same stored step and the same agents."""

    run_id: str
    head_hash: str
    fresh: tuple[Seat, ...]
    play: selectors.Playing = field(compare=False)


@lru_cache(maxsize=256)
def _open(key: _Open) -> Mapping[Seat, OpenRequest]:
    play = key.play
    position, _ = selectors.position(play)
    turn = play.game.turn(play.config, position.last.state)
    if turn is None:
        return {}
    told = Requests(play.game, play.config, play.run.seed, position, turn, play.pack.controller)
    return {seat: OpenRequest(play, position, request) for seat, request in told.items()}


def prompted(asked: OpenRequest, language: Language) -> SeatPrompt:
    """What a model would be told in this seat, by the game's prompts as they stand without a profile."""
    play, request = asked.play, asked.request
    words = words_at(play.pack, request.turn.stage)
    rendered = words.render(play.config, PromptContext(request, language, options=words.options))
    plans, turn = plans_of(asked), play.run.open_turn
    return {
        "step": asked.step,
        "left_s": waiting.left_of(turn) if turn and turn["step"] == asked.step else None,
        "system": rendered["system"].strip(),
        "round": rendered["user"].strip(),
        "schema": {} if request.actions is None else dict(request.actions.schema),
        "plan_schema": None if plans is None else dict(plans.schema),
    }


def tried(asked: OpenRequest, raw: Mapping[str, Any]) -> DryRun:
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
                return DryRun(decision, (), None)
            case "plan":
                decision = _planned(asked, raw["plan"])
            case _:
                assert request.actions is not None
                decision = Decision(request.actions.read(raw["action"]), request.memory)
    except BadAction as error:
        raise BadRequest("bad_action", f"{given[0]}: {error}", given[0], error.note) from None
    action, notes = asked.cleaned(decision.action)
    return DryRun(decision, notes, action)


def plans_of(asked: OpenRequest) -> ActionSpec[Any] | None:
    """What a plan of this seat looks like now; None where there are no plans."""
    pack = asked.play.pack
    return None if pack.controller is None else prompts_of(pack).plan_spec(asked.play.config, asked.request)


def _planned(asked: OpenRequest, raw: Any) -> Decision[Any]:
    """The first action of a plan; raises `BadRequest` where the game has no plans, or this one cannot begin."""
    spec = plans_of(asked)
    if spec is None:
        raise BadRequest("bad_action", "plan: there are no plans here; send an action", "plan", why="no_plans")
    plan = spec.read(raw)
    assert asked.play.pack.controller is not None
    decision = begin(asked.play.pack.controller, asked.request, Decision(None, asked.request.memory, plan))
    if decision.action is None:
        why = _why(asked, decision)
        raise BadRequest("bad_action", f"plan: {sentences.fault(why)}", "plan", why)
    return decision


def turn_out(
    asked: OpenRequest, run: Run, participant: Participant, moves: Mapping[Seat, DecisionRow]
) -> OpenTurn | None:
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
    seconds = terms.stage_s(request.turn.stage)
    left = seconds if turn is None else waiting.left_of(turn)
    agent = next(seat.agent for seat in selectors.seats_of(run) if seat.index == request.seat)
    row = moves.get(request.seat)
    return {
        "step": asked.step,
        "stage": request.turn.stage,
        "clock": list(request.turn.clock),
        "deadline": turn["deadline"] if turn is not None else None,
        "left_s": left,
        "total_s": seconds,
        "tick": terms.is_ticking,
        "default": "plan" if request.plan is not None else terms.default,
        "substitute": agent["substitute"]["policy"],
        "schema": dict(spec.schema) if spec is not None else {},
        "options": options,
        "plan_schema": dict(plans.schema) if plans is not None else None,
        "observation": observed(request.observation, play.game.config_type),
        "plan": request.plan,
        "ended": None if request.replan is None else note_out(request.replan),
        "moved": None if row is None else move_out(play, row, participant),
    }


def _why(asked: OpenRequest, decision: Decision[Any]) -> Note:
    """Why a plan cannot begin."""
    told = decision.trace.get("replan")
    if told is None:
        return Note("cannot_begin")
    return asked.play.pack.words.said(codec.decode_note(told))


def moved(play: selectors.Playing, step: int, participant: Participant) -> StoredMove | None:
    """The stored move of a participant's seat at a step, as their page is told of it."""
    row = DecisionRow.objects.filter(run_id=play.run.pk, step=step, seat=participant.seat, purpose="act").first()
    return None if row is None else move_out(play, row, participant)


def move_out(play: selectors.Playing, row: DecisionRow, participant: Participant) -> StoredMove:
    decision = decode_decision(play, row.answer)
    return {
        "id": row.client_id,
        "step": row.step,
        "own": bool(row.client_id) and row.created >= participant.joined,
        "stored": True,
        "action": None if decision.action is None else plain(play, decision.action),
        "plan": decision.plan,
        "passed": PASSED in decision.flags,
        "flags": list(decision.flags),
    }


def answer_of(asked: OpenRequest, done: DryRun) -> str:
    """What is stored of a move."""
    return encode_decision(asked.play, done.decision)


def plain(play: selectors.Playing, action: Any) -> Any:
    """An action as JSON."""
    return codec.adapter(play.game.action_type).dump_python(action, mode="json")
