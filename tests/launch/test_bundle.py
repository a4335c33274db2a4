"""The browser bundle is built when its sources changed, and only then. Node and npm are stand-ins that keep a log."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from simsite.launch import Failed, bundle

NODE = "#!/bin/sh\necho v{version}\n"
NPM = """#!/bin/sh
echo "$@" >> "{log}"
{before}
case "$1" in
ci)
  mkdir -p node_modules
  cp package-lock.json node_modules/.package-lock.json ;;
run)
  mkdir -p "$5/.vite"
  test "$2" = pages && echo '{{}}' > "$5/.vite/manifest.json"
  cat src/main.ts > "$5/main.js"
  cp "$5/main.js" "$5/page.js" ;;
esac
"""


class Project:
    """A project with one source file and a lock file, on a machine with the given Node."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.place = place / "project"
        self.log = place / "npm.log"
        self.programs = place / "bin"
        self.programs.mkdir()
        self.write("frontend/src/main.ts", "one")
        self.write("frontend/package.json", "{}")
        self.write("frontend/package-lock.json", json.dumps({"packages": {"": {}, "node_modules/a": {"version": "1"}}}))
        self.write("games/catalog/toy/board/index.ts", "board")
        self.write("games/catalog/toy/words/en.yaml", "{}")
        self.machine()
        monkeypatch.setenv("PATH", f"{self.programs}{os.pathsep}/usr/bin{os.pathsep}/bin")

    def write(self, name: str, text: str) -> None:
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def machine(self, version: str = "22.1.0", before: str = "") -> None:
        for name, text in {
            "node": NODE.format(version=version),
            "npm": NPM.format(log=self.log, before=before),
        }.items():
            (self.programs / name).write_text(text)
            (self.programs / name).chmod(0o755)

    def calls(self) -> list[str]:
        """What npm was asked for since the last look: `ci`, and the names of builds."""
        if not self.log.exists():
            return []
        calls = [line.split()[1 if line.startswith("run") else 0] for line in self.log.read_text().splitlines()]
        self.log.unlink()
        return calls

    def built(self) -> str:
        return (self.place / "frontend" / "dist" / "main.js").read_text()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def test_the_first_build_installs_and_the_second_does_nothing(project: Project) -> None:
    assert bundle.ensure(project.place) == (True, "built with Node 22.1.0 (this machine's)")
    assert project.calls() == ["ci", "pages", "alone"]
    assert project.built() == "one"
    assert bundle.is_current(project.place)
    assert bundle.ensure(project.place) == (True, "unchanged")
    assert project.calls() == []


def test_a_site_waits_for_its_pages_alone_and_replays_that_are_files_follow(project: Project) -> None:
    bundle.ensure(project.place, whole=False)
    assert project.calls() == ["ci", "pages"]
    assert bundle.ensure(project.place, whole=False) == (True, "unchanged")
    assert not bundle.is_current(project.place)
    bundle.ensure(project.place)
    assert project.calls() == ["alone"]
    assert (project.place / "frontend/dist/alone/page.js").read_text() == project.built() == "one"


def test_a_touched_file_is_no_change(project: Project) -> None:
    bundle.ensure(project.place)
    os.utime(project.place / "frontend/src/main.ts", (1, 1))
    assert bundle.ensure(project.place) == (True, "unchanged")


@pytest.mark.parametrize(
    "name",
    [
        "frontend/src/main.ts",
        "frontend/src/deep/new.svelte",
        "frontend/kit/board.ts",
        "frontend/vite.config.ts",
        "games/catalog/toy/board/index.ts",
        "games/catalog/toy/words/en.yaml",
        "games/catalog/other/board/index.ts",
    ],
)
def test_a_changed_source_is_built_without_installing_anew(project: Project, name: str) -> None:
    bundle.ensure(project.place)
    project.calls()
    project.write(name, "two")
    good, _ = bundle.ensure(project.place)
    assert good
    assert project.calls() == ["pages", "alone"]


@pytest.mark.parametrize(
    "name",
    ["frontend/tests/a.test.ts", "frontend/dist/x.js", "games/catalog/toy/rules.py", "frontend/src/contract.ts"],
)
def test_what_the_bundle_is_not_made_of_builds_nothing(project: Project, name: str) -> None:
    bundle.ensure(project.place)
    project.write(name, "two")
    assert bundle.ensure(project.place) == (True, "unchanged")


def test_a_renamed_source_is_a_change(project: Project) -> None:
    before = bundle.fingerprint(project.place)
    source = project.place / "frontend/src/main.ts"
    source.rename(source.with_name("other.ts"))
    assert bundle.fingerprint(project.place) != before


def test_other_dependencies_are_installed_anew(project: Project) -> None:
    bundle.ensure(project.place)
    project.calls()
    lock = {"packages": {"": {}, "node_modules/a": {"version": "2"}}}
    project.write("frontend/package-lock.json", json.dumps(lock))
    bundle.ensure(project.place)
    assert project.calls() == ["ci", "pages", "alone"]


@pytest.mark.parametrize("kind", ["optional", "dev"])
def test_packages_of_other_platforms_and_tools_of_those_who_change_the_pages_may_be_missing(
    project: Project, kind: str
) -> None:
    bundle.ensure(project.place)
    lock = {"packages": {"": {}, "node_modules/a": {"version": "1"}, "node_modules/b": {"version": "1", kind: True}}}
    project.write("frontend/package-lock.json", json.dumps(lock))
    assert bundle.installed(project.place / "frontend")


def test_tools_are_not_installed_for_a_site_and_stay_where_they_are(project: Project) -> None:
    bundle.ensure(project.place)
    assert "--omit=dev" in project.log.read_text().splitlines()[0]
    for version, has_tools in (("2", False), ("3", True)):
        project.calls()
        if has_tools:
            project.write("frontend/node_modules/vitest/package.json", "{}")
        project.write("frontend/package-lock.json", json.dumps({"packages": {"node_modules/a": {"version": version}}}))
        bundle.ensure(project.place)
        assert ("--omit=dev" in project.log.read_text().splitlines()[0]) is not has_tools


def test_after_a_failed_build_the_previous_bundle_stays_and_the_next_start_tries_again(project: Project) -> None:
    bundle.ensure(project.place)
    project.write("frontend/src/main.ts", "two")
    project.machine(before="echo 'src/main.ts:3 error TS1005: ; expected'; exit 1")
    good, said = bundle.ensure(project.place)
    assert not good
    assert "`npm run pages` ended with status 1. It said: src/main.ts:3 error TS1005" in said
    assert "The previous bundle stays in use." in said
    assert project.built() == "one"
    assert not (project.place / "frontend" / ".polity").exists()
    project.machine()
    assert bundle.ensure(project.place)[0]
    assert project.built() == "two"


def test_without_a_bundle_a_failed_build_is_the_end(project: Project) -> None:
    project.machine(before="echo 'npm error code EAI_AGAIN'; exit 1")
    with pytest.raises(Failed, match="registry cannot be reached; connect and start again"):
        bundle.ensure(project.place)


def test_a_build_that_leaves_no_manifest_is_not_taken(project: Project) -> None:
    project.machine(before='test "$1" = run && exit 0')
    with pytest.raises(Failed, match=r"left no \.vite/manifest\.json"):
        bundle.ensure(project.place)
    assert not (project.place / "frontend" / "dist").exists()


def test_an_old_node_gives_way_to_the_packaged_one(project: Project) -> None:
    project.machine(version="18.19.0")
    node = bundle.find_node()
    assert node.origin == "the packaged one"
    assert int(node.version.split(".")[0]) >= bundle.NODE_AT_LEAST


def test_a_machine_without_node_uses_the_packaged_one(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert bundle.find_node().origin == "the packaged one"


def test_a_package_carries_its_bundle(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="built without its browser bundle"):
        bundle.ensure(tmp_path)
    (tmp_path / "simsite/bundle/.vite").mkdir(parents=True)
    (tmp_path / "simsite/bundle/.vite/manifest.json").write_text("{}")
    assert bundle.ensure(tmp_path) == (True, "as packaged")
