"""Two browsers, TLS, web processes killed: on the site of `docs/deploying.md`, and on that of `compose.yaml`."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import httpx
import psycopg
import pytest
import yaml
from playwright.sync_api import expect, sync_playwright

from tests.e2e.conftest import FLAGS
from tests.e2e.people import Person
from tests.e2e.test_people import play_dilemma
from tests.sites import ROOT
from tests.survival.test_deploying import HOST, PATIENCE_S, SCRAPES, Deployed, post, signed_in

pytestmark = [pytest.mark.full, pytest.mark.timeout(1200)]
ROUNDS = 12
LOST = re.compile(r"WebSocket|net::ERR_|status of 50[234]")
"""What a browser says of a line that went with its web process."""


class Composed(Deployed):
    """The processes of compose.yaml by the image's own entry point, with its settings, behind its own Caddy."""

    given: ClassVar = {"SITE": HOST, "POLITY_SECRET_KEY": "k" * 40, "DB_PASSWORD": "unused"}
    services: ClassVar = {"web-1": "web1", "web-2": "web2", "live-1": "live", "live-2": "bulk", "beat": "beat"}
    """In the places of the page's parts."""

    def settings(self) -> dict[str, str]:
        [line] = re.findall(r"^ENV PATH=\S+ (.*)$", self._dockerfile(), re.M)
        return dict(word.split("=") for word in line.split()) | self._compose()["web1"]["environment"]

    def words(self, name: str) -> str:
        image = dict(re.findall(r"^(ENTRYPOINT|CMD) (\[.*\])", self._dockerfile(), re.M))
        assert json.loads(image["ENTRYPOINT"]) == ["polity"]
        words = self._compose()[self.services[name]].get("command") or json.loads(image["CMD"])
        return shlex.join(words).replace("8000", name.replace("web-", "800"))

    def proxy(self) -> None:
        program = shutil.which("caddy")
        if program is None:
            pytest.skip("needs Caddy: apt-get install caddy")
        [mounted] = [one for one in self._compose()["proxy"]["volumes"] if one.endswith(":/etc/caddy/Caddyfile:ro")]
        conf = (ROOT / mounted.split(":")[0]).read_text()
        for part, service in list(self.services.items())[:2]:
            conf = conf.replace(f"{service}:8000", f"127.0.0.1:{self.ports[part.replace('web-', '800')]}")
        ports = f"http_port {self.ports['80']}\nhttps_port {self.ports['443']}"
        loopback = f"{{\nadmin off\nlocal_certs\nskip_install_trust\n{ports}\n}}\n"
        (self.place / "Caddyfile").write_text(loopback + conf)
        environ = {**os.environ, **self._compose()["proxy"]["environment"], "XDG_DATA_HOME": str(self.place)}
        words = [program, "run", "--adapter", "caddyfile", "--config", str(self.place / "Caddyfile")]
        with (self.place / "caddy.log").open("w") as log:
            self.parts["proxy"] = subprocess.Popen(words, env=environ, stdout=log, stderr=log, text=True)
        self.await_listening("443", self.parts["proxy"], self.place / "caddy.log")
        signers = self.place / "caddy/pki/authorities/local"
        both = (signers / "intermediate.crt").read_text() + (signers / "root.crt").read_text()
        (self.place / "polity.crt").write_text(both)

    def _dockerfile(self) -> str:
        return (ROOT / "Dockerfile").read_text()

    def _compose(self) -> dict[str, Any]:
        text = re.sub(r"\$\{(\w+)[^}]*\}", lambda name: self.given[name[1]], (ROOT / "compose.yaml").read_text())
        return dict(yaml.safe_load(text)["services"])


@pytest.fixture(params=[Deployed, Composed], ids=["deploying.md", "compose.yaml"])
def site(request: pytest.FixtureRequest, tmp_path: Path, postgres_url: str, redis_url: str) -> Iterator[Deployed]:
    deployed = request.param(tmp_path, postgres_url, redis_url)
    deployed.environ["POLITY_METRICS_KEY"] = SCRAPES
    try:
        deployed.start()
        yield deployed
    finally:
        deployed.stop()


def keeps_certificate(site: Deployed) -> str:
    """The flag by which Chromium trusts the one that signed this site's certificate, and no other."""
    words = (
        "openssl x509 -in polity.crt -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary"
    )
    done = subprocess.run(["sh", "-c", f"{words} | base64"], cwd=site.place, check=True, capture_output=True, text=True)
    return f"--ignore-certificate-errors-spki-list={done.stdout.strip()}"


def told(lead: httpx.Client, path: str) -> Any:
    return lead.get(f"/api/v1{path}").raise_for_status().json()


def test_two_browsers_play_a_match_over_tls_while_each_web_process_is_killed(site: Deployed, chromium: str) -> None:
    lead = signed_in(
        site, "ben", site.polity("account", "ben", "--role", "experimenter").partition("password: ")[2].strip()
    )
    body = {"scenario": "dilemma/tft-vs-alld", "config": {"rounds": ROUNDS}, "people": {"deadline_s": 120}}
    run = post(lead, "/runs", {**body, "seats": {"0": {"person": True}, "1": {"person": True}}})["id"]
    code = told(lead, f"/runs/{run}/people")["code"]["code"]

    by_key = {"Authorization": f"Bearer {SCRAPES}"}
    assert site.client().get("/metrics", headers=by_key).status_code == 403, "the proxy lets nobody have the figures"

    def head() -> int:
        return int(told(lead, f"/runs/{run}")["head"])

    with sync_playwright() as playwright:
        flags = [*FLAGS, keeps_certificate(site), f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
        pair = []
        for name in ("Ann", "Bo"):  # each a browser of its own
            browser = playwright.chromium.launch(executable_path=chromium, args=flags)
            pair.append(Person(browser, SimpleNamespace(address=site.address), name))  # type: ignore[arg-type]
        for one in pair:
            one.join(code)
        killed = list[str]()
        deadline = time.monotonic() + 3 * PATIENCE_S
        while (now := head()) < ROUNDS:
            assert time.monotonic() < deadline, (now, [one.page.locator("body").inner_text() for one in pair])
            if now >= 4 * (len(killed) + 1) and len(killed) < 2:
                if killed:
                    site.begin(killed[0])  # what keeps the parts has started it again
                killed.append(f"web-{len(killed) + 1}")
                site.parts[killed[-1]].send_signal(signal.SIGKILL)
                site.parts[killed[-1]].wait()
            for one in pair:
                if one.page.locator(".state.mine").count():
                    play_dilemma(one)
        assert killed == ["web-1", "web-2"], "each browser has lost its line at least once"
        for one in pair:
            expect(one.page.get_by_role("heading", name="The match is over")).to_be_visible(timeout=60_000)
            assert one.page.evaluate("isSecureContext && location.protocol") == "https:"
            assert one.watched.hosts == {site.address.partition("//")[2]}
            assert [fault for fault in one.watched.faults if not LOST.search(fault)] == []
    assert told(lead, f"/runs/{run}")["status"] == "finished"
    for seat in told(lead, f"/runs/{run}/people")["seats"]:
        one = seat["participant"]
        assert (one["moves"], one["timed_out"], one["substituted"]) == (ROUNDS, 0, 0), "every move is the person's own"
    assert f"identical {ROUNDS}/{ROUNDS}" in site.polity("verify", run)
    with psycopg.connect(site.environ["DATABASE_URL"]) as database:
        own = database.execute("SELECT count(*) FROM games_decision WHERE client_id <> ''").fetchone()
    assert own == (2 * ROUNDS,), "what was acknowledged is stored, once"
