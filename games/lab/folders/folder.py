"""The run folder: one name, one run, written beside its place and moved there when complete.

::

    run_manifest.json    configs and their hashes, agents, seeds, versions, platform, the log's digests, timestamps
    rounds.jsonl         a record a step: turn, cleaned actions, notes, flags, events, payoffs, chained hash, metrics
    events.jsonl         a line an event
    decisions.jsonl      a line a seat and step: cleaned action, notes, flags
    calls.jsonl          a line a call, where models play: see `calllog`
    aggregates.parquet   metrics by condition and replicate; null where undefined
    runs/CONDITION/REPLICATE/    the files that the game's own source names (at the top where there is one run)

Several runs are packed (`packing`): rounds and calls as frames, and nothing that they tell already. `unpacking` gives
the plain form. The manifest has the digest of every other file, and a seal over itself: see `sealing`. Two runs of one
plan give the same bytes, but for ``timestamps`` in the manifest and the seal over them. No path is in any file.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from agents_app.pricing import price_for
from games.core.codec import SCHEMA, config_hash
from games.core.plugs import KINDS, plugs
from games.lab.folders.calllog import CALLS
from games.lab.folders.recorder import EXPORT, LOGS, STEPS
from games.lab.folders.runspec import Played
from games.lab.folders.sealing import MANIFEST
from games.lab.scenarios.scenario import Condition, Scenario
from games.lab.scenarios.seating import ModelSeat

AGGREGATES: Final = "aggregates.parquet"
RUNS: Final = "runs"
_OWN: Final = frozenset({MANIFEST, AGGREGATES, RUNS, CALLS, STEPS, *LOGS})


class Gathering:
    """Puts the parts of single runs together, in their order."""

    def __init__(self, folder: Path, runs: int) -> None:
        self.folder, self.alone = folder, runs == 1
        self.files = {name: (folder / name).open("wb") for name in LOGS}
        self.digests = {name: blake2b(digest_size=16) for name in LOGS}

    def part(self, number: int) -> Path:
        """Where the run of that number writes."""
        return self.folder / "parts" / str(number)

    def add(self, number: int, played: Played) -> None:
        """Take over a finished run's files."""
        part = self.part(number)
        for name in (STEPS, CALLS):
            if (part / name).is_file() and name not in self.files:
                self.files[name] = (self.folder / name).open("wb")
                self.digests[name] = blake2b(digest_size=16)
        for name, file in self.files.items():
            if not (part / name).is_file():
                continue
            with (part / name).open("rb") as source:
                while block := source.read(1 << 20):
                    file.write(block)
                    self.digests[name].update(block)
        export = part / EXPORT
        if export.is_dir() and any(export.iterdir()):
            self._place(export, played)
        shutil.rmtree(part)

    def _place(self, export: Path, played: Played) -> None:
        if not self.alone:
            home = self.folder / RUNS / played.condition / str(played.replicate)
            home.parent.mkdir(parents=True, exist_ok=True)
            export.rename(home)
            return
        for path in sorted(export.iterdir()):
            if path.name in _OWN:
                raise RuntimeError(f"the game's export writes {path.name}, which is the run folder's own")
            path.rename(self.folder / path.name)

    def close(self) -> dict[str, str]:
        """The logs' digests by name."""
        for file in self.files.values():
            file.close()
        shutil.rmtree(self.folder / "parts", ignore_errors=True)
        return {name: digest.hexdigest() for name, digest in self.digests.items()}


def manifest_of(
    scenario: Scenario, played: Sequence[Played] | None, digests: Mapping[str, str], started: datetime
) -> dict[str, Any]:
    """All that is needed to play the runs again, and to tell whether the log is what was written.

    ``played`` None: what the runs came to stands in a file beside it (`packing`).
    """
    game = scenario.pack.game
    return {
        "schema": SCHEMA,
        "game": game.slug,
        "rules_version": game.rules_version,
        "scenario": {
            "name": scenario.name,
            "title": dict(scenario.title),
            "about": dict(scenario.about),
            **({"changes": dict(scenario.changes)} if scenario.changes else {}),
        },
        "plan_hash": scenario.plan_hash(),
        "conditions": [_condition(scenario, condition) for condition in scenario.conditions],
        **({} if scenario.experiment is None else {"experiment": scenario.experiment.plain()}),
        "seeds": list(scenario.seeds),
        **({} if played is None else {"runs": [_told(one) for one in played]}),
        "files": dict(digests),
        **machine(),
        **prices_of(scenario),
        "timestamps": {"started": stamp(started), "finished": stamp(datetime.now(UTC))},
        **({"tournament": dict(scenario.tournament)} if scenario.tournament else {}),
    }


def _told(one: Played) -> dict[str, Any]:
    return {name: value for name, value in one.plain().items() if name != "metrics"}


def _condition(scenario: Scenario, condition: Condition) -> dict[str, Any]:
    game = scenario.pack.game
    specs = game.seats(condition.config)
    return {
        "name": condition.name,
        "title": dict(condition.title),
        "about": dict(condition.about),
        "config": condition.config.model_dump(mode="json"),
        "config_hash": config_hash(game, condition.config),
        "agents": [
            {"seat": seat, "name": spec.name, "role": spec.role, **agent.plain()}
            for seat, (spec, agent) in enumerate(zip(specs, condition.seats, strict=True))
        ],
    }


def prices_of(scenario: Scenario) -> dict[str, Any]:
    """What a million tokens of each model that it asks cost now; nothing where no price is known."""
    seats = [agent for one in scenario.conditions for agent in one.seats if isinstance(agent, ModelSeat)]
    found = {agent.profile.model: price for agent in seats if (price := price_for(agent.profile)) is not None}
    told = {name: price.model_dump(mode="json", exclude_none=True) for name, price in found.items()}
    return {"prices": told} if told else {}


def machine() -> dict[str, Any]:
    """What plays and computes here: versions of all that results rest on, the commit of a checkout, the platform."""
    return {
        "versions": {"python": ".".join(str(part) for part in sys.version_info[:3]), **_packages(), **commit()},
        "platform": {
            "system": platform.system(),
            "machine": platform.machine(),
            "implementation": platform.python_implementation(),
        },
        **_plugged(),
    }


def _plugged() -> dict[str, Any]:
    """What other packages plug in here: package, version and digest, by kind and name; nothing where none does."""
    found = {f"{kind}/{one.name}": one for kind in KINDS for one in plugs(kind).values()}
    told = {name: {"package": one.package, "version": one.version, "digest": one.digest} for name, one in found.items()}
    return {"plugins": told} if told else {}


@lru_cache(maxsize=1)
def _packages() -> dict[str, str]:
    found = {}
    for name in ("polity-lab", "numpy", "pyarrow", "pydantic", "scipy", "statsmodels", "numba", "backports.zstd"):
        try:
            found[name.removesuffix("-lab")] = version(name)
        except PackageNotFoundError:
            found[name.removesuffix("-lab")] = "not installed"
    return found


@lru_cache(maxsize=1)
def commit() -> dict[str, str]:
    """The commit of the checkout that this runs from, with "+" where files were changed; nothing where it is none."""
    root = Path(__file__).parents[3]
    if not (root / ".git").exists():
        return {}
    ask = ["git", "-C", str(root), "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty=+"]
    try:
        answer = subprocess.run(ask, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    return {"commit": answer.stdout.strip()} if answer.returncode == 0 else {}


def stamp(moment: datetime) -> str:
    """ISO 8601 in UTC, to the millisecond."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
