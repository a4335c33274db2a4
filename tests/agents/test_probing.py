"""What a model can do, as it is seen to: by a server that heeds everything, one that shrugs, one that says no."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from agents_app import probing
from agents_app.abilities import ABILITIES, Finding
from agents_app.probing import cost_of, probe_now
from agents_app.profile import Price, Profile, read_profile
from games.core.rng import Rng
from tests.agents.server import Vendor, threaded


@dataclass
class Able(Vendor):
    """Heeds whatever is in ``heeds`` and refuses, with a status and in words, what is in ``refuses``."""

    heeds: frozenset[str] = frozenset(
        {"usage", "structured", "plan", "tools", "seed", "temperature", "cached", "chinese"}
    )
    refuses: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    listing: Mapping[str, Any] = field(default_factory=dict)
    room: int = 1000
    """So many calls at once; what comes beyond is told to wait."""

    def _answer(self, fault: str, headers: Mapping[str, str]) -> tuple[str, list[str], dict[str, Any]]:
        body = self.asked
        if "messages" not in body:
            return ("200 OK", [], {"data": [self.listing]}) if self.listing else ("404 Not Found", [], {"error": "no"})
        for name, (status, words) in self.refuses.items():
            if name in body:
                return status, [], {"error": {"message": words}}
        if self.at_once >= self.room:
            return "429 Too Many Requests", ["Retry-After: 0"], {"error": {"message": "one at a time"}}
        self.content = self._said(body)
        status, more, payload = super()._answer("", headers)
        if "usage" not in self.heeds:
            payload.pop("usage")
        elif "cached" in self.heeds:
            payload["usage"]["prompt_tokens_details"] = {"cached_tokens": 1024}
        if "tools" in body and "tools" in self.heeds:
            call = {"function": {"name": "read_clock", "arguments": '{"town": "Lisbon"}'}}
            payload["choices"][0]["message"] = {"role": "assistant", "content": None, "tool_calls": [call]}
        return status, more, payload

    def _said(self, body: Mapping[str, Any]) -> str:
        asked = body["messages"][-1]["content"]
        if "response_format" in body and "structured" in self.heeds:
            return json.dumps({"colour": "mauve", "letters": 5})
        if "PLAN:" in asked:
            return 'PLAN: ["gather", "gather", "build", "rest"]' if "plan" in self.heeds else "I shall gather."
        if "random" in asked:
            return self._drawn(body)
        if "中文" in asked:
            return "因为空气散射蓝光。" if "chinese" in self.heeds else "The air scatters blue light."
        return "ready"

    def _drawn(self, body: Mapping[str, Any]) -> str:
        """Letters by the seed where it is heeded, none of chance at temperature 0 where that is, else by the number."""
        if body.get("temperature") == 0 and "temperature" in self.heeds:
            return "ABCDEFGHIJKL"
        at = body["seed"] if "seed" in body and "seed" in self.heeds else 1000 + len(self.seen)
        return "".join(Rng.root(at).shuffled("ABCDEFGHIJKL", "letters"))


@contextmanager
def asked(server: Able, **more: Any) -> Iterator[tuple[Profile, dict[str, Finding]]]:
    with threaded(server):
        profile = read_profile({"model": "openai/local", "base_url": server.url, "concurrency": 6, **more})
        yield profile, {one.ability: one for one in probe_now(profile)}


def told(found: Mapping[str, Finding]) -> dict[str, tuple[str, str]]:
    return {name: (one.verdict, one.why) for name, one in found.items()}


def test_a_server_that_heeds_everything_is_seen_to() -> None:
    server = Able(listing={"id": "local", "max_model_len": 32_768})
    with asked(server) as (profile, found):
        assert told(found) == dict.fromkeys(ABILITIES, ("accepted", ""))
        assert (found["context"].value, found["cached"].value) == (32_768, 1024)
        assert (found["parallel"].value, found["parallel"].of) == (6, 6)
        most = cost_of(profile)
        made = sum(one.calls for one in found.values())
        assert made == most.calls == len(server.seen) - 1, "what was announced is what was asked, beside the listing"


def test_what_a_server_passes_over_in_silence_is_ignored() -> None:
    with asked(Able(heeds=frozenset())) as (_, found):
        assert told(found) == {
            "usage": ("ignored", "silent"),
            "structured": ("ignored", "unheeded"),
            "plan": ("ignored", "unreadable"),
            "tools": ("ignored", "unheeded"),
            "seed": ("ignored", "varied"),
            "temperature": ("ignored", "varied"),
            "cached": ("ignored", "silent"),
            "chinese": ("ignored", "unheeded"),
            "context": ("unknown", "unlisted"),
            "parallel": ("accepted", ""),
        }


def test_a_refusal_is_told_in_the_servers_words_and_of_that_parameter_alone() -> None:
    refused = {"tools": ("400 Bad Request", "tool calls need --enable-auto-tool-choice")}
    with asked(Able(refuses=refused)) as (_, found):
        assert told({"tools": found["tools"]}) == {"tools": ("refused", "said")}
        assert "--enable-auto-tool-choice" in found["tools"].said
        assert found["seed"].verdict == "accepted"


def test_replies_that_never_vary_show_nothing_of_a_seed() -> None:
    server = Able()
    server._drawn = lambda body: "ABCDEFGHIJKL"  # type: ignore[method-assign]
    with asked(server) as (_, found):
        assert told({"seed": found["seed"]}) == {"seed": ("unknown", "unvaried")}
        assert found["temperature"].why == "unvaried"


def test_a_server_that_wants_another_key_is_asked_once() -> None:
    server = Able(refuses={"messages": ("401 Unauthorized", "Incorrect API key provided")})
    with asked(server) as (_, found):
        assert (found["usage"].verdict, found["usage"].why) == ("unknown", "said")
        assert "Incorrect API key" in found["usage"].said
        assert {one.why for name, one in found.items() if name != "usage"} == {"unanswered"}
        assert len(server.seen) == 1


def test_a_burst_beyond_a_servers_room_counts_those_that_were_answered() -> None:
    with asked(Able(room=3, latency_s=0.2), concurrency=6) as (_, found):
        burst = found["parallel"]
        assert (burst.verdict, burst.value, burst.of) == ("refused", 3, 6)
        assert "one at a time" in burst.said


def test_a_probe_ends_in_time_and_tells_what_was_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "PROBED_S", 0.0)
    server = Able()
    with asked(server) as (_, found):
        assert {one.why for name, one in found.items() if name != "context"} == {"late"}
        assert all("messages" not in body for body in server.seen)


def test_the_price_is_known_before_or_said_to_be_unknown() -> None:
    free = read_profile({"model": "openai/local", "base_url": "http://127.0.0.1:9/v1"})
    assert cost_of(free).usd is None
    usd = cost_of(free.model_copy(update={"price": Price(input_usd=1, output_usd=10)})).usd
    assert usd is not None
    assert usd > 0
    mock = read_profile({"model": "mock/guided"})
    assert (cost_of(mock).calls, {one.verdict for one in probe_now(mock)}) == (0, {"unknown"})
    assert Decimal(0) == cost_of(mock).usd


def test_a_key_that_a_server_repeats_is_struck_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_API_KEY", "planted-key-4711")
    server = Able(refuses={"messages": ("400 Bad Request", "your key planted-key-4711 is odd")})
    with threaded(server):
        monkeypatch.setenv("POLITY_MODEL_HOSTS", f"{server.url}=LAB_API_KEY")
        profile = read_profile({"model": "openai/local", "base_url": server.url, "key_env": "LAB_API_KEY"})
        found = probe_now(profile, ("usage",))
    assert "planted-key-4711" not in found[0].said
    assert "your key [key] is odd" in found[0].said
