"""A run folder without what is nobody else's business: addresses of servers, names of keys, labels of people.

Everything that decides what was played stays, so that the runs are resolved and played again as before.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from games.lab.folders.calllog import CALLS
from games.lab.folders.packing import RUNS_LOG, rows_of, shard
from games.lab.folders.reading import RunFolder
from games.lab.folders.recorder import LEVEL
from games.lab.folders.sealing import FILES, write_manifest
from games.lab.wire import zst
from games.lab.wire.plainjson import encoded

BLANKED: Final = ("base_url", "key_env")
"""Of a model's profile."""
PEOPLE: Final = frozenset({"person", "program"})
PERSONAL: Final = ("label", "panel", "panel_id", "participant", "link", "token", "email")
"""Of the seat of a person or program."""
SHOWN: Final = re.compile(r"https?://[^\s\"'<>\\]+|[\w.+-]+@[\w-]+\.[\w.]+|\bsk-[A-Za-z0-9_-]{16,}")


def private_in(folder: RunFolder) -> list[str]:
    """What publishing takes out, a line each; and what looks private in texts, which it leaves."""
    taken = [f"{path}: taken out" for path, _ in _private(folder.manifest)]
    if any(json.loads(line).get("address") for line in _calls(folder)):
        taken.append("calls: addresses of servers: taken out")
    texts = json.dumps([folder.manifest.get("scenario"), folder.manifest.get("experiment")], ensure_ascii=False)
    found = set(SHOWN.findall(texts)) | {one for line in _calls(folder) for one in SHOWN.findall(_texts(line))}
    return taken + [f"{one}: stands in a text, and stays" for one in sorted(found)[:20]]


def without_private(folder: RunFolder, out: Path) -> None:
    """A copy, sealed anew where anything was taken out; the files that its manifest covers, and no other."""
    out.mkdir(parents=True)
    for name in folder.manifest.get(FILES, {}):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder.path / name, out / name)
    manifest = json.loads(json.dumps(folder.manifest))
    for _, (holder, key) in _private(manifest):
        holder[key] = ""
    if any(json.loads(line).get("address") for line in _calls(folder)):
        _clean_calls(folder, out)
        manifest[FILES] = {}
    write_manifest(out, manifest)


def has_private(seats: Iterable[Mapping[str, Any]]) -> bool:
    """Whether anything would be taken out of agents of these plain forms."""
    return any(True for _ in _private({"conditions": [{"name": "", "agents": list(seats)}]}))


def _private(manifest: Mapping[str, Any]) -> Iterator[tuple[str, tuple[dict[str, Any], str]]]:
    """Where something private stands, and what holds it under which key."""
    for condition in manifest["conditions"]:
        for seat, agent in enumerate(condition["agents"]):
            where = f"conditions.{condition['name']}.agents.{seat}"
            profile = agent.get("profile") or {}
            yield from ((f"{where}.profile.{key}", (profile, key)) for key in BLANKED if profile.get(key))
            if agent.get("kind") in PEOPLE:
                yield from ((f"{where}.{key}", (agent, key)) for key in PERSONAL if agent.get(key))


def _calls(folder: RunFolder) -> Iterator[bytes]:
    return folder.lines(CALLS) if folder.logs.files(CALLS) else iter(())


def _texts(line: bytes) -> str:
    call = json.loads(line)
    return f"{call.get('reply', '')} {json.dumps(call.get('prompt', ''), ensure_ascii=False)}"


def _clean(line: bytes) -> bytes:
    call = json.loads(line)
    address = call.pop("address", "")
    if address and call["failure"]:
        call["reply"] = call["reply"].replace(address, "")
    return json.dumps(call, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _clean_calls(folder: RunFolder, out: Path) -> None:
    if not folder.is_packed:
        with (out / CALLS).open("wb") as file:
            file.writelines(map(_clean, _calls(folder)))
        return
    ends: dict[str, int] = {}
    rows = []
    for name in folder.logs.files(CALLS):
        (out / name).unlink()
    for row in rows_of(folder.path / RUNS_LOG):
        if row.calls is not None:
            name = shard(CALLS, row.n)
            frame = zst.pack(b"".join(map(_clean, folder.logs.calls_of(row.n))), zst.compressor(LEVEL))
            with (out / name).open("ab") as file:
                file.write(frame)
            row.calls = (ends.get(name, 0), len(frame))
            ends[name] = sum(row.calls)
        rows.append(row)
    lines = b"".join(encoded(msgspec.to_builtins(row)) + b"\n" for row in rows)
    (out / RUNS_LOG).write_bytes(zst.pack(lines, zst.compressor(LEVEL)))
