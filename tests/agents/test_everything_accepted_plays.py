"""Whatever is accepted plays to its end: every game and stage, with each memory, output and language, by the mock.

What a game cannot take is refused by `check_profile`, before the first step; nothing breaks off later, and a mock
without faults never needs the game's default in place of an answer.
"""

from __future__ import annotations

from typing import Any, get_args

import pytest

from agents_app.deciders.seating import check_profile
from agents_app.profile import BadProfile, MemoryMode, OutputMode, Profile
from games.core.agents import deciding
from games.core.engine import play
from games.core.pack import Pack
from games.core.prompts import LANGUAGES
from games.core.registry import packs
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from tests.agents.company import everyone, played
from tests.presets import SHELF

SHORT: dict[str, dict[str, dict[str, Any]]] = {
    "mining": {"talk": {"rounds": 2, "miners": 3, "rows": 3, "cols": 3}},
    "dilemma": {"talk": {"rounds": 3}},
    "adasociety": {
        "contract-easy": {"contract_rounds": 1, "steps": 6},
        "negotiation-easy": {"negotiation_steps": 5, "steps": 6},
        "social-structure-easy": {"schedule": [{"at": 2, "structure": "independent"}], "steps": 4},
        "exploration": {"steps": 3, "social_actions": ["leave", "pass_on", "weigh"]},
    },
    "nations": {
        "baseline": {"nations": 3, "territories": 6, "rounds": 2, "turns": 2, "armies": [2, 0, 1]},
        "resources": {"turns": 2},
    },
    "economist": {"small-land": {"epochs": 2, "steps_per_epoch": 2}},
}
"""Short matches of each game that pass through all its stages, as presets and what differs from them."""


BRIEF: dict[str, dict[str, Any]] = {
    "double_auction": {"rounds": 4, "steps": 2},
    **{slug: {"rounds": 5} for slug in ("auction", "commons", "public_goods", "stag_hunt")},
}
"""What differs where a game's first preset would take long; not all stages of the first are met."""


def matches(pack: Pack) -> dict[str, dict[str, Any]]:
    """A game that has none of its own here plays its first preset as it stands."""
    return SHORT.get(pack.slug) or {next(iter(pack.scenarios)): BRIEF.get(pack.slug, {})}


def config_of(pack: Pack, preset: str, changes: dict[str, Any]) -> Any:
    return load(f"{pack.slug}/{preset}", extra=[Layer("short", changes)]).conditions[0].config


CASES = [
    pytest.param(
        pack, preset, changes, memory, id=f"{slug}-{preset}-{memory}", marks=[pytest.mark.full] * (slug in SHELF)
    )
    for slug, pack in sorted(packs().items())
    for preset, changes in matches(pack).items()
    for memory in get_args(MemoryMode)
]


async def plays(pack: Pack, config: Any, profile: Profile) -> bool:
    """To the end, or not at all: False where the profile does not fit and is refused beforehand, by name."""
    try:
        for spec in pack.game.seats(config):
            check_profile(pack, profile, spec.role)
    except BadProfile as error:
        refusal = str(error)
    else:
        run = await played(pack, config, everyone(pack, config, profile))
        assert pack.game.turn(config, run.steps[-1].state) is None, "the match has ended"
        by_default = [(step.index, step.turn.stage, seat) for step in run.steps for seat in _defaults(step)]
        assert not by_default, "the mock's own answers were not understood"
        return True
    assert refusal.startswith(f"output: {profile.output}; "), refusal
    return False


def _defaults(step: Any) -> list[int]:
    return [seat for seat, flags in step.flags.items() if "fallback" in flags]


@pytest.mark.parametrize(("pack", "preset", "changes", "memory"), CASES)
async def test_a_model_plays_to_the_end_with_every_memory_output_and_language(
    pack: Pack, preset: str, changes: dict[str, Any], memory: MemoryMode
) -> None:
    config = config_of(pack, preset, changes)
    fits = [
        await plays(pack, config, Profile(memory=memory, output=output, language=language))
        for output in get_args(OutputMode)
        for language in LANGUAGES
    ]
    assert sum(fits) >= 6, "auto, structured and json fit every game"


@pytest.mark.parametrize("pack", [pytest.param(packs()[slug], id=slug) for slug in sorted(SHORT)])
def test_these_matches_pass_through_every_stage_that_has_words(pack: Pack) -> None:
    seen = set()
    for preset, changes in matches(pack).items():
        config = config_of(pack, preset, changes)
        seats = dict(
            enumerate(deciding(pack.policies[pack.default_for(one.role)].bind()) for one in pack.game.seats(config))
        )
        seen |= {step.turn.stage for step in play(pack.game, config, 1, seats)}
    assert pack.prompts is not None
    assert seen >= pack.prompts.stages


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("memory", get_args(MemoryMode))
@pytest.mark.parametrize(
    ("pack", "preset"), [pytest.param(pack, name) for pack in packs().values() for name in pack.scenarios]
)
async def test_every_preset_plays_to_the_end_with_models_in_its_seats(
    pack: Pack, preset: str, memory: MemoryMode
) -> None:
    for condition in load(f"{pack.slug}/{preset}").conditions[:2]:
        await plays(pack, condition.config, Profile(memory=memory))
