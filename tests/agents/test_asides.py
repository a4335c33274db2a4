"""Questions beside the play: asked at their moments, kept as data with their calls, without a trace in the match."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from agents_app.budget import MemoryLedger
from agents_app.deciders.rerun import rerun
from agents_app.estimating import estimate
from agents_app.ports import CallRecord
from agents_app.profile import BadProfile, MockSettings, Profile, read_profile
from agents_app.providers.protocol import ProviderFault, Reply
from games.core import codec
from games.core.pack import Pack
from games.core.registry import packs
from games.errors import sentences
from tests.agents.company import Run, Scripted, everyone, first_request, mining, played, seated
from tests.agents.server import IDLE, Vendor, threaded
from tests.agents.test_calls_file import SMALL as SMALL_SET
from tests.agents.test_calls_file import agents, lines
from tests.agents.test_everything_accepted_plays import config_of, matches
from tests.lab.conftest import Said, polity
from tests.presets import SHELF

__all__ = ["polity"]
Polity = Callable[..., Said]
SMALL = {"miners": 3, "rows": 4, "cols": 4, "rounds": 6}
GOOD = '{"items": [{"type": "claim", "cell": [0, 0]}]}'
NEXT = {"name": "next", "ask": "How likely is a raid?", "answer": "number", "least": 0, "most": 1}
SURE = {"name": "sure", "when": "after", "ask": "How sure are you?", "answer": "choice", "choices": ["low", "high"]}
WHY = {"name": "why", "when": "end", "ask": "What were you after?", "answer": "text", "longest": 40}
ASIDE: list[Any] = [NEXT, SURE, WHY]


def asking(**more: Any) -> Profile:
    return Profile(aside=ASIDE, **more)


def records(pack: Pack, run: Run) -> list[dict[str, Any]]:
    return [codec.encode_step(pack.game, step) for step in run.steps]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"least": 2}, 'aside "next": least 2.0, most 1.0; a number needs both, least below most'),
        ({"choices": ["a", "b"]}, 'aside "next": choices is no setting of an answer that is a number; leave it out'),
        ({"answer": "choice", "least": None}, 'aside "next": most is no setting of an answer that is a choice'),
        ({"when": "end", "every": 3}, 'aside "next": every 3; what is asked at the end is asked once'),
        ({"when": "often"}, "aside.0.when: "),
        ({"name": "Next!"}, "aside.0.name: "),
        ({"most": float("inf")}, "aside.0.most: "),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_by_its_name(change: dict[str, Any], told: str) -> None:
    with pytest.raises(BadProfile) as refused:
        read_profile({"aside": [{**NEXT, **change}]})
    assert told in str(refused.value)
    assert sentences.fault(refused.value.note, "zh") != str(refused.value)


def test_choices_differ_and_no_two_questions_have_one_name() -> None:
    with pytest.raises(BadProfile, match="choices Yes, yes; give at least two"):
        read_profile({"aside": [{**SURE, "choices": ["Yes", "yes"]}]})
    with pytest.raises(BadProfile, match='aside "next": two questions have this name'):
        read_profile({"aside": [NEXT, {**NEXT, "when": "end"}]})


@pytest.mark.parametrize("slug", sorted(set(packs()) - set(SHELF)))
async def test_every_game_is_played_as_if_nobody_had_been_asked(slug: str) -> None:
    pack = packs()[slug]
    for preset, changes in matches(pack).items():
        config = config_of(pack, preset, changes)
        for language, memory in (("en", "turns"), ("zh", "summary")):
            how: dict[str, Any] = {"language": language, "memory": memory}
            plain = await played(pack, config, everyone(pack, config, Profile(**how)))
            asked = await played(pack, config, everyone(pack, config, asking(**how)))
            assert records(pack, asked) == records(pack, plain)
            moves = [call for call in asked.calls if call.purpose in ("act", "reflect")]
            assert [call.prompt_hash for call in moves] == [call.prompt_hash for call in plain.calls]
            beside = [call for call in asked.calls if call not in moves]
            assert {call.failure for call in beside} == {""}
            counts = {name: sum(call.purpose == name for call in asked.calls) for name in ("act", "before", "after")}
            assert counts["before"] == counts["after"] == counts["act"] > 0
            ends = [call for call in beside if call.purpose == "end"]
            assert [call.step for call in ends] == [asked.steps[-1].index] * len(pack.game.seats(config))


async def decided(provider: Scripted, profile: Profile) -> tuple[Any, list[CallRecord]]:
    pack, config = mining(**SMALL)
    calls: list[CallRecord] = []
    agent = seated(pack, config, profile, provider)
    return await agent.decide(first_request(pack, config), MemoryLedger(0, 1, calls)), calls


async def test_an_answer_is_kept_as_data_and_the_move_does_not_know_of_it() -> None:
    provider = Scripted(['I guess.\n{"next": 0.25}', GOOD, '{"sure": " HIGH "}'])
    decision, calls = await decided(provider, asking(max_tokens=20, stop=["\n"], logprobs=True))
    kept = [(call.purpose, call.attempt, json.loads(call.answers or "{}")) for call in calls]
    assert kept == [("before", 1, {"next": 0.25}), ("act", 1, {}), ("after", 1, {"sure": "high"})]
    assert (decision.flags, decision.memory, "0.25" in str(decision.trace)) == ((), None, False)
    before, act, after = provider.asked
    assert "How likely is a raid? (a number from 0 to 1)" in before.messages[-1].text
    assert after.messages[: len(act.messages)] == act.messages
    assert after.messages[-2].text == GOOD
    assert not any("raid?" in message.text for message in act.messages)
    assert [(one.max_tokens, sorted(one.extra)) for one in provider.asked] == [
        (512, []),
        (20, ["logprobs", "stop"]),
        (512, []),
    ]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ('{"next": 2}', "next is no number from 0 to 1"),
        ('{"next": true}', "next is no number from 0 to 1"),
        ('{"next": NaN}', "the JSON is broken"),
        ("0.5", "there is no JSON in the reply"),
        ('{"other": 1}', "next is no number"),
    ],
)
async def test_an_answer_that_is_none_is_corrected_and_the_decision_stays_clean(reply: str, told: str) -> None:
    provider = Scripted([reply, '{"next": 1}', GOOD, '{"sure": "low"}'])
    decision, calls = await decided(provider, asking())
    assert (calls[0].failure, calls[0].answers, calls[1].answers) == ("unparseable", "", '{"next": 1}')
    assert told in provider.asked[1].messages[-1].text
    assert decision.flags == ()


async def test_who_never_answers_aside_moves_all_the_same() -> None:
    provider = Scripted(["No.", GOOD, Reply('{"sure": "l', truncated=True)])
    decision, calls = await decided(provider, asking(retries=0))
    assert decision.action.items[0].cell == (0, 0)
    assert decision.flags == ()
    assert [(call.purpose, call.failure) for call in calls] == [
        ("before", "unparseable"),
        ("act", ""),
        ("after", "truncated"),
    ]


async def test_a_server_without_schemas_is_asked_aside_without_one_and_moves_are_asked_as_ever() -> None:
    refused = ProviderFault("no_schema", "no such thing")
    provider = Scripted([refused, '{"next": 0}', GOOD, '{"sure": "low"}'])
    _, calls = await decided(provider, asking(output="structured"))
    assert [call.failure for call in calls] == ["no_schema", "", "", ""]
    assert [one.schema is not None for one in provider.asked] == [True, False, True, False]


async def test_a_question_is_asked_every_so_many_steps() -> None:
    pack, config = mining(**SMALL)
    profile = Profile(aside=[{**NEXT, "every": 4}])
    run = await played(pack, config, everyone(pack, config, profile))
    assert sorted({call.step for call in run.calls if call.purpose == "before"}) == [1, 5]
    plain, asked = (estimate(pack, config, 1, everyone(pack, config, one)) for one in (Profile(), profile))
    assert (plain.calls, asked.calls) == (18, sum(1 for _ in run.calls))


async def test_a_run_with_faults_is_identical_from_its_recording_and_is_asked_the_same() -> None:
    pack, config = mining(**SMALL)
    faults: Any = {"prose": 0.3, "truncated": 0.2, "server_error": 0.2}
    profile = asking(memory="summary", mock=MockSettings(faults=faults), call_retries=8)
    run = await played(pack, config, everyone(pack, config, profile))
    assert {call.purpose for call in run.calls if call.failure} == {"act", "reflect", "before", "after", "end"}
    seats = dict.fromkeys(range(3), profile)
    told = await rerun(pack, config, 1, {}, seats, reversed(run.calls), records(pack, run))
    assert str(told) == "identical 7/7"
    edited = [replace(call, reply='{"next": 0}') if call.purpose == "before" else call for call in run.calls]
    told = await rerun(pack, config, 1, {}, seats, edited, records(pack, run))
    assert str(told) == "identical 7/7"


def test_what_is_asked_aside_counts_towards_the_limits_and_is_not_paid_twice(polity: Polity) -> None:
    call = ("run", "mining/baseline", *SMALL_SET, "--yes", "--out", "out", "--agents")
    both = f'{IDLE} {{"next": 0.5, "sure": "low", "why": "Gold, and to be left alone by everybody else."}}'
    with threaded(Vendor(content=both)) as vendor:
        # A seat is asked for 6 moves, 12 opinions on them, 5 summaries, and once at the end.
        stopped = polity(*call, agents(vendor, aside=ASIDE, memory="summary", limits={"calls": 23}))
        assert (stopped.status, len(vendor.seen)) == (2, 4 * 23)
        assert "at most 23 (calls)" in stopped.err
        assert polity(*call, agents(vendor, aside=ASIDE, memory="summary", limits={"calls": 24})).status == 0
        assert len(vendor.seen) == 4 * 24
    found = [line for line in lines() if "answers" in line]
    assert len(found) == 4 * 13
    assert found[-1]["answers"] == '{"why": "Gold, and to be left alone by everybody"}'
    told = polity("verify", "out", "--recording")
    assert (told.status, told.out.splitlines()[0].split(": ")[-1]) == (0, "identical 7/7")
