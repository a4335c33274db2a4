"""Whether a seat has an advantage, game by game: ``python -m tests.bench.evenness SEEDS [GAME]...``.

Small settings, so that luck leaves a narrow interval; every policy that does not reckon takes each seat.
"""

from __future__ import annotations

import sys
import time
from typing import Any, Final

from games.core.registry import Registry
from games.lab.scenarios.scenario import load
from games.laws.evenness import evened

SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "dilemma": {"rounds": 20, "noise_a": 0.05, "noise_b": 0.05},
    "mining": {"miners": 6, "rows": 7, "cols": 7, "rounds": 40},
    "economist": {"workers": 4, "epochs": 4, "map": {"height": 10, "width": 10}},
    "nations": {"turns": 12},
    "commons": {},
    "public_goods": {},
    "stag_hunt": {},
    "adasociety/negotiation-easy": {},
    "adasociety/exploration": {},
}


def main(args: list[str]) -> None:
    seeds = range(1, int(args[0] if args else 200) + 1)
    registry = Registry()
    for name in args[1:] or SETTINGS:
        game, _, preset = name.partition("/")
        pack, module, began = registry.get(game), registry.module(game), time.process_time()
        config = load(name, registry).conditions[0].config if preset else pack.game.config_type(**SETTINGS[name])
        *_, found = evened(pack, module, config, {}, seeds)
        furthest, widest = max(found, key=lambda one: abs(one.share or 0)), max(one.half or 0 for one in found)
        verdicts = sorted({one.verdict for one in found})
        sys.stdout.write(
            f"| {name} | {len(found)} | {furthest.mean:,.1f} | {furthest.name} {furthest.share or 0:+.2%} "
            f"| ±{widest:.2%} | {', '.join(verdicts)} | {len(seeds)} | {time.process_time() - began:,.0f} s |\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
