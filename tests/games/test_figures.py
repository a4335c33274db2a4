"""What Prometheus is told, by whom it may be read, and that board and rules ask for nothing else."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from games.site.accounts.trail import audit
from games.site.drive.conductor import conduct
from games.site.models import Call, Run, RunStatus, Worker
from games.site.record import clock
from games.site.web.trials import FIRST
from simsite import figures
from tests.games.test_models_on_the_site import models

pytestmark = pytest.mark.django_db(transaction=True)
DEPLOY = Path(__file__).parents[2] / "docs/deploy"
KEY = "a-key-for-prometheus-of-enough-characters"
Samples = dict[str, dict[tuple[tuple[str, str], ...], float]]


@pytest.fixture
def scraped(client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Samples]:
    settings.POLITY_METRICS_KEY = KEY
    monkeypatch.setattr(figures, "KEPT_S", 0.0)

    def scrape() -> Samples:
        text = client.get("/metrics", headers={"Authorization": f"Bearer {KEY}"}).content.decode()
        samples: Samples = defaultdict(dict)
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                samples[sample.name][tuple(sorted(sample.labels.items()))] = sample.value
        return samples

    return scrape


def told(samples: Samples, name: str, **labels: str) -> float | None:
    return samples[name].get(tuple(sorted(labels.items())))


def expressions() -> Iterator[str]:
    for panel in json.loads((DEPLOY / "grafana.json").read_text())["panels"]:
        yield from (target["expr"] for target in panel["targets"])
    for group in yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]:
        yield from (rule["expr"] for rule in group["rules"])


def test_the_key_of_the_figures_opens_nothing_else(client: Client, settings: Any, db: None) -> None:
    settings.POLITY_METRICS_KEY = KEY
    by_key = {"Authorization": f"Bearer {KEY}"}
    assert client.get("/metrics", headers=by_key).status_code == 200
    assert client.get("/metrics", headers={"Authorization": f"Bearer {KEY[:-1]}x"}).status_code == 401
    assert client.get("/metrics").status_code == 403
    assert client.get("/api/v1/accounts", headers=by_key).status_code == 401
    settings.POLITY_METRICS_KEY = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 401


def test_board_and_rules_ask_for_figures_and_labels_that_there_are(scraped: Callable[[], Samples]) -> None:
    conduct(models(2).pk, "live")
    FIRST.labels("mock/guided").observe(0.2)
    now = clock.now()
    Worker.objects.bulk_create(Worker(name=name, threads=0, seen=now) for name in ("live-1@a", "bulk-2@b", "clock"))
    for what in ("archive", "drill"):
        audit(who="test", what="backup", on=f"backup {what}")
    models(2)
    scraped()  # the answer counts as one itself
    samples = scraped()
    asked = set()
    for expr in expressions():
        names = re.findall(r"polity_\w+", expr)
        labels = {name for one in names for key in samples[one] for name, _ in key} | {"job", "instance"}
        wanted = {word for by in re.findall(r"by \(([^)]*)\)", expr) for word in by.split(", ")}
        assert wanted | set(re.findall(r"[{,]\s*(\w+)=", expr)) <= labels, expr
        asked |= set(names)
    assert {name for name in asked if not samples[name]} == set()
    own = {name for name in samples if name.startswith("polity_") and not name.endswith(("_sum", "_count", "_created"))}
    assert own - asked == {"polity_runs_total"} & own, "every figure has its place on the board or in a rule"


@pytest.fixture
def promtool() -> str:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("promtool is not here: apt-get install prometheus")
    return program


ILL = {
    'up{job="polity", instance="a:8001"}': "0x90",
    'polity_queue_age_seconds{queue="bulk", instance="a:8001"}': "0+30x90",
    'polity_heartbeat_age_seconds{part="beat", instance="a:8001"}': "0+60x90",
    'polity_workers{queue="live", instance="a:8001"}': "0x90",
    'polity_free_bytes{folder="home", instance="a:8001"}': "1000000000x90",
    'polity_http_answers_total{status="5xx", method="GET", instance="a:8001"}': "0+10x90",
    'polity_http_answers_total{status="2xx", method="GET", instance="a:8001"}': "0+100x90",
    'polity_calls_total{model="house/a", instance="a:8001"}': "0+10x90",
    'polity_failed_calls_total{model="house/a", instance="a:8001"}': "0+5x90",
    'polity_runs{status="failed", instance="a:8001"}': "0+1x90",
}
"""A site on which everything goes wrong, minute by minute; it never had a backup."""
WELL = {
    'up{job="polity", instance="a:8001"}': "1x90",
    'polity_queue_age_seconds{queue="bulk", instance="a:8001"}': "2x90",
    'polity_heartbeat_age_seconds{part="beat", instance="a:8001"}': "1x90",
    'polity_workers{queue="live", instance="a:8001"}': "2x90",
    'polity_free_bytes{folder="home", instance="a:8001"}': "90000000000x90",
    'polity_http_answers_total{status="5xx", method="GET", instance="a:8001"}': "0+0x90",
    'polity_http_answers_total{status="2xx", method="GET", instance="a:8001"}': "0+100x90",
    'polity_calls_total{model="house/a", instance="a:8001"}': "0+10x90",
    'polity_failed_calls_total{model="house/a", instance="a:8001"}': "0+1x90",
    'polity_runs{status="failed", instance="a:8001"}': "7x90",
    'polity_backup_age_seconds{what="archive", instance="a:8001"}': "3600x90",
    'polity_backup_age_seconds{what="drill", instance="a:8001"}': "3600x90",
}


def test_every_rule_fires_on_a_site_that_is_ill_and_none_on_one_that_is_well(promtool: str, tmp_path: Path) -> None:
    rules = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"][0]["rules"]
    (tmp_path / "alerts.yml").write_text((DEPLOY / "alerts.yml").read_text())
    for series, fires in ((ILL, True), (WELL, False)):
        asked = [
            {"expr": f'count(ALERTS{{alertname="{rule["alert"]}", alertstate="firing"}}) > 0', "eval_time": "80m"}
            | {"exp_samples": [{"labels": "{}", "value": 1}] if fires else []}
            for rule in rules
        ]
        given = [{"series": name, "values": values.replace("x90", "x90")} for name, values in series.items()]
        told = {"rule_files": ["alerts.yml"], "evaluation_interval": "1m"}
        told["tests"] = [{"interval": "1m", "input_series": given, "promql_expr_test": asked}]  # type: ignore[assignment]
        (tmp_path / "test.yml").write_text(yaml.safe_dump(told))
        words = [promtool, "test", "rules", "test.yml"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_prometheus_itself_takes_rules_and_scraping(promtool: str, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(KEY)
    (tmp_path / "alerts.yml").write_text((DEPLOY / "alerts.yml").read_text())
    conf = (DEPLOY / "prometheus.yml").read_text().replace("/etc/prometheus/polity.key", str(tmp_path / "key"))
    (tmp_path / "prometheus.yml").write_text(conf)
    asked = [
        {"record": f"asked:{n}", "expr": one.replace("$__rate_interval", "5m")} for n, one in enumerate(expressions())
    ]
    (tmp_path / "board.yml").write_text(yaml.safe_dump({"groups": [{"name": "board", "rules": asked}]}))
    for words in (["config", "prometheus.yml"], ["rules", "board.yml"]):
        done = subprocess.run([promtool, "check", *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_run_that_waits_for_people_or_its_pace_does_not_wait_for_a_worker(
    make_run: Callable[..., Run], scraped: Callable[[], Samples]
) -> None:
    hour = timedelta(hours=1)
    old = {"created": clock.now() - hour}
    Run.objects.filter(pk=make_run(days=2).pk).update(**old, status=RunStatus.WAITING, wake_at=None)
    Run.objects.filter(pk=make_run(days=2).pk).update(**old, wake_at=clock.now() + hour)
    Run.objects.filter(pk=make_run(days=2).pk).update(**old, head=3)  # between two slices
    samples = scraped()
    assert told(samples, "polity_queue_age_seconds", queue="live") == 0
    assert told(samples, "polity_queue_runs", queue="live") == 1
    Run.objects.filter(pk=make_run(days=2).pk).update(**old)
    samples = scraped()
    assert 3600 <= (told(samples, "polity_queue_age_seconds", queue="live") or 0) < 3900
    assert told(samples, "polity_queue_age_seconds", queue="bulk") == 0


def test_queue_calls_and_their_times_are_told_by_model(scraped: Callable[[], Samples]) -> None:
    models(2)
    assert scraped()["polity_queue_runs_of_model"] == {(("model", "mock/guided"),): 1}
    conduct(Run.objects.get().pk, "live")
    calls = list(Call.objects.all())
    for call, latency_ms in zip(calls, [700, 700, 30_000], strict=False):
        Call.objects.filter(pk=call.pk).update(model="house/a", latency_ms=latency_ms)
    Call.objects.filter(pk=calls[3].pk).update(model="house/a", latency_ms=0, from_cache=True)
    samples = scraped()
    within = {
        le: told(samples, "polity_model_call_seconds_bucket", model="house/a", le=le) for le in ("0.5", "1.0", "+Inf")
    }
    assert within == {"0.5": 0, "1.0": 2, "+Inf": 3}
    assert told(samples, "polity_model_call_seconds_sum", model="house/a") == 31.4
    assert told(samples, "polity_calls_total", model="house/a") == 4
    assert samples["polity_queue_runs_of_model"] == {}


def test_each_part_tells_when_it_was_last_heard_of(scraped: Callable[[], Samples]) -> None:
    now = clock.now()
    for name, seconds in {"live-1@a": 90, "live-2@a": 5, "bulk-3@b": 500, "clock": 1, "door": 2, "people": 900}.items():
        Worker.objects.create(name=name, threads=0, seen=now - timedelta(seconds=seconds))
    samples = scraped()
    heard = {dict(key)["part"]: value // 100 for key, value in samples["polity_heartbeat_age_seconds"].items()}
    assert heard == {"live": 0, "bulk": 5, "beat": 0, "web": 0}
    assert (told(samples, "polity_workers", queue="live"), told(samples, "polity_workers", queue="bulk")) == (1, 0)
