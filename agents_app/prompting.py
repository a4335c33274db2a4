"""From a request to the messages of a prompt: the game's own words, then memory, then the form of the answer.

A game says what it has to say by `Pack.prompts`; where it says nothing, a model is shown its observation as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from pydantic_core import to_jsonable_python

from agents_app.parsing import COMMENTARY, SCRATCHPAD
from agents_app.profile import BadProfile, Language, Profile
from games.core.answers import JSON, ActionSpec, Note
from games.core.pack import Pack
from games.core.prompts import UNSEEN, GamePrompts, PromptContext, PromptFiles
from games.core.values import Same
from games.errors import sentences

FILES: Final = PromptFiles(Path(__file__).parent / "prompts")


def lines(language: Language) -> Mapping[str, str]:
    """The shell's own sentences by name."""
    return FILES.lines(language)


def reason(note: Note, language: Language) -> str:
    """Why a reply cannot be used, in one line: by the shell's own sentences, or as whoever read the action says it."""
    words = lines(language)
    if note.kind not in words:
        return sentences.fault(note, language)
    data = {name: ", ".join(map(str, value)) if isinstance(value, list) else value for name, value in note.data.items()}
    if "fault" in data:
        data["fault"] = words[str(data["fault"])].format(**data)
    return words[note.kind].format(**data)


class GenericPrompts(GamePrompts):
    """Where a game brings no prompts: who you are, and what you know as JSON."""

    stages = frozenset[str]()

    def __init__(self, pack: Pack) -> None:
        self.pack = pack

    def render(self, config: Any, telling: PromptContext, /) -> Mapping[str, str]:
        request, memory = telling.request, telling.memory
        words = lines("zh" if telling.language == "zh" else "en")
        system = words["generic_system"].format(
            seat=request.seat, title=self.pack.title, tagline=self.pack.tagline, persona=telling.persona
        )
        seen = observed(telling.observation, self.pack.game.config_type)
        known = json.dumps(seen, ensure_ascii=False, sort_keys=True).translate(UNSEEN)
        user = words["generic_user"].format(step=request.index, stage=request.turn.stage, observation=known)
        return {"system": system, "user": f"{user}\n\n{memory}" if memory else user}


def observed(observation: Any, config_type: type[Any]) -> JSON:
    """What a seat knows as JSON, for models without words of the game and for programs and pages.

    Games keep their settings at hand in what they observe; what of them a seat may know is told in words, and they are
    left out here: who is whose ally, or when a match ends whose end is unknown, stands among them.
    """
    return to_jsonable_python(_known(observation, config_type), fallback=_plain)  # type: ignore[no-any-return]


def _known(value: Any, config_type: type[Any]) -> Any:
    """Fields by name, those within fields too, without settings."""
    if hasattr(value, "_asdict"):
        parts: dict[str, Any] = value._asdict()
    elif is_dataclass(value) and not isinstance(value, type):
        parts = {one.name: getattr(value, one.name) for one in fields(value)}
    else:
        return value
    return {name: _known(one, config_type) for name, one in parts.items() if not isinstance(one, config_type)}


def _plain(value: Any) -> Any:
    """Lazy sequences as lists; what is no data at all by its kind (never by its address)."""
    return list(value) if isinstance(value, Sequence) else type(value).__name__


def prompts_of(pack: Pack) -> GamePrompts:
    """The game's own words, or the generic ones where it has none."""
    return pack.prompts or GenericPrompts(pack)


def words_at(pack: Pack, stage: str) -> GamePrompts:
    """The game's words for a stage; the generic ones where it has none."""
    prompts = prompts_of(pack)
    return prompts if stage in prompts.stages else GenericPrompts(pack)


# --- what is checked when a seat is taken ---------------------------------------------------------


def names_tokens(prompts: GamePrompts) -> bool:
    """Whether the game has single tokens for its actions: it is answered so at some stage, or it names them."""
    own = type(prompts).tokens is not GamePrompts.tokens
    return own or "token" in {prompts.output, *(prompts.output_at(stage) for stage in prompts.stages)}


def options_of(prompts: GamePrompts, profile: Profile) -> Mapping[str, JSON]:
    """The prompt options with the profile's over the defaults; raises `BadProfile` for one that the game lacks."""
    chosen = {prompts.renamed.get(name, name): value for name, value in profile.options.items()}
    for name, value in chosen.items():
        if name not in prompts.options:
            raise BadProfile.told("no_such_option", option=name, known=sorted(prompts.options) or ["–"])
        default = prompts.options[name]
        if type(value) is not type(default):
            raise BadProfile.told("option_kind", option=name, value=repr(value), default=repr(default))
        if value not in (known := prompts.choices.get(name, (value,))):
            raise BadProfile.told("option_kind", option=name, value=repr(value), default=" / ".join(map(str, known)))
    return {**prompts.options, **chosen}


def persona_of(prompts: GamePrompts, profile: Profile) -> str:
    """The persona's text in the profile's language; raises `BadProfile` for an unknown name."""
    if not profile.persona:
        return profile.persona_text
    try:
        return prompts.personas[profile.persona][profile.language]
    except KeyError:
        known = sorted(prompts.personas) or ["–"]
        raise BadProfile.told("no_such_persona", persona=repr(profile.persona), known=known) from None


# --- the form of the answer -----------------------------------------------------------------------

Schema: TypeAlias = Mapping[str, JSON]


def with_extras(schema: Schema, scratchpad: bool) -> Schema:
    """The schema of an object with a field for commentary, and one for notes; any other schema as it is. The same
    schema gives the same object, of which others keep what they make.
    """
    return _with_extras(Same(schema), scratchpad)


@lru_cache(maxsize=64)
def _with_extras(kept: Same, scratchpad: bool) -> Schema:
    schema: Schema = kept.it
    properties = schema.get("properties")
    if schema.get("type") != "object" or not isinstance(properties, Mapping):
        return schema
    extras: dict[str, JSON] = {COMMENTARY: {"type": "string"}}
    if scratchpad:
        extras[SCRATCHPAD] = {"type": "string"}
    return {**schema, "properties": {**extras, **properties}}


def schema_text(schema: Schema) -> str:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=64)
def _text_of(schema: Same) -> str:
    return schema_text(schema.it)


def asked_form(form: str, spec: ActionSpec[Any], tokens: Mapping[str, Any], profile: Profile) -> str:
    """The sentence that asks for the answer in one of the four formats; "" for a plan that is a line of text, since the
    game's own words say how that is written.
    """
    words = lines(profile.language)
    if form == "plan" and spec.schema.get("type") == "string":
        return ""
    notes = profile.memory == "scratchpad" and form != "token"
    schema = _text_of(Same(with_extras(spec.schema, notes)))
    text = words[f"ask_{form}"].format(schema=schema, tokens=", ".join(tokens))
    return f"{text}\n{words['ask_scratchpad'].format(length=profile.memory_length)}" if notes else text
