"""Policies that reckon with mechanisms, of any game whose stage is one move of all: they know what is best for all and
what for each, and see what was promised, punished, signed and delegated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from games.declare.form import setting
from games.declare.mechanisms.parts import said
from games.declare.mechanisms.stagegame import StageGame, stage_game
from games.declare.policies import policy

SOURCE: Final = "written for mechanisms around any game"
NOBODY: Final = -1
SHARE: Final = setting(0.9, 0, 1, label="Share of what others do")
RESPONSE: Final = setting(0.15, 0, 1, label="Rise for a point")
STRENGTH: Final = setting(6.0, 0, 100, label="Points for the worst")
TERM_MAX: Final = 100
SECOND: Final = {"punishment": "sanction", "reward": "bonus"}
TRIES: Final = 3
"""Rounds that earn less than outside before one leaves."""


@dataclass(frozen=True, slots=True)
class Mind:
    """What a seat sees at one moment, with the stage game beside it and the mechanisms that are laid around it."""

    base: Any
    around: Sequence[str]
    seat: int
    now: Any

    @property
    def of(self) -> StageGame:
        return stage_game(self.base, self.now.config)

    @property
    def place(self) -> int:
        players: int = self.of.plan.players
        return self.seat % players

    @property
    def field(self) -> str:
        return next(iter(self.of.stage.fields))

    def others(self) -> list[int]:
        found: list[int] = self.now.others(self.seat)
        return found

    def has(self, mechanism: str) -> bool:
        return mechanism in self.around and bool(getattr(self.now, mechanism))

    # --- what others do ---------------------------------------------------------------------------

    def lasts(self) -> list[tuple[int, Any]]:
        """The last moves of those one plays with, as far as they are seen; else what one saw last round."""
        rows = getattr(self.now.past, self.field)
        if not len(rows):
            return []
        row = rows[-1]
        seen = [(one, row[one]) for one in self.others() if row[one] is not None]
        return seen or [(at, move) for at, move in enumerate(row) if move is not None and at != self.seat]

    def stands_well(self, one: int) -> bool:
        """Whether, as far as is seen, one last did what is best for all, or failed to with one that had failed."""
        rows, players = getattr(self.now.past, self.field), self.of.plan.players
        if not len(rows) or rows[-1][one] is None or not self.of.falls_short(rows[-1][one], one % players):
            return True
        if len(rows) == 1:
            return False
        met = self.now.past.met[-1] if "reputation" in self.around else [0] * len(rows[-1])
        faced = [at for at, group in enumerate(met) if at != one and group == met[one] and rows[-2][at] is not None]
        return any(self.of.falls_short(rows[-2][at], at % players) for at in faced)

    def promises(self) -> list[tuple[int, Any]]:
        if not self.has("communication") or self.now.promise is None:
            return []
        return [(one, self.now.promise[one]) for one in self.others() if self.now.promise[one] is not None]

    def shortfall(self, moves: Sequence[tuple[int, Any]]) -> float:
        """How far others' moves fall short of what is best for all, on average: 0 to 1."""
        of = self.of
        return sum(of.falls_short(move, one % of.plan.players) for one, move in moves) / len(moves) if moves else 0.0

    def received(self, mechanism: str = "punishment") -> int:
        """Points that one was punished or rewarded with in the round before."""
        rows: Any = getattr(self.now.past, SECOND[mechanism], ()) if self.has(mechanism) else ()
        if not len(rows):
            return 0
        row = rows[-1]
        return sum(given.units for one in range(len(row)) for given in (row[one] or ()) if given.to == self.seat)

    # --- moves ------------------------------------------------------------------------------------

    def efficient(self) -> Any:
        return self.of.efficient[self.place]

    def selfish(self) -> Any:
        of = self.of
        return of.selfish[self.place] if of.selfish is not None else of.best(of.efficient, self.place)

    def reckoned(self) -> Any:
        """The selfish move, or another where the fine that an authority is likely to take outweighs what it brings."""
        of, is_fined = self.of, self.has("authority") and (not self.has("voting") or self.now.rule == 1)
        if not is_fined:
            return self.selfish()
        fine = 100 * float(self.now.audits) * float(self.now.penalty)
        moves = of.selfish if of.selfish is not None else of.efficient
        return of.best(moves, self.place, lambda move: -round(fine * of.falls_short(move, self.place)))

    def between(self, short: float) -> Any:
        """The move that falls short by a share, down to the step; of choices the efficient one below a half."""
        best, own = self.efficient(), self.selfish()
        if isinstance(best, str):
            return best if short < 0.5 else own
        move = best + (own - best) * min(1.0, max(0.0, short))
        return math.floor(move + 1e-9) if own < best else math.ceil(move - 1e-9)

    def signed_reply(self) -> Any:
        """The best reply to the others' efficient moves where a contract is in force; None where there is none."""
        if not self.has("contracts") or self.now.contract in (None, NOBODY):
            return None
        terms = self.terms(int(self.now.contract))
        return self.of.best(self.of.efficient, self.place, lambda move: round(100 * terms(move)))

    def terms(self, place: int) -> Any:
        """What a proposal brings who plays a move."""
        seat = self.seat_at(place)
        sight = self.now._sight
        if "term_each" in sight._fields:
            rate = sight.term_each[seat]
            return lambda move: rate * move
        return lambda move: getattr(sight, f"term_{move}")[seat]

    def seat_at(self, place: int) -> int:
        """The seat at a place of one's group; places are known where nobody changes them, else by order."""
        members: list[int] = list(self.now.members)
        return members[place] if place < len(members) else members[0]

    def is_good(self, place: int) -> bool:
        """Whether a contract makes the efficient move a best reply to itself."""
        terms = self.terms(place)
        of = self.of
        return bool(of.best(of.efficient, self.place, lambda move: round(100 * terms(move))) == self.efficient())

    # --- answers ----------------------------------------------------------------------------------

    def contract(self) -> Any:
        """Terms under which no move pays more than the efficient one, where the others play it."""
        of, fields = self.of, [name for name in self.now._sight._fields if name.startswith("term_")]
        if fields == ["term_each"]:
            best, own = self.efficient(), self.selfish()
            needed = of.loss(self.place) / 100 / abs(best - own) if best != own else 0
            rate = min(TERM_MAX, math.floor(needed) + 1) if needed else 0
            return rate if best > own else -rate
        told = {}
        for name in fields:
            move = name.removeprefix("term_")
            gain = of.instead(of.efficient, self.place, move) - of.pays(of.efficient)[self.place]
            told[name] = -min(TERM_MAX, gain // 100 + 1) if move != self.efficient() and gain >= 0 else 0
        return told

    def nothing(self) -> Any:
        """The contract that changes nothing."""
        fields = [name for name in self.now._sight._fields if name.startswith("term_")]
        return 0 if fields == ["term_each"] else dict.fromkeys(fields, 0)

    def approved(self) -> dict[int, int]:
        places = {one: list(self.now.members).index(one) for one in self.others()}
        return {one: 1 for one, place in places.items() if self.is_good(place)}

    def mediator(self) -> dict[str, Any]:
        """One that plays the efficient move where all delegate, and the selfish one else."""
        names = [name for name in self.now._sight._fields if name.startswith("for_")]
        return {name: self.efficient() if name == names[-1] else self.selfish() for name in names}

    def is_good_mediator(self, seat: int) -> bool:
        name = next(name for name in reversed(self.now._sight._fields) if name.startswith("for_"))
        return bool(getattr(self.now, name)[seat] == self.of.efficient[self.place])

    def endorsed(self) -> dict[int, int]:
        return {one: 1 for one in self.others() if self.is_good_mediator(one)}

    def punishing(self, strength: float) -> dict[int, int]:
        """Points by how far others fell short of one's own move, the worst first, within what one has."""
        of, moves, left = self.of, getattr(self.now, self.field), int(self.now.sanction_points)
        own = of.falls_short(moves[self.seat], self.place)
        gaps = {one: of.falls_short(moves[one], one % of.plan.players) - own for one in self.others()}
        given = {}
        for one in sorted(gaps, key=lambda seat: (-gaps[seat], seat)):
            units = min(left, math.ceil(strength * gaps[one])) if gaps[one] > 0 else 0
            if units:
                given[one], left = units, left - units
        return given

    def rewarding(self) -> dict[int, int]:
        """To each who did what is best for all as many points as outweigh what that cost it, within what one has."""
        of, moves, effect = self.of, getattr(self.now, self.field), float(self.now.reward_effect)
        places = {one: one % of.plan.players for one in self.others() if moves[one] is not None}
        good = [one for one, place in places.items() if of.falls_short(moves[one], place) == 0]
        if not good or not effect:
            return {}
        most = int(self.now.reward_points) // len(good)
        given = {one: min(most, math.floor(of.loss(places[one]) / 100 / effect) + 1) for one in good}
        return {one: units for one, units in given.items() if units}

    def stays(self) -> bool:
        """Whether the last rounds earned as much as outside, or there were too few to tell."""
        earned = [row[self.seat] for row in self.now.past.gain][-TRIES:]
        return len(earned) < TRIES or sum(earned) >= TRIES * float(self.now.outside)

    def answer(self, move: Any, promise: Any, strength: float, is_fair: bool) -> Any:
        """The answer to whatever is asked; ``is_fair``: whether one joins what makes all better off."""
        now = self.now
        match now.stage:
            case "promise":
                return promise
            case "propose":
                return self.contract() if is_fair else self.nothing()
            case "approve":
                return self.approved()
            case "sign":
                return "sign" if now.proposed not in (None, NOBODY) and self.is_good(int(now.proposed)) else "refuse"
            case "mediate":
                return self.mediator()
            case "endorse":
                return self.endorsed()
            case "delegate":
                seat = self.seat_at(int(now.mediator)) if now.mediator not in (None, NOBODY) else self.seat
                return "delegate" if self.is_good_mediator(seat) else "decide"
            case "sanction":
                return self.punishing(strength) if strength else {}
            case "bonus":
                return self.rewarding() if is_fair else {}
            case "vote":
                return "yes" if is_fair else "no"
            case "stay":
                return "stay" if self.stays() else "leave"
        return move


def declare_policies(base: Any, found: Any) -> None:
    """Declare the policies of a game with mechanisms around it, where its own have not taken the names."""
    mind_of = partial(Mind, base, found.around_it)
    own = {one.name: one.silence for one in base.declared.stages}
    main = base.declared.stages[0].name

    def declared(function: Any) -> None:
        if function.__name__ not in found.declared.policies:
            policy(found, source=SOURCE if not function.__name__.startswith("cond") else FISCHBACHER)(function)

    def reply(mind: Mind, move: Any, promise: Any, strength: float, is_fair: bool) -> Any:
        stage = mind.now.stage
        if stage in own and stage != main:
            return said(mind.now, own[stage], base.declared.settings)
        if stage == main:
            signed = mind.signed_reply()
            return move if signed is None else signed
        return mind.answer(move, promise, strength, is_fair)

    def conditional(seat: int, now: Any, share: Any = SHARE, response: Any = RESPONSE, strength: Any = STRENGTH) -> Any:
        """Does for all a share of what the others promise or did last, and more after it was punished; punishes
        who falls short of it."""
        mind = mind_of(seat, now)
        seen = mind.promises() or mind.lasts()
        rows = getattr(now.past, mind.field)
        short = 1 - share * (1 - mind.shortfall(seen)) if seen else 0.0
        points = mind.received()
        if points and len(rows) and rows[-1][seat] is not None:
            short = min(short, mind.of.falls_short(rows[-1][seat], mind.place) - response * points)
        return reply(mind, mind.between(short), mind.efficient(), strength, True)

    def altruist(seat: int, now: Any, strength: Any = STRENGTH) -> Any:
        """Does what is best for all, punishes who falls short of it, by how far, and rewards who does not."""
        mind = mind_of(seat, now)
        return reply(mind, mind.efficient(), mind.efficient(), strength, True)

    def judge(seat: int, now: Any, strength: Any = STRENGTH) -> Any:
        """Does what is best for all with who did so last, or failed to with one that had failed to before."""
        mind = mind_of(seat, now)
        is_good = all(mind.stands_well(one) for one in mind.others())
        return reply(mind, mind.efficient() if is_good else mind.selfish(), mind.efficient(), strength, True)

    def selfish(seat: int, now: Any) -> Any:
        """Does what is best for itself, promises otherwise, and gives where punishment, reward or fine outweighs it."""
        mind = mind_of(seat, now)
        saved = mind.of.loss(mind.place) / 100
        fined = mind.received() * float(now.sanction_effect) if mind.received() else 0.0
        rows = getattr(now.past, mind.field)
        was_good = bool(len(rows)) and rows[-1][seat] == mind.efficient() and mind.has("punishment")
        rewarded = mind.received("reward") * float(now.reward_effect) if mind.has("reward") else 0.0
        is_worth = max(fined, rewarded) > saved or (was_good and fined == 0)
        move = mind.efficient() if is_worth else mind.reckoned()
        return reply(mind, move, mind.efficient(), 0.0, False)

    def keeper(seat: int, now: Any) -> Any:
        """Promises what is best for all and does it, unless another promised less, or broke its promise last round."""
        mind = mind_of(seat, now)
        rows: Any = getattr(now.past, mind.field)
        said: Any = getattr(now.past, "promise", ())
        broke = False
        if len(rows) and len(said) and said[-1] is not None:
            for one in mind.others():
                move, promise = rows[-1][one], said[-1][one]
                place = one % mind.of.plan.players
                if move is not None and promise is not None:
                    broke = broke or mind.of.falls_short(move, place) > mind.of.falls_short(promise, place)
        promises = mind.promises()
        trusts = not broke and (mind.shortfall(promises) == 0 if promises else mind.shortfall(mind.lasts()) < 0.5)
        move = mind.efficient() if trusts else mind.selfish()
        return reply(mind, move, mind.selfish() if broke else mind.efficient(), 0.0, True)

    for one in (conditional, altruist, judge, selfish, keeper):
        declared(one)


FISCHBACHER: Final = (
    "Fischbacher, Gächter and Fehr, Economics Letters 71 (2001): conditional cooperation with a selfish bias"
)
