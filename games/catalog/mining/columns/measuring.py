"""What `metrics` counts of a round, over columns: of all worlds at once, to the same numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.catalog.mining.columns.world import DEFEND, MINE, RAID, Orders, Plans, Worlds
from games.catalog.mining.land import bound, reachable
from games.catalog.mining.metrics import AGES, YOUNGEST, measures_of
from games.catalog.mining.state import KINDS, NOBODY
from games.core.answers import JSON
from games.core.batch import Played, beside
from games.core.draws import Flags, Ints
from games.core.measures import hhi


def measures(rounds: Sequence[Played[Worlds, Plans]]) -> Sequence[Mapping[str, JSON]]:
    """Round by round, and in each by world, its measures. No plan of a policy over columns is drawn."""
    before, after = Worlds.beside([one.before for one in rounds]), Worlds.beside([one.after for one in rounds])
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
    orders: Orders = beside([one.actions.orders for one in rounds], line=[one.after.gold.size for one in rounds])
    spent, ready, lost, idle = _stamina(after, orders, raided, taken)
    stamina, first = after.stamina.sum(axis=1), rounds[0].before
    now = np.repeat([one.before.round for one in rounds], first.many)
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
        **_exposures(before, now[:, None], raided, ready),
    }
    caps = first.terms.cap.tolist()
    fixed = [(bound(cap, *one[:1]), reachable(cap, *one)) for cap, one in zip(caps, first.fixed, strict=True)]
    most = np.array(fixed * len(rounds))
    sizes = np.concatenate([one.after.holdings.counts for one in rounds]).reshape(many, -1)
    measured = measures_of(
        last.output, most[:, 0], most[:, 1], tallies, counts, (after.owners != NOBODY).sum(axis=1),
        _gini(after.gold), list(map(hhi, sizes.tolist())), after.treasury, after.owners, _ratio,
    )  # fmt: skip
    return _rows({**measured, "counts": _rows(counts)})


def _rows(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """By world the values by name."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*map(_values, columns.values()), strict=True)]


def _values(column: Any) -> list[Any]:
    if not isinstance(column, np.ndarray):
        return list(column)
    values: list[Any] = column.tolist()
    return [None if value != value else value for value in values] if column.dtype == np.float64 else values


def _gini(gold: Ints) -> NDArray[np.float64]:
    """`gini` by world: whole numbers are summed exactly, in any order."""
    many, total = gold.shape[1], gold.sum(axis=1)
    weighed = (np.sort(gold, axis=1) * np.arange(1 - many, many, 2)).sum(axis=1)
    found = np.zeros(len(gold))
    np.divide(weighed, many * total.astype(np.float64), out=found, where=total != 0)
    return found


def _ratio(part: Ints, whole: Ints) -> Any:
    """`ratio` by world; NaN where it is undefined."""
    return np.divide(part, whole, out=np.full(whole.shape, np.nan), where=whole != 0)


def _stamina(after: Worlds, orders: Orders, raided: Flags, taken: Flags) -> tuple[Ints, Flags, Ints, Ints]:
    """Stamina spent, kinds by worlds; worlds by seats, who left some of it idle or raided with it; by world what was
    mined on plots that were lost before, and what of defence stood where nobody raided."""
    many, miners = after.many, after.miners
    line, kind, plot, s = orders
    world = line // miners

    def summed(which: Flags, by: Ints, places: int) -> Ints:
        sums: Ints = np.bincount(by[which], s[which], places).astype(np.int64)
        return sums

    spent = np.stack([summed(kind == of, world, many) for of in range(len(KINDS))])
    used = summed(kind != RAID, line, many * miners).reshape(many, miners)
    lost = summed((kind == MINE) & taken[world, plot], world, many)
    idle = summed((kind == DEFEND) & ~raided[world, plot], world, many)
    return spent, after.stamina > used, lost, idle


def _exposures(before: Worlds, now: Ints, raided: Flags, ready: Flags) -> dict[str, Ints]:
    """As `metrics._exposures`, by world; ``now`` is the round before, by world."""
    first, owners = before.first, before.owners
    many_ready = ready.sum(axis=1)[:, None]
    by_another = (many_ready > 1) | ((many_ready == 1) & ~np.take_along_axis(ready, np.maximum(owners, 0), axis=1))
    exposed = (owners == first) & (owners != NOBODY) & (before.immune_until <= now) & by_another
    age = now + 1 - before.since
    counts: dict[str, Ints] = {}
    for name, plots in (("exposures", exposed), ("violations", exposed & raided)):
        counts[name] = plots.sum(axis=1)
        for (ages, _, _), youngest, older in zip(AGES, YOUNGEST, (*YOUNGEST[1:], np.inf), strict=True):
            counts[f"{name}_{ages}"] = (plots & (age >= youngest) & (age < older)).sum(axis=1)
    return counts
