"""What became of answers that a game must bear: junk made from each request's schema, and what others would do.

Every request of two runs, that of the policies and one in which junk is played, gets some of them besides, for `read`
and `clean` alone. Whatever raises is told with the answer that made it raise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from games.core import codec
from games.core.agents import Decision, Request
from games.core.answers import BadAction, Note
from games.core.engine import Ask, drive, hosted
from games.core.faults import shown
from games.core.game import Seat, Step, cleaning
from games.core.rng import Rng
from games.laws.case import Case, check_invariants
from games.laws.hostile import ANYTHING, answers

TRIED: Final = 2
"""So many answers are put to each request; at a stage's and role's first one all of them are."""
NOTES_MAX: Final = 20_000
"""Bytes of all notes of one answer."""

NUL: Final = b"\\u0000"

Decide = Callable[[Request[Any, Any]], Decision[Any]]


class Trial(NamedTuple):
    """One answer at one request: what ``read`` said of it where it could not be read, else the notes of ``clean``."""

    stage: str
    made: bool
    refusal: str | None
    notes: tuple[Note, ...]


def trials(case: Case) -> list[Trial]:
    """All that was tried, made once and kept for all laws. AssertionError where the game fails at an answer."""
    if "trials" not in case.kept:
        tried = _Trials(case)
        tried.run()
        case.kept["trials"] = tried.made
    found: list[Trial] = case.kept["trials"]
    return found


def swapped(case: Case) -> Iterator[Step[Any, Any]]:
    """The run in which each seat tries what the next one on turn would do, or what was done in the turn before.

    They take turns by two steps, so that each stage of a round gets both; who is alone on turn has no next one.
    """
    deciders = case.deciders()
    last: list[Any] = []

    def ask(turn: Ask[Any, Any]) -> dict[Seat, Decision[Any]]:
        given = {seat: deciders[seat](request) for seat, request in turn.requests.items()}
        seats = sorted(given)
        if last and (len(seats) == 1 or turn.index // 2 % 2):
            return {seat: Decision(last[i % len(last)], given[seat].memory) for i, seat in enumerate(seats)}
        return {seat: given[seats[(i + 1) % len(seats)]] for i, seat in enumerate(seats)}

    for step in hosted(drive(case.game, case.config, case.seed), ask):
        last[:] = list(step.actions.values()) or last
        yield step
        if step.index >= case.steps:
            return


class _Trials:
    def __init__(self, case: Case) -> None:
        self.case, self.made = case, list[Trial]()
        self._whole = set[tuple[str, str]]()
        self._known: dict[bytes, list[Any]] = {}
        self._roles = case.roles()
        self._latest: dict[str, Any] = {}

    def run(self) -> None:
        """Both runs, step by step."""
        deciders = self.case.deciders()
        for decide in (lambda request: deciders[request.seat](request), self._hostile):
            self._latest.clear()
            for step in self._followed(decide):
                codec.canonical(codec.encode_step(self.case.game, step))
                check_invariants(self.case, step)

    def _followed(self, decide: Decide) -> Iterator[Step[Any, Any]]:
        before: list[Step[Any, Any]] = []

        def ask(turn: Ask[Any, Any]) -> dict[Seat, Decision[Any]]:
            given = {}
            for seat, request in turn.requests.items():
                self._try_some(before[-1], request)
                given[seat] = decide(request)
            return given

        for step in hosted(drive(self.case.game, self.case.config, self.case.seed), ask):
            before[:] = [step]
            if step.actions:
                self._latest[step.turn.stage] = next(iter(step.actions.values()))
            yield step
            if step.index >= self.case.steps:
                return

    def _try_some(self, before: Step[Any, Any], request: Request[Any, Any]) -> None:
        """Some of the answers that can be made for a request, and what was done at other stages and by others."""
        made, first = self._made(request), (request.turn.stage, self._roles[request.seat])
        tries = range(len(made)) if first not in self._whole else self._drawn(request, len(made))
        self._whole.add(first)
        for index in tries:
            self._try_raw(before, request, made[index], made=True)
        self._try_raw(before, request, ANYTHING[request.rng.below(len(ANYTHING), "anything")], made=False)
        for action in (*self._latest.values(), *islice(before.actions.values(), 2)):
            notes = self._clean(before, request, action, action)
            self.made.append(Trial(request.turn.stage, False, None, notes))

    def _drawn(self, request: Request[Any, Any], among: int) -> Sequence[int]:
        return [request.rng.below(among, "hostile", at) for at in range(min(TRIED, among))]

    def _made(self, request: Request[Any, Any]) -> list[Any]:
        assert request.actions is not None
        written = codec.canonical(request.actions.schema)
        if written not in self._known:
            self._known[written] = answers(request.actions.schema)
        return self._known[written]

    def _hostile(self, request: Request[Any, Any]) -> Decision[Any]:
        """A decider that answers with junk."""
        pool = [*self._made(request), *ANYTHING]
        refusal, action = _read(request, pool[request.rng.below(len(pool), "played")])
        return Decision(None if refusal is not None else action)

    def _try_raw(self, before: Step[Any, Any], request: Request[Any, Any], raw: Any, made: bool) -> None:
        refusal, action = _read(request, raw)
        notes = () if refusal is not None else self._clean(before, request, action, raw)
        self.made.append(Trial(request.turn.stage, made, refusal, notes))

    def _clean(self, before: Step[Any, Any], request: Request[Any, Any], action: Any, raw: Any) -> tuple[Note, ...]:
        """The notes of cleaning an answer: bounded, and none where it is cleaned again."""
        game, config, seat = self.case.game, self.case.config, request.seat
        rng = Rng.root(self.case.seed).step(request.index)
        try:
            cleaned, notes = game.clean(config, before.state, seat, action, cleaning(rng, seat))
            again, more = game.clean(config, before.state, seat, cleaned, cleaning(rng, seat))
            written = [codec.canonical(codec.dump(game.action_type, one)) for one in (cleaned, again)]
        except Exception as error:
            raise AssertionError(f"{_place(request, raw)}: cleaning it raised {error!r}") from error
        told = [codec.canonical(codec.encode_note(note)) for note in notes]
        assert NUL not in written[0], f"{_place(request, raw)}: a NUL is kept, which no database holds"
        for note, one in zip(notes, told, strict=True):
            assert NUL not in one, f"{_place(request, raw)}: a NUL is kept in a note, which no database holds"
            size = len(codec.canonical(note.data))
            assert size < 1000, f"{_place(request, raw)}: a note {note.kind} of {size} bytes"
        assert sum(map(len, told)) < NOTES_MAX, f"{_place(request, raw)}: {len(notes)} notes"
        assert written[0] == written[1], f"{_place(request, raw)}: what was cleaned is changed by cleaning it again"
        assert not more, f"{_place(request, raw)}: what was cleaned is cleaned again: {more}"
        return notes


def _place(request: Request[Any, Any], raw: Any) -> str:
    """Where an answer was tried, for a message."""
    return f"step {request.index}, {request.turn.stage}, seat {request.seat}: {shown(raw)}"


def _read(request: Request[Any, Any], raw: Any) -> tuple[str | None, Any]:
    """The refusal of an answer, one short line, or the action that it is."""
    assert request.actions is not None
    try:
        return None, request.actions.read(raw)
    except BadAction as refused:
        refusal = str(refused)
    except Exception as error:
        raise AssertionError(f"{_place(request, raw)}: reading it raised {error!r}") from error
    assert "\n" not in refusal, f"{_place(request, raw)}: more than one line of refusal: {refusal}"
    assert 0 < len(refusal) < 1000, f"{_place(request, raw)}: {len(refusal)} characters of refusal"
    return refusal, None
