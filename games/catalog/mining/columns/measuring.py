"""What `metrics` counts of a round, over columns: of all worlds at once, to the same numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from games.catalog.mining.columns.world import DEFEND, MINE, RAID, Plans, Worlds
from games.catalog.mining.land import bound, reachable
from games.catalog.mining.metrics import AGES, YOUNGEST, measures_of
from games.catalog.mining.state import KINDS, NOBODY
from games.core.answers import JSON
from games.core.draws import Flags, Ints
from games.core.measures import gini, hhi


def measures(before: Worlds, plans: Plans, after: Worlds) -> Sequence[Mapping[str, JSON]]:
    """By world its measures. No plan of a policy over columns is drawn."""
    last = after.last
    assert last is not None
    raids, many = last.raids, after.many
    raided, taken = np.zeros((2, *after.owners.shape), np.bool_)
    raided[raids.world, raids.plot] = True
    won = raids.winner != NOBODY
    taken[raids.world[won], raids.plot[won]] = True
    tried, captured = after.raid_counts()
    claimed = np.bincount(last.claims.world, last.claims.counts, many).astype(np.int64)
    claims_won = np.bincount(last.claims.world, minlength=many)
    tallies = {
        "claims": claimed,
        "claims_won": claims_won,
        "raids": tried,
        "captures": captured,
        "defences": last.defended.sum(axis=1),
        "defences_triggered": (last.defended & raided).sum(axis=1),
        "turnovers": ((before.owners != after.owners) & (before.owners != NOBODY)).sum(axis=1),
        "drawn_plans": np.zeros(many, np.int64),
    }
    spent, ready, lost, idle = _stamina(after, plans, raided, taken)
    stamina = after.stamina.sum(axis=1)
    counts = {
        "owned_at_start": (before.owners != NOBODY).sum(axis=1),
        "own_raids": spent[RAID],
        "own_seats": np.full(many, after.miners),
        "own_stamina": stamina,
        "stamina": stamina,
        "spent": spent.sum(axis=0),
        "wasted": tried - captured + claimed - claims_won + lost,
        "idle_defence": idle,
        **{f"spent_{kind}": of_kind for kind, of_kind in zip(KINDS, spent, strict=True)},
        **_exposures(before, raided, ready),
    }
    cap, held = after.config.mine_cap, (after.owners != NOBODY).sum(axis=1)
    sizes = after.holdings.counts.reshape(many, -1)
    columns = zip(
        _rows(tallies), _rows(counts), after.fixed,
        *(one.tolist() for one in (last.output, held, after.gold, sizes, after.treasury, after.owners)), strict=True,
    )  # fmt: skip
    return [
        measures_of(
            output, bound(cap, alpha), reachable(cap, alpha, each), tally, count, plots, gini(gold), hhi(shares),
            treasury, owners,
        )
        for tally, count, (alpha, each), output, plots, gold, shares, treasury, owners in columns
    ]  # fmt: skip


def _rows(columns: Mapping[str, Ints]) -> list[dict[str, Any]]:
    """By world the numbers by name."""
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _stamina(after: Worlds, plans: Plans, raided: Flags, taken: Flags) -> tuple[Ints, Flags, Ints, Ints]:
    """Stamina spent, kinds by worlds; worlds by seats, who left some of it idle or raided with it; by world what was
    mined on plots that were lost before, and what of defence stood where nobody raided."""
    many, miners = after.many, after.miners
    line, kind, plot, s = plans.orders
    world = line // miners

    def summed(which: Flags, by: Ints, places: int) -> Ints:
        sums: Ints = np.bincount(by[which], s[which], places).astype(np.int64)
        return sums

    spent = np.stack([summed(kind == of, world, many) for of in range(len(KINDS))])
    used = summed(kind != RAID, line, many * miners).reshape(many, miners)
    lost = summed((kind == MINE) & taken[world, plot], world, many)
    idle = summed((kind == DEFEND) & ~raided[world, plot], world, many)
    return spent, after.stamina > used, lost, idle


def _exposures(before: Worlds, raided: Flags, ready: Flags) -> dict[str, Ints]:
    """As `metrics._exposures`, by world."""
    first, owners = before.first, before.owners
    many_ready = ready.sum(axis=1)[:, None]
    by_another = (many_ready > 1) | ((many_ready == 1) & ~np.take_along_axis(ready, np.maximum(owners, 0), axis=1))
    exposed = (owners == first) & (owners != NOBODY) & (before.immune_until <= before.round) & by_another
    age = before.round + 1 - before.since
    counts: dict[str, Ints] = {}
    for name, plots in (("exposures", exposed), ("violations", exposed & raided)):
        counts[name] = plots.sum(axis=1)
        for (ages, _, _), youngest, older in zip(AGES, YOUNGEST, (*YOUNGEST[1:], np.inf), strict=True):
            counts[f"{name}_{ages}"] = (plots & (age >= youngest) & (age < older)).sum(axis=1)
    return counts
