"""What a call writes and reads: the bytes of prompts and bodies, and one reading of a reply that can be used."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents_app.deciders.llm import ModelAgent
from agents_app.profile import Profile
from agents_app.providers.compatible import _sent
from agents_app.providers.protocol import Message, Prompt
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
