"""The columns of the tidy tables of a session, with what each means and can hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from games.site.people.seat_page import COUNTED

Kind: TypeAlias = Literal["text", "whole", "number", "truth", "time", "json"]
Row: TypeAlias = dict[str, Any]
Name: TypeAlias = Literal["members", "visits", "answers", "matches", "seats", "decisions", "messages", "payments"]


@dataclass(frozen=True, slots=True)
class Field:
    """One column. ``values`` is what it can hold, where that is a list; the times are UTC, with their zone."""

    name: str
    kind: Kind
    about: str
    values: str = ""


def _fields(*given: tuple[str, ...]) -> tuple[Field, ...]:
    return tuple(Field(*one) for one in given)  # type: ignore[arg-type]


SESSION: Final = ("session", "text", "Code of the session.")
MEMBER: Final = ("member", "text", "Pseudonym of a person; empty where none sat.")
NUMBER: Final = ("number", "whole", "Of a person, in the order of their coming, from 0.")
ARM: Final = ("arm", "text", "Treatment; empty where none was drawn yet.")
SILO: Final = ("silo", "whole", "Among whom they were matched: the cluster of their observations.")
PLAY: Final = ("study_step", "text", "The play step of the study.")
ROUND: Final = ("round", "whole", "Which match of the play step, from 0.")
RUN: Final = ("run", "text", "A match.")
SEAT: Final = ("seat", "whole", "In its match, from 0.")
PRACTICE: Final = ("practice", "truth", "Whether the match is practice, which is not paid.")
STEP: Final = ("step", "whole", "Of the match, from 1.")
STATES: Final = "walking waiting playing done screened unmatched dropped left declined late"
WHYS: Final = (
    "answered wrong failed timed_out played missed sat_out gone away left removed advanced replaced ended declined "
    "unmatched withdrawn inattentive"
)
DECIDERS: Final = "person model policy program recording plan substitute fallback clock default"

TABLES: Final[Mapping[Name, tuple[Field, ...]]] = {
    "members": _fields(
        SESSION, MEMBER, NUMBER,
        ("language", "text", "Of the pages.", "en zh"),
        ARM, SILO,
        ("place", "whole", "Among the places of the silo, from 0."),
        ("state", "text", "How it ended, or where it stands.", STATES),
        ("step", "text", "Of the study: the last they came to."),
        ("came", "time", "When they came in."),
        ("ended", "time", "When their walk ended."),
        ("seconds", "number", "From coming in to the end."),
        ("matches", "whole", "In which they sat, practice apart."),
        ("missed", "whole", "Of these, in which they decided nothing themselves; they earn nothing there."),
        ("away", "truth", "Whether they were away at the last: past the time allowed, or as a match ended."),
        ("unfocused", "whole", "How often they looked away from a page or a match."),
        ("unfocused_s", "number", "Seconds in which one was open and not looked at."),
        ("attention_failed", "whole", "Checks of attention that were answered wrongly."),
        ("points", "number", "Of all paid matches, of the steps that they played themselves."),
        ("show_up", "number", "Part of the pay for coming."),
        ("bonus", "number", "The rest of the pay."),
        ("total", "number", "What they get, in units of the currency, rounded."),
        ("paid_match", "whole", "Where one match or round is drawn for pay: which of their paid matches, from 0."),
        ("paid_round", "whole", "Where a round is drawn: which of that match, as its game counts."),
        ("erased", "truth", "Whether their texts, answers and labels were erased at their wish."),
    ),
    "visits": _fields(
        SESSION, MEMBER, NUMBER, ARM,
        ("step", "text", "Of the study."),
        ROUND,
        ("attempt", "whole", "From 0; more where an answer was wrong."),
        ("entered", "time", "When the stay at the step began."),
        ("left", "time", "When it ended."),
        ("seconds", "number", "That it lasted."),
        ("why", "text", "How it ended.", WHYS),
        ("unfocused", "whole", "How often they looked away from the page."),
        ("unfocused_s", "number", "Seconds in which it was open and not looked at."),
    ),
    "answers": _fields(
        SESSION, MEMBER, NUMBER, ARM,
        ("step", "text", "Of the study: the page."),
        ("attempt", "whole", "From 0; more where an answer was wrong."),
        ("question", "text", "Its name in the file; what it asks stands in the codebook."),
        ("position", "whole", "Of the question on the page as this member saw it, from 1; none of what is scored."),
        ("part", "text", "Of a question with several: the box, row, ranked choice or price; else empty."),
        ("value", "text", "The answer, as text."),
        ("number_value", "number", "The answer, where it is a number; yes is 1, no is 0."),
        ("right", "truth", "Whether it is the answer that the file has; empty where it has none."),
        ("at", "time", "When it was sent."),
    ),
    "matches": _fields(
        SESSION, RUN, PLAY, ROUND, ARM, SILO, PRACTICE,
        ("game", "text", "What was played."),
        ("status", "text", "finished, stopped or failed; else it goes on.", "finished stopped failed"),
        ("steps", "whole", "Number of the last step."),
        ("began", "time", "When it was made."),
        ("ended", "time", "When it was over."),
        ("people", "whole", "Seats in which somebody of the session sat."),
        ("programs", "whole", "The other seats."),
        ("hash", "text", "Head of the match's chained hashes, as polity verify checks it."),
        ("config_hash", "text", "Of the game's settings."),
        ("not_own", "number", "Share of decisions that were not their seats' own."),
        ("unsound", "truth", "Above the site's bound, in all or in one seat; left out of the session's screen."),
    ),
    "seats": _fields(
        SESSION, RUN, PLAY, ROUND, ARM, SILO, SEAT, MEMBER, NUMBER,
        ("state", "text", "How they held the seat at the last."),
        ("points", "number", "Of the steps that they played themselves; none in a match that they missed."),
        *((name, "whole", f"Turns: {told}.") for name, told in zip(
            COUNTED, ("answered by themselves", "passed", "whose time ran out", "played by the substitute"), strict=True
        )),
        ("not_own", "number", "Share of the seat's decisions that were not its own."),
        ("missed", "truth", "Whether none of them was."),
        ("unfocused", "whole", "How often they looked away from the page."),
        ("unfocused_s", "number", "Seconds in which the page was open and not looked at."),
    ),
    "decisions": _fields(
        SESSION, RUN, PLAY, ROUND, ARM, SILO, PRACTICE, STEP,
        ("game_round", "whole", "The round of the match, as its game counts."),
        ("stage", "text", "What was decided."),
        SEAT,
        ("role", "text", "Of the seat."),
        MEMBER, NUMBER,
        ("kind", "text", "Who sat there then.", "person model policy program recording"),
        ("agent", "text", "Which policy or model; of a person's seat, who stands in."),
        ("action", "json", "What was done, as the rules took it, also where it was not the seat's own."),
        ("others", "json", "What the others did in the same step, by seat."),
        ("payoff", "number", "What the seat got in that step."),
        ("cumulated", "number", "What it had got in the match by then."),
        ("seconds", "number", "From the turn's opening to the decision; empty: a policy, or not known."),
        ("own", "truth", "Whether it is the seat's own, a plan of its own under way included."),
        ("timed_out", "truth", "Whether the time ran out."),
        ("substituted", "truth", "Whether a program decided for somebody who was away."),
        ("decided_by", "text", "Who decided.", DECIDERS),
        ("flags", "text", "How it came about."),
        ("opened", "time", "When the turn was opened."),
        ("decided", "time", "When the decision was stored; of a policy, when the step was."),
    ),
    "messages": _fields(
        SESSION, RUN, PLAY, ROUND, ARM, STEP, SEAT, MEMBER, NUMBER,
        ("to", "json", "Seats; empty: everyone."),
        ("text", "text", "As it was written: look through it for names before it is passed on."),
    ),
    "payments": _fields(
        SESSION, MEMBER, NUMBER,
        ("amount", "number", "In units of the currency."),
        ("currency", "text", "ISO 4217."),
        ("end", "text", "How their walk ended.", STATES),
    ),
}  # fmt: skip
