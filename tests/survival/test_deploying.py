"""`docs/deploying.md`, done: its settings, nginx configuration, parts and commands, read from the page, on loopback."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import psycopg
import pytest

from tests.sites import POLITY, ROOT

pytestmark = [pytest.mark.full, pytest.mark.timeout(900)]
HOST = "lab.example.org"
PATIENCE_S = 180.0
SCRAPES = "a-key-for-prometheus-of-enough-characters"
PARTS = ("web-1", "web-2", "live-1", "live-2", "beat")
"""In the order in which they are started, and replaced."""


def block(kind: str) -> str:
    found = re.search(rf"^```{kind}\n(.*?)^```", (ROOT / "docs/deploying.md").read_text("utf-8"), re.DOTALL | re.M)
    assert found is not None, kind
    return found[1]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Deployed:
    """The site as the page has it, with other ports and folders."""

    def __init__(self, place: Path, database: str, broker: str, program: str = POLITY) -> None:
        self.place, self.parts, self.program = place, dict[str, subprocess.Popen[str]](), program
        self.ports = {"8001": free_port(), "8002": free_port(), "443": free_port(), "80": free_port()}
        settings = self.settings()
        settings |= {"POLITY_HOME": str(place / "home"), "DATABASE_URL": database, "REDIS_URL": broker}
        settings["POLITY_ORIGINS"] = self.address
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("POLITY_", "DJANGO_", "DATABASE_", "REDIS_"))}
        self.environ = {**kept, **settings, "PYTHONUNBUFFERED": "1"}

    @property
    def address(self) -> str:
        return f"https://{HOST}:{self.ports['443']}"

    def settings(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in block("env").split())

    def words(self, name: str) -> str:
        """What a part is started with."""
        return dict(line.split(": ", 1) for line in block("parts").strip().splitlines())[name]

    def start(self) -> None:
        for name in PARTS:
            self.begin(name)
        self.proxy()

    def begin(self, name: str) -> None:
        """Starts a part, in the place of the one that there is."""
        if name in self.parts:
            self.end(name)
        words = self.words(name)
        for port in ("8001", "8002"):
            words = words.replace(port, str(self.ports[port]))
        with (self.place / f"{name}.log").open("a") as log:
            self.parts[name] = subprocess.Popen(
                [self.program, *words.split()], env=self.environ, cwd=self.place, stdout=log, stderr=log, text=True
            )
        if name.startswith("web"):  # the first brings the database up to date, and the bundle
            self.await_ready("8001" if name == "web-1" else "8002")

    def await_ready(self, port: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            try:
                headers = {"Host": HOST}
                if httpx.get(f"http://127.0.0.1:{self.ports[port]}/readyz", headers=headers).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.3)
        pytest.fail("".join(path.read_text()[-3000:] for path in self.place.glob("*.log")))

    def proxy(self) -> None:
        program = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
        if program is None:
            pytest.skip("needs nginx: apt-get install nginx")
        names = ["-keyout", str(self.place / "polity.key"), "-out", str(self.place / "polity.crt")]
        subject = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
        made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names, *subject]
        subprocess.run(made, check=True, capture_output=True)
        conf = block("nginx").replace("/etc/ssl/", f"{self.place}/")
        for port in ("8001", "8002"):
            conf = conf.replace(f"127.0.0.1:{port}", f"127.0.0.1:{self.ports[port]}")
        conf = conf.replace("listen 80;", f"listen 127.0.0.1:{self.ports['80']};")
        conf = conf.replace("listen 443 ssl;", f"listen 127.0.0.1:{self.ports['443']} ssl;")
        paths = "".join(
            f"{kind}_temp_path {self.place}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        whole = f"""daemon off; pid {self.place}/nginx.pid; error_log {self.place}/nginx.log;
        events {{}} http {{ access_log off; {paths} {conf} }}"""
        (self.place / "nginx.conf").write_text(whole)
        words = [
            program,
            "-p",
            str(self.place),
            "-e",
            str(self.place / "nginx.log"),
            "-c",
            str(self.place / "nginx.conf"),
        ]
        self.parts["nginx"] = subprocess.Popen(words, text=True)
        self.await_listening("443", self.parts["nginx"], self.place / "nginx.log")

    def await_listening(self, port: str, program: subprocess.Popen[str], log: Path) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline and program.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.ports[port])).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        pytest.fail(log.read_text())

    def polity(self, *words: str) -> str:
        command = [self.program, *words]
        done = subprocess.run(command, env=self.environ, cwd=self.place, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def client(self) -> httpx.Client:
        """Through nginx, with its certificate checked; the name leads to loopback."""
        context = ssl.create_default_context(cafile=str(self.place / "polity.crt"))
        return httpx.Client(
            base_url=f"https://127.0.0.1:{self.ports['443']}",
            headers={"Host": f"{HOST}:{self.ports['443']}", "Referer": f"{self.address}/", "Origin": self.address},
            verify=context, timeout=60, transport=_Named(context),
        )  # fmt: skip

    def stop(self) -> None:
        for name in reversed(list(self.parts)):
            self.end(name)

    def end(self, name: str) -> None:
        part = self.parts.pop(name)
        if part.poll() is None:
            part.terminate()
            try:
                part.wait(20)
            except subprocess.TimeoutExpired:
                part.kill()
                part.wait()


class _Named(httpx.HTTPTransport):
    """Asks loopback for the name that the certificate is for."""

    def __init__(self, context: ssl.SSLContext) -> None:
        super().__init__(verify=context)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions["sni_hostname"] = HOST
        return super().handle_request(request)


@pytest.fixture
def deployed(tmp_path: Path, postgres_url: str, redis_url: str) -> Iterator[Deployed]:
    site = Deployed(tmp_path, postgres_url, redis_url)
    site.environ["POLITY_METRICS_KEY"] = SCRAPES
    try:
        site.start()
        yield site
    finally:
        site.stop()


def signed_in(site: Deployed, name: str, password: str) -> httpx.Client:
    client = site.client()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get("/sign-in").text)
    assert token is not None
    form = {"csrfmiddlewaretoken": token[1], "username": name, "password": password}
    answer = client.post("/sign-in", data=form)
    assert answer.status_code == 302, answer.text
    assert "secure" in answer.headers["set-cookie"].lower()
    return client


def post(client: httpx.Client, path: str, body: dict[str, Any]) -> Any:
    answer = client.post(f"/api/v1{path}", json=body, headers={"X-CSRFToken": client.cookies.get("polity_csrf") or ""})
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


async def watch(site: Deployed, run: str, cookie: str, frames: list[int], told: list[str]) -> None:
    """As a browser does: from the last frame on, again where the line breaks."""
    context = ssl.create_default_context(cafile=str(site.place / "polity.crt"))
    headers = {"Host": f"{HOST}:{site.ports['443']}", "Origin": site.address, "Cookie": cookie}
    async with aiohttp.ClientSession() as session:
        while "finished" not in told:
            address = f"wss://127.0.0.1:{site.ports['443']}/ws/runs/{run}/?after={frames[-1] if frames else -1}"
            try:
                async with session.ws_connect(address, ssl=context, server_hostname=HOST, headers=headers) as line:
                    told.append("open")
                    while True:
                        said = await line.receive(timeout=9)
                        if said.type is not aiohttp.WSMsgType.TEXT:
                            break
                        message = json.loads(said.data)
                        if message["type"] == "frame":
                            frames.append(message["frame"]["n"])
                            await line.send_str(json.dumps({"type": "ack", "n": frames[-1]}))
                        if (
                            message["type"] == "ping"
                            and message["status"] == "finished"
                            and frames[-1] >= message["head"]
                        ):
                            told.append("finished")
                            break
            except (aiohttp.ClientError, OSError, TimeoutError):
                await asyncio.sleep(0.3)


def read(client: httpx.Client, run: str, numbers: list[int]) -> None:
    """A program that reads the run's stream, and comes again with the last event that it has."""
    headers: dict[str, str] = {}
    while True:
        try:
            with client.stream("GET", f"/api/v1/runs/{run}/stream", headers=headers) as answer:
                if answer.status_code == 204:
                    return
                for line in answer.iter_lines():
                    if line.startswith("id: "):
                        headers["Last-Event-ID"] = line.removeprefix("id: ")
                        numbers.append(int(headers["Last-Event-ID"]))
        except httpx.HTTPError:
            time.sleep(0.3)  # its web process was killed


def play(site: Deployed, code: str, moved: list[int]) -> None:
    """A program in a seat, by REST alone, through nginx."""
    client = site.client()
    seat = client.post(f"/api/v1/join/{code}/token", json={}).json()
    headers = {"Authorization": f"Bearer {seat['token']}"}
    client.post(f"/api/v1/play/{seat['id']}/start", json={}, headers=headers)
    while True:
        try:
            answer = client.get(f"/api/v1/play/{seat['id']}/turn?wait=5", headers=headers)
            page = answer.raise_for_status().json()
        except httpx.HTTPError:
            continue  # its web process was killed: asked again, the other one answers
        if page["state"] == "ended":
            return
        turn = page["turn"]
        if turn is not None and turn["moved"] is None:
            body = {"id": f"move-of-{turn['step']}", "step": turn["step"], "pass": True}
            if client.post(f"/api/v1/play/{seat['id']}/moves", json=body, headers=headers).status_code == 200:
                moved.append(turn["step"])


def scraped(site: Deployed) -> dict[str, str]:
    """The figures, as Prometheus reads them beside the proxy; web-1 is dead."""
    headers = {"Host": HOST, "Authorization": f"Bearer {SCRAPES}"}
    answer = httpx.get(f"http://127.0.0.1:{site.ports['8002']}/metrics", headers=headers, timeout=30)
    return dict(line.rsplit(" ", 1) for line in answer.raise_for_status().text.splitlines() if line[0] != "#")


def test_the_page_is_followed_and_a_web_process_killed_unnoticed(deployed: Deployed) -> None:
    site = deployed
    passwords = {}
    for line in block("accounts").strip().splitlines():
        words = line.split()[1:]
        passwords[words[1]] = site.polity(*words).partition("password: ")[2].strip()
    plain = httpx.get(f"http://127.0.0.1:{site.ports['80']}/runs", headers={"Host": HOST})
    assert (plain.status_code, plain.headers["Location"]) == (301, f"https://{HOST}/runs")
    ben, cleo, stranger = (
        signed_in(site, "ben", passwords["ben"]),
        signed_in(site, "cleo", passwords["cleo"]),
        site.client(),
    )
    assert "max-age=31536000" in stranger.get("/healthz").headers["Strict-Transport-Security"]
    assert stranger.get("/metrics").status_code == 403

    seats = {"0": {"program": True, "substitute": {"policy": "guided"}}}
    config = {"miners": 4, "rows": 5, "cols": 5, "rounds": 30}
    body = {"scenario": "mining/baseline", "config": config, "seats": seats, "people": {"tick_s": 1}, "pace": 3}
    made = post(ben, "/runs", {**body, "audience": {"kind": "public"}})
    run, code = made["id"], ben.get(f"/api/v1/runs/{made['id']}/people").json()["code"]["code"]
    assert stranger.get(f"/api/v1/runs/{run}").status_code == 403, "this site is for its members"
    assert cleo.get(f"/api/v1/runs/{run}").status_code == 200

    moved, frames, told, streamed = list[int](), list[int](), list[str](), list[int]()
    cookie = f"polity_session={cleo.cookies['polity_session']}"
    player = threading.Thread(target=play, args=(site, code, moved))
    watcher = threading.Thread(target=lambda: asyncio.run(watch(site, run, cookie, frames, told)))
    reader = threading.Thread(target=read, args=(signed_in(site, "cleo", passwords["cleo"]), run, streamed))
    for one in (player, watcher, reader):
        one.start()
    deadline = time.monotonic() + PATIENCE_S
    while len(frames) < 8:
        assert time.monotonic() < deadline, (frames, moved, ben.get(f"/api/v1/runs/{run}").json())
        time.sleep(0.2)
    site.parts["web-1"].send_signal(signal.SIGKILL)
    asked = [cleo.get(f"/api/v1/runs/{run}").status_code for _ in range(20)]
    assert asked == [200] * 20, "one of two web processes is dead, and nobody notices"
    player.join(PATIENCE_S)
    watcher.join(PATIENCE_S)
    reader.join(PATIENCE_S)
    assert [one.is_alive() for one in (player, watcher, reader)] == [False] * 3
    head = cleo.get(f"/api/v1/runs/{run}").json()["head"]
    assert frames == list(range(head + 1)), "every frame, once, in order"
    assert streamed == frames
    assert len(moved) >= 20

    backup, purge = (line.split()[1:] for line in block("keeping").strip().splitlines())
    backup[1] = str(site.place / "backups")
    (site.place / "backups").mkdir()
    told_of_it = site.polity(*backup)
    assert f"drill: 1 runs, {head} steps came back; 1 runs verified" in told_of_it, told_of_it
    assert "WRONG" not in site.polity("doctor")
    figures = scraped(site)
    assert [figures[f'polity_workers{{queue="{queue}"}}'] for queue in ("live", "bulk")] == ["2.0", "0.0"]
    assert {f'polity_heartbeat_age_seconds{{part="{part}"}}' for part in ("web", "live", "beat")} <= set(figures)
    assert {f'polity_backup_age_seconds{{what="{what}"}}' for what in ("archive", "drill")} <= set(figures)
    assert figures['polity_runs{status="finished"}'] == "1.0"
    site.stop()
    with psycopg.connect(site.environ["DATABASE_URL"], autocommit=True) as database:
        database.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    shutil.rmtree(site.place / "home", ignore_errors=True)
    assert "are back" in site.polity("restore", backup[1])
    assert f"identical {head}/{head}" in site.polity("verify", run)
    assert "0 deleted" in site.polity(*purge)
    site.start()
    assert signed_in(site, "cleo", passwords["cleo"]).get(f"/api/v1/runs/{run}").json()["head"] == head
