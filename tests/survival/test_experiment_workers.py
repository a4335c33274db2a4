"""Two bulk workers, each with a home of its own, on one PostgreSQL and one Redis: the bytes of one worker alone.

Which steps share a frame depends on which were stored together; what they say, and their hashes, do not.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from games.site.record.blobs import Base
from tests.sites import POLITY, ROOT, Site, serve
from tests.survival.test_experiment_kills import numbers

DOCUMENT: dict[str, Any] = {
    "base": "mining/mixed",
    "config": {"rounds": 400},
    "factors": {"cap": {"field": "mine_cap", "levels": [2, 3]}},
    "seeds": "1..6",
    "hypotheses": {"H1": {"metric": "gini", "of": "*", "direction": "differs"}},
}
STORED = """
    select cell.condition, cell.replicate, step.index, step.stage, step.hash, step.record, step.position, snapshot.body
    from games_step step join games_cell cell on cell.run_id = step.run_id
    join games_experiment experiment on experiment.id = cell.experiment_id
    left join games_snapshot snapshot on snapshot.run_id = step.run_id and snapshot.index = step.index
    where experiment.slug = %s order by 1, 2, 3
"""


def parent_of(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


class Workers:
    """A site with one process for bulk runs, and a second such worker beside it that comes and goes."""

    def __init__(self, place: Path, postgres_url: str, redis_url: str) -> None:
        self.place, self.postgres_url = place, postgres_url
        self.shared = {"DATABASE_URL": postgres_url, "REDIS_URL": redis_url, "POLITY_BULK_PROCESSES": "1"}
        self.second: subprocess.Popen[bytes] | None = None
        self.begun = 0
        self.site: Site = serve([POLITY], ROOT, place / "first", place / "first.log", "--no-demo", environ=self.shared)

    def join(self) -> None:
        """The second worker, anew where it was killed."""
        kept = {name: text for name, text in os.environ.items() if not name.startswith(("POLITY_", "DJANGO_"))}
        self.begun += 1
        with (self.place / f"second-{self.begun}.log").open("wb") as out:
            self.second = subprocess.Popen(
                [POLITY, "worker", "--queue", "bulk", "--concurrency", "1"],
                cwd=ROOT,
                env={**kept, **self.shared, "POLITY_HOME": str(self.place / "second")},
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    def kill(self, chance: random.Random) -> str | None:
        """SIGKILL for a process while it drives a run, or for its worker; whose it was, None where nobody drove."""
        pids = self.drivers()
        if not pids:
            return None
        pid = chance.choice(pids)
        is_second = self.second is not None and parent_of(pid) == self.second.pid
        is_worker = chance.random() < 0.5
        with suppress(ProcessLookupError, KeyError):
            os.kill(pid, signal.SIGKILL)
            if is_worker and not is_second:
                os.kill(self.site.children()["bulk"], signal.SIGKILL)
        if is_worker and is_second and self.second is not None:
            self.second.kill()
            self.second.wait()
            self.join()
        return "second" if is_second else "first"

    def played(self, slug: str) -> float:
        """The experiment from its start to its end; seconds."""
        began = time.monotonic()
        self.site.post("/experiments", {"slug": slug, "document": DOCUMENT, "start": True})
        numbers(self.site, slug)
        return time.monotonic() - began

    def drivers(self) -> list[int]:
        """The processes that hold a run's lease now."""
        held = "select lease_owner from games_run where lease_owner <> '' and lease_until > now()"
        with psycopg.connect(self.postgres_url) as server:
            pids = {int(str(owner).split("|")[1]) for (owner,) in server.execute(held).fetchall()}
        return sorted(pid for pid in pids if parent_of(pid) is not None)

    def stored(self, slug: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.postgres_url) as server:
            rows = server.execute(STORED, [slug]).fetchall()
        steps, base = [], Base(0, b"")
        for *of, index, stage, mark, record, position, snapshot in rows:
            base = base if snapshot is None else Base.read(index, snapshot)
            steps.append((*of, index, stage, mark, base.text(record), base.text(position)))
        return steps

    def end(self) -> None:
        if self.second is not None:
            self.second.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.second.wait(20)
            self.second.kill()
        self.site.end()


@pytest.fixture
def workers(tmp_path: Path, postgres_url: str, redis_url: str) -> Iterator[Workers]:
    begun = Workers(tmp_path, postgres_url, redis_url)
    yield begun
    begun.end()


@pytest.mark.full
@pytest.mark.timeout(1500)
def test_two_workers_in_two_homes_store_the_bytes_of_one_also_when_they_are_killed(
    workers: Workers, record_property: Any
) -> None:
    alone = workers.played("alone")
    whole = workers.stored("alone")
    assert len(whole) == 2 * 6 * 401
    workers.join()
    time.sleep(5)  # until it has imported what it needs: its start is not what is timed
    together = workers.played("together")
    assert workers.stored("together") == whole
    workers.site.post("/experiments", {"slug": "battered", "document": DOCUMENT, "start": True})
    chance, hit = random.Random(8), Counter[str]()
    while hit.total() < 10 and workers.site.get("/experiments/battered")["status"] == "running":
        time.sleep(chance.uniform(0.05, 0.4))
        hit.update(filter(None, [workers.kill(chance)]))
    numbers(workers.site, "battered")
    assert len(hit) == 2, f"both were to be killed while they drove: {hit}"
    assert workers.stored("battered") == whole
    answers = {one: numbers(workers.site, one)[0] for one in ("alone", "together", "battered")}
    assert answers["alone"] == answers["together"] == answers["battered"]
    figures = {"alone_s": round(alone, 1), "together_s": round(together, 1), "kills": dict(hit)}
    print(figures)  # noqa: T201 - figures, not assertions
    record_property("workers", figures)
