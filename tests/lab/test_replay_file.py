"""A run as one HTML file: whole, inert, and no more than its eyes may see."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from games.core.game import All, Public, SeatEyes
from games.core.registry import Registry
from games.lab.folders.bundle import Bundle
from games.lab.folders.reading import RunFolder
from games.lab.folders.reel import FolderFrames
from games.lab.folders.replayfile import of_reel
from games.lab.folders.running import run
from games.lab.scenarios.scenario import load
from tests.lab.test_view import bundle

__all__ = ["bundle"]


def parts(body: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What the page starts from, and the frames, as a browser reads them."""
    text = body.decode()
    boot = re.search(r'id="boot">(.*?)</script>', text, re.DOTALL)
    held = re.search(r'id="frames">(.*?)</script>', text, re.DOTALL)
    assert boot
    assert held
    lines = zlib.decompress(base64.b64decode(held[1])).decode().splitlines()
    return json.loads(boot[1]), [json.loads(line) for line in lines]


def test_a_file_holds_every_frame_the_words_and_nothing_to_fetch(
    folder: Path, registry: Registry, bundle: Bundle
) -> None:
    opened = RunFolder(folder, registry)
    entry = opened.find("half-baskets", 2)
    reel = FolderFrames(opened, entry, All())
    body = of_reel(bundle, reel)
    boot, frames = parts(body)
    assert frames == [json.loads(reel.one(n)) for n in range(entry.steps + 1)]
    assert (boot["page"], boot["as"], boot["run"]["condition"]) == ("file", None, "half-baskets")
    assert boot["words"]["en"]["events"]["frost_fell"]["text"] == "Frost: nothing grows."
    assert b"default-src 'none'" in body
    assert re.findall(rb'(?:src|href)="(?!data:)', body) == []


def test_no_text_within_can_end_the_element_that_holds_it(folder: Path, registry: Registry, bundle: Bundle) -> None:
    path = folder / "run_manifest.json"
    hostile = "</script><script>alert(1)</script>"
    path.write_text(path.read_text().replace('"name": "tragedy"', f'"name": {json.dumps(hostile)}'))
    opened = RunFolder(folder, registry)
    body = of_reel(bundle, FolderFrames(opened, opened.entries[0], All()))
    assert body.count(b"</script>") == 3
    assert parts(body)[0]["run"]["scenario"]["name"] == hostile


@pytest.fixture(scope="module")
def talking(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run in which seats tell each other things that no other seat hears."""
    place = tmp_path_factory.mktemp("talking") / "runs"
    run(load("mining/baseline", seeds=(1,)), place, jobs=1)
    return RunFolder(place)


def test_what_a_viewer_may_not_see_is_not_in_its_file(talking: RunFolder, bundle: Bundle) -> None:
    entry = talking.entries[0]
    everything, public, own = (
        parts(of_reel(bundle, FolderFrames(talking, entry, eyes))) for eyes in (All(), Public(), SeatEyes(0))
    )
    assert any(event.get("to") is not None for frame in everything[1] for event in frame["events"])
    for boot, frames in (public, own):
        assert boot["run"]["config"] is None
        assert all(frame["metrics"] is None for frame in frames)
    assert all(event.get("to") is None for frame in public[1] for event in frame["events"])
    assert all(frame["actions"] == [] and frame["payoffs"] == [] for frame in public[1])
    assert all(0 in (event.get("to") or [0]) for frame in own[1] for event in frame["events"])
    assert {seat for frame in own[1] for seat, _ in frame["actions"]} == {0}
