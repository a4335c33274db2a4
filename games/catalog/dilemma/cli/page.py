"""The read-only page on finished matches: one file that holds its data, for a run folder or for a tournament.

It chooses condition and replicate and shows moves, running totals and measures; and, where every two of at least three
agents met, the matrix, whose cells open their match. Nothing is played again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from games.catalog.dilemma.cli.averages import AVERAGES
from games.catalog.dilemma.config import Payoffs
from games.catalog.dilemma.metrics import average
from games.catalog.dilemma.policies import POLICIES, label
from games.catalog.dilemma.tournament import Results
from games.core.measures import ratio
from games.lab.faults import BadFolder, Fault
from games.lab.folder import AGGREGATES
from games.lab.reading import RunFolder

PAGE: Final = Path(__file__).with_name("page.html")
SAMPLES: Final = 5
"""Matches of a pair that a tournament's page holds; its files hold them all."""


def page(data: Mapping[str, Any]) -> str:
    """The page with its data inside; no text of the data can end the element that holds it."""
    held = json.dumps(data, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
    return PAGE.read_text("utf-8").replace(">DATA<", f">{held}<", 1)


def of_folder(folder: RunFolder) -> dict[str, Any]:
    """A run folder as the page shows it. Raises `BadFolder` where it is no folder of this game."""
    if folder.game != "dilemma":
        raise BadFolder([Fault(str(folder.path), "", f"holds runs of {folder.game}; use polity view")])
    measured = _rows(folder.path / AGGREGATES, ("condition", "replicate"))
    averaged = _rows(folder.path / AVERAGES, ("condition",))
    numbers = {name: number for number, name in enumerate(folder.conditions)}
    matches = []
    for entry in folder.entries:
        moves: list[list[str]] = [[], []]
        is_void = False
        for record in folder.records(entry, 1):
            for event in record["events"]:
                if event["kind"] == "round_played":
                    moves[0].append(event["data"]["a"])
                    moves[1].append(event["data"]["b"])
                is_void = is_void or event["kind"] == "match_voided"
        matches.append(
            {
                "condition": numbers[entry.condition],
                "replicate": entry.replicate,
                "seed": str(entry.seed),
                "a": "".join(moves[0]),
                "b": "".join(moves[1]),
                "is_void": is_void,
                "metrics": measured.get((entry.condition, entry.replicate), {}),
            }
        )
    conditions = []
    for name, told in folder.conditions.items():
        config = told["config"]
        payoffs = Payoffs(*(config[letter] for letter in Payoffs._fields))
        runs = [values for (condition, _), values in measured.items() if condition == name]
        conditions.append(
            {
                "name": name,
                "names": [_agent(agent, payoffs) for agent in told["agents"]],
                "payoffs": _table(payoffs),
                "averages": averaged.get((name,)) or average(runs),
            }
        )
    scenario = folder.manifest["scenario"]
    return {
        "title": f"Dilemma: {scenario['name']}",
        "about": f"{len(conditions)} conditions, {len(matches)} matches. Read-only.",
        "conditions": conditions,
        "matches": matches,
    }


def of_tournament(held: Results) -> dict[str, Any]:
    """A tournament as the page shows it: each pair a condition, with its first matches."""
    config = held.tournament.config
    totals_a, totals_b = held.totals
    counts = held.matches.counts().tolist()
    numbers: dict[tuple[int, int], int] = {pair: number for number, pair in enumerate(held.tournament.pairs())}
    matches = []
    for n, (i, j, repetition) in enumerate(held.cells):
        if repetition >= SAMPLES:
            continue
        a, b = held.matches.moves(n)
        cc, cd, dc, _ = counts[n]
        metrics = {
            "mean_payoff_a": ratio(totals_a[n], len(a)),
            "mean_payoff_b": ratio(totals_b[n], len(a)),
            "cooperation_rate_a": ratio(cc + cd, len(a)),
            "cooperation_rate_b": ratio(cc + dc, len(a)),
        }
        seed = str(held.matches.played[n].seed)
        told = {"condition": numbers[i, j], "replicate": repetition + 1, "seed": seed, "a": a, "b": b}
        matches.append({**told, "is_void": not a, "metrics": metrics})
    names = held.names
    conditions = [
        {
            "name": f"{names[i]} vs {names[j]}",
            "names": [names[i], names[j]],
            "payoffs": _table(config.payoffs),
            "points": [held.payoff_matrix[i][j], held.payoff_matrix[j][i]],
            "averages": {
                "mean_payoff_a": held.payoff_matrix[i][j],
                "mean_payoff_b": held.payoff_matrix[j][i],
                "cooperation_rate_a": held.cooperation_matrix[i][j],
                "cooperation_rate_b": held.cooperation_matrix[j][i],
            },
        }
        for i, j in numbers
    ]
    asked = held.tournament
    return {
        "title": "Dilemma: round robin",
        "about": f"{len(names)} agents x {asked.repetitions} repetitions, self-matches {asked.self_play}, slips "
        f"{config.noise_a:g} and {config.noise_b:g}. The first {min(SAMPLES, asked.repetitions)} matches of each pair.",
        "conditions": conditions,
        "matches": matches,
    }


def _table(payoffs: Payoffs) -> dict[str, list[float]]:
    t, r, p, s = payoffs
    return {"CC": [r, r], "CD": [s, t], "DC": [t, s], "DD": [p, p]}


def _agent(told: Mapping[str, Any], payoffs: Payoffs) -> str:
    """The agent's name as the folder tells it, with whatever chance a strategy plays by."""
    if told.get("kind") == "llm":
        return f"{told['model']} ({told['persona']}: {told['label']})"
    if told.get("policy") in POLICIES:
        return label(told["policy"], told["params"], payoffs)
    return str(told.get("policy", told["name"]))


def _rows(path: Path, keys: tuple[str, ...]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """A table's rows by their keys; none where the table is missing."""
    if not path.is_file():
        return {}
    parquet: Any = import_module("pyarrow.parquet")
    rows = parquet.read_table(path).to_pylist()
    dropped = {*keys, "seed", "steps", "replicates"}
    return {
        tuple(row[key] for key in keys): {name: value for name, value in row.items() if name not in dropped}
        for row in rows
    }


def server(text: str, port: int) -> ThreadingHTTPServer:
    """A server of the one page on this machine's loopback address; port 0 takes a free one."""
    body = text.encode()

    class Handler(BaseHTTPRequestHandler):
        server_version = "pdbench-ui"
        sys_version = ""

        def do_GET(self) -> None:
            host = self.headers.get("Host", "").rpartition(":")[0]
            here = host in ("127.0.0.1", "localhost")
            status = HTTPStatus.FORBIDDEN if not here else HTTPStatus.OK if self.path == "/" else HTTPStatus.NOT_FOUND
            sent = body if status == HTTPStatus.OK else escape(f"{status} {status.phrase}\n").encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(sent)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: the shell stays quiet."""

    served = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    served.daemon_threads = True
    return served
