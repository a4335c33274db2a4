"""The form of an answer: structured output where the model takes it, a token, a plan, or JSON in a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from agents_app.parsing import Format, tokens_of
from agents_app.profile import Profile
from agents_app.providers.protocol import Provider
from agents_app.providers.strict import is_strict, without_nulls
from games.core import codec
from games.core.agents import Request
from games.core.answers import ActionSpec
from games.core.pack import Pack
from games.core.prompts import GamePrompts
from games.core.values import swift


@swift
@dataclass(frozen=True, slots=True)
class Asked:
    """The form of one answer: its format, its spec, and the tokens where it is one of them."""

    form: Format
    spec: ActionSpec[Any]
    tokens: Mapping[str, Any]


@dataclass(slots=True)
class Forms:
    """What one seat's model is asked for, and what has been learnt of its structured output.

    ``structured``  whether moves are asked for by a JSON Schema; None until the provider was asked
    ``beside``      whether the questions beside the play may be as well
    """

    pack: Pack
    config: Any
    profile: Profile
    structured: bool | None = None
    beside: bool = True

    @property
    def is_open(self) -> bool:
        """Whether the provider has yet to be asked about structured output, since the profile leaves that open."""
        return self.structured is None and self.profile.output in ("auto", "structured")

    async def learn(self, provider: Provider) -> None:
        """Ask the provider once whether its model has structured output, where that is open."""
        if self.is_open:
            await provider.ready()
            self.structured = provider.has_structured_output(self.profile.model)

    def asked(self, request: Request[Any, Any], words: GamePrompts, *, plain: bool = False) -> Asked:
        """The profile's format; under ``auto`` the game's, else the model's best. Tokens only for listed actions."""
        assert request.actions is not None
        wanted = self.profile.output
        if wanted == "auto":
            own = words.output_at(request.turn.stage)
            wanted = "structured" if own == "json" else own
        if wanted == "plan" and self.pack.controller is not None:
            plans = words.plan_spec(self.config, request)
            if plans is not None:
                return Asked("plan", plans, {})
        spec = request.actions
        if wanted == "token" and (tokens := self._tokens(request, words)):
            return Asked("token", spec, tokens)
        is_object = spec.schema.get("type") == "object"
        if wanted == "structured" and is_object and self.structured and not plain:
            if is_strict(self.profile):
                spec = replace(spec, read=partial(_read_strict, spec.read))
            return Asked("structured", spec, {})
        return Asked("json", spec, {})

    def _tokens(self, request: Request[Any, Any], words: GamePrompts) -> Mapping[str, Any] | None:
        """The tokens of this moment's actions; None where these are not listed, or no single words tell them apart."""
        assert request.actions is not None
        if request.actions.options is None:
            return None
        named = words.tokens(self.config, request, self.profile.language)
        if named is not None:
            return named
        try:
            return tokens_of(request.actions.options, partial(codec.dump, self.pack.game.action_type))
        except ValueError:
            return None


def _read_strict(read: Callable[[Any], Any], raw: Any) -> Any:
    return read(without_nulls(raw))
