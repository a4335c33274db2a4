"""The form of a study file: steps, arms, assignment, arrival, pay and ends. What stands in it is used or refused."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, model_validator

from games.core.answers import SAID, ConfigError, Note
from games.core.prompts import LANGUAGES
from games.core.settings import Settings
from games.errors.faults import shown
from games.errors.sentences import fault, said
from games.site.studies.assigning import How
from games.site.studies.matching import Rule

NAME: Final = r"^[a-z][a-z0-9_-]{0,39}$"
Name: TypeAlias = Annotated[str, Field(pattern=NAME)]
ENDS: Final = ("done", "screened", "unmatched", "dropped", "left", "declined", "late")
"""How a member's walk can end."""
EndName: TypeAlias = Literal["done", "screened", "unmatched", "dropped", "left", "declined", "late"]


def _texts(value: object) -> object:
    return {"en": value} if isinstance(value, str) else value


Texts: TypeAlias = Annotated[dict[str, Annotated[str, Field(max_length=20_000)]], BeforeValidator(_texts)]
"""By language; English where another is missing."""


Value: TypeAlias = str | int | float
Worded: TypeAlias = Annotated[dict[str, Annotated[str, Field(min_length=1, max_length=500)]], Field(min_length=1)]


def value_of(choice: Value | dict[str, str]) -> Value:
    """What is stored of a choice: itself, and of one in several languages its English, or the first that it has."""
    return (choice.get("en") or next(iter(choice.values()))) if isinstance(choice, dict) else choice


def text_of(choice: Value | dict[str, str], lang: str) -> str:
    """A choice as it is read."""
    return str((choice.get(lang) or value_of(choice)) if isinstance(choice, dict) else choice)


class Question(Settings):
    """One question of a page. With ``answer`` it is checked, and a wrong one counts as a try."""

    title: Texts
    type: Literal["string", "integer", "number", "boolean"] = "string"
    choices: tuple[Value | Worded, ...] | None = Field(
        None, min_length=2, max_length=50, description="Of one in several languages the English is stored."
    )
    minimum: float | None = None
    maximum: float | None = None
    required: bool = True
    answer: str | int | float | bool | None = None
    why: Texts | None = Field(None, description="Why the answer is right, shown with it and after a wrong one.")
    picture: str | None = Field(
        None, max_length=40, description="The act of the match whose picture stands beside why."
    )
    shown_as: Literal["text", "area", "radio", "likert", "slider"] | None = Field(None, alias="as")

    @property
    def values(self) -> tuple[Value, ...]:
        """What is stored of each choice."""
        return tuple(map(value_of, self.choices or ()))

    @model_validator(mode="after")
    def _tells_choices_apart(self) -> Self:
        values = self.values
        worded = [value_of(one) for one in self.choices or () if isinstance(one, dict)]
        if twice := [one for one in worded if values.count(one) > 1]:
            raise ConfigError(said("study_choice_twice", value=shown(twice[0])))
        return self

    @model_validator(mode="after")
    def _can_be_answered(self) -> Self:
        if self.shown_as in ("likert", "slider") and (self.minimum is None or self.maximum is None):
            raise ConfigError(said("study_needs_bounds", shown_as=self.shown_as))
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise ConfigError(said("study_bounds", least=self.minimum, most=self.maximum))
        kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool}[self.type]
        is_kind = isinstance(self.answer, kinds) and isinstance(self.answer, bool) == (self.type == "boolean")  # type: ignore[arg-type]
        if self.answer is not None and self.choices is None and not is_kind:
            raise ConfigError(said("study_answer_kind", value=shown(self.answer), type=self.type))
        if self.answer is not None and (note := self.fault(self.answer)):
            raise ConfigError(Note(SAID, {lang: f"answer: {fault(note, lang)}" for lang in LANGUAGES}))
        return self

    def fault(self, given: Any) -> Note | None:
        """What is wrong with an answer of the right kind."""
        if self.choices is not None and given not in self.values:
            return Note("one_of", {"value": shown(given), "options": list(map(str, self.values))})
        if isinstance(given, int | float) and not isinstance(given, bool):
            if self.minimum is not None and given < self.minimum:
                return Note("at_least", {"value": given, "bound": self.minimum})
            if self.maximum is not None and given > self.maximum:
                return Note("at_most", {"value": given, "bound": self.maximum})
        return None


class Gather(Settings):
    """When matches begin, how long somebody waits for a group, and what then.

    ``start``: ``full`` as soon as so many wait as are matched among themselves; ``lead`` each time whoever leads the
    session says so, for all who are there. Whoever is left over then sits that match out, or plays with a ``fill``.
    """

    start: Literal["full", "lead"] = "full"
    wait_s: float = Field(300, ge=5, le=86_400)
    otherwise: Literal["unmatched", "fill"] = Field("unmatched", alias="else")
    fill: dict[str, Any] | None = Field(
        None, description="Who sits in places that nobody came for, as in a scenario's seats; else the substitute."
    )

    @model_validator(mode="after")
    def _fills(self) -> Self:
        if self.fill is not None and self.otherwise != "fill":
            raise ConfigError(said("study_fill_unused"))
        if self.start == "lead" and "wait_s" in self.model_fields_set:
            raise ConfigError(said("study_lead_waits"))
        return self


class Step(Settings):
    """A page (``text``, maybe ``ask``) or a play (``scenario``), told by its keys."""

    text: Texts | None = None
    agree: bool = Field(False, description="Nobody goes on without agreeing.")
    ask: dict[str, Question] = Field(default_factory=dict)
    tries: int = Field(1, ge=1, le=20)
    otherwise: EndName | Literal["next"] = Field("next", alias="else", description="After the last wrong try.")
    limit_s: float | None = Field(None, ge=5, le=86_400, description="Then it goes on, flagged.")
    rules: str | None = Field(None, description="Shows the instructions of that play step.")

    scenario: str | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    seats: dict[str, Any] = Field(default_factory=dict)
    people: dict[str, Any] = Field(default_factory=dict)
    repeat: int = Field(1, ge=1, le=100)
    match: Rule = "partner"
    silo: int | None = Field(None, ge=1, le=200)
    gather: Gather = Field(default_factory=lambda: Gather.model_validate({}))
    practice: bool = Field(False, description="Not paid.")
    only: tuple[str, ...] | None = Field(None, description="Arms that have this step.")

    @property
    def is_play(self) -> bool:
        return self.scenario is not None

    @property
    def is_led(self) -> bool:
        """Whether its matches begin when whoever leads the session says so."""
        return self.is_play and self.gather.start == "lead"

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        play = {"config", "seats", "people", "repeat", "match", "silo", "gather", "practice"}
        page = {"text", "agree", "ask", "tries", "otherwise", "limit_s", "rules"}
        odd = sorted((page if self.is_play else play) & self.model_fields_set)
        if odd:
            raise ConfigError(said("study_play_key" if self.is_play else "study_page_key", keys=odd))
        if not self.is_play and not (self.text or self.ask or self.rules):
            raise ConfigError(said("study_step_kind"))
        if self.is_led and self.silo is not None:
            raise ConfigError(said("study_lead_silo"))
        if self.is_led and self.match == "perfect":
            raise ConfigError(said("study_lead_perfect"))
        if "tries" in self.model_fields_set and not any(one.answer is not None for one in self.ask.values()):
            raise ConfigError(said("study_tries"))
        return self


class Label(Settings):
    """By what a member is told apart: the first of these parameters of the address that is there."""

    sources: tuple[str, ...] = Field(("participant_label", "PROLIFIC_PID", "workerId"), alias="from")
    signed: str | None = Field(
        None,
        pattern=r"^[\w-]{1,40}$",
        description="The parameter with the panel's signature of the label: HMAC-SHA256, in hexadecimal, by "
        "POLITY_PANEL_KEY. Without a right one nobody enters, and with it any browser has the place.",
    )
    keep: tuple[str, ...] = ("STUDY_ID", "SESSION_ID", "assignmentId", "hitId")
    required: bool = False
    known: tuple[str, ...] | None = Field(None, max_length=10_000, description="The only ones that may enter.")


class Assign(Settings):
    at: str | None = Field(
        None, description="A step; else the first that is not the same in all arms, or the first match that is paid."
    )
    how: How = "balanced"
    fixed: dict[str, str] = Field(default_factory=dict, description="With how: fixed, the arm of each label.")


class Away(Settings):
    """Who gives no sign of life for a while as they play, or wait for others; a page that is read has `limit_s`.

    ``then``: ``drop`` ends their walk (`ends.dropped` says what they are paid); ``replace`` does so too, and the next
    who waits takes their place from the next match on; ``keep`` marks them, and they may come back. Meanwhile a program
    plays in their seat, in later matches too, and what it plays earns them nothing.
    """

    after_s: float = Field(120, ge=20, le=86_400, description="Seconds without a sign of life.")
    then: Literal["drop", "replace", "keep"] = "drop"


class Pay(Settings):
    """Points to money. Amounts are in units of the currency."""

    currency: str = Field("EUR", pattern=r"^[A-Z]{3}$")
    show_up: float = Field(0, ge=0, le=10_000)
    point: float = Field(0, ge=0, le=1_000)
    play: Literal["all", "one"] = Field("all", description="one: a single run, drawn by the seed.")
    round_to: float = Field(0.01, gt=0, le=100)
    most: float | None = Field(None, ge=0, le=100_000)


class Ending(Settings):
    """What somebody whose walk ends so is told and paid. ``pay``: an amount, show_up, or all that was earned."""

    text: Texts | None = None
    code: str | None = Field(None, max_length=200)
    url: str | None = Field(None, max_length=500, pattern=r"^https?://[^\s/]+\.?[^\s]*$")
    pay: float | Literal["show_up", "all"] | None = None

    @model_validator(mode="after")
    def _no_debt(self) -> Self:
        if isinstance(self.pay, float | int) and self.pay < 0:
            raise ConfigError(said("study_debt", value=self.pay))
        return self


def _one_arm() -> dict[str, dict[str, dict[str, Any]]]:
    return {"all": {}}


class StudyForm(Settings):
    """A whole study file."""

    study: Name
    title: Texts = Field(default_factory=dict)
    minutes: float | None = Field(None, gt=0, le=1440, description="How long it takes in all, told at the door.")
    places: int | None = Field(
        None, ge=1, le=100_000, description="So many take part; whoever comes later is late. Who ends early frees one."
    )
    label: Label = Field(default_factory=lambda: Label.model_validate({}))
    names: bool = Field(
        False, description="The door asks for a name, which stands on the screen that all see; no data hold it."
    )
    arms: dict[str, dict[str, dict[str, Any]]] = Field(default_factory=_one_arm)
    assign: Assign = Field(default_factory=lambda: Assign.model_validate({}))
    steps: dict[str, Step] = Field(min_length=1, max_length=60)
    away: Away = Field(default_factory=lambda: Away.model_validate({}))
    pay: Pay = Field(default_factory=lambda: Pay.model_validate({}))
    ends: dict[EndName, Ending] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _names_stand(self) -> Self:
        for name in [*self.steps, *self.arms]:
            if not re.fullmatch(NAME, name):
                raise ConfigError(said("study_name", name=shown(name)))
        if len(self.arms) > 1 and any(step.is_led for step in self.steps.values()):
            raise ConfigError(said("study_lead_arms", n=len(self.arms)))
        return self
