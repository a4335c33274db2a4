"""A site is made anew by a newer version, part by part, in mid-match, as `docs/deploying.md` has it: nothing lost."""

from __future__ import annotations

import asyncio
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.launch.wheels import fresh, uv
from tests.sites import POLITY, ROOT
from tests.survival.test_deploying import PARTS, PATIENCE_S, Deployed, block, play, post, signed_in, watch

pytestmark = [pytest.mark.full, pytest.mark.timeout(1800)]
BEFORE = "fa6ef453"
"""What is upgraded from, while there is no tag."""


@pytest.fixture
def older(tmp_path: Path, postgres_url: str, redis_url: str) -> Iterator[Deployed]:
    """A site of the version before, from its wheel."""
    source = tmp_path / "source"
    source.mkdir()
    packed = subprocess.run(["git", "archive", BEFORE], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode != 0:
        pytest.skip(f"needs the history, with {BEFORE}")
    subprocess.run(["tar", "x", "-C", str(source)], input=packed.stdout, check=True)
    uv("build", "--quiet", "--wheel", "--out-dir", str(tmp_path / "dist"), cwd=source)
    [wheel] = (tmp_path / "dist").glob("*.whl")
    programs = fresh(tmp_path / "env", f"polity-lab[server] @ {wheel.as_uri()}")
    site = Deployed(tmp_path, postgres_url, redis_url, str(programs / "polity"))
    try:
        site.start()
        yield site
    finally:
        site.stop()


def test_a_site_is_upgraded_part_by_part_while_a_match_goes_on(older: Deployed) -> None:
    site = older
    [ben] = [line.split()[1:] for line in block("accounts").strip().splitlines() if " ben" in line]
    lead = signed_in(site, "ben", site.polity(*ben).partition("password: ")[2].strip())
    seats = {"0": {"program": True, "substitute": {"policy": "guided"}}}
    config = {"miners": 4, "rows": 5, "cols": 5, "rounds": 120}
    body = {"scenario": "mining/baseline", "config": config, "seats": seats, "people": {"deadline_s": 60}, "pace": 2}
    run = post(lead, "/runs", {**body, "audience": {"kind": "public"}})["id"]
    code = lead.get(f"/api/v1/runs/{run}/people").json()["code"]["code"]
    moved, frames, told = list[int](), list[int](), list[str]()
    cookie = f"polity_session={lead.cookies['polity_session']}"
    player = threading.Thread(target=play, args=(site, code, moved))
    watcher = threading.Thread(target=lambda: asyncio.run(watch(site, run, cookie, frames, told)))
    for one in (player, watcher):
        one.start()
    site.program = POLITY
    for name in PARTS:
        since, deadline = len(moved), time.monotonic() + PATIENCE_S
        while len(moved) < since + 3:  # each part of the new version stands beside those of the old
            assert time.monotonic() < deadline, (name, moved, lead.get(f"/api/v1/runs/{run}").json())
            time.sleep(0.1)
        site.begin(name)
    player.join(PATIENCE_S)
    watcher.join(PATIENCE_S)
    assert not player.is_alive()
    assert not watcher.is_alive()
    head = lead.get(f"/api/v1/runs/{run}").json()["head"]
    assert head == config["rounds"]
    assert frames == list(range(head + 1)), "every frame, once, in order"
    assert sorted(set(moved)) == list(range(1, head + 1)), "every move was taken"
    assert f"identical {head}/{head}" in site.polity("verify", run)
    with psycopg.connect(site.environ["DATABASE_URL"]) as database:
        own = database.execute("SELECT count(*) FROM games_decision WHERE client_id <> '' AND seat = 0").fetchone()
        failed = database.execute("SELECT count(*) FROM games_run WHERE status = 'failed'").fetchone()
    assert (own, failed) == ((head,), (0,)), "what was acknowledged is stored, and the seat's own"
