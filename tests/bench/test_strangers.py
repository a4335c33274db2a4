"""What strangers may cost a running site: sockets that never read and ask again, and bodies without end."""

from __future__ import annotations

import base64
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.bench.test_crowd import resident_mb
from tests.sites import POLITY, ROOT, Site, serve


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    running = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "serve.log", "--no-demo")
    yield running
    running.end()


def over(site: Site, rounds: int) -> str:
    run = site.post("/runs", {"scenario": "mining/baseline", "config": {"rounds": rounds}})["id"]
    site.until(run, "it is over", lambda told: told["status"] == "finished")
    return str(run)


def line(site: Site, run: str, visitor: str = "") -> socket.socket:
    """A socket that has shaken hands and will read nothing more; ``visitor``: whose address a proxy tells."""
    way = f"X-Forwarded-For: {visitor}\r\n" if visitor else ""
    where = urlsplit(site.address)
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.settimeout(60)
    one.connect((where.hostname or "", where.port or 0))
    key = base64.b64encode(os.urandom(16)).decode()
    one.sendall(
        f"GET /ws/runs/{run}/?after=-1 HTTP/1.1\r\nHost: {where.netloc}\r\nOrigin: {site.address}\r\n"
        f"{way}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    got = one.recv(12)
    assert got == b"HTTP/1.1 101", got
    return one


def frame(text: str) -> bytes:
    body = text.encode()
    return bytes([0x81, 0x80 | len(body), 0, 0, 0, 0]) + body


@dataclass
class Cost:
    """What sockets cost that never read: megabytes of the web process, lines in all, and those that frames came to."""

    before: float
    most: float = 0.0
    lines: int = 0
    served: int = 0

    def __str__(self) -> str:
        lines = f"{self.lines} lines, frames came to {self.served}"
        return f"web {self.before:.0f} MB, {self.most:.0f} MB at the most; {lines}"


def was_served(one: socket.socket) -> bool:
    """Whether the beginning of a frame lies in the buffer of a line that was never read."""
    one.setblocking(False)
    with suppress(OSError):
        return b'"frame":{' in one.recv(65536)
    return False


def is_shut(one: socket.socket, want: bytes) -> bool:
    try:
        one.sendall(want)
    except OSError:
        return True
    return False


def want_without_reading(site: Site, count: int, seconds: int, rounds: int, each_s: float) -> Cost:
    """What so many sockets cost that ask again and again; whoever is shown out comes back, and lets nothing go."""
    run = over(site, rounds)
    web = site.children()["web"]
    want = frame('{"type":"want","after":-1}')
    cost = Cost(resident_mb(web))
    with ExitStack() as stack:
        lines = [stack.enter_context(line(site, run)) for _ in range(count)]
        every = list(lines)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            began = time.monotonic()
            for place, one in enumerate(lines):
                if is_shut(one, want):
                    lines[place] = stack.enter_context(line(site, run))
                    every.append(lines[place])
            cost.most = max(cost.most, resident_mb(web))
            time.sleep(max(0.0, each_s - (time.monotonic() - began)))
        cost.lines, cost.served = len(every), sum(map(was_served, every))
    print(cost)  # noqa: T201
    return cost


@pytest.mark.full
def test_a_few_sockets_that_never_read_and_ask_again_and_again_cost_little(site: Site) -> None:
    cost = want_without_reading(site, 30, 6, rounds=100, each_s=1 / 18)
    assert cost.served >= 30, "nothing was sent that anybody could have read"
    assert cost.most < cost.before + 60


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize("each_s", [1 / 18, 1.01])
def test_150_sockets_that_never_read_and_ask_for_frames_cost_less_than_100_mb(site: Site, each_s: float) -> None:
    """18 times a second, which shows them out, and as often as a page may, which does not."""
    cost = want_without_reading(site, 150, 40, rounds=500, each_s=each_s)
    assert cost.served >= 150, "nothing was sent that anybody could have read"
    assert (cost.lines > 150) == (each_s < 1)
    assert cost.most < cost.before + 100


@pytest.mark.full
@pytest.mark.timeout(600)
def test_3000_silent_sockets_behind_a_proxy_cost_less_than_100_mb(tmp_path: Path) -> None:
    """One of them is told by the proxy as often as one address may come, and once more."""
    environ = {"POLITY_PROXIES": "127.0.0.1", "POLITY_SOCKETS_PER_ADDRESS": "8"}
    site = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "serve.log", "--no-demo", environ=environ)
    try:
        run, web = over(site, 20), site.children()["web"]
        before = resident_mb(web)
        with ExitStack() as stack:
            lines = [stack.enter_context(line(site, run, f"10.0.{n // 250}.{n % 250}")) for n in range(3000)]
            time.sleep(5)
            most = resident_mb(web)
            again = [stack.enter_context(line(site, run, "10.0.0.0")) for _ in range(8)]
            time.sleep(2)
            again[-1].setblocking(False)
            assert b"too_many" in again[-1].recv(65536)
        print(f"web {before:.0f} MB, {most:.0f} MB with {len(lines)} silent sockets")  # noqa: T201
        assert most < before + 100
    finally:
        site.end()


@pytest.mark.full
@pytest.mark.timeout(600)
def test_600_mb_posted_anonymously_are_refused_early(site: Site, tmp_path: Path) -> None:
    big = tmp_path / "big"
    with big.open("wb") as file:
        file.truncate(600 * 2**20)
    web = site.children()["web"]
    site.client.get("/api/v1/runs")
    before = most = resident_mb(web)
    words = ["curl", "-s", "-o", str(tmp_path / "out"), "-w", "%{http_code} %{size_upload}", "-X", "POST"]
    curl = subprocess.Popen(
        [*words, "--data-binary", f"@{big}", f"{site.address}/api/v1/join/x"], stdout=subprocess.PIPE, text=True
    )
    while curl.poll() is None:
        most = max(most, resident_mb(web))
        time.sleep(0.02)
    assert curl.stdout is not None
    status, sent = curl.stdout.read().split()
    print(f"web {before:.0f} MB, {most:.0f} MB at the most; {status} after {int(sent) / 2**20:.1f} MB")  # noqa: T201
    assert status == "413"
    assert '"code": "too_big"' in (tmp_path / "out").read_text()
    assert most < before + 20
