"""Models in the dilemma: one letter, strictly read, and prompts that tell what may be known, in two languages."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agents_app.profile import Profile
from agents_app.prompting import prompts_of
from games.catalog.dilemma.config import DilemmaConfig
from games.core import codec
from games.core.agents import deciding
from games.core.engine import play
from games.core.registry import get
from games.lab.folders.reading import RunFolder
from games.lab.folders.rerunning import rerun_folder
from games.lab.folders.running import run
from games.lab.scenarios.scenario import load
from tests.agents.company import Scripted, first_request, played, seated

PACK = get("dilemma")
PERSONAS = ("cooperative", "exploitative", "generous_tft", "grim_trigger", "tit_for_tat", "wsls")
GEOMETRIC = {"horizon": "geometric", "stop_prob": 0.01}
TALK = {"talk": True}

#: For each field that prompts depend on the settings that it is changed under, and its other value.
OTHER: Mapping[str, tuple[dict[str, Any], Any]] = {
    "temptation": ({}, 5.5),
    "reward": ({}, 2.9),
    "punishment": ({}, 0.5),
    "sucker": ({}, 0.25),
    "horizon": ({}, "geometric"),
    "rounds": ({}, 77),
    "stop_prob": (GEOMETRIC, 0.03),
    "known_length": ({}, False),
    "show_totals": ({}, False),
    "history_window": ({}, 2),
    "labels": ({}, "framed"),
    "fallback": ({}, "D"),
    "noise_a": ({}, 0.125),
    "noise_b": ({}, 0.375),
    "talk": ({}, True),
    "talk_limit": (TALK, 99),
}
SCENES = [{}, GEOMETRIC, TALK, *({**base, field: other} for field, (base, other) in OTHER.items())]


def prompt(settings: Mapping[str, Any], language: str = "en", steps: int = 5, **profile: Any) -> str:
    config = DilemmaConfig(**settings)
    agent = seated(PACK, config, Profile(language=language, **profile))
    request = first_request(PACK, config, steps, "RANDOM")
    return "\n".join(message.text for message in agent.first_prompt(request).messages)


def test_every_setting_changes_a_prompt_or_says_why_not() -> None:
    untold = prompts_of(PACK).untold
    assert set(OTHER) | set(untold) == set(DilemmaConfig.model_fields)
    assert not set(OTHER) & set(untold)


@pytest.mark.parametrize("field", OTHER)
def test_a_setting_changes_a_prompt(field: str) -> None:
    base, other = OTHER[field]
    assert prompt(base) != prompt({**base, field: other})


@pytest.mark.parametrize("settings", SCENES)
@pytest.mark.parametrize("steps", [0, 5, 6])
def test_both_languages_give_the_same_numbers(settings: Mapping[str, Any], steps: int) -> None:
    told = [Counter(re.findall(r"\d+(?:\.\d+)?", prompt(settings, language, steps))) for language in ("en", "zh")]
    assert told[0] == told[1]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("length", [{"rounds": 137}, {"horizon": "geometric", "stop_prob": 0.0137}])
def test_a_hidden_length_is_told_nowhere(language: str, length: dict[str, Any]) -> None:
    shown = prompt({**length, "known_length": False, "history_window": 3}, language, memory="rounds")
    assert "137" not in shown
    assert "137" in prompt({**length, "history_window": 3}, language)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("window", "option"), [(0, -1), (3, -1), (10, -1), (10, 2)])
def test_the_configured_window_is_the_one_in_the_prompt(language: str, window: int, option: int) -> None:
    shown = prompt({"history_window": window}, language, 20, options={"window": option})
    seen = window if option < 0 else option
    assert len(re.findall(r"^(?:round \d+:|第 \d+ 轮：)", shown, re.MULTILINE)) == seen


@pytest.mark.parametrize("persona", PERSONAS)
def test_a_persona_is_told_in_its_language(persona: str) -> None:
    personas = prompts_of(PACK).personas
    assert set(personas) == set(PERSONAS)
    for language in ("en", "zh"):
        assert personas[persona][language] in prompt({}, language, persona=persona)


async def answers(*replies: str, **profile: Any) -> tuple[Any, Scripted]:
    provider = Scripted(replies)
    config = DilemmaConfig(rounds=1)
    agent = seated(PACK, config, Profile(model="openai/none", **profile), provider)
    other = deciding(PACK.policies["ALLC"].bind())
    return (await played(PACK, config, {0: agent}, {1: other})).steps[-1], provider


@pytest.mark.parametrize(("reply", "move"), [("C", "C"), ("D", "D"), (" d\n", "D")])
async def test_one_letter_is_a_move(reply: str, move: str) -> None:
    step, provider = await answers(reply)
    assert (step.actions[0].move, step.flags, len(provider.asked)) == (move, {}, 1)
    assert provider.asked[0].messages[1].text.endswith("Answer with exactly one of these and nothing else: C, D")


@pytest.mark.parametrize("reply", ["C.", "CD", "I cooperate.", '"C"', "Ｃ", '{"move": "C"}', ""])
async def test_anything_else_is_corrected_and_then_flagged_as_a_fallback(reply: str) -> None:
    step, provider = await answers(reply, "D")
    assert (step.actions[0].move, step.flags) == ("D", {0: ("corrected",)})
    assert provider.asked[1].messages[-1].role == "user"
    step, provider = await answers(reply)
    assert len(provider.asked) == 3
    assert (step.actions[0].move, step.flags[0][0]) == ("C", "fallback")


LABELLED = [("neutral", "en", "X", "Y"), ("neutral", "zh", "X", "Y"), ("framed", "en", "cooperate", "defect"),
            ("framed", "zh", "合作", "背叛")]  # fmt: skip


@pytest.mark.parametrize(("labels", "language", "c", "d"), LABELLED)
@pytest.mark.parametrize("output", ["token", "json"])
async def test_a_model_reads_and_answers_by_the_labels_alone(
    labels: str, language: str, c: str, d: str, output: str
) -> None:
    config = DilemmaConfig(rounds=3, labels=labels, talk=False)
    said = d if output == "token" else json.dumps({"move": {"neutral": "Y", "framed": "defect"}[labels]})
    provider = Scripted(["neither", said])
    profile = Profile(model="openai/none", language=language, output=output, memory="turns", persona="tit_for_tat")
    agent = seated(PACK, config, profile, provider)
    steps = (await played(PACK, config, {0: agent}, {1: deciding(PACK.policies["TFT"].bind())})).steps
    assert [step.actions[0].move for step in steps[1:]] == ["D", "D", "D"]
    read = "\n".join(message.text for prompt in provider.asked for message in prompt.messages)
    assert c in read
    assert d in read
    assert not re.search(r"(?<![A-Za-z])[CD](?![A-Za-z])", read), "a letter that the match does not have"


async def test_a_letter_that_is_no_label_is_refused_as_a_token() -> None:
    provider = Scripted(["C", "y"])
    agent = seated(PACK, DilemmaConfig(rounds=1, labels="neutral"), Profile(model="openai/none"), provider)
    other = deciding(PACK.policies["ALLC"].bind())
    step = (await played(PACK, agent.config, {0: agent}, {1: other})).steps[-1]
    assert (step.actions[0].move, step.flags) == ("D", {0: ("corrected",)})


@pytest.mark.parametrize("policy", ["TFT", "GRIM", "GTFT", "WSLS", "ALLD"])
async def test_a_mock_plays_its_strategys_game_step_for_step(policy: str) -> None:
    config = DilemmaConfig(rounds=40, noise_a=0.1, noise_b=0.1, talk=True)
    other = deciding(PACK.policies["RANDOM"].bind())
    mocked = await played(
        PACK, config, {0: seated(PACK, config, Profile(model=f"mock/{policy}", max_tokens=4))}, {1: other}
    )
    plain = play(PACK.game, config, 1, {0: deciding(PACK.policies[policy].bind()), 1: other})
    told = [codec.encode_step(PACK.game, step) for step in mocked.steps]
    assert told == [codec.encode_step(PACK.game, step) for step in plain]


def test_the_preset_of_models_counts_its_faults_and_plays_again_from_its_recording(tmp_path: Path) -> None:
    (one,) = run(load("dilemma/llm-mock"), tmp_path / "out", jobs=1)
    assert one.account is not None
    assert one.account["failures"]
    assert one.account["decisions"] == 120
    share = one.account["fallbacks"] / 120  # type: ignore[operator]
    assert one.metrics["invalid_rate"] == pytest.approx(share)
    assert [str(again) for _, again in rerun_folder(RunFolder(tmp_path / "out"))] == ["identical 61/61"]
