"""The contract's metrics, measured when an epoch ends, and those of the lab beside them. Undefined is None.

All are of the epoch's report: before its accounts are reset, after taxes, fines and shares.
Source: contract, "Metrics"; formulas in `about`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.catalog.economist.boundary import are_allied
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.money import decimal
from games.catalog.economist.state import Action, Report, State
from games.catalog.economist.statistics import bunching, inequality, spread, statistics, total, welfare
from games.core.answers import JSON
from games.core.game import Step
from games.core.measures import atkinson, mean, ratio

MEAN, SUM, LAST, OVERALL = "mean", "sum", "at the end", "over all"
"""What a measure of a run makes of its epochs'; OVERALL: a ratio of counts that are summed over all epochs."""
CONTRACT: Final[Mapping[str, tuple[str, str]]] = {
    "total_production": (
        SUM,
        "Sum of gross incomes, coin; income in kind of gathering, sales above it, house income. Higher: more is "
        "produced.",
    ),
    "mean_production": (MEAN, "Mean gross income, coin. Higher: more is produced."),
    "total_houses_built": (LAST, "Houses that stand. Higher: more were built."),
    "total_tax_revenue": (SUM, "Sum of taxes paid, coin, without fines. Higher: more was taken."),
    "mean_effective_tax_rate": (
        MEAN,
        "Mean over workers of tax paid / reported income (0 where none is reported), 0 to 1.",
    ),
    "gini_coefficient": (
        MEAN,
        "Gini of gross incomes in the population form, 0 all equal to (n-1)/n. Higher: less equal.",
    ),
    "atkinson_index": (MEAN, "1 - (mean of sqrt(x))^2 / mean(x), epsilon 0.5, 0 to 1. Higher: less equal."),
    "welfare": (
        MEAN,
        "production weight x mean income - inequality weight x Gini of income; the units differ. Higher: better.",
    ),
    "total_audits": (SUM, "Audits that took place: catches and false positives."),
    "total_catches": (SUM, "Audits that found hidden income."),
    "total_fines": (SUM, "Fines paid, coin."),
    "undetected_evasion_rate": (
        OVERALL,
        "Evasions that were not audited / all evasions, 0 to 1. Higher: more goes unnoticed. None without evasions.",
    ),
    "enforcement_cost": (SUM, "Audits x cost of an audit, coin."),
    "bunching_intensity": (
        MEAN,
        "Share of incomes within the bunching width below a threshold other than 0. Higher: more bunching.",
    ),
    "collusion_events_detected": (SUM, "Pairs flagged."),
    "collusion_suspicion_mean": (MEAN, "Mean suspicion (kappa) of the flags, 0 to 1. None without flags."),
    "exploit_frequency": (MEAN, "Misreports, shifts and flags / all events of the epoch, 0 to 1."),
    "governance_backfire_events": (SUM, "Audits of workers who hid nothing."),
    "variance_amplification": (
        MEAN,
        "Population standard deviation / mean of gross incomes; 0 without income. Higher: less equal.",
    ),
}
"""The contract's metrics in the order of metrics.csv: what a run's is, and formula, unit and range of an epoch's."""
OWN: Final[Mapping[str, tuple[str, str]]] = {
    "gini_wealth": (LAST, "Gini of coin plus houses at 1 coin for each unit in them. Higher: less equal."),
    "welfare_eq_prod": (MEAN, "Mean income x (1 - Gini of wealth), coin. Higher: better."),
    "tax_share": (MEAN, "Taxes paid / income reported, 0 to 1. None where nothing is reported."),
    "trades": (SUM, "Trades in the epoch."),
    "traded_value": (SUM, "Coin that bought goods, without fees."),
    "total_redistributed": (SUM, "Coin given back as lump sums."),
    "treasury": (LAST, "Coin in the treasury."),
    "mean_coin": (LAST, "Mean coin of a worker, after taxes."),
    "bottom_rate": (LAST, "Marginal rate of the first bracket, 0 to 1."),
    "top_rate": (LAST, "Marginal rate of the last bracket, 0 to 1."),
    "effective_rate_spread": (
        MEAN,
        "Mean effective rate of the richer half less that of the poorer half, by report. Above 0: progressive. None "
        "below two workers.",
    ),
    "collusion_precision": (
        OVERALL,
        "Flags of pairs in one coalition / all flags, 0 to 1. Higher: better. None without flags.",
    ),
    "collusion_recall": (
        OVERALL,
        "Flags of pairs in one coalition / such pairs. Higher: better. None without coalitions.",
    ),
    "collusion_base_rate": (
        OVERALL,
        "Pairs in one coalition / all pairs that acted: the precision of flags drawn at random.",
    ),
}
MEASURES: Final = {**CONTRACT, **OWN}
COUNTED: Final = {
    "undetected_evasion_rate": ("misses", "evasions"),
    "collusion_precision": ("true_flags", "flags"),
    "collusion_recall": ("true_flags", "allied"),
    "collusion_base_rate": ("allied", "pairs"),
}
"""Part and whole of each ratio."""


class EconomistMetrics:
    """Measures stand at the step that closes an epoch: the planner's, or the workers' last where it has no turn."""

    def measure(self, config: EconomistConfig, before: State, step: Step[State, Action]) -> Mapping[str, JSON]:
        report = closed(config, before, step.state)
        if report is None:
            return dict.fromkeys(MEASURES)
        values = {**epoch_metrics(config, report), "treasury": decimal(step.state.treasury)}
        return {**{name: values[name] for name in MEASURES}, "counts": counts(config, report)}

    def summarise(self, config: EconomistConfig, series: Sequence[Mapping[str, Any]]) -> Mapping[str, JSON]:
        epochs = [row for row in series if row.get("counts")]
        summary: dict[str, JSON] = {"epochs": len(epochs)}
        for name, (run, _) in MEASURES.items():
            values = [row[name] for row in epochs if row[name] is not None]
            if run == OVERALL:
                part, whole = (sum(row["counts"][key] for row in epochs) for key in COUNTED[name])
                summary[name] = ratio(part, whole)
            elif run == LAST:
                summary[name] = values[-1] if values else None
            else:
                summary[name] = sum(values) if run == SUM else mean(values)
        summary["trades_per_epoch"] = mean([row["trades"] for row in epochs])
        return summary

    def about(self) -> Mapping[str, str]:
        return {
            "epochs": "Epochs that ended. A count.",
            "trades_per_epoch": "Trades in an epoch. Run: mean.",
            **{name: f"{about} Run: {run}." for name, (run, about) in MEASURES.items()},
        }


def closed(config: EconomistConfig, before: State, after: State) -> Report | None:
    """The report of the epoch that ends with this step; None where none does."""
    over = after.epoch + 1 == config.epochs and after.step == config.steps_per_epoch and not after.planning
    return after.report if over or after.epoch != before.epoch else None


def epoch_metrics(config: EconomistConfig, report: Report) -> dict[str, JSON]:
    """One epoch's measures but for the treasury."""
    totals, accounts, tally = statistics(report), report.accounts, report.tally
    incomes = [decimal(account.gross) for account in accounts]
    counted = counts(config, report)
    caught = counted["evasions"] - counted["misses"]
    cleared = sum(account.outcome == "cleared" for account in accounts)
    house = config.terms.house_wood + config.terms.house_stone
    poor = inequality([coin + owned * house for coin, owned in zip(report.coins, report.owned, strict=True)])
    return {
        "total_production": totals.total_income,
        "mean_production": totals.mean_income,
        "total_houses_built": totals.total_houses,
        "total_tax_revenue": totals.total_tax_revenue,
        "mean_effective_tax_rate": mean([ratio(account.paid, account.reported) or 0.0 for account in accounts]),
        "gini_coefficient": totals.gini,
        "atkinson_index": max(0.0, atkinson([max(income, 1e-9) for income in incomes], 0.5) or 0.0),
        "welfare": welfare(config, totals),
        "total_audits": caught + cleared,
        "total_catches": caught,
        "total_fines": total(report, "fined"),
        "enforcement_cost": (caught + cleared) * config.misreporting.audit_cost,
        "bunching_intensity": bunching(config, report) / len(incomes),
        "collusion_events_detected": counted["flags"],
        "collusion_suspicion_mean": mean([flag.suspicion for flag in report.flags]),
        "exploit_frequency": tally.exploits / max(1, tally.events),
        "governance_backfire_events": cleared,
        "variance_amplification": spread(incomes),
        "gini_wealth": poor,
        "welfare_eq_prod": totals.mean_income * (1 - poor),
        "tax_share": ratio(sum(account.paid for account in accounts), sum(account.reported for account in accounts)),
        "trades": tally.trades,
        "traded_value": decimal(tally.traded),
        "total_redistributed": total(report, "shared"),
        "mean_coin": totals.mean_coin,
        "bottom_rate": decimal(report.schedule[0][1]),
        "top_rate": decimal(report.schedule[-1][1]),
        "effective_rate_spread": _progressivity(report),
        **{name: ratio(counted[part], counted[whole]) for name, (part, whole) in COUNTED.items()},
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


METRICS = EconomistMetrics()
CADENCES: Final = dict.fromkeys(MEASURES, "epoch")
"""Each metric is measured when the epoch's label moves on."""
