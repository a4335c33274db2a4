"""What every game's prompts owe: words at each stage at which it asks, in both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents_app.profile import Profile
from agents_app.prompting import GenericPrompts, prompts_of
from games.core.engine import play
from games.core.game import Turn
from games.core.pack import Pack
from games.core.prompts import LANGUAGES, GamePrompts, quoted
from games.core.registry import load_pack, packs
from games.laws import Case
from tests.agents.company import first_request, mining, seated
from tests.presets import QUICK

TEMPLATE = load_pack("tests.toygames.orchard")
PROMPTED = [*(pack for pack in packs().values() if pack.prompts is not None), TEMPLATE]


def ids(pack: Pack) -> str:
    return pack.slug


@pytest.mark.polity(*packs(), quick=QUICK, slow="full")
def test_every_stage_at_which_a_seat_is_asked_has_words(polity_case: Case) -> None:
    case, prompts = polity_case, polity_case.pack.prompts
    assert prompts is not None
    stages = set()
    for step in play(case.game, case.config, case.seed, case.deciders()):
        stages.update({step.turn.stage} if step.turn.seats else ())
        if step.index > 12:
            break
    assert stages <= prompts.stages


@pytest.mark.parametrize("pack", PROMPTED, ids=ids)
def test_a_games_words_are_there_in_both_languages(pack: Pack) -> None:
    config = pack.game.config_type()
    told = {}
    for language in LANGUAGES:
        request = first_request(pack, config, min(1, (pack.game.horizon(config) or 2) - 1))
        told[language] = seated(pack, config, Profile(language=language)).first_prompt(request).messages[0].text
    assert told["en"] != told["zh"]
    assert pack.prompts is not None
    for name, texts in pack.prompts.personas.items():
        assert set(texts) == set(LANGUAGES), name


def test_a_stage_without_words_is_shown_as_json() -> None:
    pack, config = mining()
    request = first_request(pack, config)
    agent = seated(pack, config, Profile())
    elsewhere = replace(request, turn=Turn(request.turn.clock, "feast", request.turn.seats))
    assert "You are miner 0" in agent.first_prompt(request).messages[0].text
    assert "stage feast" in agent.first_prompt(elsewhere).messages[1].text


def test_a_pack_without_prompts_gets_the_generic_ones() -> None:
    pack, _ = mining()
    assert isinstance(prompts_of(replace(pack, prompts=None)), GenericPrompts)
    assert isinstance(pack.prompts, GamePrompts)


def test_quoted_words_stay_one_line() -> None:
    assert quoted('a"\nb\u2028c') == r'"a\"\nb\u2028c"'
    assert len(quoted("x" * 5000)) == 4000 + 5
