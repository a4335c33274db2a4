"""What models are likely to cost, asked about before they are called, and what they did cost."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import asdict
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from agents_app.estimating import Estimate
    from games.lab.folders.runspec import Played
    from games.lab.scenarios.scenario import Scenario


def has_models(scenario: Scenario) -> bool:
    return any(agent.kind == "model" for condition in scenario.conditions for agent in condition.seats)


def estimated(scenario: Scenario) -> Estimate:
    from games.lab.scenarios.costing import estimate_of

    return estimate_of(scenario)


def told(scenario: Scenario) -> dict[str, Any]:
    """The estimate for programs; money as text."""
    found = asdict(estimated(scenario))
    return {name: str(value) if isinstance(value, Decimal) else value for name, value in found.items()}


def ask_first(scenario: Scenario, yes: bool) -> None:
    """Say what real models are likely to cost, and go on only with leave. Raises `Refused` where nobody can be asked.

    Mocks cost nothing and are not asked about.
    """
    from games.lab.scenarios.costing import limited_seats, real_models

    models = real_models(scenario)
    if not models:
        return
    sys.stderr.write(f"{', '.join(models)}: {estimated(scenario)}\n")
    for where, names in limited_seats(scenario).items():
        sys.stderr.write(f"{where}: its limit of {' and '.join(names)} would likely stop the run before its end\n")
    ask_leave(yes)


def ask_leave(yes: bool) -> None:
    """Go on only with leave to call models. Raises `Refused` where nobody can be asked."""
    from games.errors.faults import Refused

    if yes:
        return
    if not sys.stdin.isatty():
        raise Refused("real models would be called; repeat the command with --yes, or look first with --dry-run")
    if not typer.confirm("Call them?", err=True):
        raise Refused("nothing was called")


def spent(played: Collection[Played]) -> str:
    """What all runs came to."""
    accounts: list[dict[str, Any]] = [dict(one.account) for one in played if one.account is not None]

    def total(name: str) -> int:
        return sum(int(one[name]) for one in accounts)

    failures: dict[str, int] = {}
    for one in accounts:
        for label, number in one["failures"].items():
            failures[label] = failures.get(label, 0) + number
    usd = sum((Decimal(one["usd"]) for one in accounts), Decimal(0))
    labels = ", ".join(f"{number} {label}" for label, number in sorted(failures.items()))
    decisions, fallbacks = total("decisions"), total("fallbacks")
    parts = [
        f"{total('calls'):,} calls, {total('tokens_in'):,} tokens in, {total('tokens_out'):,} out, {usd:f} USD",
        f"failed: {labels}" if labels else "",
        f"invalid_rate {fallbacks / decisions:.4f} ({fallbacks} of {decisions} decisions)" if decisions else "",
        f"{total('unpriced')} calls without a known price" if total("unpriced") else "",
    ]
    return "; ".join(part for part in parts if part)
