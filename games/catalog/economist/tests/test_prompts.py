"""What a worker is told of its own accounts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.catalog.economist.prompts import EconomistPrompts
from games.catalog.economist.state import Account
from games.catalog.economist.tests.build import GAME, config, last_step, step, world
from games.core.agents import Request
from games.core.prompts import PromptContext
from games.core.rng import Rng


@pytest.mark.parametrize(
    ("language", "paid", "ends"),
    [
        (
            "en",
            "fines so far: 7.5 coin.",
            {
                "none": "You hid nothing and were not audited.",
                "missed": "What you hid went unnoticed at an audit chance of 35%.",
                "caught": "What you hid was found at an audit chance of 35%.",
                "cleared": "You were audited after a flag; nothing was found.",
            },
        ),
        (
            "zh",
            "罚款共计 7.5 钱币。",
            {
                "none": "你未瞒报，也未被审计。",
                "missed": "你的瞒报未被发觉，审计概率为 35%。",
                "caught": "你的瞒报被查出，审计概率为 35%。",
                "cleared": "你因标记被审计，未发现问题。",
            },
        ),
    ],
)
def test_a_worker_is_told_its_fines_and_how_its_last_audit_ended(
    language: str, paid: str, ends: dict[str, str]
) -> None:
    terms = config(1, planner={"update_interval_epochs": 9})
    state = step(terms, last_step(terms, world(terms, fines=[7.5]))).state
    turn, seen = GAME.turn(terms, state), GAME.observe(terms, state, 0, ())
    assert turn is not None
    for outcome, told in ends.items():
        account = replace(Account(0, 0, 0, 0), outcome=outcome, chance=0.35)  # type: ignore[arg-type]
        shown = seen._replace(last=account)  # type: ignore[call-arg]
        request = Request(1, turn, 0, shown, GAME.actions(terms, state, 0), None, None, Rng.root(1))
        page = EconomistPrompts().render(terms, PromptContext(request, language))["user"]
        assert paid in page
        assert told in page
