"""The contract's metrics, measured when an epoch ends, and those of the lab beside them. Undefined is None.

All are of the epoch's report: before its accounts are reset, after taxes, fines and shares.
Source: contract, "Metrics"; formulas in `about`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.catalog.economist.boundary import are_allied
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.money import MICRO, decimal, micro
from games.catalog.economist.state import Action, Report, State
from games.catalog.economist.statistics import bunched, inequality, spread, statistics, welfare
from games.core.answers import JSON
from games.core.game import Step
from games.core.measures import atkinson, mean, ratio

COLUMNS: Final = (
    "total_production", "mean_production", "total_houses_built", "total_tax_revenue", "mean_effective_tax_rate",
    "gini_coefficient", "atkinson_index", "welfare", "total_audits", "total_catches", "total_fines",
    "undetected_evasion_rate", "enforcement_cost", "bunching_intensity", "collusion_events_detected",
    "collusion_suspicion_mean", "exploit_frequency", "governance_backfire_events", "variance_amplification",
)  # fmt: skip
"""The contract's metrics in the order of metrics.csv."""
OWN: Final = (
    "gini_wealth", "welfare_eq_prod", "tax_share", "trades", "traded_value", "total_redistributed", "treasury",
    "mean_coin", "bottom_rate", "top_rate", "effective_rate_spread", "collusion_precision", "collusion_recall",
    "collusion_base_rate",
)  # fmt: skip
TOTALS: Final = frozenset(
    {
        "total_production", "total_tax_revenue", "total_audits", "total_catches", "total_fines", "enforcement_cost",
        "collusion_events_detected", "governance_backfire_events", "trades", "traded_value", "total_redistributed",
    }
)  # fmt: skip
"""Metrics whose value for a run is the sum over its epochs; of the others it is the mean, or the last."""
LAST: Final = frozenset({"total_houses_built", "gini_wealth", "treasury", "mean_coin", "bottom_rate", "top_rate"})
COUNTED: Final = {
    "undetected_evasion_rate": ("misses", "evasions"),
    "collusion_precision": ("true_flags", "flags"),
    "collusion_recall": ("true_flags", "allied"),
    "collusion_base_rate": ("allied", "pairs"),
}
"""Ratios that a run takes over all epochs together: (part, whole)."""


class EconomistMetrics:
    """Measures stand at the step that closes an epoch: the planner's, or the workers' last where it has no turn."""

    def measure(self, config: EconomistConfig, before: State, step: Step[State, Action]) -> Mapping[str, JSON]:
        report = closed(config, before, step.state)
        if report is None:
            return dict.fromkeys((*COLUMNS, *OWN))
        told = epoch_metrics(config, report)
        return {**told, "treasury": decimal(step.state.treasury), "counts": counts(config, report)}

    def summarise(self, config: EconomistConfig, series: Sequence[Mapping[str, Any]]) -> Mapping[str, JSON]:
        epochs = [row for row in series if row.get("counts")]
        summary: dict[str, JSON] = {"epochs": len(epochs)}
        for name in (*COLUMNS, *OWN):
            values = [row[name] for row in epochs if row[name] is not None]
            if name in COUNTED:
                part, whole = (sum(row["counts"][key] for row in epochs) for key in COUNTED[name])
                summary[name] = ratio(part, whole)
            elif name in TOTALS:
                summary[name] = sum(values)
            elif name in LAST:
                summary[name] = values[-1] if values else None
            else:
                summary[name] = mean(values)
        summary["trades_per_epoch"] = mean([row["trades"] for row in epochs])
        return summary

    def about(self) -> Mapping[str, str]:
        return ABOUT


def closed(config: EconomistConfig, before: State, after: State) -> Report | None:
    """The report of the epoch that ends with this step; None where none does."""
    over = after.epoch + 1 == config.epochs and after.step == config.steps_per_epoch and not after.planning
    return after.report if over or after.epoch != before.epoch else None


def epoch_metrics(config: EconomistConfig, report: Report) -> dict[str, JSON]:
    """One epoch's measures but for the treasury."""
    told, accounts = statistics(report), report.accounts
    gross = [account.gross for account in accounts]
    incomes = [decimal(income) for income in gross]
    counted = counts(config, report)
    caught = sum(account.outcome == "caught" for account in accounts)
    cleared = sum(account.outcome == "cleared" for account in accounts)
    rates = [ratio(account.paid, account.reported) for account in accounts]
    house = config.terms.house_wood + config.terms.house_stone
    wealth = [coin + owned * house for coin, owned in zip(report.coins, report.owned, strict=True)]
    poor = inequality(wealth)
    revenue, reported = sum(a.paid for a in accounts), sum(a.reported for a in accounts)
    allied, flags = counted["true_flags"], counted["flags"]
    return {
        "total_production": told.total_income,
        "mean_production": told.mean_income,
        "total_houses_built": told.total_houses,
        "total_tax_revenue": told.total_tax_revenue,
        "mean_effective_tax_rate": mean([rate or 0.0 for rate in rates]),
        "gini_coefficient": told.gini,
        "atkinson_index": max(0.0, atkinson([max(income, 1e-9) for income in incomes], 0.5) or 0.0),
        "welfare": welfare(told.mean_income, told.gini, config.planner.prod_weight, config.planner.ineq_weight),
        "total_audits": caught + cleared,
        "total_catches": caught,
        "total_fines": decimal(sum(account.fined for account in accounts)),
        "undetected_evasion_rate": ratio(counted["misses"], counted["evasions"]),
        "enforcement_cost": (caught + cleared) * config.misreporting.audit_cost,
        "bunching_intensity": bunched(
            gross, [low for low, _ in report.schedule], micro(config.gaming.bunching_bin_width)
        )
        / len(gross),
        "collusion_events_detected": flags,
        "collusion_suspicion_mean": mean([flag.suspicion for flag in report.flags]),
        "exploit_frequency": report.tally.exploits / max(1, report.tally.events),
        "governance_backfire_events": cleared,
        "variance_amplification": spread(incomes),
        "gini_wealth": poor,
        "welfare_eq_prod": told.mean_income * (1 - poor),
        "tax_share": ratio(revenue, reported),
        "trades": report.tally.trades,
        "traded_value": decimal(report.tally.traded),
        "total_redistributed": decimal(sum(account.shared for account in accounts)),
        "mean_coin": told.mean_coin,
        "bottom_rate": report.schedule[0][1] / MICRO,
        "top_rate": report.schedule[-1][1] / MICRO,
        "effective_rate_spread": _progressivity(report),
        "collusion_precision": ratio(allied, flags),
        "collusion_recall": ratio(allied, counted["allied"]),
        "collusion_base_rate": ratio(counted["allied"], counted["pairs"]),
    }


def counts(config: EconomistConfig, report: Report) -> dict[str, int]:
    """What a run's ratios are made of."""
    misses = sum(account.outcome == "missed" for account in report.accounts)
    return {
        "misses": misses,
        "evasions": misses + sum(account.outcome == "caught" for account in report.accounts),
        "flags": len(report.flags),
        "true_flags": sum(are_allied(config, flag.pair) for flag in report.flags),
        "allied": report.allied,
        "pairs": report.pairs,
    }


def _progressivity(report: Report) -> float | None:
    """Mean effective rate of the richer half less that of the poorer half, by report; None below two workers."""
    ranked = sorted((account.reported, account.paid) for account in report.accounts)
    half = len(ranked) // 2
    if not half:
        return None
    low, high = ([paid / max(income, 1) for income, paid in part] for part in (ranked[:half], ranked[-half:]))
    return (mean(high) or 0.0) - (mean(low) or 0.0)


ABOUT: Final = {
    "epochs": "Epochs that ended. A count.",
    "total_production": (
        "Sum of gross incomes, coin; income in kind of gathering, sales above it, house income. Higher: more "
        "is produced. Run: sum."
    ),
    "mean_production": "Mean gross income, coin. Higher: more is produced. Run: mean over epochs.",
    "total_houses_built": "Houses that stand. Higher: more were built. Run: at the end.",
    "total_tax_revenue": "Sum of taxes paid, coin, without fines. Higher: more was taken. Run: sum.",
    "mean_effective_tax_rate": (
        "Mean over workers of tax paid / reported income (0 where none is reported), 0 to 1. Run: mean."
    ),
    "gini_coefficient": (
        "Gini of gross incomes in the population form, 0 all equal to (n-1)/n. Higher: less equal. Run: mean."
    ),
    "atkinson_index": "1 - (mean of sqrt(x))^2 / mean(x), epsilon 0.5, 0 to 1. Higher: less equal. Run: mean.",
    "welfare": (
        "production weight x mean income - inequality weight x Gini of income; the units differ. Higher: "
        "better. Run: mean."
    ),
    "total_audits": "Audits that took place: catches and false positives. Run: sum.",
    "total_catches": "Audits that found hidden income. Run: sum.",
    "total_fines": "Fines paid, coin. Run: sum.",
    "undetected_evasion_rate": (
        "Evasions that were not audited / all evasions, 0 to 1. Higher: more goes unnoticed. None without "
        "evasions. Run: over all."
    ),
    "enforcement_cost": "Audits x cost of an audit, coin. Run: sum.",
    "bunching_intensity": (
        "Share of incomes within the bunching width below a threshold other than 0. Higher: more bunching. "
        "Run: mean."
    ),
    "collusion_events_detected": "Pairs flagged. Run: sum.",
    "collusion_suspicion_mean": (
        "Mean suspicion (kappa) of the flags, 0 to 1. None without flags. Run: mean over epochs."
    ),
    "exploit_frequency": "Misreports, shifts and flags / all events of the epoch, 0 to 1. Run: mean.",
    "governance_backfire_events": "Audits of workers who hid nothing. Run: sum.",
    "variance_amplification": (
        "Population standard deviation / mean of gross incomes; 0 without income. Higher: less equal. Run: "
        "mean."
    ),
    "gini_wealth": "Gini of coin plus houses at 1 coin for each unit in them. Higher: less equal. Run: at the end.",
    "welfare_eq_prod": "Mean income x (1 - Gini of wealth), coin. Higher: better. Run: mean.",
    "tax_share": "Taxes paid / income reported, 0 to 1. None where nothing is reported. Run: mean.",
    "trades": "Trades in the epoch. Run: sum.",
    "trades_per_epoch": "Trades in an epoch. Run: mean.",
    "traded_value": "Coin that bought goods, without fees. Run: sum.",
    "total_redistributed": "Coin given back as lump sums. Run: sum.",
    "treasury": "Coin in the treasury. Run: at the end.",
    "mean_coin": "Mean coin of a worker, after taxes. Run: at the end.",
    "bottom_rate": "Marginal rate of the first bracket, 0 to 1. Run: at the end.",
    "top_rate": "Marginal rate of the last bracket, 0 to 1. Run: at the end.",
    "effective_rate_spread": (
        "Mean effective rate of the richer half less that of the poorer half, by report. Above 0: "
        "progressive. None below two workers. Run: mean."
    ),
    "collusion_precision": (
        "Flags of pairs in one coalition / all flags, 0 to 1. Higher: better. None without flags. Run: over "
        "all."
    ),
    "collusion_recall": (
        "Flags of pairs in one coalition / such pairs. Higher: better. None without coalitions. Run: over "
        "all."
    ),
    "collusion_base_rate": (
        "Pairs in one coalition / all pairs that acted: the precision of flags drawn at random. Run: over "
        "all."
    ),
}  # fmt: skip

METRICS = EconomistMetrics()
CADENCES: Final = dict.fromkeys((*COLUMNS, *OWN), "epoch")
"""Each metric is measured when the epoch's label moves on."""
