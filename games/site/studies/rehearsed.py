"""Who walks in a rehearsal: how fast they read and decide, what they answer, and whether they leave or come back."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import datetime
from math import exp
from statistics import NormalDist
from typing import Any, Final

from games.core.agents import Decider, deciding
from games.core.rng import Rng
from games.site.people.open_turn import OpenRequest
from games.site.studies.questions import Question
from games.site.studies.values import fields_of

ARRIVE_S: Final = 90.0
"""In so many seconds all come who are not late."""
LATE_S: Final = 600.0
"""Who is late comes within so many more."""
WORDS_S: Final = 3.5
"""Words of a page that are read in a second."""
READ_S, ANSWER_S, DECIDE_S = 4.0, 7.0, 9.0
"""Medians: for a page, for each question on it, for a move; they spread by a factor of 1.7."""
SPREAD: Final = 0.53
SLOWER: Final = 3.0
"""Times the seconds of everybody else, of who is slow."""
AWAY_S: Final = (20.0, 240.0)
"""Who closes their page and comes back does so within these."""
STOPS: Final = 8
"""Who leaves does so at one of about so many pages and moves."""
WRONG: Final = 0.5
"""The chance of who is careless to answer a check wrongly."""


@dataclass(frozen=True, slots=True)
class Mix:
    """The share of members of each habit; each is drawn by itself, so that some have several."""

    slow: float = 0.0
    careless: float = 0.0
    leaving: float = 0.0
    resting: float = 0.0
    twice: float = 0.0
    late: float = 0.0


IDEAL: Final = Mix()
REALISTIC: Final = Mix(slow=0.1, careless=0.1, leaving=0.08, resting=0.08, twice=0.1, late=0.1)
HABITS: Final = tuple(one.name for one in fields(Mix))


@dataclass(slots=True)
class Walker:
    """A member of a rehearsal. ``due``: when they do next what they are at; ``at``: what that is."""

    number: int
    rng: Rng
    habits: frozenset[str]
    comes: float
    pk: str = ""
    at: str = ""
    due: datetime | None = None
    back: datetime | None = None
    is_gone: bool = False
    acts: int = 0
    old: tuple[Any, dict[str, str]] | None = None
    deciders: dict[str, Decider] = field(default_factory=dict)

    @classmethod
    def drawn(cls, number: int, mix: Mix, rng: Rng) -> Walker:
        own = rng.at("member", number)
        habits = frozenset(name for name in HABITS if own.chance(getattr(mix, name), name))
        spread = 0.0 if mix == IDEAL else ARRIVE_S
        comes = spread * own.unit("comes") + (LATE_S * own.unit("late-by") if "late" in habits else 0.0)
        return cls(number, own, habits, comes)

    @property
    def is_here(self) -> bool:
        """Whether their page is open."""
        return bool(self.pk) and not self.is_gone and self.back is None

    def seconds(self, words: int, questions: int, is_move: bool) -> float:
        """How long they take for a page, or for a move."""
        usual = DECIDE_S if is_move else READ_S + words / WORDS_S + ANSWER_S * questions
        drawn = NormalDist().inv_cdf(min(max(self.rng.unit("seconds", self.acts), 1e-4), 1 - 1e-4))
        return usual * exp(SPREAD * drawn) * (SLOWER if "slow" in self.habits else 1.0)

    def does(self, what: str, chance: float) -> bool:
        return self.rng.chance(chance, what, self.acts)

    def away_s(self) -> float:
        least, most = AWAY_S
        return least + (most - least) * self.rng.unit("away", self.acts)

    def answers(self, asked: dict[str, Question]) -> dict[str, str]:
        """The fields of a page as they send it: right answers to checks, unless they are careless."""
        sent: dict[str, str] = {"agree": "yes"}
        for name, question in asked.items():
            key = self.rng.at(name, self.acts)
            is_wrong = question.answer is not None and "careless" in self.habits and key.chance(WRONG, "wrong")
            value = _drawn(question, key) if question.answer is None or is_wrong else question.answer
            sent |= fields_of(question, name, value)
        return sent

    def action(self, open_request: OpenRequest) -> Any:
        """What they do in a match: what one of the game's own policies does, drawn for each match."""
        play, seat = open_request.play, open_request.request.seat
        if play.run.pk not in self.deciders:
            role = play.game.seats(play.config)[seat].role
            able = [one for one in play.pack.policies.values() if one.can_play(role) and not one.reckons]
            careless = [one for one in able if one.name.lower() == "random"] if "careless" in self.habits else []
            chosen = self.rng.choice(careless or able, "policy", play.run.study_round, seat)
            self.deciders[play.run.pk] = deciding(chosen.bind())
        return self.deciders[play.run.pk](open_request.request).action


def _drawn(question: Question, rng: Rng) -> Any:
    """Any answer that a question allows."""
    values, parts = question.values, list(question.parts)
    match question.shape:
        case "several":
            least, most = int(question.minimum or 1), int(question.maximum or len(values))
            return rng.sample(values, min(len(values), least + rng.below(most - least + 1, "n")), "boxes")
        case "ranking":
            return rng.shuffled(values, "ranks")
        case "matrix":
            return {part: rng.choice(question.scale, "row", n) for n, part in enumerate(parts)}
        case "allocation":
            first = rng.below(int(question.total or 0) + 1, "first")
            rest = int(question.total or 0) - first
            return {part: first if n == 0 else rest if n == 1 else 0 for n, part in enumerate(parts)}
        case "prices":
            over = rng.below(len(parts) + 1, "over")
            return ["a" if n < over else "b" for n in range(len(parts))]
        case "yesno":
            return rng.chance(0.5, "yes")
        case "radio" | "select":
            return rng.choice(values, "choice")
        case "number" | "decimal" | "likert" | "slider":
            least = int(question.minimum or 0)
            most = int(question.maximum) if question.maximum is not None else least + 10
            return least + rng.below(most - least + 1, "number")
        case _:
            return "rehearsed"
