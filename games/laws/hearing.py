"""Laws of what is told: nobody hears, or comes to see, what the rules keep from it.

Two worlds that a seat cannot tell apart are resolved with the same actions; it must then hear the same, be told the
same of its own answer, and see the same afterwards. In one world two sets of actions that differ in what others do are
resolved; where the seat then sees the same, it must have heard the same. What the public hears every seat hears, so
that it is held to the same.

Rules may let news tell what was hidden: who pays a fine in part had no more. Such kinds of event stand, each with its
reason, in `Exempt.disclosed`, and what comes into sight untold in `Exempt.discovered`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from games.core import codec
from games.core.answers import BadAction
from games.core.game import MESSAGES, Event, Past, Resolution, Seat, SeatEyes, Step, cleaning
from games.core.rng import Rng
from games.core.sampling import sample
from games.laws.case import EYES_MAX, Case, of_own_presets
from games.laws.seeing import twins

EVERY: Final = 7
"""Actions of others are varied at each so many-th step of a run that is not short."""
SHORT: Final = 30
"""A run of no more steps is short."""
SHOWN: Final = 160
"""Characters of what was told that a message holds."""
VARIED: Final = 4
"""So many variations are tried for one seat at one step."""
DISCOVERED: Final = ""
"""Stands among the kinds of event for what comes into sight untold."""


class Leak(NamedTuple):
    """What a seat was told or shown that it may not know: an event's kind, or `DISCOVERED`, and the message."""

    kind: str
    text: str


def what_is_told_depends_on_nothing_private(case: Case) -> int:
    """From states that a seat cannot tell apart, the same actions tell it the same and then show it the same.

    Returns how many pairs of states were resolved.
    """
    leaks, pairs = _of_twins(case)
    _refuse(case, leaks)
    return pairs


def what_others_do_unseen_is_not_told(case: Case) -> int:
    """Actions of others that leave a seat with the same sight and pay leave it with the same news.

    Returns how many such pairs of actions were found.
    """
    leaks, pairs = _of_variations(case)
    _refuse(case, leaks)
    return pairs


@of_own_presets
def what_news_disclose_is_declared(cases: Sequence[Case]) -> None:
    """Each kind of event that may disclose something has its reason, and some preset needs it."""
    exempt = cases[0].pack.exempt
    hushed = {kind for kind, reason in exempt.disclosed.items() if not reason}
    assert not hushed, f"Exempt.disclosed gives no reason for {sorted(hushed)}"
    idle = set(exempt.disclosed)
    for case in cases if idle else ():
        idle -= {leak.kind for leak in chain(_of_twins(case)[0], _of_variations(case)[0])}
        if not idle:
            return
    assert not idle, f"Exempt.disclosed[{min(idle)!r}]: no preset needs it, for it tells nothing hidden"


def _refuse(case: Case, leaks: Sequence[Leak]) -> None:
    exempt = case.pack.exempt
    for leak in leaks:
        if leak.kind not in exempt.disclosed and not (leak.kind == DISCOVERED and exempt.discovered):
            raise AssertionError(leak.text)


# --- worlds that look alike -----------------------------------------------------------------------


def _of_twins(case: Case) -> tuple[list[Leak], int]:
    """Every leak of what states hold, and the number of pairs; found once for all laws."""
    if "leaks of twins" not in case.kept:
        leaks: list[Leak] = []
        pairs = 0
        steps = case.played().steps
        for at, found in groupby(twins(case), key=itemgetter(0)):
            if at + 1 == len(steps):
                break
            before, step, rng = steps[at], steps[at + 1], Rng.root(case.seed).step(at + 1)
            cleaned = {one: _cleaned(case, before.state, step, one, rng) for one in step.actions}
            same: Resolution[Any] = Resolution(step.state, step.events, step.payoffs)
            for seat, others in groupby(found, key=itemgetter(1)):
                past: Past[Any] = Past(steps[: at + 1], seat)
                looks = _earns_and_sees(case, seat, same, past)
                for *_, twin in others:
                    differing = _from_twin(case, seat, twin, step, cleaned, looks, past)
                    pairs += differing is not None
                    leaks += differing or ()
        case.kept["leaks of twins"] = leaks, pairs
    kept: tuple[list[Leak], int] = case.kept["leaks of twins"]
    return kept


def _from_twin(
    case: Case, seat: Seat, twin: Any, step: Step[Any, Any], cleaned: Mapping[Seat, bytes], looks: Any, past: Past[Any]
) -> list[Leak] | None:
    """What differs for the seat where the step is made from the twin; None where others cannot act so there.

    ``cleaned`` are the step's actions in its own world, ``looks`` is what the seat earned and saw there.
    """
    rng = Rng.root(case.seed).step(step.index)
    for acting, ours in cleaned.items():
        if ours != _cleaned(case, twin, step, acting, rng):
            if acting != seat:
                return None
            return [Leak(DISCOVERED, f"step {step.index}: cleaning tells seat {seat} a private fact of others")]
    other = case.game.resolve(case.config, twin, step.actions, rng)
    leaks = list(_differences(step.index, seat, Resolution(step.state, step.events, step.payoffs), other))
    if not leaks and looks != _earns_and_sees(case, seat, other, past):
        leaks.append(Leak(DISCOVERED, f"step {step.index}: seat {seat} sees afterwards what was private, untold"))
    return leaks


def _cleaned(case: Case, state: Any, step: Step[Any, Any], seat: Seat, rng: Rng) -> bytes:
    """A seat's action of the step, cleaned in a state, and its notes, as bytes."""
    cleaned, notes = case.game.clean(case.config, state, seat, step.actions[seat], cleaning(rng, seat))
    written = codec.dump(case.game.action_type, cleaned)
    return codec.canonical([written, [codec.encode_note(note) for note in notes]])


# --- one world, other actions ---------------------------------------------------------------------


def _of_variations(case: Case) -> tuple[list[Leak], int]:
    """Every leak of what others do, and the number of pairs that looked the same; found once for all laws."""
    if "leaks of actions" not in case.kept:
        leaks: list[Leak] = []
        pairs = 0
        steps = case.played().steps
        for at in range(0, len(steps) - 1, EVERY if len(steps) > SHORT else 1):
            before, step = steps[at], steps[at + 1]
            same: Resolution[Any] = Resolution(step.state, step.events, step.payoffs)
            for seat in case.seats[:EYES_MAX]:
                past: Past[Any] = Past(steps[: at + 1], seat)
                looks = _earns_and_sees(case, seat, same, past)
                for other in _variations(case, seat, before, step):
                    if _earns_and_sees(case, seat, other, past) == looks:
                        pairs += 1
                        leaks += _differences(step.index, seat, same, other)
        case.kept["leaks of actions"] = leaks, pairs
    kept: tuple[list[Leak], int] = case.kept["leaks of actions"]
    return kept


def _variations(case: Case, own: Seat, before: Step[Any, Any], step: Step[Any, Any]) -> Iterator[Resolution[Any]]:
    """The step with what others do exchanged between two of them, or with another answer of one of them."""
    game, rng = case.game, Rng.root(case.seed).step(step.index)
    others = [seat for seat in sorted(step.actions) if seat != own]
    for number in range(VARIED if others else 0):
        key = rng.at("varied", number, own)
        drawn = key.shuffled(others, "who")[: 2 if number % 2 else 1]
        changed: dict[Seat, Any] = dict(step.actions)
        if len(drawn) == 2:
            changed[drawn[0]], changed[drawn[1]] = step.actions[drawn[1]], step.actions[drawn[0]]
        else:
            changed[drawn[0]] = _another(case, before.state, drawn[0], key)
        for seat in drawn:
            changed[seat], _ = game.clean(case.config, before.state, seat, changed[seat], cleaning(rng, seat))
        if _written(case, changed) != _written(case, step.actions):
            yield game.resolve(case.config, before.state, changed, rng)


def _another(case: Case, state: Any, seat: Seat, key: Rng) -> Any:
    """Another answer of the seat; None, no answer, where the one that is drawn cannot be read."""
    spec = case.game.actions(case.config, state, seat)
    if spec.options:
        return spec.options[key.below(len(spec.options), "option")]
    try:
        return spec.read(sample(spec.schema, key))
    except BadAction:
        return None


def _written(case: Case, actions: Mapping[Seat, Any]) -> bytes:
    return codec.canonical([[seat, codec.dump(case.game.action_type, actions[seat])] for seat in sorted(actions)])


# --- what a seat is told and shown ----------------------------------------------------------------


def _earns_and_sees(case: Case, seat: Seat, resolved: Resolution[Any], past: Past[Any]) -> tuple[Any, ...]:
    """A seat's pay, and what it is shown, observes and may do in the world that came of a step."""
    game, config, state = case.game, case.config, resolved.state
    paid, view = resolved.payoffs.get(seat), codec.canonical(game.view(config, state, SeatEyes(seat)))
    turn = game.turn(config, state)
    if turn is None:
        return (paid, view)
    may_do = game.actions(config, state, seat).schema if seat in turn.seats else None
    return (paid, view, turn, game.observe(config, state, seat, past), may_do)


def _differences(index: int, seat: Seat, ours: Resolution[Any], theirs: Resolution[Any]) -> Iterator[Leak]:
    """A leak for each kind of event by which a seat tells the two apart."""
    for kind in sorted({event.kind for event in chain(ours.events, theirs.events)}):
        one, other = (_news(kind, seat, resolved.events) for resolved in (ours, theirs))
        if one != other:
            text = f"step {index}: seat {seat} hears by {kind} what it may not know: {_part(one)} or {_part(other)}"
            yield Leak(kind, text)


def _news(kind: str, seat: Seat, events: Sequence[Event]) -> str:
    """The events of a kind that a seat hears, as text."""
    eyes = SeatEyes(seat)
    heard = (event for event in events if event.kind == kind and event.visible_to(eyes))
    return codec.canonical([dict(event.data) for event in heard if not _is_said_to(seat, event)]).decode()


def _is_said_to(seat: Seat, event: Event) -> bool:
    """Whether the event is words for the seat's ears: those named, or everybody where nobody is."""
    if event.kind not in MESSAGES:
        return False
    named: Any = event.data.get("to")
    return named is None or seat in named or event.data.get("by") == seat


def _part(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
