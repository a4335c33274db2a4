"""A model asked in the form of the paper's listings: text in, a line of text back, over HTTP on loopback."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest

from agents_app.parsing import BadReply, read_reply
from agents_app.profile import BadProfile, Profile
from games.catalog.adasociety.listings import text_spec
from games.core.answers import BadAction
from games.core.registry import get
from games.lab.analysis.plan import Plan, Reference
from games.lab.analysis.result import analyse
from games.lab.analysis.runs import Run as PlayedRun
from games.lab.learning.adasociety import preset_config
from games.lab.scenarios.scenario import load_text
from games.lab.sources.playing import rows_in
from tests.agents.company import everyone, first_request, played, seated
from tests.agents.server import Vendor, serving, threaded

PACK = get("adasociety")
LISTING = {"options": {"form": "listing"}}


class Reader(Vendor):
    """A mock that reads what the page says, and does what its worked examples do."""

    def _answer(self, fault: str, headers: Mapping[str, str]) -> tuple[str, list[str], dict[str, Any]]:
        system, *told = (one["content"] for one in self.asked["messages"])
        state = next(text for text in reversed(told) if "Social environment:" in text)
        self.content = f"Thoughts: I follow the examples.\n{self._line(system, state)}"
        return super()._answer(fault, headers)

    def _line(self, system: str, state: str) -> str:
        if "\nAction:" in system:
            return "Action: Join group 0."
        if "\nCommunication:" in system:
            return "Communication: ACCEPT." if "proposes" in state else "Communication: PROPOSE 50%."
        held = {name: int(n) for n, name in re.findall(r"(\d+) (\w+)", state.partition("Inventory:\n")[2])}
        names = re.search(r"Resources in sight: \[(.*?)\]", state)
        assert names is not None
        seen = [name for name in names[1].split(", ") if name]
        if "You are miner" in system:
            return "Plan: GATHER 1 HAMMER" if "hammer" in seen else "Plan: EXPLORE MAP."
        if held.get("hammer"):
            return "Plan: DUMP HAMMER."
        missing = [name for name in ("wood", "stone") if not held.get(name)]
        if not missing and "[hammer_craft]" in state:
            return "Plan: CRAFT 1 HAMMER."
        return next((f"Plan: GATHER 3 {name.upper()}." for name in missing if name in seen), "Plan: EXPLORE MAP.")


async def test_a_model_that_follows_the_worked_examples_makes_hammers_and_is_never_corrected() -> None:
    config = preset_config("contract-easy").model_copy(update={"steps": 60})
    async with serving(Reader()) as vendor:
        profile = Profile(model="hosted_vllm/paper", base_url=vendor.url, **LISTING)
        run = await played(PACK, config, everyone(PACK, config, profile))
    assert [(call.failure, call.reply) for call in run.calls if call.failure] == []
    assert run.steps[-1].state.made[0] > 2
    assert all(message["content"].count("PLAN:") == 0 for message in vendor.seen[0]["messages"])


class Split(Reader):
    """One miner stays by itself, so that groups and earnings differ."""

    def _line(self, system: str, state: str) -> str:
        alone = "\nAction:" in system and "You are miner_1" in system
        return "Action: Join group 1." if alone else super()._line(system, state)


TABLE_9 = ("normalised_reward", "inequality", "completion_hammer_craft", "group_degree_max", "group_degree_mean")


def counted(steps: Sequence[Any]) -> dict[str, float]:
    """Table 9's measures of a run of Contract Easy, counted here from its last state alone (paper, A.5)."""
    state = steps[-1].state
    paid = [amount / 1e6 for amount in state.returns]
    apart = sum(abs(one - other) for one in paid for other in paid)
    sizes = Counter(state.graph.group_of(seat) for seat in range(4))
    return {
        "normalised_reward": sum(paid) / 200,
        "inequality": apart / (2 * 4 * sum(paid)),
        "completion_hammer_craft": sum(made.kind == "synthesized" for step in steps for made in step.events) / 20,
        "group_degree_max": max(sizes.values()),
        "group_degree_mean": sum(sizes.values()) / len(sizes),
    }


async def test_the_measures_of_table_9_are_those_of_three_runs_that_a_model_has_played() -> None:
    """By a model that follows the worked examples, over HTTP, in the preset's form; theirs beside the mean of three."""
    scenario = load_text("{base: adasociety/llm-c-contract-easy, config: {steps: 24}}", "mine.yaml", "adasociety")
    assert scenario.experiment is not None
    assert scenario.seeds == (1, 2, 3)
    config = scenario.conditions[0].config
    runs, values = [], []
    for seed in scenario.seeds:
        async with serving(Split()) as vendor:
            profile = Profile(model="hosted_vllm/paper", base_url=vendor.url, **LISTING)
            steps = (await played(PACK, config, everyone(PACK, config, profile), seed=seed)).steps
        series = [PACK.metrics.measure(config, before.state, step) for before, step in pairwise(steps)]
        told = PACK.metrics.summarise(config, series)
        values.append(counted(steps))
        assert {name: told[name] for name in TABLE_9} == pytest.approx(values[-1])
        assert told["fairness"] == pytest.approx(1 - values[-1]["inequality"])
        runs.append(PlayedRun("base", seed, seed, len(series), told))
    assert [(one["group_degree_max"], one["group_degree_mean"]) for one in values] == [(3, 2)] * 3
    assert all(one["inequality"] > 0 for one in values)
    assert sum(one["completion_hammer_craft"] for one in values) > 0
    stated = tuple(Reference(**{**one, "incomparable": {}}) for one in scenario.experiment.references)
    rows = rows_in(analyse(Plan(("base",), references=stated), runs))
    for reference in stated:
        row, ours = rows[reference.name], [one[reference.metric] for one in values]
        assert row["values"] == pytest.approx(ours)
        assert row["difference"] == pytest.approx(sum(ours) / 3 - reference.theirs)


def test_a_models_runs_are_held_to_table_9_and_a_mocks_are_not() -> None:
    with threaded(Reader()) as vendor:
        model = {"model": "hosted_vllm/paper", "profile": {**LISTING, "base_url": vendor.url}}
        text = json.dumps({"base": "adasociety/llm-c-contract-easy", "seats": {"default": model}})
        scenario = load_text(text, "mine.yaml", "adasociety")
        assert scenario.experiment is not None
        assert {one["metric"] for one in scenario.experiment.references} == set(TABLE_9)
        assert not any(one["incomparable"] for one in scenario.experiment.references), "a model's runs are held to it"
    mock = load_text("{base: adasociety/llm-c-contract-easy}", "mine.yaml", "adasociety")
    assert mock.experiment is not None
    assert all(one["incomparable"] for one in mock.experiment.references)


@pytest.mark.parametrize(
    ("preset", "said", "plan"),
    [
        ("contract-easy", "Action: Join group 2.", {"plan": "once", "action": {"do": "join", "group": 2}}),
        ("contract-easy", "Action: I join Coalition 1.", {"plan": "once", "action": {"do": "join", "group": 1}}),
        ("negotiation-easy", "Communication: END.", {"plan": "once", "action": {"do": "end"}}),
        ("negotiation-easy", "**Communication:** 2. ACCEPT.", {"plan": "once", "action": {"do": "accept"}}),
        ("negotiation-easy", "沟通：PROPOSE 60%.", {"plan": "once", "action": {"do": "propose", "share": 60}}),
        ("negotiation-easy", "Communication: NEGOTIATE with miner_0, 40%.", {"plan": "bargain", "seat": 2}),
        ("social-structure-easy", "Plan: GATHER 3 STONE.", {"plan": "gather", "resource": "stone", "n": 3}),
        ("social-structure-easy", "计划：EXPLORE MAP.", {"plan": "explore"}),
    ],
)  # fmt: skip
def test_one_line_of_text_is_a_plan(preset: str, said: str, plan: dict[str, Any]) -> None:
    spec = text_spec(first_request(PACK, preset_config(preset)))
    answer = read_reply(f"Thoughts: a plan: any.\n{said}", False, "plan", spec, {})
    assert {**answer.value, **plan} == answer.value


@pytest.mark.parametrize(
    ("preset", "said"),
    [
        ("contract-easy", "I would rather wait."),
        ("contract-easy", "Action: wait"),
        ("negotiation-easy", "Communication: NEGOTIATE with nobody_9, 40%."),
        ("negotiation-easy", "Communication: NEGOTIATE with miner_0, 95%."),
        ("social-structure-easy", "Plan: GATHER 30 STONE."),
        ("social-structure-easy", "Plan:"),
    ],
)
def test_a_line_that_is_no_plan_is_refused(preset: str, said: str) -> None:
    spec = text_spec(first_request(PACK, preset_config(preset)))
    with pytest.raises((BadReply, BadAction)):
        read_reply(said, False, "plan", spec, {})


def test_a_form_that_is_none_is_refused() -> None:
    with pytest.raises(BadProfile, match="rules / listing"):
        seated(PACK, preset_config("contract-easy"), Profile(options={"form": "listings"}))


async def test_the_crews_mock_answers_in_the_same_form_and_never_falls_back() -> None:
    config = preset_config("negotiation-hard").model_copy(update={"steps": 20})
    run = await played(PACK, config, everyone(PACK, config, Profile(model="mock/crew", **LISTING)))
    assert {call.failure for call in run.calls} == {""}
    assert all(call.reply.startswith("Thoughts:") for call in run.calls)
