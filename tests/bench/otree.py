"""oTree under the same people as `tests.bench.session`: ``python -m tests.bench.otree OTREE DEMOS [PEOPLE]``.

``OTREE`` is the program of an environment with oTree in it, ``DEMOS`` a checkout of its own demos (`oTree-org/oTree`).
Its prisoner's dilemma is played ten times by each pair, a decision and a wait page a round; all come within a minute,
think as long, and are led on by the wait page's socket as a browser is. Told as there: the door, what the answer to a
decision took, and how long past the slower of a pair each had the next page. Asserts no duration.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import aiohttp
from yarl import URL

from tests.bench.session import COME_S, TOLD, tell

ROUNDS = 10
SENT: dict[tuple[int, int], float] = {}
"""When the slower of a pair decided, by pair and round."""
SETTINGS = '\nSESSION_CONFIGS = [dict(name="pd", app_sequence=["prisoner"], num_demo_participants=2)]\nROOMS = []\n'


class Member:
    def __init__(self, number: int, door: str) -> None:
        self.door, self.chance = door, random.Random(number)

    async def plays(self, pairs: dict[str, int]) -> bool:
        await asyncio.sleep(self.chance.random() * COME_S)
        timeout = aiohttp.ClientTimeout(total=None)
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True), timeout=timeout) as browser:
            began = time.perf_counter()
            page, url = await _read(browser, self.door)
            TOLD["join"].append(time.perf_counter() - began)
            pair = pairs[url.path.split("/")[2]]
            for number in range(ROUNDS):
                await asyncio.sleep(self.chance.random() * 4)
                sent = time.perf_counter()
                SENT[pair, number] = max(sent, SENT.get((pair, number), 0))
                page, url = await _read(browser, url, {"cooperate": str(self.chance.random() < 0.6)})
                TOLD["acknowledged"].append(time.perf_counter() - sent)
                while found := re.search(r'makeReconnectingWebSocket\("([^"]+)"\)', page):
                    async with browser.ws_connect(url.join(URL(found[1])).with_scheme("ws")) as line:
                        await line.receive()
                    page, url = await _read(browser, url)
                TOLD["past the slower"].append(time.perf_counter() - SENT[pair, number])
        return 'name="cooperate"' not in page


async def _read(browser: aiohttp.ClientSession, url: str | URL, sent: dict[str, str] | None = None) -> tuple[str, URL]:
    async with browser.post(url, data=sent) if sent else browser.get(url) as answer:
        text = await answer.text()
        assert answer.status == 200, f"{answer.status} {answer.url}: {text[:200]}"
        return text, answer.url


async def _walk(address: str, people: int) -> list[Any]:
    async with aiohttp.ClientSession() as browser:
        asked = {"session_config_name": "pd", "num_participants": people}
        async with browser.post(f"{address}/api/sessions", json=asked) as answer:
            made = await answer.json()
        async with browser.get(f"{address}/api/sessions/{made['code']}", json={}) as answer:
            listed = (await answer.json(content_type=None))["participants"]
    pairs = {one["code"]: (one["id_in_session"] - 1) // 2 for one in listed}
    members = [Member(number, made["session_wide_url"]) for number in range(people)]
    return await asyncio.gather(*(member.plays(pairs) for member in members), return_exceptions=True)


def main(otree: str, demos: str, people: str = "300") -> None:
    with tempfile.TemporaryDirectory(prefix="polity-otree-") as place, socket.socket() as free:
        shutil.copytree(demos, place, dirs_exist_ok=True)
        app = Path(place) / "prisoner" / "__init__.py"
        rounds = re.sub(r"NUM_ROUNDS = 1\b", f"NUM_ROUNDS = {ROUNDS}", app.read_text())
        app.write_text(re.sub(r"page_sequence = .*", "page_sequence = [Decision, ResultsWaitPage]", rounds))
        with (Path(place) / "settings.py").open("a") as settings:
            settings.write(SETTINGS)
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        path = f"{Path(otree).absolute().parent}{os.pathsep}{os.environ['PATH']}"
        environ = {**os.environ, "PATH": path, "OTREE_PRODUCTION": "1", "OTREE_ADMIN_PASSWORD": "x"}
        for name in ("DATABASE_URL", "OTREE_REST_KEY", "OTREE_AUTH_LEVEL"):
            environ.pop(name, None)
        with (Path(place) / "log").open("w") as log:
            command = [otree, "prodserver", str(port)]
            site = subprocess.Popen(command, cwd=place, env=environ, stdout=log, stderr=log, start_new_session=True)
            try:
                while True:
                    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                        break
                    assert site.poll() is None, (Path(place) / "log").read_text()
                    time.sleep(0.2)
                ends = asyncio.run(_walk(f"http://127.0.0.1:{port}", int(people)))
            finally:
                os.killpg(site.pid, 15)
    faults = [one for one in ends if one is not True]
    tell()
    sys.stdout.write(f"to the end {len(ends) - len(faults)}; faults {faults[:3]}; load {os.getloadavg()[0]:.1f}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
