"""What is best for all and what for each in one round of a declared game: found by going through its moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any, Final

from games.declare.declaration import MECHANISMS, Declaration
from games.declare.fields import Amount, Pick
from games.declare.form import Example, Stage
from games.declare.money import CENTS
from games.declare.plan import is_static
from games.declare.working import Worker

PROFILES_MAX: Final = 1500
"""So many combinations of moves are gone through; where there are more, those in which all play the same."""
OPTIONS_MAX: Final = 41
"""So many moves of an amount are gone through, evenly spread."""


def why_not_plain(made: Declaration) -> str:
    """Why the first stage is not one choice or amount that all make at once, with nothing drawn; "" where it is."""
    stage = made.stages[0]
    part = next(iter(stage.fields.values()))
    if len(stage.fields) > 1 or stage.who != "all" or stage.when:
        return "its first stage is not one move that all make at once"
    if made.draws or made.carried:
        return "something is drawn or carried on"
    if not (isinstance(part, Amount) and is_static(made, part)) and not (isinstance(part, Pick) and part.choices):
        return "its first move is neither a choice nor an amount between settings"
    return ""


class StageGame:
    """One round of a game's first stage under some settings, mechanisms left out.

    ``options``    the moves that are gone through
    ``efficient``  by place, the moves that pay all together the most; where equal, those in which all play the same
    ``selfish``    by place, moves from which nobody gains by another of its own, the ones that pay least together;
                   None where there are none
    """

    def __init__(self, cls: Any, config: Any) -> None:
        self.made: Declaration = cls.declared
        own = {name: getattr(config, name) for name in self.made.settings if name not in MECHANISMS}
        if (most := getattr(self.made.settings.get("rounds"), "most", None)) is not None:
            own["rounds"] = min(own["rounds"], most)  # repetition may have more
        self.plan = cls.kernel.under(cls.kernel.config_type(**own)).plan
        self.worker = Worker(self.made, cls.kernel)
        self.stage: Stage = self.made.stages[0]
        part = next(iter(self.stage.fields.values()))
        listed = part.listed(part.limits(self.plan.value, (), 0))
        if listed is None or len(listed) > OPTIONS_MAX:
            low, high = part.limits(self.plan.value, (), 0)
            step: int = part.step
            many = (high - low) // step
            spread = sorted({low + step * (many * n // (OPTIONS_MAX - 1)) for n in range(OPTIONS_MAX)})
            listed = tuple(at // CENTS if at % CENTS == 0 else at / CENTS for at in spread)
        self.options: tuple[Any, ...] = tuple(listed)
        self._paid: dict[tuple[Any, ...], tuple[int, ...]] = {}
        self.efficient = max(self._profiles(), key=lambda row: (sum(self.pays(row)), len(set(row)) == 1))
        steady = [row for row in self._profiles() if self._is_steady(row)]
        self.selfish = min(steady, key=lambda row: (sum(self.pays(row)), len(set(row)) > 1), default=None)

    def _profiles(self) -> Sequence[tuple[Any, ...]]:
        players = self.plan.players
        if len(self.options) ** players <= PROFILES_MAX:
            return list(product(self.options, repeat=players))
        return [(one,) * players for one in self.options]

    def pays(self, moves: Sequence[Any]) -> tuple[int, ...]:
        """What the places earn, in hundredths."""
        key = tuple(moves)
        if key not in self._paid:
            worked = self.worker.worked(self.plan, Example(self.stage.name, list(key)), fits=False)
            self._paid[key] = tuple((worked[2] if worked else None) or [0] * self.plan.players)
        return self._paid[key]

    def instead(self, moves: Sequence[Any], place: int, move: Any) -> int:
        """What a place earns with another move of its own, in hundredths."""
        return self.pays((*moves[:place], move, *moves[place + 1 :]))[place]

    def _is_steady(self, moves: tuple[Any, ...]) -> bool:
        places = range(self.plan.players) if len(set(moves)) > 1 or self.made.roles or self._is_matrix() else range(1)
        return all(
            self.instead(moves, place, one) <= self.pays(moves)[place] for place in places for one in self.options
        )

    def _is_matrix(self) -> bool:
        return bool(getattr(self.made.cls, "matrix", None))

    def best(self, moves: Sequence[Any], place: int, extra: Any = None) -> Any:
        """A place's best reply; of several the efficient move, else the first. ``extra``: hundredths that a move brings
        beside what the stage pays."""
        own = self.efficient[place]

        def worth(move: Any) -> tuple[int, bool]:
            return self.instead(moves, place, move) + (extra(move) if extra else 0), bool(move == own)

        return max(self.options, key=worth)

    def loss(self, place: int) -> int:
        """What the efficient move costs a place where the others play theirs, in hundredths; at least 0."""
        best = max(self.instead(self.efficient, place, one) for one in self.options)
        return max(0, best - self.pays(self.efficient)[place])

    def falls_short(self, move: Any, place: int) -> float:
        """How far a move is from the efficient one, towards the selfish one: 0 to 1."""
        own, base = self.efficient[place], self.selfish[place] if self.selfish is not None else None
        if move is None or move == own:
            return 0.0
        if isinstance(own, str) or base is None or own == base:
            return 1.0
        return float(min(1.0, max(0.0, (own - move) / (own - base))))

    def efficiency(self, total: int) -> float | None:
        """Where the places' earnings together stand between the selfish (0) and the efficient outcome (1)."""
        if self.selfish is None:
            return None
        low, high = sum(self.pays(self.selfish)), sum(self.pays(self.efficient))
        return (total - low) / (high - low) if high > low else None


@lru_cache(maxsize=256)
def stage_game(cls: Any, config: Any) -> StageGame:
    """The stage game of a declared class under a config, kept."""
    return StageGame(cls, config)
