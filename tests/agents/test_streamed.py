"""When the first piece of a trial's answer came, and that its pieces make the whole: over real HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from agents_app.profile import Profile
from agents_app.providers.answers import reply_of
from agents_app.providers.protocol import ProviderFault
from agents_app.providers.streamed import Pieces
from agents_app.trying import Trial, moment_of, tried_now
from games.core.registry import get
from tests.agents.server import Vendor, threaded

OWN, THROUGH_LITELLM = "openai/local", "custom_openai/local"


def tried(server: Vendor, model: str = OWN, **more: Any) -> Trial:
    pack = get("mining")
    config = pack.game.config_type(miners=4, rows=5, cols=5, rounds=5)
    with threaded(server):
        profile = Profile(model=model, base_url=server.url, **more)
        return tried_now(moment_of(pack, config, 7, 0, 1), profile)


class Refusing(Vendor):
    """Says no to whoever asks for pieces."""

    def _answer(self, fault: str, headers: Mapping[str, str]) -> tuple[str, list[str], dict[str, Any]]:
        if self.asked.get("stream"):
            return "400 Bad Request", [], {"error": {"message": "stream is not supported"}}
        return super()._answer(fault, headers)


@pytest.mark.parametrize("model", [OWN, THROUGH_LITELLM])
def test_a_trial_tells_when_the_first_piece_came_and_reads_the_whole(model: str) -> None:
    server = Vendor(pieces=5)
    made = tried(server, model)
    assert made.decision is not None
    assert made.decision.action.items[0].cell == (0, 0)
    call, first = made.calls[0], made.firsts[0]
    assert call.reply == server.content
    assert (call.tokens_in, call.tokens_out, call.estimated, call.finish) == (900, 20, False, "stop")
    assert first is not None
    assert call.latency_ms is not None
    assert 0 <= first * 1000 <= call.latency_ms + 1
    assert (server.seen[0]["stream"], server.seen[0]["stream_options"]) == (True, {"include_usage": True})
    assert server.seen[0]["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize("server", [Vendor(), Vendor(pieces=1), Refusing(pieces=5)])
def test_an_answer_that_came_in_one_piece_has_no_first(server: Vendor) -> None:
    made = tried(server)
    assert made.decision is not None
    assert made.decision.action is not None
    assert made.firsts == (None,)
    assert len(made.calls) == 1
    assert len(server.seen) == (2 if isinstance(server, Refusing) else 1)


def test_litellm_is_asked_for_the_whole_where_its_vendor_refuses_pieces() -> None:
    server = Refusing(pieces=5)
    made = tried(server, THROUGH_LITELLM)
    assert made.decision is not None
    assert made.decision.action is not None
    assert (made.firsts, made.calls[0].failure) == ((None,), "")


def test_a_server_that_refuses_pieces_is_not_asked_for_them_again() -> None:
    server = Refusing(pieces=5, content="I shall wait.")
    made = tried(server, retries=2)
    assert [call.failure for call in made.calls] == ["unparseable"] * 3
    assert [bool(body.get("stream")) for body in server.seen] == [True, False, False, False]


@pytest.mark.parametrize("breaks", [1, 3])
def test_pieces_that_break_off_are_a_lost_answer_and_the_repeat_is_whole(breaks: int) -> None:
    server = Vendor(pieces=5, breaks=breaks)
    made = tried(server, call_retries=1)
    assert [call.failure for call in made.calls] == ["reset", ""]
    assert made.firsts == (None, None)
    assert made.decision is not None
    assert made.decision.action is not None


def test_a_vendor_that_is_refused_a_key_is_told_as_without_pieces() -> None:
    made = tried(Vendor(faults={"401": 1.0}, pieces=5))
    assert "cannot be asked" in made.stop
    assert (made.calls[0].failure, made.firsts) == ("refused", (None,))


def test_pieces_make_the_whole_of_thinking_tools_and_chances() -> None:
    said: list[str] = []
    pieces = Pieces(lambda: said.append(""))
    for delta in (
        {"role": "assistant", "content": ""},
        {"reasoning_content": "Let me "},
        {"reasoning_content": "see."},
        {"tool_calls": [{"index": 0, "function": {"name": "read", "arguments": '{"a"'}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]},
        {"content": "do"},
        {"content": [{"type": "text", "text": "ne"}]},
    ):
        pieces.take({"choices": [{"delta": delta, "logprobs": None}]})
    pieces.take({"model": "m-2", "choices": [{"delta": {}, "finish_reason": "length"}]})
    pieces.take({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}})
    reply = reply_of(pieces.whole())
    assert (reply.text, reply.reasoning, reply.truncated, reply.served) == ("done", "Let me see.", True, "m-2")
    assert reply.tools == '[{"name": "read", "arguments": "{\\"a\\": 1}"}]'
    assert (reply.tokens_in, reply.tokens_out, len(said)) == (3, 4, 6)


def test_pieces_without_an_end_are_no_whole() -> None:
    pieces = Pieces(lambda: None)
    pieces.take({"choices": [{"delta": {"content": "half of"}}]})
    with pytest.raises(ProviderFault, match="broke off"):
        pieces.whole()
