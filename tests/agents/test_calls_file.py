"""Models' calls in run folders: kept, played again for nothing, and not paid for twice where a run was broken off."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents_app.ports import CallRecord
from agents_app.pricing import listed, price_for, unpriced
from agents_app.profile import Price, Profile
from games.lab.folders.playing import Account
from games.lab.folders.reading import RunFolder
from games.lab.folders.rerunning import rerun_folder
from games.lab.folders.running import Progress, run
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer, set_layer
from games.lab.scenarios.scenario import load
from games.lab.scenarios.yamlfile import read_yaml
from tests.agents.server import IDLE, Vendor, threaded
from tests.lab.conftest import Said, polity

__all__ = ["polity"]
Polity = Callable[..., Said]
SMALL = ("--set", "miners=4", "--set", "rows=4", "--set", "cols=4", "--set", "rounds=6")


def lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("out/calls.jsonl").read_text("utf-8").splitlines()]


def rewritten(at: Callable[[dict[str, Any]], bool], **change: Any) -> None:
    """The calls' file with one of its lines changed."""
    told = lines()
    number = next(n for n, line in enumerate(told) if at(line))
    told[number] |= change
    Path("out/calls.jsonl").write_text("".join(json.dumps(line) + "\n" for line in told), encoding="utf-8")


def test_a_run_folder_holds_every_call_with_prompt_reply_tokens_and_failure(polity: Polity) -> None:
    told = polity("run", "mining/llm-mock", *SMALL, "--seeds", "1..2", "--plain", "--out", "out")
    assert "invalid_rate" in told.out
    found = lines()
    assert {(line["condition"], line["replicate"]) for line in found} == {("base", 1), ("base", 2)}
    order = [(line["replicate"], line["step"], line["seat"], line["purpose"], line["attempt"]) for line in found]
    assert order == sorted(order)
    assert "unparseable" in {line["failure"] for line in found}
    assert "You are miner" in found[0]["prompt"]["messages"][0]["content"]
    assert found[0]["tokens_in"] > 100
    assert found[0]["cost_usd"] == "0.00000000"
    manifest = json.loads(Path("out/run_manifest.json").read_text("utf-8"))
    assert manifest["runs"][0]["account"]["calls"] + manifest["runs"][1]["account"]["calls"] == len(found)
    assert "calls.jsonl" in manifest["files"]


@pytest.mark.parametrize("prompts", ["full", "hash"])
def test_a_folder_plays_again_from_its_recording_and_an_edited_reply_is_named(polity: Polity, prompts: str) -> None:
    polity("run", "mining/llm-mock", *SMALL, "--seeds", "1..2", "--plain", "--out", "out", "--prompts", prompts)
    assert ("prompt" in lines()[0]) == (prompts == "full")
    told = polity("verify", "out", "--recording")
    assert told.status == 0
    assert told.out.splitlines()[1] == "condition base, replicate 2, from its recording, 0 calls: identical 7/7"
    rewritten(lambda line: (line["replicate"], line["step"], line["failure"]) == (2, 4, ""), reply='{"items": []}')
    told = polity("verify", "out", "--recording")
    assert told.status == 1
    assert told.out.splitlines()[0].endswith("identical 7/7")
    assert "identical 4/7; step 4: actions of seat" in told.out.splitlines()[1]
    assert polity("verify", "out").out.splitlines()[-1] == "calls.jsonl: not the bytes that were written"


def test_a_folder_without_models_has_no_recording_and_says_so(polity: Polity) -> None:
    polity("run", "orchard/baseline", "--out", "out")
    told = polity("verify", "out", "--recording")
    assert (told.status, told.err) == (
        2,
        "out/calls.jsonl: the manifest names no calls: no models played, or they were not kept\n",
    )


def test_a_line_that_is_no_call_is_named_by_its_number(polity: Polity) -> None:
    polity("run", "mining/llm-mock", *SMALL, "--out", "out")
    rewritten(lambda line: line["step"] == 1, tokens_in="many", structured=None, cost_usd="dear")
    told = polity("verify", "out", "--recording")
    assert (told.status, told.err) == (2, "out/calls.jsonl:1: cannot be read as a call\n")


def agents(vendor: Vendor, **profile: Any) -> str:
    text = json.dumps({"default": {"model": "openai/local", "profile": {"base_url": vendor.url, **profile}}})
    Path("who.yaml").write_text(text, encoding="utf-8")
    return "who.yaml"


def test_real_models_are_not_called_unasked(polity: Polity) -> None:
    with threaded(Vendor(content=IDLE)) as vendor:
        told = polity("run", "mining/baseline", *SMALL, "--agents", agents(vendor))
        assert (told.status, vendor.seen) == (2, [])
        assert told.lines[0].startswith("openai/local: 24 calls, at most 168; about ")
        assert told.lines[0].endswith("money unknown (no price for openai/local)")
        assert "--yes" in told.lines[1]
        dry = polity("run", "mining/baseline", *SMALL, "--agents", "who.yaml", "--dry-run")
        assert (dry.status, vendor.seen) == (0, [])
        assert "models: 24 calls" in dry.out
        assert polity("run", "mining/baseline", *SMALL, "--agents", "who.yaml", "--yes").status == 0
        assert len(vendor.seen) == 24


def test_a_run_that_its_limit_stopped_goes_on_without_paying_twice(polity: Polity) -> None:
    call = ("run", "mining/baseline", *SMALL, "--yes", "--out", "out", "--agents")
    with threaded(Vendor(content=IDLE)) as vendor:
        stopped = polity(*call, agents(vendor, limits={"calls": 3}))
        assert (stopped.status, Path("out").exists()) == (2, False)
        assert "its limit of calls would likely stop the run" in stopped.err
        assert "3 calls made" in stopped.lines[-3]
        assert (
            stopped.lines[-2] == "out.unfinished: what was played is kept there: 0 of 1 runs, and the next up to step 3"
        )
        assert stopped.lines[-1].startswith(
            "The calls that were answered are kept in .out.calls; the same command goes"
        )
        assert len(vendor.seen) == 12
        assert polity(*call, agents(vendor, limits={"calls": 6})).status == 0
        assert len(vendor.seen) == 24
        assert not Path(".out.calls").exists()
        asked = [json.dumps(body["messages"]) for body in vendor.seen]
        assert len(set(asked)) == 24
    assert [str(again) for _, again in rerun_folder(RunFolder(Path("out")))] == ["identical 7/7"]


def test_a_second_run_to_the_same_place_leaves_the_first_one_s_calls_alone(polity: Polity) -> None:
    told: list[tuple[int, str, int]] = []

    def meanwhile(now: Progress) -> None:
        if now.done == 1 and not told:
            said = polity(*call, agents(vendor), "--force")
            told.append((said.status, said.lines[-1], len(list(Path(".out.calls").iterdir()))))

    call = ("run", "mining/baseline", *SMALL, "--yes", "--out", "out", "--agents")
    with threaded(Vendor(content=IDLE)) as vendor:
        settings = set_layer([SMALL[n] for n in range(1, len(SMALL), 2)])
        who = read_seats(read_yaml(Path(agents(vendor)), "who.yaml"), "who.yaml")
        scenario = load("mining/baseline", extra=[settings, Layer("who.yaml", seats=who)], seeds=(1, 2))
        run(scenario, Path("out"), 1, watch=meanwhile)
        assert told == [(2, "out: another run is being written there; wait for its end, or name another --out", 1)]
        assert len(vendor.seen) == 48


def test_a_key_that_is_missing_is_said_before_the_first_round(polity: Polity, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOUSE_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    needed = "is not set in the environment; set it, or name another variable under key_env"
    with threaded(Vendor(content=IDLE)) as vendor:
        for who, name in (
            (agents(vendor, key_env="HOUSE_API_KEY"), "HOUSE_API_KEY"),
            ("openai.yaml", "OPENAI_API_KEY"),
        ):
            Path("openai.yaml").write_text("{model: openai/local}", "utf-8")
            said = polity("run", "mining/baseline", *SMALL, "--yes", "--out", "out", "--agents", who)
            assert (said.status, said.lines) == (2, [f"openai/local: {name} {needed}"])
        assert vendor.seen == []
    assert {path.name for path in Path().iterdir()} == {"who.yaml", "openai.yaml"}


def test_a_limit_of_money_needs_a_price(polity: Polity) -> None:
    with threaded(Vendor()) as vendor:
        who = agents(vendor, limits={"usd": 1})
        told = polity("run", "mining/baseline", "--agents", who, "--dry-run")
        assert told.status == 2
        assert "limits.usd: no price is known for openai/local; set price, or limit tokens or calls" in told.err
        priced = agents(vendor, limits={"usd": 1}, price={"input_usd": 1, "output_usd": 2})
        assert polity("run", "mining/baseline", *SMALL, "--agents", priced, "--dry-run").status == 0


def test_prices_come_from_the_profile_else_from_the_list_that_litellm_brings() -> None:
    assert listed("openai/gpt-4o-mini") == Price(input_usd="0.15", output_usd="0.6", cached_usd="0.075")
    assert listed("anthropic/gpt-4o-mini") is None
    own = Price(input_usd=3, output_usd=4)
    assert price_for(Profile(model="openai/gpt-4o-mini", price=own)) == own
    assert price_for(Profile(model="openai/gpt-4o-mini", base_url="http://127.0.0.1:9")) is None
    assert unpriced([Profile(), Profile(model="openai/none-such"), Profile(model="openai/none-such")]) == (
        "openai/none-such",
    )


def test_a_run_tells_its_models_as_the_provider_named_them_with_the_days() -> None:
    account = Account(({"kind": "model"},))
    call = CallRecord(0, 1, "act", 1, "gpt-5", "0f" * 16, "{}", "C", address="api.example", served="gpt-5-2026-01-07")
    account.add([replace(call, at="2026-03-02T23:59:00Z"), replace(call, at="2026-03-01T08:00:00Z")], None, None)
    told = account.plain()
    assert told is not None
    assert told["served"] == {"gpt-5-2026-01-07": ["2026-03-01", "2026-03-02"]}
    assert told["prompts"] == "1e" * 16
