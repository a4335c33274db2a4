"""Archives that are sent are read as streams, within bounds: what is damaged or a bomb is refused by one sentence."""

from __future__ import annotations

import base64
import copy
import io
import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import Client

from games.errors.faults import Refused
from games.errors.requests import BadRequest
from games.lab.folders.running import run as run_folder
from games.lab.folders.sealing import SEAL, seal_of
from games.lab.scenarios.scenario import load_data
from games.lab.wire import zst
from games.site.experiments.uploading import _unpacked, archive_import

IMPORT = "/api/v1/experiments/import"
SENT_MAX = 2 * 2**20
"""Bytes of the longest archive that a request may bring."""
MANIFEST = b'{"schema": 3, "runs": [], "conditions": []}'
MEMORY_MB = 50


def packed(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        for name, data in files.items():
            made.writestr(f"run/{name}", data)
    return out.getvalue()


def named(name: str, data: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    return packed({"run_manifest.json": MANIFEST, name: data}, method)


def overlapping() -> bytes:
    """A thousand names of the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("run/run_manifest.json", MANIFEST)
        made.writestr("run/rounds.jsonl", bytes(20_000_000))
        row = made.getinfo("run/rounds.jsonl")
        for n in range(1000):
            again = zipfile.ZipInfo(f"run/{n}.jsonl")
            for part in ("header_offset", "compress_type", "CRC", "compress_size", "file_size"):
                setattr(again, part, getattr(row, part))
            made.filelist.append(again)
    return out.getvalue()


def nested() -> bytes:
    inner = named("rounds.jsonl", bytes(20_000_000))
    for _ in range(5):
        inner = packed({f"{n}.zip": inner for n in range(10)})
    return inner


BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "one line without end": (lambda: named("rounds.jsonl", bytes(90_000_000)), "long"),
    "a manifest without end": (lambda: packed({"run_manifest.json": b" \n" * 5_000_000}), "long"),
    "a manifest of a million lists": (
        lambda: packed({"run_manifest.json": b"[" + b"[]," * 1_000_000 + b"0]"}),
        "values",
    ),
    "a manifest that nests": (lambda: packed({"run_manifest.json": b"[" * 1_000}), "depth"),
    "short lines without end": (lambda: named("events.jsonl", b"{}\n" * 35_000_000), "big"),
    "many files": (lambda: packed({"run_manifest.json": MANIFEST, **{f"{n}": b"" for n in range(9000)}}), "many"),
    "the same bytes under many names": (overlapping, "many"),
    "zips in zips": (nested, "no_folder"),
    "a window of gigabytes": (lambda: named("rounds.jsonl", bytes(60_000_000), zipfile.ZIP_LZMA), "unreadable"),
    "a packed log of one line": (
        lambda: named("rounds-00000.jsonl.zst", zst.pack(bytes(90_000_000), zst.compressor(3)), zipfile.ZIP_STORED),
        "long",
    ),
    "packed logs of short lines": (
        lambda: named("runs.jsonl.zst", zst.pack(b"{}\n" * 35_000_000, zst.compressor(3)), zipfile.ZIP_STORED),
        "big",
    ),
    "runs of the same byte": (lambda: named("rounds.jsonl", bytes(60_000_000), zipfile.ZIP_BZIP2), "unreadable"),
    "a file that is a folder too": (
        lambda: packed({"run_manifest.json": MANIFEST, "rounds.jsonl": b"", "rounds.jsonl/x": b""}),
        "unreadable",
    ),
    "a page that is a zip as well": (lambda: b"<script>alert(1)</script>" + named("rounds.jsonl", b""), "unreadable"),
}


ALONE = """
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
import tests.settings
from simsite.setup import set_django_up
set_django_up()
from games.errors.requests import BadRequest
from games.site.experiments.uploading import _unpacked
from tests.memory import peak_mb
before = peak_mb()
for bomb in sys.argv[1:]:
    with TemporaryDirectory() as place:
        try:
            _unpacked(Path(bomb).read_bytes(), Path(place))
        except BadRequest as error:
            assert len(str(error).splitlines()) == 1
            print(error.more["why"])
print(round(peak_mb() - before))
"""


def test_each_bomb_is_refused_by_one_sentence_and_all_cost_little_memory(tmp_path: Path) -> None:
    paths = []
    for number, (made, _) in enumerate(BOMBS.values()):
        paths.append(tmp_path / str(number))
        paths[-1].write_bytes(made())
        assert paths[-1].stat().st_size < SENT_MAX
    done = subprocess.run([sys.executable, "-c", ALONE, *map(str, paths)], capture_output=True, text=True, check=True)
    *said, mb = done.stdout.split()
    assert said == [why for _, why in BOMBS.values()]
    assert int(mb) < MEMORY_MB


def test_no_damage_to_an_archive_is_an_error_of_ours(tmp_path: Path) -> None:
    rng = random.Random(7)
    sound = named("rounds.jsonl", b'{"step": 1}\n' * 50)
    refused = 0
    for number in range(1500):
        bad = bytearray(sound)
        for _ in range(rng.randint(1, 4)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        place = tmp_path / str(number)
        place.mkdir()
        try:
            _unpacked(bytes(bad[: rng.choice([len(bad)] * 3 + [rng.randrange(len(bad))])]), place)
        except BadRequest:
            refused += 1
    assert refused > 500


@pytest.mark.django_db
def test_no_manifest_is_an_error_of_ours(tmp_path: Path) -> None:
    """Each value of a sound one in turn is of another kind."""
    document = {"game": "mining", "conditions": {"a": {}}, "seeds": 1, "config": {"rounds": 1}}
    run_folder(load_data(document, "file", ""), tmp_path / "made", jobs=1)
    sound = json.loads((tmp_path / "made" / "run_manifest.json").read_text())
    logs = {one.name: one.read_bytes() for one in (tmp_path / "made").iterdir() if one.name != "run_manifest.json"}

    def spoilt(data: Any, path: tuple[Any, ...], other: Any) -> Any:
        if not path:
            return other
        data = copy.copy(data)
        data[path[0]] = spoilt(data[path[0]], path[1:], other)
        return data

    tried = 0
    for path in [path for path in paths_of(sound) if len(path) < 3]:
        for other in (7, "x", [], -1e400):
            bad = spoilt(sound, path, other)
            with suppress(ValueError):  # what is not finite has no seal
                bad = {**bad, SEAL: seal_of(bad)}
            text = json.dumps(bad).encode()
            with suppress(Refused, BadRequest), transaction.atomic():
                archive_import(archive=packed({"run_manifest.json": text, **logs}), slug=f"s{tried}")
            tried += 1
    assert tried > 100


def paths_of(data: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if here:
        yield here
    for key in data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ():
        yield from paths_of(data[key], (*here, key))


@pytest.mark.django_db
def test_an_archive_comes_from_our_own_page_or_with_a_token() -> None:
    operator = get_user_model().objects.create_user("op", is_superuser=True)
    body = json.dumps({"slug": "brought", "archive": base64.b64encode(b"GIF89a").decode()})
    client = Client(enforce_csrf_checks=True)
    client.force_login(operator)
    foreign = client.post(IMPORT, body, content_type="application/json", headers={"Origin": "https://evil.example"})
    assert (foreign.status_code, foreign.json()["error"]["code"]) == (403, "csrf")
    client.get("/sign-in")
    token = client.cookies["polity_csrf"].value
    ours = client.post(IMPORT, body, content_type="application/json", headers={"X-CSRFToken": token})
    assert (ours.status_code, ours.json()["error"]["why"]) == (422, "unreadable")
