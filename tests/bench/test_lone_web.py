"""Fifty at once, and fifty that trickle, on every route of one lone web process: what they cost it, and that it lives.

The largest single requests are in `tests/games/test_route_costs.py`; here they come together, over the wire. Figures
are printed, the worst first: processor time a request, and the memory of the process beyond what it began with.
"""

from __future__ import annotations

import socket
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx
import pytest

from games.site.web.api import api
from games.site.web.examples import BODIES
from tests.games.test_route_costs import JSON, bodies, parts_of
from tests.games.test_who_may_what import rows
from tests.sites import POLITY, ROOT, Site, cpu_s, serve

AT_ONCE: Final = 50
PROCESSOR_S: Final = 1.0
SHAPES: Final = ("wide", "deep", "lists")


@dataclass(frozen=True)
class Cost:
    what: str
    statuses: dict[int, int]
    each_s: float
    memory_mb: float

    def __str__(self) -> str:
        return f"{self.each_s * 1000:7.1f} ms {self.memory_mb:6.1f} MB  {self.what} {self.statuses}"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    environ = {"POLITY_RATES": "off"}
    running = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "serve.log", "--no-demo", environ=environ)
    yield running
    running.end()


def high_mb(pid: int) -> float:
    told = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in told.splitlines() if line.startswith("VmHWM")) / 1024


def resident_mb(pid: int) -> float:
    told = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in told.splitlines() if line.startswith("VmRSS")) / 1024


Asked = tuple[str, str, str, str]
"""What it is called, method, path with its query, body."""


def asked(role: str, found: dict[str, str]) -> Iterator[Asked]:
    """The heaviest requests of every operation and page that changes nothing for the others."""
    for path, operations in api.get_openapi_schema(path_prefix="")["paths"].items():
        address = f"/api/v1{path}"
        for name, value in found.items():
            address = address.replace(f"{{{name}}}", "mining" if "/games/" in path and name == "slug" else value)
        for method, operation in operations.items():
            if method == "delete" or path.endswith(("/cancel", "/stop", "/leave")):
                continue
            said = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
            if said:
                names = parts_of(said["schema"])[:1]
                base = next(iter(BODIES.get(operation["operationId"], {}).values()), {"value": {}})["value"]
                for shape, text in bodies(role, base, names):
                    if shape.endswith(SHAPES) and not shape.startswith("no_such"):
                        yield f"{method.upper()} {path} {shape}", method.upper(), address, text
            else:
                queries = {
                    one["name"]: one["schema"] for one in operation.get("parameters", ()) if one["in"] == "query"
                }
                most = "&".join(f"{name}={kind['maximum']}" for name, kind in queries.items() if "maximum" in kind)
                yield f"{method.upper()} {path}", method.upper(), f"{address}?{most}", ""
    for method, pattern in rows():
        if pattern.startswith("api/") or method != "GET" or pattern == "metrics":
            continue
        path = "/" + pattern
        for kind in ("str", "int"):
            for name, value in found.items():
                path = path.replace(f"<{kind}:{name}>", value)
        yield f"GET /{pattern}", "GET", path, ""


def together(site: Site, client: httpx.Client, pid: int, one: Asked) -> Cost:
    """Send it fifty times at once."""
    what, method, path, body = one
    headers = {"Content-Type": JSON, "Referer": site.address, "X-CSRFToken": client.cookies.get("polity_csrf", "")}

    def send(_: int) -> int:
        try:
            return client.request(method, path, content=body.encode(), headers=headers).status_code
        except httpx.TransportError:
            return 0

    before, busy = _begin(pid)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        statuses = Counter(pool.map(send, range(AT_ONCE)))
    return Cost(what, dict(statuses), (cpu_s(pid) - busy) / AT_ONCE, high_mb(pid) - before)


def trickling(site: Site, pid: int, path: str, seconds: float) -> Cost:
    """Fifty bodies that come by a few bytes a second."""
    where = urlsplit(site.address)
    before, busy = _begin(pid)
    lines = [socket.create_connection((where.hostname or "", where.port or 0)) for _ in range(AT_ONCE)]
    for one in lines:
        head = f"POST {path} HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Type: {JSON}\r\nContent-Length: 200000\r\n\r\n"
        one.sendall(head.encode())
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for one in lines:
            one.sendall(b"[")
        time.sleep(0.2)
    alive = httpx.get(f"{site.address}/healthz").status_code
    for one in lines:
        one.close()
    return Cost(f"trickling POST {path}", {alive: 1}, (cpu_s(pid) - busy) / AT_ONCE, high_mb(pid) - before)


def _begin(pid: int) -> tuple[float, float]:
    Path(f"/proc/{pid}/clear_refs").write_text("5")  # the highest memory is from now on
    return resident_mb(pid), cpu_s(pid)


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("role", ["stranger", "experimenter"])
def test_fifty_at_once_on_every_route_leave_a_lone_web_process_alive(site: Site, role: str) -> None:
    run = site.post("/runs", {"scenario": "mining/baseline"})["id"]
    document = {"base": "mining/baseline", "seeds": "1..5", "config": {"rounds": 20}}
    site.post("/experiments", {"slug": "heavy", "document": document, "start": True})
    site.until(run, "it is over", lambda told: told["status"] == "finished")
    found = {
        "run_id": run, "slug": "heavy", "name": "baseline", "code": "nosuch", "participant": "nobody", "seat": "0",
        "session": "1", "prefix": "x", "game": "mining", "member": "x", "token": "x", "what": "x", "job": "nosuch",
    }  # fmt: skip
    pid = site.children()["web"]
    limits = httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE)
    client = httpx.Client(base_url=site.address, timeout=300, limits=limits)
    client.cookies.update(dict(site.client.cookies) if role == "experimenter" else {})
    client.get("/sign-in")
    wanted = list(asked(role, found))
    for one in wanted:  # what is loaded and kept once is loaded
        client.request(one[1], one[2], content=one[3].encode(), headers={"Content-Type": JSON})
    costs = [together(site, client, pid, one) for one in wanted]
    costs += [trickling(site, pid, path, 5) for path in ("/api/v1/configs/check", "/api/v1/join/x")]
    worst = sorted(costs, key=lambda one: max(one.each_s / PROCESSOR_S, one.memory_mb / 50), reverse=True)
    print(f"{role}: {len(costs)} requests, {AT_ONCE} at once\n" + "\n".join(map(str, worst[:12])))  # noqa: T201
    ours = [one for one in costs if any(code >= 500 and code != 503 for code in one.statuses) or 0 in one.statuses]
    assert [str(one) for one in ours if "preview.png" not in one.what] == []
    if role == "stranger":
        assert [str(one) for one in costs if one.each_s > PROCESSOR_S] == []
    assert client.get("/healthz").status_code == 200
    assert site.children()["web"] == pid
