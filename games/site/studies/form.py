"""The form of a study file: steps, arms, assignment, arrival, pay and ends. What stands in it is used or refused."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from games.core.answers import ConfigError
from games.core.settings import Settings
from games.errors.faults import shown
from games.errors.sentences import said
from games.site.studies.assigning import How
from games.site.studies.conditions import When
from games.site.studies.matching import Rule
from games.site.studies.questions import Question, Texts

NAME: Final = r"^[a-z][a-z0-9_-]{0,39}$"
Name: TypeAlias = Annotated[str, Field(pattern=NAME)]
EndName: TypeAlias = Literal["done", "screened", "unmatched", "dropped", "left", "declined", "late"]
"""How a member's walk can end."""


class Gather(Settings):
    """When matches begin, how long somebody waits for a group, and what then.

    ``start``: ``full`` as soon as so many wait as are matched among themselves; ``silo`` as soon as all who are left of
    the silo of an earlier play are there, who stay together; ``lead`` each time whoever leads the session says so, for
    all who are there. Whoever is left over then sits that match out, or plays with a ``fill``.
    """

    start: Literal["full", "silo", "lead"] = Field(
        "full",
        description="When matches begin: as soon as enough wait; as soon as all who are left of the silo of the play "
        "before are there, who stay together; or when the lead says so.",
        examples=["silo"],
    )
    wait_s: float = Field(300, ge=5, le=86_400, description="Seconds that somebody waits for a group.", examples=[300])
    otherwise: Literal["unmatched", "fill"] = Field(
        "unmatched",
        alias="else",
        description="What then: their walk ends as unmatched, or the open places are filled.",
        examples=["fill"],
    )
    fill: dict[str, Any] | None = Field(
        None,
        description="Who sits in places that nobody came for, as in a scenario's seats; else the substitute.",
        examples=[{"policy": "TFT"}],
    )

    @model_validator(mode="after")
    def _fills(self) -> Self:
        if self.fill is not None and self.otherwise != "fill":
            raise ConfigError(said("study_fill_unused"))
        if self.start == "lead" and "wait_s" in self.model_fields_set:
            raise ConfigError(said("study_lead_waits"))
        return self


class Plugged(Settings):
    """Which package's step a page is, and what it stores beside its answers, with what each means."""

    package: str = Field(description="The package that brings the step.", examples=["polity-lake"])
    version: str = Field(description="Its version.", examples=["1.0"])
    digest: str = Field(description="SHA-256 of what was loaded, 16 digits.", examples=["8c1f0a6e3b2d4795"])
    stores: dict[str, str] = Field(
        default_factory=dict, description="What it stores beside answers.", examples=[{"patience": "0 to 1."}]
    )


class Step(Settings):
    """A page (``text``, maybe ``ask``), one that a package brings (``plug``) or a play (``scenario``), by its keys."""

    like: str | None = Field(
        None, description="An earlier step that this one is like, but for what stands here.", examples=["survey"]
    )
    text: Texts | None = Field(
        None,
        description="What a page says, by language: Markdown, or the name of a .md file beside the study.",
        examples=["consent.md"],
    )
    agree: bool = Field(False, description="Nobody goes on without agreeing.", examples=[True])
    ask: dict[str, Question] = Field(
        default_factory=dict, description="Questions of a page, by name.", examples=[{"trust": {"title": "Trust?"}}]
    )
    tries: int = Field(1, ge=1, le=20, description="How often a page with right answers may be tried.", examples=[3])
    otherwise: EndName | Literal["next"] = Field(
        "next", alias="else", description="After the last wrong try.", examples=["screened"]
    )
    limit_s: float | None = Field(None, ge=5, le=86_400, description="Then it goes on, flagged.", examples=[120])
    shuffle: Literal["questions", "blocks", "both"] | None = Field(
        None,
        description="What comes in an order that is drawn for each member: questions (within their block), blocks, or "
        "both.",
        examples=["both"],
    )
    rules: str | None = Field(None, description="Shows the instructions of that play step.", examples=["play"])

    plug: Name | None = Field(
        None, description="A page that a package brings, by the step's name.", examples=["patience"]
    )
    given: dict[str, Any] = Field(
        default_factory=dict, alias="with", description="Settings of that step.", examples=[{"rows": 6}]
    )
    plugged: Plugged | None = Field(
        None,
        description="Written by the site beside what the step asks: whose it is.",
        examples=[{"package": "polity-lake", "version": "1.0", "digest": "8c1f0a6e3b2d4795"}],
    )

    scenario: str | None = Field(
        None, description="What is played: GAME/PRESET or a scenario file.", examples=["dilemma/tft-vs-alld"]
    )
    config: dict[str, Any] = Field(
        default_factory=dict, description="Settings of the game that are not the scenario’s.", examples=[{"rounds": 5}]
    )
    seats: dict[str, Any] = Field(
        default_factory=dict,
        description="Who sits where, as in a scenario.",
        examples=[{"A": {"person": True}, "B": {"policy": "TFT"}}],
    )
    people: dict[str, Any] = Field(
        default_factory=dict, description="Terms of matches; their keys follow below.", examples=[{"deadline_s": 45}]
    )
    repeat: int = Field(1, ge=1, le=100, description="How many matches are played one after another.", examples=[5])
    match: Rule = Field(
        "partner",
        description="With whom: partner stays; random; stranger meets again as late as can be; perfect never.",
        examples=["stranger"],
    )
    silo: int | None = Field(
        None,
        ge=1,
        le=200,
        description="How many are matched among themselves; one group where nothing is said.",
        examples=[6],
    )
    gather: Gather = Field(
        default_factory=lambda: Gather.model_validate({}),
        description="When matches begin.",
        examples=[{"wait_s": 300, "else": "fill"}],
    )
    practice: bool = Field(False, description="Not paid.", examples=[True])
    only: tuple[str, ...] | None = Field(None, description="Arms that have this step.", examples=[["long"]])
    when: When | None = Field(
        None,
        alias="if",
        description="They come to it where all of this holds of earlier answers (STEP.QUESTION) and results "
        "(PLAY.points): a value, a list of values, at_least, at_most or not; else it is passed over.",
        examples=[{"survey.trust": {"at_least": 4}}],
    )

    @property
    def stores(self) -> dict[str, str]:
        """What the package of a step stores beside its answers."""
        return self.plugged.stores if self.plugged else {}

    @property
    def is_play(self) -> bool:
        return self.scenario is not None

    @property
    def is_led(self) -> bool:
        """Whether its matches begin when whoever leads the session says so."""
        return self.is_play and self.gather.start == "lead"

    @property
    def keeps_silo(self) -> bool:
        """Whether those who were matched among themselves before stay so."""
        return self.is_play and self.gather.start == "silo"

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        play = {"config", "seats", "people", "repeat", "match", "silo", "gather", "practice"}
        page = {"text", "agree", "ask", "tries", "otherwise", "limit_s", "rules", "shuffle", "plug", "given", "plugged"}
        odd = sorted((page if self.is_play else play) & self.model_fields_set)
        if odd:
            raise ConfigError(said("study_play_key" if self.is_play else "study_page_key", keys=odd))
        if not self.is_play and not (self.text or self.ask or self.rules):
            raise ConfigError(said("study_step_kind"))
        if self.is_led and self.silo is not None:
            raise ConfigError(said("study_lead_silo"))
        if self.is_led and self.match == "perfect":
            raise ConfigError(said("study_lead_perfect"))
        tried = [one for one in self.ask.values() if one.answer is not None and not one.attention]
        if "tries" in self.model_fields_set and not tried:
            raise ConfigError(said("study_tries"))
        return self


class Label(Settings):
    """By what a member is told apart: the first of these parameters of the address that is there."""

    sources: tuple[str, ...] = Field(
        ("participant_label", "PROLIFIC_PID", "workerId"),
        alias="from",
        description="Parameters of the address that tell members apart; the first that is there.",
        examples=[["PROLIFIC_PID"]],
    )
    signed: str | None = Field(
        None,
        pattern=r"^[\w-]{1,40}$",
        description="The parameter with the panel's signature of the label: HMAC-SHA256, in hexadecimal, by "
        "POLITY_PANEL_KEY. Without a right one nobody enters, and with it any browser has the place.",
        examples=["sig"],
    )
    keep: tuple[str, ...] = Field(
        ("STUDY_ID", "SESSION_ID", "assignmentId", "hitId"),
        description="Parameters that are kept with the label.",
        examples=[["STUDY_ID", "SESSION_ID"]],
    )
    required: bool = Field(False, description="Whether nobody enters without a label.", examples=[True])
    known: tuple[str, ...] | None = Field(
        None, max_length=10_000, description="The only ones that may enter.", examples=[["ann", "bo"]]
    )


class Assign(Settings):
    at: str | None = Field(
        None,
        description="A step; else the first that is not the same in all arms, or the first match that is paid.",
        examples=["rules"],
    )
    how: How = Field(
        "balanced",
        description="balanced completes groups that have begun, then fills the smallest arm; random; fixed by label.",
        examples=["random"],
    )
    fixed: dict[str, str] = Field(
        default_factory=dict, description="With how: fixed, the arm of each label.", examples=[{"ann": "long"}]
    )


class Away(Settings):
    """Who gives no sign of life for a while as they play, or wait for others; a page that is read has `limit_s`.

    ``then``: ``drop`` ends their walk (`ends.dropped` says what they are paid); ``replace`` does so too, and the next
    who waits takes their place from the next match on; ``keep`` marks them, and they may come back. Meanwhile a program
    plays in their seat, in later matches too, and what it plays earns them nothing.
    """

    after_s: float = Field(120, ge=20, le=86_400, description="Seconds without a sign of life.", examples=[90])
    then: Literal["drop", "replace", "keep"] = Field(
        "drop", description="What happens to whoever is away.", examples=["keep"]
    )


class Attention(Settings):
    """What happens to who fails checks of attention."""

    failed: int = Field(2, ge=1, le=50, description="So many wrong answers to them.", examples=[2])
    then: EndName = Field("screened", description="How their walk ends then, at once.", examples=["screened"])


class Pay(Settings):
    """Points to money. Amounts are in units of the currency."""

    currency: str = Field("EUR", pattern=r"^[A-Z]{3}$", description="ISO 4217.", examples=["EUR"])
    show_up: float = Field(0, ge=0, le=10_000, description="For coming.", examples=[3])
    point: float = Field(0, ge=0, le=1_000, description="For each point.", examples=[0.05])
    play: Literal["all", "one", "round"] = Field(
        "all",
        description="one: a single match, drawn by the seed at the end; round: a single round of a single match.",
        examples=["one"],
    )
    round_to: float = Field(0.01, gt=0, le=100, description="The total is a multiple of this.", examples=[0.1])
    most: float | None = Field(None, ge=0, le=100_000, description="No total is higher.", examples=[25])


class Ending(Settings):
    """What somebody whose walk ends so is told and paid. ``pay``: an amount, show_up, or all that was earned."""

    text: Texts | None = Field(
        None,
        description="What somebody whose walk ends so reads, by language; Markdown.",
        examples=[{"en": "Thank you."}],
    )
    code: str | None = Field(
        None, max_length=200, description="A completion code that they are shown.", examples=["C1ABCD"]
    )
    url: str | None = Field(
        None,
        max_length=500,
        pattern=r"^https?://[^\s/]+\.?[^\s]*$",
        description="Where they go on, as to their panel.",
        examples=["https://app.prolific.com/submissions/complete?cc=C1ABCD"],
    )
    pay: float | Literal["show_up", "all"] | None = Field(
        None, description="What they get: an amount, show_up, or all that was earned.", examples=["show_up"]
    )

    @model_validator(mode="after")
    def _no_debt(self) -> Self:
        if isinstance(self.pay, float | int) and self.pay < 0:
            raise ConfigError(said("study_debt", value=self.pay))
        return self


def _one_arm() -> dict[str, dict[str, dict[str, Any]]]:
    return {"all": {}}


class StudyForm(Settings):
    """A whole study file."""

    study: Name = Field(description="Its name.", examples=["trust-2026"])
    title: Texts = Field(default_factory=dict, description="By language.", examples=[{"en": "Trust", "zh": "信任"}])
    minutes: float | None = Field(
        None, gt=0, le=1440, description="How long it takes in all, told at the door.", examples=[20]
    )
    places: int | None = Field(
        None,
        ge=1,
        le=100_000,
        description="So many take part; whoever comes later is late. Who ends early frees one.",
        examples=[48],
    )
    label: Label = Field(
        default_factory=lambda: Label.model_validate({}),
        description="How members are told apart.",
        examples=[{"from": ["PROLIFIC_PID"]}],
    )
    names: bool = Field(
        False,
        description="The door asks for a name, which stands on the screen that all see; no data hold it.",
        examples=[True],
    )
    arms: dict[str, dict[str, dict[str, Any]]] = Field(
        default_factory=_one_arm,
        description="Treatments: what each changes in which step.",
        examples=[{"short": {}, "long": {"play": {"config": {"rounds": 10}}}}],
    )
    assign: Assign = Field(
        default_factory=lambda: Assign.model_validate({}),
        description="Who gets which arm, and where.",
        examples=[{"at": "rules"}],
    )
    steps: dict[str, Step] = Field(
        min_length=1,
        max_length=60,
        description="Pages and matches by name, in order.",
        examples=[{"consent": {"text": "consent.md", "agree": True}}],
    )
    away: Away = Field(
        default_factory=lambda: Away.model_validate({}),
        description="What happens to who leaves without a word.",
        examples=[{"after_s": 90, "then": "replace"}],
    )
    attention: Attention | None = Field(
        None, description="What happens to who fails checks of attention; else they are counted alone.",
        examples=[{"failed": 2}],
    )  # fmt: skip
    pay: Pay = Field(
        default_factory=lambda: Pay.model_validate({}),
        description="Points to money.",
        examples=[{"show_up": 3, "point": 0.05}],
    )
    ends: dict[EndName, Ending] = Field(
        default_factory=dict,
        description="What is told and paid, by how a walk ends.",
        examples=[{"screened": {"pay": 0.5}}],
    )

    @model_validator(mode="after")
    def _names_stand(self) -> Self:
        for name in [*self.steps, *self.arms]:
            if not re.fullmatch(NAME, name):
                raise ConfigError(said("study_name", name=shown(name)))
        if len(self.arms) > 1 and any(step.is_led for step in self.steps.values()):
            raise ConfigError(said("study_lead_arms", n=len(self.arms)))
        return self
