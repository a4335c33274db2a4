"""docs/rest.md, done: its Python runs block by block against a site, in the page's order; and webhooks really come."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from tests.declare.test_first_game_page import BLOCK
from tests.games.receivers import receiving
from tests.launch.conftest import until
from tests.launch.test_agent_research import key_of
from tests.sites import POLITY, ROOT, serve

PAGE = (ROOT / "docs" / "rest.md").read_text("utf-8")


@pytest.mark.timeout(300)
def test_each_block_of_the_page_runs_and_a_webhook_arrives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "serve.log", "--no-demo")
    try:
        site.operator_get("/games")
        monkeypatch.setenv("POLITY_SITE", site.address)
        monkeypatch.setenv("POLITY_KEY", key_of(site, "rest", ["read", "run", "export"]))
        told: dict[str, Any] = {}
        with receiving() as receiver:
            made = site.post("/webhooks", {"address": receiver.address, "events": ["run.ended"]})
            for kind, _, text in BLOCK.findall(PAGE):
                if kind == "python":
                    exec(compile(text, "docs/rest.md", "exec"), told)  # noqa: S102
                elif kind == "json":
                    json.loads(text)
            until(lambda: receiver.heard, "the run's end is told")
        [(headers, body)] = receiver.heard
        assert Webhook(made["secret"]).verify(body, headers)["data"]["run"] == told["run"]["id"]
        assert told["is_genuine"](made["secret"], headers, body.encode())
        assert not told["is_genuine"](made["secret"], headers, body.encode() + b" ")
    finally:
        site.end()
