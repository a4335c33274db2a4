"""Fifty pairs of people, each pair in a match of its own: how long an acknowledgement and how long a round takes.

``python -m tests.bench.pairs ADDRESS THINK_S CODE ...``. Each joins by their match's code, thinks so long in each turn,
give or take a half, and moves by their socket. A round lasts from the later of the two moves to the frame of its step
at each of them. Prints one line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import defaultdict
from typing import Any

import aiohttp

from tests.bench.players import JOIN_AT_ONCE, Player


class Paired(Player):
    """A player who notes when what came."""

    def __init__(self, number: int, address: str, code: str, think_s: float) -> None:
        super().__init__(number, address, code)
        self.think_s = think_s
        self.came: dict[int, float] = {}

    def heard(self, told: Any) -> None:
        if told["type"] in ("frame", "snapshot") and told["frame"]:
            self.came.setdefault(told["frame"]["n"], time.perf_counter())

    async def _moves(self, socket: aiohttp.ClientWebSocketResponse, id_: str, step: int) -> None:
        await asyncio.sleep(self.think_s * (0.5 + self.chance.random()))
        self.sent[id_] = time.perf_counter()
        await socket.send_str(json.dumps({"type": "move", "id": id_, "step": step, "pass": True}))


def figures(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        f"p{share}": round(1000 * ordered[min(len(ordered) - 1, len(ordered) * share // 100)], 1) for share in (50, 99)
    }


async def measured(address: str, think_s: float, codes: list[str]) -> dict[str, Any]:
    seats = [code for code in codes for _ in "ab"]
    players = [Paired(number, address, code, think_s) for number, code in enumerate(seats)]
    gate = asyncio.Semaphore(JOIN_AT_ONCE)
    began = time.perf_counter()
    await asyncio.gather(*(player.plays(gate) for player in players))
    pairs: dict[str, list[Paired]] = defaultdict(list)
    for player in players:
        pairs[player.code].append(player)
    rounds = []
    for pair in pairs.values():
        for id_ in pair[0].sent:
            step, later = int(id_.split("-")[1]), max(one.sent.get(id_, 0.0) for one in pair)
            rounds += [one.came[step] - later for one in pair if step in one.came]
    moves = sum(len(player.acknowledged) for player in players)
    return {
        "people": len(players),
        "moves": moves,
        "moves_s": round(moves / (time.perf_counter() - began), 1),
        "refused": [text for player in players for text in player.refused][:5],
        "ack_ms": figures([wait for player in players for wait in player.waits]),
        "round_ms": figures(rounds),
        "rounds": len(rounds),
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measured(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))))  # noqa: T201
