"""Policies of a declared game: functions of a seat and of what it sees now."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from pydantic import create_model

from games.core.agents import Memory, NoParams, PolicySpec
from games.core.rng import Rng, SeatDraws
from games.core.settings import Settings
from games.declare.declaration import TALK, Declaration
from games.declare.form import BadDeclaration, Setting
from games.declare.kernel import Declared
from games.declare.theory import EQUILIBRIUM, Mixed, Theory
from games.declare.types import model_field
from games.declare.wording import shared

RANDOM: Final = "random"
ANSWERS_MAX: Final = 4096


class BySeat(tuple[Any, ...]):
    """Values by seat where several groups play: gone through, those of one's own group; by index, those of any seat."""

    members: Sequence[int]

    def __iter__(self) -> Any:
        return (self[seat] for seat in self.members)

    def __len__(self) -> int:
        return len(self.members)


class Now:
    """What a seat sees, as its policy reads it: ``now.stage``, ``now.round``, settings, moves, draws, carried state by
    name; ``now.past.contribute[-1]``: moves of the last round by seat; ``now.others(seat)``: the others of its group.
    """

    __slots__ = ("_sight",)

    def __init__(self, sight: Any) -> None:
        self._sight = sight

    def __getattr__(self, name: str) -> Any:
        sight = self._sight
        try:
            value = getattr(sight, name)
        except AttributeError:
            return getattr(sight.config, name)
        if type(value) is tuple and len(sight.members) < len(value):
            value = BySeat(value)
            value.members = sight.members
        return value

    def others(self, seat: int) -> list[int]:
        """The other seats of one's group, in their order."""
        return [one for one in self._sight.members if one != seat]

    def partner(self, seat: int) -> int:
        """The other seat of a group of two."""
        return self.others(seat)[0]


class Recent(Now):
    """What a policy sees that recalls so many rounds alone: who it is, the settings, and the moves of these rounds."""

    __slots__ = ("_rounds",)

    def __init__(self, sight: Any, rounds: int) -> None:
        super().__init__(sight)
        self._rounds = rounds

    def __getattr__(self, name: str) -> Any:
        if name == "past":
            return _Past(self._sight.past, self._rounds)
        if name in ("seat", "role", "stage") or name not in self._sight._fields:
            return super().__getattr__(name)
        raise AttributeError(
            f"now.{name}: a policy with recall={self._rounds} sees the moves of that many rounds alone"
        )


class _Past:
    """The last rows of each field."""

    __slots__ = ("_past", "_rounds")

    def __init__(self, past: Any, rounds: int) -> None:
        self._past, self._rounds = past, rounds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._past, name)[-self._rounds :]


def policy(
    game: type,
    *,
    source: str = "",
    roles: str | Sequence[str] = (),
    aka: Sequence[str] = (),
    name: str = "",
    recall: int | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A policy of a declared game: ``(seat, now) -> move``, its docstring its rule in one sentence.

    Further parameters are set by who seats it: ``def patient(seat, now, rounds=setting(3, 1, 100))``. One named ``rng``
    gets the seat's own key to draw under. ``recall``: so many rounds before it sees, and neither number nor earnings of
    rounds; one that recalls a single round has a fast form in a matrix game. A move is the value of the stage's field,
    or a mapping by field.
    """
    made: Declaration = game.declared  # type: ignore[attr-defined]

    def declared(function: Callable[..., Any]) -> Callable[..., Any]:
        own = name or function.__name__
        rule = " ".join((function.__doc__ or "").split())
        if not rule:
            raise BadDeclaration(f"policy {own}: no docstring; it is the policy's rule in one sentence")
        able = (roles,) if isinstance(roles, str) else tuple(roles)
        if set(able) - set(made.roles):
            raise BadDeclaration(f"policy {own}: roles {able}; there are {made.roles}")
        params, draws = _params(own, function)
        play = _playing(game.kernel, function, params is not NoParams, draws, recall)  # type: ignore[attr-defined]
        if recall is not None:
            made.recalls[own] = recall
        made.written[own] = function, source, able, tuple(aka), recall
        made.policies[own] = PolicySpec(
            own, rule, source or "written for this game", play, params, tuple(aka), _together(play, draws), able
        )
        return function

    return declared


def _params(name: str, function: Callable[..., Any]) -> tuple[type[Settings], bool]:
    """The model of a policy's parameters, and whether it draws."""
    asked = list(inspect.signature(function).parameters.values())[2:]
    fields: dict[str, Any] = {}
    for one in asked:
        if one.name == "rng":
            continue
        if not isinstance(one.default, Setting):
            raise BadDeclaration(f"policy {name}: parameter {one.name} needs a setting(default, least, most)")
        fields[one.name] = model_field(one.name, one.default, type(one.default.default))
    has_rng = any(one.name == "rng" for one in asked)
    if not fields:
        return NoParams, has_rng
    title = "".join(part.capitalize() for part in name.split("_"))
    return create_model(f"{title}Params", __base__=Settings, **fields), has_rng


def _playing(
    game: Declared, function: Callable[..., Any], has_params: bool, draws: bool, recall: int | None
) -> Callable[..., Any]:
    words = game.action_words

    def play(params: Any, sight: Any, memory: Memory, rng: Rng) -> tuple[Any, Memory]:
        stage = sight.stage
        if stage == TALK:
            return game.action_types[TALK](""), None
        now = Now(sight) if recall is None else Recent(sight, recall)
        more = params.__dict__ if has_params else {}
        answer = function(sight.seat, now, rng=rng, **more) if draws else function(sight.seat, now, **more)
        if type(answer) is str and answer in words[stage]:
            return words[stage][answer], None
        return as_action(game, sight, answer), None

    if draws or has_params or not recall:
        return play
    last = slice(-recall, None)

    def recalled(params: Any, sight: Any, memory: Memory, rng: Rng) -> tuple[Any, Memory]:
        """What `play` answers. Where all that it sees is what was chosen, it is asked once for the same rounds."""
        known = game.under(sight.config).answers
        if known is None:
            return play(params, sight, memory, rng)
        key = function, sight.stage, sight.seat, sight.past.choose[last]
        found: tuple[Any, Memory] | None = known.get(key)
        if found is None:
            if len(known) >= ANSWERS_MAX:
                known.clear()
            found = known[key] = play(params, sight, memory, rng)
        return found

    return recalled


def _together(play: Callable[..., Any], has_draws: bool) -> Callable[..., Any]:
    def play_all(params: Any, sights: Sequence[Any], draws: SeatDraws) -> list[Any]:
        if not has_draws:
            return [play(params, sight, None, None)[0] for sight in sights]
        return [play(params, sight, None, rng)[0] for sight, rng in zip(sights, draws.each(), strict=True)]

    return play_all


def as_action(game: Declared, sight: Any, answer: Any) -> Any:
    """A plain answer as the action of the stage that is asked."""
    stage = sight.stage
    kind, fields = game.action_types[stage], game.fields_of[stage]
    if type(answer) is kind:
        return answer
    if len(fields) == 1:
        return kind(_plain(fields[0][1].answered(answer, ())))
    if not isinstance(answer, Mapping):
        raise TypeError(f"stage {stage}: {answer!r}; a mapping with {', '.join(name for name, _ in fields)}")
    return kind(*(_plain(part.answered(answer[name], ())) for name, part in fields))


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def random_policy(made: Declaration, game: Declared) -> PolicySpec:
    """Anything that is allowed, each as likely."""

    def play(params: Any, sight: Any, memory: Memory, rng: Rng) -> tuple[Any, Memory]:
        stage = sight.stage
        asked = zip(game.fields_of[stage], sight.limits, strict=True)
        values = [part.drawn(limit, rng.at(name)) for (name, part), limit in asked]
        return game.action_types[stage](*values), None

    return PolicySpec(RANDOM, "Anything that is allowed, each as likely.", "written for this game", play)


def _drawn(chances: Mapping[Any, Any], unit: Fraction) -> Any:
    sum_so_far = Fraction()
    for move, chance in chances.items():
        sum_so_far += chance
        if unit < sum_so_far:
            return move
    return list(chances)[-1]


def equilibrium_policy(made: Declaration, game: Declared, theory: Theory) -> PolicySpec:
    """Each place its move in the first equilibrium that the class names, for games of one stage."""
    stage = made.stages[0].name

    def play(params: Any, sight: Any, memory: Memory, rng: Rng) -> tuple[Any, Memory]:
        if sight.stage == TALK:
            return game.action_types[TALK](""), None
        roles = game.under(sight.config).plan.roles
        alike = [one for one in sight.members if roles[one % len(roles)] == sight.role]
        move = theory.move(sight.config, stage, roles.index(sight.role) + alike.index(sight.seat))
        if isinstance(move, Mixed):
            move = _drawn(move, Fraction(rng.unit(EQUILIBRIUM)))
        if move is None:
            asked = zip(game.fields_of[stage], sight.limits, strict=True)
            return game.action_types[stage](*(part.drawn(limit, rng.at(name)) for (name, part), limit in asked)), None
        return as_action(game, sight, move), None

    return PolicySpec(
        EQUILIBRIUM, str(shared("en")[EQUILIBRIUM]), "J. Nash, Equilibrium Points in n-Person Games (1950)", play
    )
