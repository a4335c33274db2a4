"""Prompts for models and instructions for people, both from `Telling`: the same rules with the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from games.core.agents import Request
from games.core.answers import JSON
from games.core.instructions import Instructions
from games.core.prompts import LANGUAGES, GamePrompts, PromptContext, quoted
from games.declare.book import Lexicon
from games.declare.declaration import DEAL, MESSAGE, TALK, Declaration
from games.declare.fields import Amount, Points, Text
from games.declare.form import Fixed, Geometric, Repeated
from games.declare.kernel import PLANS_MAX, Declared
from games.declare.plan import Plan
from games.declare.telling import Telling
from games.declare.working import Worker

PAST_MAX: Final = 10
"""So many rounds before are told to a model."""
PAST_KEPT: Final = 2048
"""Lines about rounds that are over: each is told again in the rounds that follow."""


class Tellings:
    """The sentences of a game, by config and language, made when they are asked for and kept for the next seat."""

    def __init__(self, made: Declaration, game: Declared, worker: Worker) -> None:
        self.made, self.game, self.worker = made, game, worker
        self._lexicon = lru_cache(maxsize=len(LANGUAGES))(lambda language: Lexicon(made, language))
        self._under = lru_cache(maxsize=PLANS_MAX)(self._made_under)

    def of(self, config: Any, language: str) -> Telling:
        return self._under(self.game.under(config).plan, language)

    def _made_under(self, plan: Plan, language: str) -> Telling:
        return Telling(plan, self._lexicon(language), self.worker)

    def instructions(self, config: Any, request: Request[Any, Any], language: str) -> Instructions:
        """What a person in the seat is told."""
        telling = self.of(config, language)
        stages = [one for one in telling.plan.stages.values() if one.name != TALK]
        told = (
            telling.say("row", LABEL=telling.lexicon.label(one.name), VALUES=telling.default(one)) for one in stages
        )
        default = telling.say("and").join(told)
        return Instructions(
            aim=telling.aim(),
            do=telling.doing(request.seat),
            rules=telling.rules(),
            length=telling.length(),
            silence=telling.silence(),
            default=telling.say("default", DEFAULT=default),
            facts={"horizon": self._horizon(telling), "payoffs": [], "default": default},
            examples=tuple(telling.examples()),
        )

    def _horizon(self, telling: Telling) -> JSON:
        for end in self.made.ends:
            if isinstance(end, Fixed) and end.known:
                return telling.number(end.rounds)  # type: ignore[no-any-return]
            if isinstance(end, Geometric) and end.known:
                return telling.number(end.stop)  # type: ignore[no-any-return]
            if isinstance(end, Repeated) and telling.plan.tells_end:
                return telling.plan.rounds or float(1 - telling.plan.fixed[end.more])
        return None


class DeclaredPrompts(GamePrompts):
    """What a model is told: the rules as people read them, and what its seat sees now."""

    output = "json"

    def __init__(self, tellings: Tellings) -> None:
        self.tellings, self.made, self.game = tellings, tellings.made, tellings.game
        self.stages = frozenset({*self.game.action_types, DEAL})  # type: ignore[misc]
        self._past_row = lru_cache(maxsize=PAST_KEPT)(self._made_past_row)

    def render(self, config: Any, telling: PromptContext, /) -> Mapping[str, str]:
        told = self.tellings.of(config, telling.language)
        return {"system": self._system(told, telling), "user": self._user(told, telling)}

    def _system(self, told: Telling, telling: PromptContext) -> str:
        sight = telling.observation
        role = told.lexicon.own.get(f"roles.{sight.role}", "")
        seat = told.say("role", seat=sight.seat, role=role) if role else told.say("seat", seat=sight.seat)
        head = f"{told.lexicon.own['name']}\n{seat}" + (f" {telling.persona}" if telling.persona else "")
        return f"{head}\n\n{told.common}"

    def _user(self, told: Telling, telling: PromptContext) -> str:
        sight, lexicon = telling.observation, told.lexicon
        lines = [
            told.say("over")
            if not sight.stage
            else told.say("now" if sight.rounds else "now_open", round=sight.round, rounds=sight.rounds)
        ]
        lines.append(told.say("you_have", total=sight.total[sight.seat]))
        for name in self.made.held():
            if (value := getattr(sight, name)) is not None and not isinstance(value, tuple):
                shown = lexicon.choice(value) if isinstance(value, str) else value
                lines.append(told.say("yours", LABEL=lexicon.label(name), VALUE=shown))
        rows = self._rows(told, sight.seat, lambda name: getattr(sight, name))
        if rows:
            lines.append(told.say("this_round", ROWS=told.say("then").join(rows)))
        past = self._past(told, sight)
        if past:
            lines += [told.say("past", n=len(past)), *past]
        if telling.memory:
            lines.append(telling.memory)
        if sight.limits:
            lines += self._asked(told, sight)
        return "\n".join(lines)

    def _asked(self, told: Telling, sight: Any) -> list[str]:
        label = told.lexicon.label(sight.stage)
        lines = [told.lexicon.own.get(f"stages.{sight.stage}.ask", label)]
        for (name, part), limit in zip(self.game.fields_of[sight.stage], sight.limits, strict=True):
            stage = next(one for field, one, _ in self.made.fields() if field == name)
            field = told.lexicon.field(name, stage)
            if isinstance(part, Amount):
                lines.append(told.say("amount", LABEL=field, least=limit[0] / 100, most=limit[1] / 100))
            elif isinstance(part, Points):
                lines.append(told.say("points", LABEL=field, most=limit[0]))
            elif isinstance(part, Text):
                lines.append(told.say("text", LABEL=field, most=limit[0]))
        return lines

    def _rows(self, told: Telling, eyes: int, value_of: Callable[[str], Any], by_row: bool = False) -> list[str]:
        """The moves of a round, a phrase for each field; hidden ones are left out."""
        rows = []
        for name, stage, part in self.made.fields():
            values = value_of(name)
            if values is None or (isinstance(part, Text) and by_row):
                continue
            if name == MESSAGE:
                said = [told.say("said", seat=seat, text=quoted(text)) for seat, text in enumerate(values) if text]
                rows += said
                continue
            shown = [self._by(told, eyes, seat, part, value) for seat, value in enumerate(values) if value is not None]
            if shown:
                rows.append(
                    told.say("row", LABEL=told.lexicon.field(name, stage).lower(), VALUES=told.say("and").join(shown))
                )
        return rows

    def _by(self, told: Telling, eyes: int, seat: int, part: Any, value: Any) -> str:
        word = quoted(value) if isinstance(part, Text) else told.worded(part, value, by_number=True)
        return told.say("you", value=word) if seat == eyes else told.say("by_seat", seat=seat, value=word)

    def _past(self, told: Telling, sight: Any) -> list[str]:
        rounds = len(sight.past.gain)
        columns = [(name, getattr(sight.past, name, ())) for name, _, _ in self.made.fields()]
        return [
            self._past_row(
                told,
                sight.seat,
                row,
                sight.past.gain[row][sight.seat],
                tuple((name, rows[row]) for name, rows in columns if row < len(rows)),
            )
            for row in range(max(0, rounds - PAST_MAX), rounds)
        ]

    def _made_past_row(self, told: Telling, seat: int, row: int, gain: Any, values: tuple[tuple[str, Any], ...]) -> str:
        rows = [*self._rows(told, seat, dict(values).get, by_row=True), told.say("past_gain", gain=gain)]
        return told.say("past_row", round=row + 1, ROWS=told.say("then").join(rows))

    def excess(self, config: Any, request: Request[Any, Any], action: Any, /) -> JSON:
        """More than the first number of the stage may be."""
        sight = request.observation
        for (name, part), limit in zip(self.game.fields_of[sight.stage], sight.limits, strict=True):
            if isinstance(part, Amount):
                return {name: limit[1] // 100 + 1}
            if isinstance(part, Points) and limit[1]:
                return {name: [{"to": limit[1][0], "units": limit[0] + 1}]}
        return None
