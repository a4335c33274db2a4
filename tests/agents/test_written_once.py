"""What a call writes and reads: the bytes of prompts and bodies, and one reading of a reply that can be used."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agents_app.deciders.llm import ModelAgent
from agents_app.profile import Profile
from agents_app.providers.compatible import CompatibleServer, _json, _sent
from agents_app.providers.parameters import body_of
from agents_app.providers.protocol import Message, Prompt, tokens_in_text
from games.core.codec import canonical
from tests.agents.company import Scripted, mining, played, seated
from tests.agents.server import IDLE

SIGNS = "".join(chr(sign) for sign in range(0x3000) if not 0xD800 <= sign < 0xE000) + "中文 \U0001f600"
SCHEMA = {"type": "object", "properties": {"b": {"const": None}, "a": {"maximum": 0.1}}}


@pytest.mark.parametrize("temperature", [None, 0.7, 1e-05])
@pytest.mark.parametrize("schema", [None, SCHEMA])
@pytest.mark.parametrize("extra", [{}, {"top_p": 0.5, "extra_body": {"messages": [], "k": 1e-7}}])
def test_a_prompt_is_written_as_all_that_is_canonical(temperature: Any, schema: Any, extra: dict[str, Any]) -> None:
    messages = Message("system", SIGNS, 3), Message("user", "1e5 null 0.00001")
    prompt = Prompt("a/b", messages, 7, temperature, 3, schema, extra)
    plain = {
        "model": "a/b",
        "messages": [{"role": one.role, "content": one.text} for one in messages],
        "max_tokens": 7,
        "temperature": temperature,
        "seed": 3,
        "schema": schema,
        **({"extra": extra} if extra else {}),
    }
    assert prompt.text.encode() == canonical(plain)


@pytest.mark.parametrize(
    "body", [{"a": SIGNS}, {"t": 1e-05}, {"t": 0.7, "n": [1, True, "0e"]}, {"n": None}, {"x": "\ud800"}]
)
def test_a_body_is_sent_as_python_writes_it(body: dict[str, Any]) -> None:
    assert _sent(body) == json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


@pytest.mark.parametrize("extra", [{}, {"top_p": 1e-07}, {"extra_body": {"messages": [{"n": 1e-07}], "k": None}}])
@pytest.mark.parametrize("model", ["openai/gpt-4o", "openai/o3", "openrouter/anthropic/claude-sonnet-4"])
def test_what_is_sent_is_the_body_and_its_messages_are_those_of_the_prompt(model: str, extra: dict[str, Any]) -> None:
    prompt = Prompt(model, (Message("system", SIGNS, 3), Message("user", "null 1e5")), 7, 0.7, None, SCHEMA, extra)
    body, ignored = body_of(prompt)
    sent, told = CompatibleServer(Profile(model=model, base_url="http://127.0.0.1:9/v1"))._body(
        prompt, {"stream": True}
    )
    assert (json.loads(sent), told) == ({**body, "stream": True}, ignored)
    assert (prompt.spoken in sent) == ("claude" not in model and "extra_body" not in extra)


def test_what_stands_beside_the_messages_is_that_of_each_prompt() -> None:
    server = CompatibleServer(Profile(model="openai/local", base_url="http://127.0.0.1:9/v1"))
    first = Prompt("openai/local", (Message("user", "1"),), 7, 0.7, 3)
    asked = [
        first,
        replace(first, messages=(Message("user", "2"),)),
        replace(first, seed=4),
        replace(first, schema=SCHEMA),
        replace(first, extra={"extra_body": {"k": 1}}),
        replace(first, extra={"extra_body": {"messages": []}}),
        replace(first, extra={"thinking": 9}),
        first,
    ]
    for prompt in asked:
        sent, ignored = server._body(prompt)
        assert (json.loads(sent), ignored) == body_of(prompt)


@pytest.mark.parametrize(
    "said", [b'{"n": 1e400}', b'{"n": NaN}', b'"\\ud800"', b"\xef\xbb\xbf{}", b"[1,]", b"\xff", b'{"a": 1}']
)
def test_an_answer_is_read_as_python_reads_it(said: bytes) -> None:
    try:
        read = json.loads(said)
    except ValueError:
        read = None
    assert repr(_json(said)) == repr(read)


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("abcde", 2), ("ab\u4e2d\u6587", 3)])
def test_four_plain_letters_are_a_token_and_each_other_sign(text: str, tokens: int) -> None:
    assert tokens_in_text(text) == tokens


async def test_a_reply_that_can_be_used_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pack, config = mining(miners=2, rows=4, cols=4, rounds=1)
    read: list[Any] = []
    decision = ModelAgent._decision

    def counted(*asked: Any) -> Any:
        read.append(asked)
        return decision(*asked)

    monkeypatch.setattr(ModelAgent, "_decision", counted)
    profile = Profile(model="openai/local", base_url="http://127.0.0.1:9/v1", output="json")
    agents = {seat: seated(pack, config, profile, Scripted([IDLE])) for seat in range(2)}
    run = await played(pack, config, agents)
    assert len(read) == len(run.calls) == 2
