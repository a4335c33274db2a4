"""A researcher's own words in a prompt: in place of the game's or around them, by profile and so by condition."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents_app.profile import BadProfile, Example, Profile, read_profile
from agents_app.providers.protocol import Message
from tests.agents.company import Run, Scripted, everyone, first_request, mining, played, seated

SMALL = {"miners": 2, "rows": 3, "cols": 3, "rounds": 4}


def messages(**profile: Any) -> tuple[Message, ...]:
    pack, config = mining(**SMALL)
    return seated(pack, config, Profile(**profile)).first_prompt(first_request(pack, config)).messages


def test_a_variant_stands_around_the_games_words_or_in_their_place() -> None:
    own = messages()
    around = messages(system_prompt="Speak like a banker.\n{game}", round_prompt="{game}\nThink twice.")
    assert around[0].text == f"Speak like a banker.\n{own[0].text}"
    assert "Think twice.\n\n" in around[1].text
    instead = messages(system_prompt='You mine. {persona} Answer {"items": []}.', persona_text="You are {game}.")
    assert instead[0].text == 'You mine. You are {game}. Answer {"items": []}.'
    assert instead[1] == own[1]


@pytest.mark.parametrize(
    ("profile", "told"),
    [
        (
            {"system_prompt": "You mine.", "persona_text": "Be bold."},
            "system_prompt: it has neither {game} nor {persona}",
        ),
        ({"round_prompt": "Move.", "memory": "rounds"}, "round_prompt: it has neither {game} nor {memory}"),
        ({"examples": [{"asked": "?", "answered": ""}]}, "examples.0.answered"),
    ],
)
def test_a_variant_that_would_tell_nobody_what_is_set_is_refused(profile: dict[str, Any], told: str) -> None:
    with pytest.raises(BadProfile) as refused:
        read_profile(profile)
    assert told in str(refused.value)


def test_worked_examples_stand_between_the_rules_and_the_round() -> None:
    asked = messages(examples=(Example(asked="Round 1.", answered='{"items": []}'),))
    assert [(one.role, one.text[:8]) for one in asked[:3]] == [
        ("system", asked[0].text[:8]), ("user", "Round 1."), ("assistant", '{"items"'),
    ]  # fmt: skip
    assert asked[3] == messages()[1]


async def test_the_last_rounds_can_stand_as_turns_of_a_chat() -> None:
    pack, config = mining(**SMALL)
    said = '{"commentary": "Wait.", "items": []}'
    scripted = Scripted([said])
    profile = Profile(model="openai/none", memory="turns", memory_rounds=2)
    agents = {0: seated(pack, config, profile, scripted), **everyone(pack, config, Profile(), seats=(1,))}
    await played(pack, config, agents, run=Run())
    roles = [[message.role for message in prompt.messages] for prompt in scripted.asked]
    assert [len(one) for one in roles] == [2, 4, 6, 6]
    last = scripted.asked[-1].messages
    assert [one.text.split(".")[0] for one in last if one.role == "user"] == [f"Round {n} of 4" for n in (2, 3, 4)]
    kept = last[2].text.splitlines()
    assert (kept[0], json.loads(kept[1])["items"]) == ("Wait.", [])
    assert "Schema:" not in last[1].text
    assert "Schema:" in last[-1].text
