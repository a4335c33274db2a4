"""From a request to the messages of a prompt: the game's own words, then memory, then the form of the answer.

A game says what it has to say in the ``PROMPTS`` of its ``prompts`` module (`GamePrompts`); one that says nothing is
shown its observation as JSON. All of it is `str.format` over files: the same request gives the same bytes.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from pydantic_core import to_jsonable_python

from agents_app.parsing import COMMENTARY, SCRATCHPAD
from agents_app.profile import BadProfile, Language, Profile
from games.core.agents import Request
from games.core.game import JSON, ActionSpec
from games.core.registry import CATALOG, Pack

FOLDER: Final = Path(__file__).parent / "prompts"
UNSEEN: Final = {
    ord(letter): f"\\u{ord(letter):04x}" for letter in "\x7f\x85\u2028\u2029\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
}
"""Signs that JSON leaves alone although they break lines or turn the reading direction."""


class GamePrompts(Protocol):
    """What a game's ``prompts`` module offers as PROMPTS. Only `render` must be there.

    ``options``    the prompt options and their defaults, such as ``{"heuristics": True}``
    ``personas``   texts by name and language
    ``output``     "token" or "plan" where the game is answered so, else "json"

    Further, where the game has use for them:
    ``tokens(config, request) -> {token: raw answer}``, where the legal actions do not name themselves;
    ``plan_spec(config, request) -> ActionSpec | None``, what a plan looks like; None at a stage that has no plans;
    ``objection(config, request, action) -> str | None``, why an answer that can be read leaves nothing to carry out;
    ``excess(config, request, action) -> raw answer``, one that asks for too much, for the mock;
    ``as_plan(config, request, action) -> raw plan``, whose first action is this one, for the mock.
    """

    options: Mapping[str, JSON]
    personas: Mapping[str, Mapping[str, str]]
    output: str

    def render(
        self,
        *,
        config: Any,
        observation: Any,
        request: Request[Any, Any],
        language: str,
        persona: str,
        memory: str,
        options: Mapping[str, JSON],
    ) -> Mapping[str, str]:
        """``system`` and ``user``. ``persona`` and ``memory`` are texts, "" where there is none."""
        ...


@lru_cache(maxsize=4)
def lines(language: Language) -> Mapping[str, str]:
    """The shell's own sentences by name."""
    found: dict[str, str] = {}
    for line in (FOLDER / f"{language}.md").read_text(encoding="utf-8").splitlines():
        name, _, text = line.partition(": ")
        found[name] = text
    return found


def quoted(text: str, length: int = 4000) -> str:
    """Untrusted words as one quoted line: nothing in them can end the quotation or begin a line of its own."""
    cut = text if len(text) <= length else text[:length] + "..."
    return json.dumps(cut, ensure_ascii=False).translate(UNSEEN)


class GenericPrompts:
    """For a game that brings no prompts: who you are, and what you know as JSON."""

    options: Mapping[str, JSON] = {}
    personas: Mapping[str, Mapping[str, str]] = {}
    output = "json"

    def __init__(self, pack: Pack) -> None:
        self.pack = pack

    def render(
        self,
        *,
        config: Any,
        observation: Any,
        request: Request[Any, Any],
        language: str,
        persona: str,
        memory: str,
        options: Mapping[str, JSON],
    ) -> Mapping[str, str]:
        words = lines("zh" if language == "zh" else "en")
        system = words["generic_system"].format(
            seat=request.seat, title=self.pack.title, tagline=self.pack.tagline, persona=persona
        )
        known = json.dumps(
            to_jsonable_python(_named(observation), fallback=_plain),
            ensure_ascii=False,
            sort_keys=True,
        ).translate(UNSEEN)
        user = words["generic_user"].format(step=request.index, stage=request.turn.stage, observation=known)
        return {"system": system, "user": f"{user}\n\n{memory}" if memory else user}


def _named(value: Any) -> Any:
    """A named tuple with its names; anything else as it is."""
    return value._asdict() if hasattr(value, "_asdict") else value


def _plain(value: Any) -> Any:
    """Lazy sequences as lists; what is no data at all by its kind (never by its address)."""
    return list(value) if isinstance(value, Sequence) else type(value).__name__


def prompts_of(pack: Pack) -> GamePrompts:
    """The game's prompts: `Pack.prompts` where it has that field, else PROMPTS of its ``prompts`` module."""
    given = getattr(pack, "prompts", None)
    if given is not None:
        return given  # type: ignore[no-any-return]
    module = type(pack.game).__module__.rpartition(".")[0] or f"{CATALOG}.{pack.slug}"
    if importlib.util.find_spec(f"{module}.prompts") is not None:
        found = getattr(import_module(f"{module}.prompts"), "PROMPTS", None)
        if found is not None:
            return found  # type: ignore[no-any-return]
    return GenericPrompts(pack)


# --- what is checked when a seat is taken ---------------------------------------------------------


def options_of(prompts: GamePrompts, profile: Profile) -> Mapping[str, JSON]:
    """The prompt options with the profile's over the defaults; raises `BadProfile` for one that the game lacks."""
    for name, value in profile.options.items():
        if name not in prompts.options:
            known = ", ".join(sorted(prompts.options)) or "none"
            raise BadProfile(f"options.{name}: the game's prompts have no such option; there is {known}")
        default = prompts.options[name]
        if type(value) is not type(default):
            raise BadProfile(f"options.{name}: {value!r}; a value like {default!r} is expected")
    return {**prompts.options, **profile.options}


def persona_of(prompts: GamePrompts, profile: Profile) -> str:
    """The persona's text in the profile's language; raises `BadProfile` for an unknown name."""
    if not profile.persona:
        return profile.persona_text
    try:
        return prompts.personas[profile.persona][profile.language]
    except KeyError:
        known = ", ".join(sorted(prompts.personas)) or "none"
        raise BadProfile(f"persona: {profile.persona!r}; the game has {known}") from None


# --- the form of the answer -----------------------------------------------------------------------

Schema: TypeAlias = Mapping[str, JSON]


def with_extras(schema: Schema, scratchpad: bool) -> Schema:
    """The schema of an object with a field for commentary, and one for notes; any other schema as it is."""
    properties = schema.get("properties")
    if schema.get("type") != "object" or not isinstance(properties, Mapping):
        return schema
    extras: dict[str, JSON] = {COMMENTARY: {"type": "string"}}
    if scratchpad:
        extras[SCRATCHPAD] = {"type": "string"}
    return {**schema, "properties": {**extras, **properties}}


def schema_text(schema: Schema) -> str:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def asked_form(form: str, spec: ActionSpec[Any], tokens: Mapping[str, Any], profile: Profile) -> str:
    """The sentence that asks for the answer in one of the four formats."""
    words = lines(profile.language)
    notes = profile.memory == "scratchpad" and form != "token"
    text = words[f"ask_{form}"].format(
        schema=schema_text(with_extras(spec.schema, notes)), tokens=", ".join(tokens)
    )  # fmt: skip
    return f"{text}\n{words['ask_scratchpad'].format(length=profile.memory_length)}" if notes else text
