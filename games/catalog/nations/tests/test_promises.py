"""Promises by later acts: kept, broken, still standing."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.nations.tests.builder import world


def vow(to: Any, **promise: Any) -> dict[str, Any]:
    return {"messages": [{"to": to, "text": "I promise.", "promise": promise}]}


@pytest.mark.parametrize(
    ("promise", "act", "verdict"),
    [
        ({"kind": "peace"}, {}, "promise_kept"),
        ({"kind": "peace"}, {"attacks": [["Brevia", 1]]}, "promise_broken"),
        ({"kind": "peace"}, {"attacks": [["Corvane", 1]]}, "promise_kept"),
        ({"kind": "peace", "turns": 2}, {}, None),
        ({"kind": "grant", "amount": 5}, {"grants": [["Brevia", 5]]}, "promise_kept"),
        ({"kind": "grant", "amount": 5}, {"grants": [["Brevia", 2], ["Brevia", 3]]}, "promise_kept"),
        ({"kind": "grant", "amount": 5}, {"grants": [["Brevia", 4.99]]}, "promise_broken"),
        ({"kind": "grant", "amount": 5}, {"grants": [["Corvane", 5]]}, "promise_broken"),
        ({"kind": "grant", "amount": 5, "turns": 2}, {}, None),
        ({"kind": "cede", "amount": 1}, {"cede": [[1, "Brevia"]]}, "promise_kept"),
        ({"kind": "cede", "amount": 1}, {"cede": [[2, "Brevia"]]}, "promise_broken"),
    ],
)
def test_a_later_act_decides(promise: dict[str, Any], act: dict[str, Any], verdict: str | None) -> None:
    after = world("AAAABC", A=2).after(A=vow(["Brevia"], **promise)).after(A=act)
    told = [kind for kind, _ in after.told("B", "promise_kept", "promise_broken")]
    assert told == ([verdict] if verdict else [])
    assert after.told("C", "promise_kept", "promise_broken") == []
    assert len(after.state.vows) == (0 if verdict else 1)


def test_a_promise_to_all_is_one_to_each() -> None:
    after = world("ABC").after(A=vow("all", kind="peace"))
    assert [(one.by, one.to) for one in after.state.vows] == [(0, 1), (0, 2)]


def test_an_act_of_the_same_turn_does_not_count() -> None:
    after = world("AAAB").after(A={**vow(["Brevia"], kind="grant", amount=5), "grants": [["Brevia", 5]]})
    assert len(after.state.vows) == 1


def test_at_the_rounds_end_peace_was_kept_and_an_unpaid_gift_was_not() -> None:
    start = world("AABC", settings={"turns": 2})
    promised = start.after(
        A={"messages": [
            {"to": ["Brevia"], "text": "Peace.", "promise": {"kind": "peace", "turns": 9}},
            {"to": ["Brevia"], "text": "A gift.", "promise": {"kind": "grant", "amount": 5, "turns": 9}},
        ]}
    )  # fmt: skip
    after = promised.after()
    assert [one.kind for one in after.state.last.kept] == ["peace"]
    assert [one.kind for one in after.state.last.broken] == ["grant"]
