"""A game's source: who wrote it, and which of its numbers and claims nothing here plays, or not yet."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator

from games.core.pack import Pack
from games.lab.scenarios.form import Texts, validated
from games.lab.scenarios.yamlfile import parse_yaml

FILE: Final = "source.yaml"
Finite = Annotated[float, Field(allow_inf_nan=False)]


class UnplayedForm(BaseModel):
    """A number or a claim that no preset is played for.

    ``waits``  what it waits for; ``never`` why it cannot be compared. One of the two names one of the source's reasons
    ``learnt`` the training whose seeds are ours once they are kept: ``PRESET/ALGORITHM``, or after one of its lessons
               ``PRESET/ALGORITHM/LESSON``; ``over`` another one, of a claim that the first comes to more
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    place: str = Field(min_length=1, max_length=200)
    theirs: Finite | None = None
    spread: Annotated[Finite, Field(ge=0)] | None = None
    claim: Texts = {}
    waits: str = ""
    never: str = ""
    learnt: str = Field("", pattern=r"^$|^[^/]+/[^/]+(/[^/]+)?$")
    over: str = Field("", pattern=r"^$|^[^/]+/[^/]+(/[^/]+)?$")

    @model_validator(mode="after")
    def _one_reason(self) -> UnplayedForm:
        if bool(self.waits) == bool(self.never):
            raise ValueError("waits or never: one of the two says why it is not played")
        if self.theirs is None and not self.claim:
            raise ValueError("theirs or claim: a row states one of the two")
        return self


class NoteForm(BaseModel):
    """What is to be said of rows ``of`` these keys (``preset#name``), or places where no preset plays them, in each
    language.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    of: tuple[str, ...] = Field(min_length=1)
    en: str
    zh: str = ""


class SourceForm(BaseModel):
    """``title``, ``authors`` and ``year`` as the source gives them; ``unplayed`` in the order of the source.

    ``reasons``  by a short name, in each language, why a row is not played or cannot be compared
    ``notes``    what is known of why ours is what it is: our reading, our agents, or theirs
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(max_length=200)
    authors: str = Field("", max_length=300)
    year: int | None = None
    about: Texts = {}
    reasons: dict[str, Texts] = {}
    notes: tuple[NoteForm, ...] = ()
    unplayed: tuple[UnplayedForm, ...] = ()

    @model_validator(mode="after")
    def _known_reasons(self) -> SourceForm:
        for number, row in enumerate(self.unplayed):
            if (row.waits or row.never) not in self.reasons:
                raise ValueError(f"unplayed.{number}: {row.waits or row.never}; none of the reasons")
        return self


def notes_of(form: SourceForm) -> dict[str, dict[str, str]]:
    """What is noted of rows, by their keys."""
    return {key: {"en": one.en, "zh": one.zh or one.en} for one in form.notes for key in one.of}


def source_of(pack: Pack) -> SourceForm | None:
    """The game's source; None where it has none. Raises `BadScenario` where the file is not of the form."""
    text = pack.files.stated()
    if text is None:
        return None
    data: Any = parse_yaml(text, FILE)
    return validated(SourceForm, data, f"{pack.slug}/{FILE}")
