"""What one nation writes to another reaches the two of them, and nobody else by any door."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.contrib.auth import get_user_model
from django.test import Client

from agents_app.providers.mock import Hint, MockProvider
from games.catalog.nations.state import Message, Promise
from games.core.game import All, Eyes, Public, SeatEyes
from games.lab.folders.bundle import Bundle
from games.lab.folders.reading import RunFolder
from games.lab.folders.reel import FolderFrames
from games.lab.folders.replayfile import of_reel
from games.lab.folders.running import run as play_folder
from games.lab.folders.viewing import Answers
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import Scenario, load
from games.site.drive.conductor import conduct
from games.site.models import Call, Run
from games.site.runs.creating import run_create
from simsite.asgi import application
from tests.lab.test_replay_file import parts
from tests.lab.test_view import bundle

__all__ = ["bundle"]

NATIONS, TURNS = 4, 3
WHISPER = re.compile(r"whisper-(\d)-(\d)-turn-\d")
DIARY = re.compile(r"diary-of-(\d)")
PAIRS = frozenset(itertools.permutations(range(NATIONS), 2))
EYES: tuple[Eyes, ...] = (Public(), *map(SeatEyes, range(NATIONS)))
SITE = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def whispering(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mock models that promise something to each of the others alone, and write a diary of their own."""

    def answer(self: MockProvider, hint: Hint, excessive: bool) -> str:
        request = hint.request
        seen = request.observation
        if request.purpose == "reflect":
            return f"diary-of-{seen.seat}: {hint.beside}"
        action, _ = self.policy(seen, None, request.rng)
        letters = (
            Message((to,), f"whisper-{seen.seat}-{to}-turn-{seen.public.turn}", Promise("peace", 0, 9))
            for to in seen.others
        )
        return hint.word(replace(action, messages=tuple(letters)))

    monkeypatch.setattr(MockProvider, "_answer", answer)


@pytest.fixture(autouse=True)
def in_memory(settings: Any, bundle: Bundle) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    settings.BUNDLE_DIR = bundle.path


def scenario() -> Scenario:
    models = read_seats({"default": {"model": "mock/trader", "profile": {"memory": "summary"}}}, "test")
    talking = {"nations": NATIONS, "turns": TURNS, "messages": NATIONS}
    return load("nations/baseline", extra=[Layer("test", talking, models)], seeds=(1,))


def played(audience: str) -> Run:
    run = run_create(scenario=scenario(), audience={"kind": audience, "prompts": True})
    while Run.objects.get(pk=run.pk).status in ("queued", "running"):
        conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.status, run.head) == ("finished", TURNS)
    return run


def whispers(text: str) -> set[tuple[int, int]]:
    """Who writes to whom in the whispers that are in a text."""
    return {(int(by), int(to)) for by, to in WHISPER.findall(text)}


def diaries(text: str) -> set[int]:
    return {int(seat) for seat in DIARY.findall(text)}


def theirs(eyes: Eyes) -> set[tuple[int, int]]:
    """What those eyes may read."""
    if isinstance(eyes, SeatEyes):
        return {pair for pair in PAIRS if eyes.seat in pair}
    return set(PAIRS) if isinstance(eyes, All) else set()


def own(eyes: Eyes) -> set[int]:
    """Whose diary those eyes may read."""
    return {eyes.seat} if isinstance(eyes, SeatEyes) else set()


def opened(body: bytes) -> str:
    """A replay file as text, with the frames that it holds packed."""
    boot, frames = parts(body)
    return body.decode() + json.dumps([boot, frames])


# --- the site ---------------------------------------------------------------------------------------

DOORS = ("", "/frames?limit=50", "/briefs?limit=50", "/snapshot", "/snapshot?n=1", "/calls", "/meter", "/replay.html")


def answers(client: Client, run: Run, eyes: Eyes) -> Iterator[tuple[str, str]]:
    """What every door of a run says to those eyes."""
    for door in DOORS:
        seat = f"{'&' if '?' in door else '?'}as={eyes.seat}" if isinstance(eyes, SeatEyes) else ""
        answer = client.get(f"/api/v1/runs/{run.pk}{door}{seat}")
        assert answer.status_code == 200, (door, answer.content)
        yield door, opened(answer.content) if door == "/replay.html" else answer.content.decode()


def vows(told: dict[str, str]) -> list[tuple[int, int]]:
    """The promises, as (by, to), in the view of a turn in which they stand."""
    return [(vow["by"], vow["to"]) for vow in json.loads(told["/snapshot?n=1"])["frame"]["view"]["promises"]]


@SITE
def test_no_door_of_the_site_tells_what_was_whispered_to_others() -> None:
    run, operator = played("public"), Client()
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    for eyes in EYES:
        is_seat = isinstance(eyes, SeatEyes)
        told = dict(answers(operator if is_seat else Client(), run, eyes))
        for door, text in told.items():
            assert whispers(text) <= theirs(eyes), (eyes, door)
            assert diaries(text) <= own(eyes), (eyes, door)
        for door in ("/frames?limit=50", "/snapshot", "/replay.html"):
            assert whispers(told[door]) == theirs(eyes), (eyes, door)
        kinds = {kind for brief in json.loads(told["/briefs?limit=50"])["briefs"] for kind in brief["kinds"]}
        assert ("message_sent" in kinds) == is_seat, eyes
        assert set(vows(told)) == theirs(eyes), eyes
    assert whispers(operator.get(f"/api/v1/runs/{run.pk}/frames?limit=50").content.decode()) == PAIRS


@SITE
async def test_no_socket_tells_what_was_whispered_to_others() -> None:
    run = await database_sync_to_async(played)("omniscient")
    for eyes in reversed(EYES):
        if isinstance(eyes, Public):
            await database_sync_to_async(Run.objects.filter(pk=run.pk).update)(audience={"kind": "public"})
        sent = await streamed(run, f"&as={eyes.seat}" if isinstance(eyes, SeatEyes) else "")
        assert whispers(sent) == theirs(eyes), eyes
        assert diaries(sent) == set(), eyes


async def streamed(run: Run, query: str) -> str:
    """All that a socket is sent up to the run's last frame."""
    headers = [(b"origin", b"http://localhost"), (b"host", b"localhost")]
    socket = WebsocketCommunicator(application, f"/ws/runs/{run.pk}/?after=-1{query}", headers)
    await socket.connect()
    sent, frames = "", 0
    while frames <= TURNS:
        message = await socket.receive_from(timeout=30)
        frames += json.loads(message)["type"] == "frame"
        sent += message
    await socket.disconnect()
    return sent


@SITE
def test_a_models_prompts_hold_what_was_written_to_it_and_its_own_diary() -> None:
    run = played("public")
    for seat in range(NATIONS):
        calls = Call.objects.filter(run=run, seat=seat)
        told = json.dumps([call.prompt for call in calls])
        said = json.dumps([call.reply for call in calls])
        assert whispers(told) == {pair for pair in PAIRS if pair[1] == seat}
        assert whispers(said) == {pair for pair in PAIRS if pair[0] == seat}
        assert diaries(told) == diaries(said) == {seat}


# --- run folders ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("whispering")


@pytest.mark.parametrize("eyes", [All(), *EYES], ids=str)
def test_no_page_or_file_of_a_run_folder_tells_what_was_whispered_to_others(
    eyes: Eyes, place: Path, bundle: Bundle
) -> None:
    written = place / "runs"
    if not written.exists():
        play_folder(scenario(), written, 1)
    folder = RunFolder(written)
    (entry,) = folder.entries
    assert whispers(opened(of_reel(bundle, FolderFrames(folder, entry, eyes)))) == theirs(eyes)
    if isinstance(eyes, SeatEyes):
        page = Answers(folder, bundle)
        said = [page.answer(f"/api/v1/runs/base-1/{door}", {"as": str(eyes.seat)}) for door in ("frames", "snapshot")]
        assert [whispers(one.body.decode()) for one in said] == [theirs(eyes)] * 2
