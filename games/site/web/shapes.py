"""The shapes of what the API says of games, and of what it takes; runs and frames have theirs in `games.lab.wire`."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Field, Schema
from pydantic import ConfigDict

# --- what it says -----------------------------------------------------------------------------------


class PresetDetailOut(Schema):
    name: str
    title: dict[str, str]
    about: dict[str, str]
    condition: str = Field(description="Whose settings and seats these are.")
    config: dict[str, Any] = Field(description="All its settings, defaults filled in.")
    seats: list[dict[str, Any]] = Field(description="Who sits where, in seat order.")
    seat_names: list[str]
    seat_roles: list[str] = Field(description='By seat; "" where the rules know none.')
    seeds: list[int]
    conditions: list[str]
    round_robin: dict[str, Any] | None = Field(
        description="Who meets whom, as an experiment's document says it; null where its conditions are no round robin."
    )


class PolicyOut(Schema):
    name: str
    rule: str
    source: str
    aka: list[str]
    roles: list[str] = Field(description="The roles that it can play; empty: any.")
    params: dict[str, Any] = Field(description="JSON Schema of its parameters.")


class GameDetailOut(Schema):
    slug: str
    title: str
    tagline: str
    rules_version: int
    config: dict[str, Any] = Field(description="JSON Schema of the settings, with unit and group of each.")
    default_policy: str
    role_defaults: dict[str, str] = Field(
        description="Who sits in a role where nothing is said; else `default_policy`."
    )
    policies: list[PolicyOut]
    presets: list[PresetDetailOut]
    words: dict[str, dict[str, Any]] = Field(description="The game's words by language.")
    measures: dict[str, str] = Field(description="What is measured of a run: formula, range, what higher means.")
    theory: dict[str, Any] | None = Field(
        description="By default: equilibria and the efficient outcome of a round, with moves, pays and the headline "
        "measure; reference points from studies with people. Null where the game says neither."
    )


class RulesOut(Schema):
    slug: str
    rules_version: int
    sheet: str = Field(description="The rules in markdown, under the fixed headings.")


class GameOut(Schema):
    slug: str
    title: str
    tagline: str
    policies: list[str]
    presets: list[str]


# --- what it takes ----------------------------------------------------------------------------------


class RunIn(Schema):
    scenario: str = Field(description="A preset, as GAME/NAME.", max_length=200)
    condition: str | None = Field(None, max_length=120)
    config: dict[str, Any] = Field({}, description="What differs from the preset's settings.")
    seats: dict[str, Any] = Field(
        {},
        description='By number, name, or "default": {"policy": NAME, "params": {}}, {"model": …, "profile": {}}, or '
        '{"recording": {"run": ID, "seat": N}}: what a model said in that seat, step by step.',
    )
    seed: int | None = None
    pace: float = 0
    audience: dict[str, Any] | None = None
    people: dict[str, Any] = Field({}, description="Terms for people, where a seat is a person's.")
    limits: dict[str, Any] | None = Field(None, description="Of what its models may spend: usd, tokens, calls.")
    start: bool = True

    model_config = ConfigDict(extra="forbid")


class ForkIn(Schema):
    at: int = Field(description="The step after which the fork goes its own way.")
    config: dict[str, Any] = Field({}, description="What differs from then on.")
    seats: dict[str, Any] = Field({}, description="Who plays from then on, by number or name.")
    pace: float | None = None
    audience: dict[str, Any] | None = Field(
        None, description="Null: the parent's; of a fork with people, where the parent had none, what is public alone."
    )
    limits: dict[str, Any] | None = Field(None, description="Of what its models may spend; null: the parent's.")
    start: bool = True

    model_config = ConfigDict(extra="forbid")


class ControlIn(Schema):
    action: Literal["play", "pause", "step", "stop", "pace", "limits", "open"]
    pace: float | None = Field(None, description="With action pace: rounds a second; 0: as fast as it goes.")
    rounds: int = Field(1, description="With action step: pause after so many rounds, the one under way counted.")
    steps: int | None = Field(None, description="With action step: pause after so many steps instead.")
    limits: dict[str, Any] | None = Field(None, description="With action limits: usd, tokens, calls; absent: none.")
    audience: dict[str, Any] | None = Field(None, description="With action open: who sees it from now on.")

    model_config = ConfigDict(extra="forbid")
