"""The manifests of `docs/deploy/kubernetes`: of Kubernetes' schema, with settings, commands and figures that exist."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import typer
import yaml

from simsite.cli import app
from simsite.environment import ELSEWHERE, TABLE
from tests.sites import ROOT

DEPLOY = ROOT / "docs/deploy"
DOCUMENTS = [one for one in yaml.safe_load_all((DEPLOY / "kubernetes/base/polity.yaml").read_text()) if one]
SCALED = list(yaml.safe_load_all((DEPLOY / "kubernetes/keda/keda.yaml").read_text()))
VERSIONS = ("1.29", "1.34")
OWN = {"SITE", "POD_IP"}
"""What only the manifests themselves read."""


def validated(documents: list[dict[str, Any]]) -> list[str]:
    """Their kinds, each of the oldest and newest version that is looked at. KEDA's own are none of Kubernetes'."""
    kinds = []
    for one in documents:
        if one["apiVersion"].startswith("keda.sh/"):
            continue
        for version in VERSIONS:
            kubernetes_validate.validate(one, version, strict=True)
        kinds.append(one["kind"])
    return kinds


def pods() -> dict[str, dict[str, Any]]:
    found = {}
    for one in DOCUMENTS:
        if one["kind"] in ("Deployment", "CronJob"):
            spec = one["spec"].get("jobTemplate", one)["spec"]
            found[one["metadata"]["name"]] = spec["template"]["spec"]
    return found


PODS = pods()


def named(kind: str, name: str = "polity") -> dict[str, Any]:
    [found] = [one for one in DOCUMENTS if (one["kind"], one["metadata"]["name"]) == (kind, name)]
    return found


def parsed(words: list[str]) -> None:
    """Raises click's error where `polity` would not take the words."""
    command: Any = typer.main.get_command(app)
    command.commands[words[0]].make_context(words[0], [str(word) for word in words[1:]])


def test_kubernetes_takes_every_document() -> None:
    kinds = validated(DOCUMENTS)
    assert kinds.count("Deployment") == 4
    assert {"Service", "Ingress", "PodDisruptionBudget", "ConfigMap", "PersistentVolumeClaim", "CronJob"} <= set(kinds)
    broken = json.loads(json.dumps(named("Deployment", "polity-web")))
    broken["spec"]["template"]["spec"]["containers"][0]["readOnlyRootFilesystem"] = True
    with pytest.raises(kubernetes_validate.ValidationError):
        validated([broken])


def test_the_overlay_renders_to_documents_that_kubernetes_takes() -> None:
    program = shutil.which("kubectl")
    if program is None:
        pytest.skip("kubectl is not here")
    words = [program, "kustomize", str(DEPLOY / "kubernetes/lab")]
    rendered = list(yaml.safe_load_all(subprocess.run(words, check=True, capture_output=True, text=True).stdout))
    assert len(validated(rendered)) == len(DOCUMENTS)
    assert {one["metadata"]["namespace"] for one in rendered} == {"polity"}
    images = re.findall(r"image: (\S+)", yaml.safe_dump_all(rendered))
    assert set(images) == {"registry.example.org/polity:0.1.0"}
    assert "lab.example.org" not in yaml.safe_dump_all(rendered)


@pytest.mark.parametrize("name", PODS)
def test_a_pod_starts_a_command_that_there_is_with_settings_that_there_are(name: str) -> None:
    [container] = PODS[name]["containers"]
    parsed(container["args"])
    with pytest.raises(Exception, match="No such option"):
        parsed([*container["args"], "--quicker"])
    given = list(named("ConfigMap")["data"])
    for one in container["env"]:
        for wanted in re.findall(r"\$\((\w+)\)", one.get("value", "")):
            assert wanted in given, f"{one['name']} needs {wanted} before it"
        given.append(one["name"])
    assert set(given) <= TABLE.keys() | ELSEWHERE | OWN
    assert {"secretRef": {"name": "polity"}} in container["envFrom"]
    assert PODS[name]["enableServiceLinks"] is False, "a Service called polity would set POLITY_PORT, which is refused"


@pytest.mark.parametrize("name", PODS)
def test_a_pod_is_nobody_special_on_a_file_system_that_is_read_alone(name: str) -> None:
    pod = PODS[name]
    [container] = pod["containers"]
    user = int(re.findall(r"useradd --uid (\d+)", (ROOT / "Dockerfile").read_text())[0])
    assert (pod["securityContext"]["runAsNonRoot"], pod["securityContext"]["runAsUser"]) == (True, user)
    limits = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    assert container["securityContext"] == limits
    assert {one["name"] for one in container["volumeMounts"]} == {one["name"] for one in pod["volumes"]}
    assert {"/tmp", "/data"} <= {one["mountPath"] for one in container["volumeMounts"]}
    assert container["resources"]["limits"]["memory"]


def test_two_web_pods_are_led_to_while_they_are_ready_and_not_drained_together() -> None:
    web = named("Deployment", "polity-web")["spec"]
    labels = web["template"]["metadata"]["labels"]
    assert web["replicas"] == 2
    assert web["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    [container] = PODS["polity-web"]["containers"]
    probes = {kind: container[f"{kind}Probe"]["httpGet"] for kind in ("startup", "liveness", "readiness")}
    assert [probes[kind]["path"] for kind in probes] == ["/healthz", "/healthz", "/readyz"]
    assert all(one["httpHeaders"] == [{"name": "Host", "value": "localhost"}] for one in probes.values())
    for selector in (
        named("Service")["spec"]["selector"],
        named("PodDisruptionBudget", "polity-web")["spec"]["selector"]["matchLabels"],
        web["selector"]["matchLabels"],
    ):
        assert selector.items() <= labels.items()
    assert container["ports"][0]["name"] == named("Service")["spec"]["ports"][0]["targetPort"]
    ingress = named("Ingress")["spec"]
    assert ingress["tls"][0]["hosts"] == [ingress["rules"][0]["host"]] == [named("ConfigMap")["data"]["SITE"]]


@pytest.mark.parametrize("name", ["polity-live", "polity-bulk", "polity-beat"])
def test_a_part_without_a_port_is_known_to_live_by_the_file_that_it_touches(name: str, tmp_path: Path) -> None:
    [container] = PODS[name]["containers"]
    [beat] = [one["value"] for one in container["env"] if one["name"] == "POLITY_HEARTBEAT"]
    shell, *words = container["livenessProbe"]["exec"]["command"]
    here = [shell, *(word.replace(beat, str(tmp_path / "beat")) for word in words)]
    assert here != [shell, *words]
    (tmp_path / "beat").touch()
    assert subprocess.run(here, check=False).returncode == 0
    os.utime(tmp_path / "beat", (time.time() - 300,) * 2)
    assert subprocess.run(here, check=False).returncode == 1


def test_workers_are_scaled_by_figures_that_the_board_knows_too() -> None:
    board = set(re.findall(r"polity_\w+", (DEPLOY / "grafana.json").read_text()))
    for one in SCALED:
        target = named("Deployment", one["spec"]["scaleTargetRef"]["name"])
        queue = target["spec"]["template"]["spec"]["containers"][0]["args"][2]
        queries = [trigger["metadata"]["query"] for trigger in one["spec"]["triggers"]]
        assert len(queries) == 2
        for query in queries:
            assert set(re.findall(r"polity_\w+", query)) <= board
            assert f'queue="{queue}"' in query
        assert one["spec"]["minReplicaCount"] == target["spec"]["replicas"]


def test_the_services_of_compose_start_commands_with_options_that_there_are() -> None:
    services = yaml.safe_load(Path(ROOT / "compose.yaml").read_text())["services"]
    for one in services.values():
        if one["image"].startswith("polity:") and "command" in one:
            parsed(one["command"])
    [line] = re.findall(r"while polity (.*?);", services["backup"]["entrypoint"][2])
    parsed(line.split())
