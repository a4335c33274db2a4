"""The law of equal seats: where nothing but their numbers tells seats apart, other numbers give each the same pay.

A run of drawn answers is played beside the same run with its seats renamed, for as long as nothing is left to chance:
luck is drawn by seat, and who is lucky is no longer equal.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final, NamedTuple

from games.core import codec
from games.core.answers import ActionSpec, BadAction
from games.core.engine import start
from games.core.game import Resolution, Seat, Turn, cleaning
from games.core.pack import Renaming
from games.core.rng import Rng, fold, label_word
from games.core.sampling import sample
from games.core.schema import Schema, branches
from games.laws.case import Case, of_own_presets

STEPS: Final = 24
"""A run is compared for so many steps."""
RENAMINGS_MAX: Final = 4
"""So many renamings are tried."""
NEAR: Final = 1e-9
"""Payoffs that differ by less are the same: sums of fractions depend on their order."""


def equal_seats_are_paid_alike(case: Case) -> int:
    """Renaming seats that are alike renames what they are paid, and changes nothing else of it.

    Returns how many payoffs were compared.
    """
    return 0 if case.pack.exempt.unequal else _compared(case)


@of_own_presets
def equality_of_seats_has_been_tried(cases: Sequence[Case]) -> None:
    """A game has seats that are alike, and payoffs of theirs were compared, or it says why no two are equal."""
    pack = cases[0].pack
    if all(len(set(case.roles())) == len(case.seats) for case in cases):
        assert not pack.exempt.unequal, "Exempt.unequal: no two seats have one role"
        return
    samples = [pack.game.config_type.model_validate(sample) for sample in pack.config_samples]
    tried = 0
    for case in (*cases, *(replace(cases[0], config=config, seated={}, kept={}) for config in samples)):
        try:
            tried += _compared(case)
        except AssertionError:
            if pack.exempt.unequal:
                return
            raise
    assert tried or pack.exempt.unequal, (
        "no preset, and none of Pack.config_samples, has two seats of one role whose payoffs can be compared without "
        "luck: add a sample without chance, or say in Exempt.unequal why there is none"
    )
    assert not (tried and pack.exempt.unequal), "Exempt.unequal: in no preset are two seats of one role paid unlike"


def _compared(case: Case) -> int:
    return sum(_World(case, renaming).compare() for renaming in _renamings(case))


def _renamings(case: Case) -> Iterable[Renaming]:
    """The game's own, or the exchange of neighbours of one role."""
    if case.pack.alike is not None:
        return list(case.pack.alike(case.config))[:RENAMINGS_MAX]
    roles = case.roles()
    exchanged = []
    for role in dict.fromkeys(roles):
        seats = [seat for seat in case.seats if roles[seat] == role]
        for one, other in pairwise(seats):
            order = list(case.seats)
            order[one], order[other] = other, one
            exchanged.append(Renaming(tuple(order)))
    return exchanged[:RENAMINGS_MAX]


# --- a run beside itself renamed ------------------------------------------------------------------


class _World(NamedTuple):
    """One case and one renaming of its seats."""

    case: Case
    renaming: Renaming

    def compare(self) -> int:
        """How many payoffs were compared, step by step until chance has a say."""
        case, game = self.case, self.case.game
        luck = _Luck()
        game.initial(case.config, Watched(Rng.root(case.seed).step(0).key, luck))
        if luck.drawn:
            return 0
        compared = 0
        state = other = start(game, case.config, case.seed).state
        for index in range(1, STEPS + 1):
            turn, turned = game.turn(case.config, state), game.turn(case.config, other)
            if turn is None or turned is None:
                assert turn == turned, f"step {index}: the run is over, but not where its seats are renamed"
                return compared
            self._same_turn(index, turn, turned)
            actions = self._drawn(index, state, turn, luck)
            renamed = self._renamed(index, state, other, actions, luck)
            rng = Watched(Rng.root(case.seed).step(index).key, luck)
            ours, theirs = (
                game.resolve(case.config, state, actions, rng),
                game.resolve(case.config, other, renamed, rng),
            )
            if luck.drawn:
                return compared
            compared += self._same_pay(index, ours, theirs)
            state, other = ours.state, theirs.state
        return compared

    def _same_turn(self, index: int, turn: Turn, turned: Turn) -> None:
        seats = tuple(sorted(self.renaming.order[seat] for seat in turn.seats))
        assert seats == turned.seats, f"step {index}: seats {turn.seats} are on turn, and renamed {turned.seats}"

    def _same_pay(self, index: int, ours: Resolution[Any], theirs: Resolution[Any]) -> int:
        for seat, paid in ours.payoffs.items():
            place = self.renaming.order[seat]
            other = theirs.payoffs.get(place)
            same = other is not None and math.isclose(paid, other, rel_tol=NEAR, abs_tol=NEAR)
            assert same, f"step {index}: seat {seat} is paid {paid}; as seat {place} it is paid {other} for the same"
        assert len(ours.payoffs) == len(theirs.payoffs), f"step {index}: renamed, other seats are paid"
        return len(ours.payoffs)

    def _drawn(self, index: int, state: Any, turn: Turn, luck: _Luck) -> dict[Seat, Any]:
        """An answer of each seat on turn, cleaned: one of the options, or one from the schema."""
        case, key = self.case, Rng.root(case_seed(self.case)).step(index)
        actions = {}
        for seat in turn.seats:
            spec = case.game.actions(case.config, state, seat)
            answer = _answer(spec, key.at("answer", seat))
            rng = Watched(key.at("clean", seat).key, luck)
            actions[seat], _ = case.game.clean(case.config, state, seat, answer, rng)
        return actions

    def _renamed(self, index: int, state: Any, other: Any, actions: Mapping[Seat, Any], luck: _Luck) -> dict[Seat, Any]:
        """The same answers in the other names, in seat order, cleaned in their world."""
        case, order = self.case, self.renaming.order
        renamed = {}
        for seat in sorted(actions, key=lambda one: order[one]):
            place, action = order[seat], actions[seat]
            if self.renaming.action is not None:
                answer = self.renaming.action(action)
            else:
                schema = case.game.actions(case.config, state, seat).schema
                raw = json.loads(codec.canonical(codec.dump(case.game.action_type, action)))
                named = _Renamer(schema, order, [spec.name for spec in case.game.seats(case.config)])
                answer = codec.load(case.game.action_type, named.renamed(schema, raw))
            rng = Watched(cleaning(Rng.root(case.seed).step(index), place).key, luck)
            renamed[place], _ = case.game.clean(case.config, other, place, answer, rng)
        return renamed


def case_seed(case: Case) -> int:
    """The seed of drawn answers: not that of the run, whose draws they would repeat."""
    return (case.seed + 1) & 0xFFFF


def _answer(spec: ActionSpec[Any], key: Rng) -> Any:
    if spec.options:
        return key.choice(spec.options, "option")
    try:
        return spec.read(sample(spec.schema, key))
    except BadAction:
        return None


# --- luck -----------------------------------------------------------------------------------------


class _Luck:
    """Whether anything was drawn."""

    drawn = False


class Watched(Rng):
    """Chance that tells whether anything was left to it. A draw with one outcome is none."""

    __slots__ = ("_luck", "_own")

    def __init__(self, key: int, luck: _Luck) -> None:
        self._own, self._luck = key, luck

    @property
    def key(self) -> int:  # type: ignore[override]
        self._luck.drawn = True
        return self._own

    def at(self, label: str, *words: int) -> Watched:
        key = fold(self._own, label_word(label))
        for word in words:
            key = fold(key, word)
        return Watched(key, self._luck)

    def below(self, n: int, label: str, *words: int) -> int:
        return 0 if n == 1 else super().below(n, label, *words)

    def chance(self, p: float, label: str, *words: int) -> bool:
        return p >= 1 if p <= 0 or p >= 1 else super().chance(p, label, *words)

    def shuffled(self, items: Sequence[Any], label: str, *words: int) -> list[Any]:
        return list(items) if len(items) < 2 else super().shuffled(items, label, *words)


# --- names in an answer ---------------------------------------------------------------------------


class _Renamer(Schema):
    """Gives an answer in other names: what its schema marks as ``x-seat`` is a seat's number or display name."""

    def __init__(self, whole: Mapping[str, Any], order: Sequence[Seat], names: Sequence[str]) -> None:
        super().__init__(whole)
        self._order, self._names = order, names

    def renamed(self, part: Any, raw: Any, marked: bool = False) -> Any:
        part = self.met(part)
        marked = marked or bool(part.get("x-seat"))
        if branches(part):
            return self.renamed(self.form_of(part, raw), raw, marked)
        if marked and isinstance(raw, int) and not isinstance(raw, bool):
            return self._order[raw]
        if marked and raw in self._names:
            return self._names[self._order[self._names.index(raw)]]
        if isinstance(raw, dict):
            inner: Mapping[str, Any] = part.get("properties", {})
            return {name: self.renamed(inner.get(name, {}), value) for name, value in raw.items()}
        if isinstance(raw, list):
            return list(self._entries_renamed(part, raw, marked))
        return raw

    def _entries_renamed(self, part: Mapping[str, Any], raw: Sequence[Any], marked: bool) -> Iterator[Any]:
        places = part.get("prefixItems", ())
        for at, value in enumerate(raw):
            yield self.renamed(places[at] if at < len(places) else part.get("items", {}), value, marked)
