"""One trial of a source: which law finds it out first, or the digests of what it plays.

Run as ``python -m games.laws.mutation.trial``: an order as JSON on its input, what came of it as JSON on its output.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from games.core.registry import BrokenGame
from games.laws import GAME_LAWS, LAWS
from games.laws.case import Case, case_from_json
from games.laws.checking import put
from games.laws.golden import golden_traces_replay
from games.laws.mutation.bytes import digest
from games.laws.origins import pack_at

FIRST: Final = 2
"""So many cases are held to all laws of a case before any other is."""
LOADING: Final = "loading"
"""Stands for a law where a source cannot even be loaded, or refuses a preset."""


def tried(order: Mapping[str, Any]) -> dict[str, Any]:
    """``law`` that failed first (None: all hold), what it ``saw``, and the ``seconds`` of each; or ``digests``."""
    try:
        pack = pack_at(order["origin"])
        cases = [case_from_json(pack, stored) for stored in order["cases"]]
    except (BrokenGame, ValueError) as error:
        return {"law": LOADING, "saw": str(error), "seconds": {}, "digests": []}
    if order["mode"] == "bytes":
        return {"law": None, "saw": "", "seconds": {}, "digests": [_digest(case) for case in cases]}
    seconds: dict[str, float] = {}
    for law, subject in _ordered(cases, order.get("last", ())):
        began = time.perf_counter()
        wrong, _ = put(law, subject)
        seconds[law.__name__] = seconds.get(law.__name__, 0.0) + time.perf_counter() - began
        if wrong is not None:
            return {"law": law.__name__, "saw": wrong, "seconds": seconds, "digests": []}
    return {"law": None, "saw": "", "seconds": seconds, "digests": []}


def _ordered(cases: Sequence[Case], last: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    """Laws with what they are put to: those of the first cases, of the game, of the other cases; dear ones ``last``,
    and golden traces after all, which tell nothing of the fault."""
    for case in cases[:FIRST]:
        yield from ((law, case) for law in LAWS)
    for game_law in GAME_LAWS:
        if game_law.__name__ not in last and game_law is not golden_traces_replay:
            yield game_law, cases
    for case in cases[FIRST:]:
        yield from ((law, case) for law in LAWS)
    for game_law in GAME_LAWS:
        if game_law.__name__ in last:
            yield game_law, cases
    yield golden_traces_replay, cases


def _digest(case: Case) -> str:
    """What raises is told apart by how it does."""
    try:
        return digest(case)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.stdout.write(json.dumps(tried(json.load(sys.stdin))))
