"""How fast the batch form of a matrix game plays, for `polity bench`."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from typing import Any, Final

from games.declare.batch import MatrixBatch, Memory

PAIRS: Final = 1000


def timings(batch: MatrixBatch, repeats: int) -> list[dict[str, Any]]:
    """Rounds a second of a thousand pairs at once, for `polity bench`; nothing where no policy is a table."""
    config = batch.game.config_type(rounds=200)
    named = [name for name, recall in batch.made.recalls.items() if recall == 1]
    if not named:
        return []
    rows = [[batch.memory(config, batch.made.policies[name].bind(), seat) for name in named] for seat in (0, 1)]
    pairs = [(rows[0][n % len(named)], rows[1][n // len(named) % len(named)]) for n in range(PAIRS)]
    best = min(_seconds(batch, config, pairs) for _ in range(repeats))
    case = f"{PAIRS} pairs x 200 rounds at once, with totals"
    return [{"case": case, "seconds": best, "rounds_per_s": PAIRS * 200 / best}]


def _seconds(batch: MatrixBatch, config: Any, pairs: Sequence[tuple[Memory, Memory]]) -> float:
    began = process_time()
    batch.play(config, pairs)
    return process_time() - began
