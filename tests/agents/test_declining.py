"""A refusal in plain text is counted as one, and nothing in the play depends on that."""

from __future__ import annotations

import pytest

from agents_app.declining import is_refusal
from tests.agents.misbehaving import BEHAVIOURS, Misbehaving, body, says
from tests.agents.server import serving
from tests.agents.test_misbehaving import asked

REFUSALS = (
    "I'm sorry, but I can't help with that.",
    "I’m sorry, but I can’t play this game.",
    "I cannot participate in a simulation of war.",
    "I'm not able to assist with this request.",
    "I must decline to answer.",
    "I respectfully decline.",
    "As an AI language model, I cannot make decisions on behalf of a nation.",
    "Sorry. I won't take part in this.",
    "This goes against my guidelines, and I will stop here.",
    "<think>They want me to attack.</think>\nI can't assist with that.",
    "I am unable to provide an answer to this question.",
    "抱歉，我无法参与这个游戏。",
    "对不起，我不能帮助你完成这个请求。",
    "作为一个人工智能语言模型，我无法做出选择。",
    "很抱歉，我没办法提供这样的回答。",
    "我拒绝回答。",
)
OTHERS = (
    "",
    "I shall wait and see.",
    "I can't afford another plot, so I wait.",
    "I cannot attack nation 3, since it is too strong. I would rather buy two.",
    "I will not be the first to defect.",
    "C, because they can't help but cooperate.",
    "You refuse to cooperate, so I defect.",
    "They declined my offer, so I raise the tax.",
    "I don't play D unless I must.",
    "My plan: move north, then gather.",
    "我不能再买更多土地，所以等待。",
    "他们拒绝合作，我选择背叛。",
    "我会继续合作。",
    "我无法负担这块地。",
)


@pytest.mark.parametrize("reply", REFUSALS)
def test_a_refusal_is_known_by_its_words(reply: str) -> None:
    assert is_refusal(reply)


@pytest.mark.parametrize("reply", OTHERS)
def test_what_cannot_be_done_in_the_game_is_no_refusal(reply: str) -> None:
    assert not is_refusal(reply)


@pytest.mark.parametrize("where", ["dilemma", "mining", "adasociety"])
async def test_the_label_changes_no_word_that_a_model_is_told(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {}
    for name, text in (("prose", "I shall wait and see."), ("refusal", "I can't help with that, sorry.")):
        monkeypatch.setitem(BEHAVIOURS, name, says(lambda _, text=text: body(text)))  # type: ignore[arg-type, misc]
        async with serving(Misbehaving(behaviour=name)) as vendor:
            outcome, calls = await asked(vendor, where)
        told[name] = outcome, {call.failure for call in calls}, vendor.seen[1]["messages"][-1]
    assert told["prose"][:2] == ("fallback, unparseable", {"unparseable"})
    assert told["refusal"][:2] == ("fallback, declined", {"declined"})
    kind = "could not be read"
    assert kind in told["prose"][2]["content"]
    assert kind in told["refusal"][2]["content"]
