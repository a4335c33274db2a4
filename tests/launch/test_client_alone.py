"""The client as a package of its own: installed alone, typed, and through a web process that dies."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from simsite.client import ApiError, AsyncPolity, Polity
from tests.launch.wheels import built, fresh, heads, size
from tests.sites import POLITY, ROOT, Site, serve

pytestmark = [pytest.mark.full, pytest.mark.timeout(900)]
PROGRAM = """
import sys
from polity_client import ApiError, Polity

with Polity(sys.argv[1], key=sys.argv[2]) as site:
    run = site.run("mining/baseline", config={"rounds": 12}, seed=7, pace=20)
    numbers: list[int] = [frame["n"] for frame in site.frames(run["id"])]
    verdict = site.verify(run["id"])
    site.export("rounds", "csv", runs=[run["id"]], to="rounds.csv")
    document = {"base": "mining/baseline", "seeds": "1..2", "conditions": {"a": {"config": {"rounds": 3}}}}
    site.experiment("alone", document)
    print(site.follow_experiment("alone")["status"], sorted(site.result("alone"))[:1])
    print(numbers, site.follow(run["id"])["status"], verdict["identical"], verdict["steps"])
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    place = tmp_path_factory.mktemp("site")
    running = serve([POLITY], ROOT, place / "home", place / "serve.log", "--no-demo")
    yield running
    running.end()


@pytest.fixture(scope="module")
def key(site: Site) -> str:
    command = [POLITY, "--home", str(site.home), "key", "program"]
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("POLITY_", "DJANGO_"))}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    found = [word for word in done.stdout.split() if word.startswith("pk_")]
    assert found, done.stdout + done.stderr
    return found[0]


def test_a_program_of_ten_lines_needs_the_client_alone_and_is_typed(site: Site, key: str, tmp_path: Path) -> None:
    wheel = built(ROOT / "simsite" / "client", tmp_path / "dist")
    programs = fresh(tmp_path / "env", f"polity-client @ {wheel.as_uri()}")
    assert size(tmp_path / "env") < 10
    imported = heads(programs, "import polity_client, websockets.sync.client")
    assert {"polity_client", "httpx", "websockets"} <= imported
    assert imported & {"polity", "simsite", "games", "django", "numpy", "pydantic", "pandas"} == set()
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [str(programs / "python"), "program.py", site.address, key]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[1:] == [f"{list(range(13))} finished 12 12"], done.stdout + done.stderr
    assert done.stdout.startswith("finished ['"), done.stdout
    assert len((tmp_path / "rounds.csv").read_text().splitlines()) == 14
    words = ["-m", "mypy", "--strict", "--no-incremental", "--python-executable", str(programs / "python")]
    (tmp_path / "wrong.py").write_text(PROGRAM.replace('frame["n"]', 'frame["number"]'))
    for name, is_well in (("program.py", True), ("wrong.py", False)):
        typed = subprocess.run(
            [sys.executable, *words, name], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (typed.returncode == 0) == is_well, typed.stdout


def kill_web_once(site: Site, has_begun: threading.Event) -> None:
    has_begun.wait(60)
    for part, pid in site.children().items():
        if part.startswith("web"):
            os.kill(pid, signal.SIGKILL)


def test_frames_come_once_and_in_order_though_the_web_process_dies(site: Site, key: str) -> None:
    client = Polity(site.address, key=key)
    run = client.run("mining/baseline", config={"rounds": 60}, seed=3, pace=5)
    has_begun = threading.Event()
    killer = threading.Thread(target=kill_web_once, args=(site, has_begun))
    killer.start()
    numbers = []
    for frame in client.frames(run["id"]):
        numbers.append(frame["n"])
        if frame["n"] == 3:
            has_begun.set()
    killer.join()
    assert numbers == list(range(61))


def test_two_runs_are_awaited_at_once_and_a_slow_reader_misses_nothing(site: Site, key: str) -> None:
    async def both() -> list[list[int]]:
        async with AsyncPolity(site.address, key=key) as client:

            async def numbers(pause_s: float) -> list[int]:
                run = await client.run("mining/baseline", config={"rounds": 150}, seed=5)
                found = []
                async for frame in client.frames(run["id"]):
                    found.append(frame["n"])
                    await asyncio.sleep(pause_s)
                assert (await client.follow(run["id"]))["status"] == "finished"
                return found

            return await asyncio.gather(numbers(0), numbers(0.02))

    assert asyncio.run(both()) == [list(range(151))] * 2


def test_a_line_that_is_refused_is_not_tried_again(site: Site, key: str) -> None:
    since = time.monotonic()
    with pytest.raises(ApiError, match="not_found") as caught:
        list(Polity(site.address, key=key).frames("0000000000000000"))
    assert caught.value.status == 404
    with pytest.raises(ApiError, match="no_line"):
        list(Polity(site.address, key="pk_wrong").frames("0000000000000000"))
    assert time.monotonic() - since < 60
