"""What theory says of a stage game, and what people did in it: equilibria, the efficient outcome, reference points.

A class says ``def equilibria(self)``, a list of outcomes, and ``def efficient(self)``, the outcome that pays most in
all, both of one round under the settings in force. An outcome is what each place plays: a list where the game has one
stage, else a mapping by stage, whose other stages are played by silence. A move by chance is ``Mixed({"a": half, …})``.
With ``span = "match"`` an outcome is of a whole match in which each plays so in every round. ``people`` are reference
points from published studies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from games.core.answers import JSON
from games.core.rng import Rng
from games.declare.money import exact, plain
from games.declare.solving import extreme, pure

if TYPE_CHECKING:
    from games.declare.declaration import Declaration
    from games.declare.kernel import Declared

EQUILIBRIUM: Final = "equilibrium"
EFFICIENCY: Final = "efficiency"
SIMPLE: Final = 10_000
DRAWN_MAX: Final = 4
"""So many choices of each of two are drawn on a card."""
Outcome: TypeAlias = "Sequence[Any] | Mapping[str, Sequence[Any]]"


class Mixed(dict[Any, Any]):
    """A move by chance: the chance of each move, together 1."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference point from a published study with people.

    ``measure``  the game's measure that it is a value of; ``low`` and ``high`` its range, where the source has one
    ``n``        how many, of what: "32 pairs"
    ``given``    the settings under which it was found, where they differ from the defaults
    """

    measure: str
    value: float
    n: str
    condition: str
    source: str
    low: float | None = None
    high: float | None = None
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Point:
    """An outcome, what it pays by place, and what the game's headline measure is in it."""

    moves: Mapping[str, tuple[Any, ...]]
    pays: tuple[Fraction, ...]
    headline: float | None

    def plain(self) -> dict[str, JSON]:
        return {
            "moves": {name: [_told(move) for move in row] for name, row in self.moves.items()},
            "pays": [_number(pay) for pay in self.pays],
            "headline": self.headline,
        }


@dataclass(frozen=True, slots=True)
class Found:
    """What theory says under one config. ``least``: what the equilibrium that pays least in all pays in all."""

    equilibria: tuple[Point, ...]
    efficient: Point | None

    @property
    def least(self) -> Fraction | None:
        return min((sum(one.pays, Fraction()) for one in self.equilibria), default=None)

    def efficiency(self, paid: Fraction) -> float | None:
        """(paid - equilibrium) / (efficient - equilibrium), in all; None where both are the same."""
        if self.efficient is None or self.least is None:
            return None
        whole = sum(self.efficient.pays, Fraction()) - self.least
        return float((paid - self.least) / whole) if whole > 0 else None


class Theory:
    """The theory of one declared game. ``valued``: (plan, state) -> the headline measure of a round that is over."""

    def __init__(self, made: Declaration, game: Declared, valued: Callable[[Any, Any], float | None]) -> None:
        self.made, self.game, self.valued = made, game, valued
        self.people: tuple[Reference, ...] = tuple(getattr(made.cls, "people", ()))
        self.cls: Any = made.cls
        self.solves = hasattr(made.cls, "equilibria")
        self.is_whole = getattr(made.cls, "span", "round") == "match"
        self._found: dict[Any, Found] = {}

    def of(self, config: Any) -> Found:
        """Kept by config; settings around the game (groups, noise, talk, matching) make no difference."""
        around = {"groups": 1, "noise": 0.0, "talk": False, "matching": "partners"}
        lone = config.model_copy(update={name: value for name, value in around.items() if name in self.made.settings})
        key = lone.model_dump_json()
        if key not in self._found:
            scene = self.game.under(lone).plan.scene(self._start(lone), 0)
            best = getattr(scene, "efficient", None)
            self._found[key] = Found(
                tuple(self.point(lone, one) for one in scene.equilibria()) if self.solves else (),
                self.point(lone, best()) if best is not None else None,
            )
        return self._found[key]

    def has_efficiency(self) -> bool:
        """Whether what is efficient pays more than an equilibrium does, by default."""
        return self.solves and self.of(self.game.config_type()).efficiency(Fraction()) is not None

    def efficiency(self, config: Any, state: Any) -> float | None:
        """The efficiency of the round that is over, or of the match; None before, and where none is defined."""
        if self.is_whole and not state.over:
            return None
        paid = Fraction(sum(state.total if self.is_whole else state.gain), 100 * self.game.under(config).plan.groups)
        return self.of(config).efficiency(paid)

    def _start(self, config: Any) -> Any:
        return self.game.under(config).round.start(Rng.root(0)).state

    def point(self, config: Any, outcome: Outcome) -> Point:
        """The outcome with what it pays; raises `BadDeclaration` where a move in it is not allowed."""
        moves = dict(outcome) if isinstance(outcome, Mapping) else {self.made.main: outcome}
        pays, headline = [Fraction()] * self.game.under(config).plan.players, [Fraction(), Fraction()]
        for chance, sure in _sure(moves):
            state = self._played(config, sure)
            for place in range(len(pays)):
                pays[place] += chance * Fraction(state.total[place], 100)
            value = self.valued(self.game.under(config).plan, state)
            if value is not None:
                headline[0] += chance * Fraction(exact(value))
                headline[1] += chance
        told = {name: tuple(row) for name, row in moves.items()}
        return Point(told, tuple(pays), round(float(headline[0] / headline[1]), 9) if headline[1] else None)

    def _played(self, config: Any, moves: Mapping[str, Sequence[Any]]) -> Any:
        """The state after a first round, or a whole match, in which each place plays as said."""
        state, game, rng = self._start(config), self.game, Rng.root(0)
        while (state.played == 0 or self.is_whole) and (turn := game.turn(config, state)) is not None:
            actions = {seat: self._action(config, state, seat, turn.stage, moves) for seat in turn.seats}
            state = game.resolve(config, state, actions, rng).state
        return state

    def _action(self, config: Any, state: Any, seat: int, stage: str, moves: Mapping[str, Sequence[Any]]) -> Any:
        fields = self.game.fields_of.get(stage, ())
        move = moves[stage][seat] if stage in moves else None
        if move is None:
            return self.game.clean(config, state, seat, None, Rng.root(0))[0]
        limits = self.game.limits(config, state, seat)[1]
        rows = move if len(fields) > 1 else {name: move for name, _ in fields}
        action = self.game.action_types[stage](
            *(part.answered(rows[name], limit) for (name, part), limit in zip(fields, limits, strict=True))
        )
        cleaned, notes = self.game.clean(config, state, seat, action, Rng.root(0))
        if notes:
            raise self.made.refuse(f"equilibria, efficient: {move!r} of place {seat} in {stage} is not allowed there")
        return cleaned

    def plain(self, config: Any) -> dict[str, JSON] | None:
        """What theory and people say, as JSON; None where the game says neither."""
        if not self.solves and not self.people:
            return None
        found = self.of(config)
        return {
            "headline": next((one.name for one in self.made.measures if one.headline), ""),
            "range": self._range(config, found),
            "table": self._table(config),
            "which": " ".join((self.cls.equilibria.__doc__ or "").split()) if self.solves else "",
            "equilibria": [one.plain() for one in found.equilibria],
            "efficient": found.efficient.plain() if found.efficient else None,
            "people": [
                {
                    "measure": one.measure, "value": one.value, "low": one.low, "high": one.high, "n": one.n,
                    "condition": one.condition, "source": one.source,
                }
                for one in self.people
                if all(getattr(config, name) == value for name, value in one.given.items())
            ],
        }  # fmt: skip

    def _range(self, config: Any, found: Found) -> list[float] | None:
        """From where to where the headline measure can be, as far as it is known: shares, bounds of a field, points."""
        one = next((one for one in self.made.measures if one.headline), None)
        if one is None or (isinstance(one.how, str) and (one.how == "share" or one.choice)):
            return None if one is None else [0, 1]
        points = [*found.equilibria, *([found.efficient] if found.efficient else [])]
        values = [point.headline for point in points if point.headline is not None]
        values += [people.value for people in self.people if people.measure == one.name]
        part = next((part for name, _, part in self.made.fields() if name == one.of), None)
        bounds = getattr(part, "bounds", ())
        if one.how in ("mean", "least", "most") and all(
            not isinstance(b, str) or b in self.made.settings for b in bounds
        ):
            values += [float(self.game.under(config).plan.value(bound)) for bound in bounds]
        if not isinstance(one.how, str) and all(0 <= value <= 1 for value in values):
            return [0, 1]
        return [min(values), max(values)] if values and min(values) < max(values) else None

    def _table(self, config: Any) -> list[JSON] | None:
        """What each cell of a small table of two pays; None for other games."""
        table, plan = getattr(self.made.cls, "matrix", {}), self.game.under(config).plan
        if plan.players != 2 or not table:
            return None
        rows = list(dict.fromkeys(moves[0] for moves in table))
        columns = list(dict.fromkeys(moves[1] for moves in table))
        if max(len(rows), len(columns)) > DRAWN_MAX:
            return None
        return [[[plain(plan.value(pay)) for pay in table[row, col]] for col in columns] for row in rows]

    def move(self, config: Any, stage: str, place: int) -> Any:
        """What a place plays in the first equilibrium that is named; None where it names nothing for the stage."""
        found = self.of(config).equilibria
        row = found[0].moves.get(stage) if found else None
        return row[place] if row is not None else None


def _sure(moves: Mapping[str, Sequence[Any]]) -> Iterator[tuple[Fraction, dict[str, list[Any]]]]:
    """Outcomes without chance, each with its chance."""
    flat = [(name, move) for name, row in moves.items() for move in row]
    ways = [list(move.items()) if isinstance(move, Mixed) else [(move, 1)] for _, move in flat]
    for combination in product(*ways):
        chance = Fraction(1)
        sure: dict[str, list[Any]] = {name: [] for name in moves}
        for (name, _), (move, share) in zip(flat, combination, strict=True):
            chance *= share
            sure[name].append(move)
        if chance:
            yield chance, sure


def _told(move: Any) -> JSON:
    if isinstance(move, Mixed):
        return {str(key): _share(share) for key, share in move.items() if share}
    return plain(move) if isinstance(move, int | float | Fraction) else move


def _share(share: Fraction) -> str:
    """A chance as a fraction, or as a decimal where that is no simple one."""
    return str(share) if share.denominator < SIMPLE else f"{float(share):.4f}"


def _number(value: Fraction) -> JSON:
    return plain(round(float(value), 9))


# --- of a table -----------------------------------------------------------------------------------


def by_table(table: Mapping[tuple[str, ...], Sequence[Any]], keys: Sequence[Sequence[str]]) -> dict[str, Any]:
    """`equilibria` and `efficient` of a game that is a table of pays."""
    counts = [len(one) for one in keys]

    def pays(self: Any) -> dict[tuple[int, ...], list[Any]]:
        return {
            cell: [
                getattr(self, pay) if isinstance(pay, str) else exact(pay)
                for pay in table[tuple(one[n] for one, n in zip(keys, cell, strict=True))]
            ]
            for cell in product(*map(range, counts))
        }

    def equilibria(self: Any) -> list[list[Any]]:
        """All extreme ones of two, the pure ones of more, pure ones first."""
        found = extreme(pays(self), counts)
        if found is None:
            return [[one[n] for one, n in zip(keys, cell, strict=True)] for cell in pure(pays(self), counts)]
        return [[_move(one, chances) for one, chances in zip(keys, pair, strict=True)] for pair in found]

    def efficient(self: Any) -> list[str]:
        """The first cell that pays most in all."""
        best = max(pays(self).items(), key=lambda one: sum(one[1]))[0]
        return [one[n] for one, n in zip(keys, best, strict=True)]

    return {"equilibria": equilibria, "efficient": efficient}


def _move(keys: Sequence[str], chances: Sequence[Fraction]) -> Any:
    played = {key: chance for key, chance in zip(keys, chances, strict=True) if chance}
    return next(iter(played)) if len(played) == 1 else Mixed(played)
