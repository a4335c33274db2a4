"""What reckoning is worth, and what it costs: ``python -m tests.bench.reckoners [SEEDS] [GAME]...``.

One seat is played in turn by each of the game's policies, all others by the defaults of their roles, on small settings.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from games.core.agents import Request, deciding
from games.core.engine import play
from games.core.pack import Pack
from games.core.registry import get
from games.lab.analysis.testing import paired_difference

SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "dilemma": {"rounds": 20},
    "mining": {"miners": 4, "rows": 4, "cols": 4, "stamina": 6, "rounds": 12},
    "nations": {"turns": 8},
    "stag_hunt": {},
    "ultimatum": {},
    "public_goods": {},
    "commons": {},
    "auction": {},
}


@dataclass(frozen=True)
class Row:
    """What a policy earned by seed, and how many decisions it takes in a second of processor time."""

    policy: str
    earned: list[float]
    pace: float


def rows(pack: Pack, config: Any, seeds: range) -> Iterator[Row]:
    roles = [spec.role for spec in pack.game.seats(config)]
    for name, spec in pack.policies.items():
        if not spec.can_play(roles[0]):
            continue
        spent, decisions, earned = 0.0, 0, []
        own = deciding(spec.bind())

        def timed(request: Request[Any, Any]) -> Any:
            nonlocal spent, decisions
            began = time.process_time()
            decision = own(request)  # noqa: B023 - called within this turn of the loop
            spent, decisions = spent + time.process_time() - began, decisions + 1
            return decision

        for seed in seeds:
            deciders: dict[int, Any] = {
                seat: deciding(pack.policies[pack.default_for(role)].bind()) for seat, role in enumerate(roles)
            }
            deciders[0] = timed
            earned.append(float(sum(step.payoffs.get(0, 0) for step in play(pack.game, config, seed, deciders))))
        yield Row(name, earned, decisions / max(spent, 1e-9))


def main(args: list[str]) -> None:
    seeds = range(1, int(args[0] if args else 20) + 1)
    for slug in args[1:] or SETTINGS:
        pack = get(slug)
        found = {row.policy: row for row in rows(pack, pack.game.config_type(**SETTINGS[slug]), seeds)}
        scripted = [row for name, row in found.items() if not pack.policies[name].reckons]
        best = max(scripted, key=lambda row: sum(row.earned))
        sys.stdout.write(
            f"{slug}: {len(seeds)} seeds, best scripted {best.policy} {sum(best.earned) / len(seeds):,.2f}\n"
        )
        for name in ("lookahead", "adaptive", "imitator"):
            if name not in found:
                continue
            for other in (best.policy, *(one for one in ("random", "RANDOM") if one in found)):
                gaps = [own - base for own, base in zip(found[name].earned, found[other].earned, strict=True)]
                gap = paired_difference(gaps)
                sys.stdout.write(
                    f"  {name} {sum(found[name].earned) / len(seeds):,.2f}, over {other} {gap.estimate:,.2f} "
                    f"[{gap.low:,.2f}, {gap.high:,.2f}], {found[name].pace:,.0f} decisions/s\n"
                )


if __name__ == "__main__":
    main(sys.argv[1:])
