"""Accounts, limits, estimates, and the names of keys that are struck out."""

from __future__ import annotations

from decimal import Decimal

import pytest

from agents_app.budget import MemoryLedger, Meter, Spent, Tally
from agents_app.estimating import estimate
from agents_app.ports import CallRecord, SpendStop
from agents_app.profile import Limits, MockSettings, Price, Profile
from agents_app.providers.protocol import cost, tokens_in_text
from agents_app.providers.redacting import redacted
from games.core import codec
from tests.agents.company import everyone, mining, played, seated


def call(tokens: int = 100, usd: str | None = "0.5", failure: str = "") -> CallRecord:
    price = None if usd is None else Decimal(usd)
    return CallRecord(0, 1, "act", 1, "m", "h", "p", "r", failure, tokens, 0, price, 1)


def test_a_price_gives_eight_decimals() -> None:
    price = Price(input_usd=Decimal("0.15"), output_usd=Decimal("0.6"))
    assert cost(price, 1000, 100) == Decimal("0.00021000")
    assert cost(price, 1, 1) == Decimal("0.00000075")
    assert cost(None, 1, 1) is None
    assert cost(price, None, 1) is None


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (Limits(calls=2), "at most 2 (calls)"),
        (Limits(tokens=250), "at most 250 (tokens)"),
        (Limits(usd=Decimal("1.2")), "beyond 1.2 (usd)"),
    ],
)
def test_a_limit_stops_the_call_that_would_go_beyond_it(limits: Limits, says: str) -> None:
    meter = Meter("seat 0", limits)
    for _ in range(2):
        meter.allow(100)
        meter.book(call(), 100)
    with pytest.raises(SpendStop) as caught:
        meter.allow(100)
    assert str(caught.value).startswith("seat 0: ")
    assert says in str(caught.value)


def test_calls_in_flight_count_before_they_are_booked() -> None:
    meter = Meter("run", Limits(calls=3))
    for _ in range(3):
        meter.allow(10)
    with pytest.raises(SpendStop, match="3 in flight"):
        meter.allow(10)


async def test_room_is_given_back_where_a_second_account_refuses() -> None:
    seat, run = Meter("seat 0", Limits(calls=5)), Meter("run", Limits(calls=1))
    ledger = MemoryLedger(0, 1, [], (seat, run))
    await ledger.allow(10)
    with pytest.raises(SpendStop, match="run"):
        await ledger.allow(10)
    assert seat._held_calls == 1


def test_an_unpriced_call_is_counted_as_such() -> None:
    spent = Spent.of([call(), call(usd=None), call(failure="truncated")])
    assert (spent.usd, spent.calls, spent.unpriced, spent.failures) == (Decimal("1.0"), 3, 1, {"truncated": 1})


async def test_a_run_is_accounted_by_seat_with_its_invalid_rate() -> None:
    pack, config = mining(miners=2, rows=4, cols=4, rounds=10)
    profile = Profile(retries=0, mock=MockSettings(faults={"prose": 1.0}))
    agents = everyone(pack, config, Profile(price=Price(input_usd=1, output_usd=1)), seats=(0,))
    agents[1] = seated(pack, config, profile)
    run = await played(pack, config, agents)
    tally = Tally.of(run.calls, [codec.encode_step(pack.game, step) for step in run.steps], (0, 1))
    assert (tally.decisions, tally.fallbacks, tally.invalid_rate) == (20, 10, 0.5)
    assert tally.calls_per_100_steps == 100
    assert tally.by_seat[1].failures == {"unparseable": 10}
    assert tally.by_seat[0].usd == Decimal(tally.by_seat[0].tokens) / 1_000_000


def test_an_estimate_counts_one_call_a_seat_and_step_and_bounds_it() -> None:
    pack, config = mining(miners=4, rounds=50)
    profile = Profile(price=Price(input_usd=1, output_usd=0), max_tokens=400, retries=1, call_retries=2)
    agents = {seat: seated(pack, config, profile) for seat in range(4)}
    told = estimate(pack, config, 1, agents)
    assert (told.calls, told.at_most, told.tokens_out) == (200, 800, 200 * 100)
    assert told.usd is not None
    assert told.tokens_in is not None
    assert told.usd == Decimal(told.tokens_in) / 1_000_000
    assert 500 < told.tokens_in / 200 < 2000
    assert (told.usd_least, told.usd_most) == (told.usd, (4 * told.usd + Decimal(800 * 400) / 1_000_000))


def test_tokens_of_other_scripts_count_one_each() -> None:
    assert tokens_in_text("abcdefgh") == 2
    assert tokens_in_text("采矿上限") == 4


def test_a_key_that_is_set_now_is_struck_out_now(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "first-key-1 second-key-2"
    assert redacted(said) == said
    monkeypatch.setenv("PLANTED_KEY", "first-key-1")
    assert redacted(said) == "[key] second-key-2"
    monkeypatch.setenv("PLANTED_KEY", "second-key-2")
    assert redacted(said) == "first-key-1 [key]"
    monkeypatch.delenv("PLANTED_KEY")
    assert redacted(said) == said


def test_keys_are_struck_out_by_name_and_by_look() -> None:
    environ = {"VENDOR_API_KEY": "planted-1234567", "SHORT_KEY": "abc", "PATH": "/usr/bin"}
    text = "planted-1234567 sk-abcdefghijkl Bearer abcdefghijklmnop abc /usr/bin"
    assert redacted(text, environ) == "[key] [key] [key] abc /usr/bin"
    assert (
        redacted("postgresql://me:hush@host/x, http://host:80/a@b", {})
        == "postgresql://[key]@host/x, http://host:80/a@b"
    )
