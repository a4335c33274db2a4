"""Taxes, audits, fines and freezing at an epoch's end. Source: contract, "Epoch Boundary", steps 1 to 4."""

from __future__ import annotations

from dataclasses import replace

from games.catalog.economist.desk import Desk
from games.catalog.economist.money import Micro, decimal, portion
from games.catalog.economist.state import NEVER, Account
from games.catalog.economist.tax import tax_due
from games.core.rng import Rng


def collect_taxes(desk: Desk) -> list[Account]:
    """Each worker pays what its report owes, as far as its coin goes; what it cannot pay is forgiven."""
    accounts = []
    for seat, gross in enumerate(desk.gross):
        reported = gross - portion(gross, desk.stance[seat])
        owed = tax_due(desk.schedule, reported, desk.terms.smoothing)
        paid = min(owed, desk.coin[seat])
        desk.coin[seat] -= paid
        desk.treasury += paid
        accounts.append(Account(gross, reported, owed, paid))
        rate = round(paid / max(reported, 1e-3), 9)
        desk.facts.append(("tax", seat, gross, reported, paid, rate, owed, owed - paid))
    return accounts


def audit_chance(base: float, risk: float, hidden: Micro, gross: Micro, boost: Micro) -> float:
    """min(1, base x (1 + risk x hidden / gross)), and base x boost more where there is a boost, again at most 1."""
    return min(1.0, min(1.0, base * (1 + risk * hidden / gross)) + decimal(boost) * base)


def audit(desk: Desk, accounts: list[Account], rng: Rng) -> None:
    """Draw for each worker that hides something whether it is audited, and finds all; then for boosted honest ones."""
    terms = desk.config.misreporting
    if not terms.enabled:
        return
    for seat, account in enumerate(accounts):
        hidden = account.gross - account.reported
        if hidden <= 0:
            continue
        base, risk = terms.audit_probability, terms.risk_based_audit_multiplier
        chance = audit_chance(base, risk, hidden, account.gross, desk.boost[seat])
        evaded = max(0, tax_due(desk.schedule, account.gross, desk.terms.smoothing) - account.owed)
        if rng.chance(chance, "audit", seat):
            accounts[seat] = _fined(desk, seat, replace(account, outcome="caught", chance=chance, evaded=evaded))
        else:
            accounts[seat] = replace(account, outcome="missed", chance=chance, evaded=evaded)
            desk.facts.append(("audit_miss", seat, hidden))
    for seat, account in enumerate(accounts):
        boost = desk.boost[seat]
        chance = min(1.0, decimal(boost) * terms.audit_probability)
        is_honest = account.outcome == "none" and account.gross == account.reported
        if is_honest and boost and rng.chance(chance, "check", seat):
            accounts[seat] = replace(account, outcome="cleared", chance=chance)
            desk.audits[seat] += 1
            desk.facts.append(("audit_false_positive", seat, boost))


def _fined(desk: Desk, seat: int, account: Account) -> Account:
    """The fine of one that is caught: evaded tax times the multiplier, as far as its coin goes."""
    owed = round(account.evaded * desk.config.misreporting.fine_multiplier)
    fine = min(owed, desk.coin[seat])
    desk.coin[seat] -= fine
    desk.treasury += fine
    desk.fines[seat] += fine
    desk.audits[seat] += 1
    desk.catches[seat] += 1
    hidden = account.gross - account.reported
    desk.facts.append(("audit_caught", seat, hidden, account.evaded, fine, desk.catches[seat], owed, owed - fine))
    return replace(account, fined=fine, fine_owed=owed)


def freeze_repeaters(desk: Desk, accounts: list[Account]) -> None:
    """Who is caught for the N-th time or more is frozen through epoch e + M; whose freeze ends here thaws."""
    terms = desk.config.misreporting
    for seat, account in enumerate(accounts):
        caught = account.outcome == "caught" and terms.freeze_on_repeat
        if caught and desk.catches[seat] >= terms.freeze_after_n_catches:
            desk.frozen[seat] = desk.epoch + terms.freeze_duration_epochs
            desk.facts.append(("freeze", seat, desk.frozen[seat]))
        elif desk.frozen[seat] == desk.epoch:
            desk.frozen[seat] = NEVER
            desk.facts.append(("unfreeze", seat))


def share_out(desk: Desk, accounts: list[Account]) -> None:
    """With lump sums: the treasury in equal parts to all workers, whole millionths; what is left over stays in it."""
    each = desk.treasury // len(accounts)
    if desk.config.taxation.redistribution == "none" or not each:
        return
    desk.treasury -= each * len(accounts)
    for seat, account in enumerate(accounts):
        desk.coin[seat] += each
        accounts[seat] = replace(account, shared=each)
        desk.facts.append(("redistribution", seat, each))
