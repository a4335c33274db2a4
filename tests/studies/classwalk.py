"""A class of an odd number in one game: ``DATABASE_URL=... python -m tests.studies.classwalk GAME``; a line of JSON.

It plays two matches, each begun by its lead, and every address that tells of its matches is searched for the names
that were given at the door. Moves are those of the seats' substitutes.
"""

from __future__ import annotations

import html
import io
import json
import os
import sys
import zipfile
from typing import Any, Final

NAMES: Final = ("Zsófia-Q1", "Bartholomäus-Q2", "李小龙-Q3", "Óðinn-Q4", "Wilhelmina-Q5")
"""Names that stand in no word of any page."""
PLAYED: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "mining": ("mining/baseline", {"miners": 3, "rows": 4, "cols": 4, "rounds": 2}),
    "nations": ("nations/baseline", {"rounds": 1, "turns": 2}),
    "dilemma": ("dilemma/tft-vs-alld", {"rounds": 2}),
    "adasociety": ("adasociety/contract-easy", {"steps": 4, "contract_rounds": 1}),
    "economist": ("economist/honest", {"workers": 2, "epochs": 1, "steps_per_epoch": 2}),
}


def study_of_game(game: str) -> dict[str, Any]:
    scenario, config = PLAYED[game]
    play = {
        "scenario": scenario,
        "config": config,
        "seats": {"0": {"person": True}, "1": {"person": True}},
        "people": {"deadline_s": 3600, "shows": "all"},
        "repeat": 2,
        "match": "stranger",
        "gather": {"start": "lead"},
    }
    steps = {"rules": {"text": "Read this."}, "play": play, "talk": {"ask": {"why": {"title": "Why?"}}}}
    return {"study": "class", "names": True, "steps": steps}


def matches_play(session: Any) -> None:
    """Every match to its end: what each seat's substitute would play is sent as its holder's own move."""
    from games.site.drive.conductor import conduct
    from games.site.models import ACTIVE, Run

    for run in Run.objects.filter(session=session, status__in=ACTIVE):
        for _ in range(10_000):
            conduct(run.pk, "live")
            run.refresh_from_db()
            if run.status not in ACTIVE or not _move(run):
                break


def _move(run: Any) -> bool:
    """Whether anybody was asked."""
    from games.core.agents import deciding
    from games.site.models import Decision, Participant, ParticipantState, Run, RunStatus
    from games.site.people.open_turn import open_requests
    from games.site.record import selectors
    from games.site.record.decisions import encode_decision

    play = selectors.playing(run)
    asked = open_requests(play, list(Participant.objects.filter(run=run, state=ParticipantState.PLAYING)))
    for seat, told in asked.items():
        named = run.seats.get(index=seat).agent["substitute"]
        decider = deciding(play.pack.policies[named["policy"]].bind(named.get("params")))
        answer = {"answer": encode_decision(play, decider(told.request)), "client_id": f"walked-{told.step}"}
        Decision.objects.get_or_create(run=run, step=told.step, seat=seat, purpose="act", defaults=answer)
    if asked:
        Run.objects.filter(pk=run.pk, status=RunStatus.WAITING).update(status=RunStatus.QUEUED, wake_at=None)
    return bool(asked)


def walk(game: str) -> dict[str, Any]:
    """Two matches from the door to the end; who sat with whom, who rested, and how it ended."""
    from games.site.models import Member, Participant, Run
    from games.site.studies.answering import page_submit
    from games.site.studies.gathering import studies_continue
    from games.site.studies.leading import match_start
    from games.site.studies.loading import study_read
    from games.site.studies.walking import Place, member_join, member_seen, session_open

    def answer(**sent: str) -> None:
        for one in Member.objects.filter(session=session, state="walking").select_related("session"):
            assert page_submit(one, Place.of(one), sent) == {}

    session = session_open(study_read(study_of_game(game)), seed=5)
    for name in NAMES:
        member_join(session, name=name, in_ranking=True)
    answer()
    sat: list[list[list[int]]] = []
    for number in (1, 2):
        for one in Member.objects.filter(session=session):
            member_seen(one)
        begun = match_start(session, number)
        runs = Run.objects.filter(session=session, study_round=number - 1)
        assert begun == len(runs)
        held = Participant.objects.filter(run__in=runs)
        sat.append([sorted(held.filter(run=run).values_list("member__number", flat=True)) for run in runs])
        matches_play(session)
        studies_continue()
    answer(why="It was fun.")
    studies_continue()
    return {
        "sat": sat,
        "ends": sorted(Member.objects.values_list("state", flat=True)),
        "runs": sorted(set(Run.objects.values_list("status", flat=True))),
    }


def standing_in(address: str, content: bytes) -> list[str]:
    """The address, or the files that are packed there, where any of the names stands."""
    if zipfile.is_zipfile(io.BytesIO(content)):
        packed = zipfile.ZipFile(io.BytesIO(content))
        return [one for name in packed.namelist() for one in standing_in(f"{address}: {name}", packed.read(name))]
    text = content.decode("utf-8", "replace")
    spelt = [form for name in NAMES for form in (name, json.dumps(name)[1:-1], html.escape(name))]
    return [address] if any(form in text for form in spelt) else []


def addresses(runs: list[str], session: int) -> list[str]:
    """Every address of the API that tells of a run or of a session, and the pages and exports that do."""
    from simsite.urls import api

    found = ["/", "/runs", "/api/v1/runs", "/api/v1/runs/table", "/api/v1/runs/table.csv", "/api/v1/exports"]
    found += [f"/api/v1/exports?format={form}" for form in ("csv", "jsonl", "zip")]
    for path, methods in api.get_openapi_schema()["paths"].items():
        if "get" in methods and "{run_id}" in path:
            found += [path.replace("{run_id}", run) for run in runs]
    for run in runs:
        found += [f"/m/{run}", f"/api/v1/runs/{run}/participants.csv?labels=true"]
    for what in ("", "/screen", "/payments.csv", "/data.zip", "/receipts"):
        found.append(f"/sessions/{session}{what}")
    return [*found, f"/api/v1/sessions/{session}/screen", f"/api/v1/sessions/{session}/findings"]


def read(client: Any, address: str) -> tuple[int, bytes]:
    answer = client.get(address)
    return answer.status_code, b"".join(answer.streaming_content) if answer.streaming else answer.content


def seen_by() -> dict[str, Any]:
    """Where names stand for a visitor, for one of the class in the same browser, and for the operator; how many
    addresses answered each of them.
    """
    from django.contrib.auth import get_user_model
    from django.test import Client

    from games.site.models import Member, Run, Session

    session = Session.objects.get()
    runs = [str(one) for one in Run.objects.order_by("created").values_list("pk", flat=True)][:2]
    visitor, pupil, operator = Client(), Client(), Client()
    pupil.get(f"/me/{Member.objects.order_by('number')[0].pk}")
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    told: dict[str, Any] = {}
    for who, client in (("visitor", visitor), ("pupil", pupil), ("operator", operator)):
        found = {address: read(client, address) for address in addresses(runs, session.pk)}
        stands = [place for address, (_, content) in found.items() for place in standing_in(address, content)]
        told[who] = {
            "names": [one.replace(f"/{session.pk}", "/N") for one in stands],
            "answered": sum(status == 200 for status, _ in found.values()),
            # a stream is of a server that sends on and on
            "faults": [at for at, (status, _) in found.items() if status >= 500 and not at.endswith("/stream")],
        }
    return told


def main(game: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from games.site.drive import conductor, person_seats, sweeping
    from games.site.people import joining, seats
    from games.site.runs import creating

    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    settings.ALLOWED_HOSTS = ["*"]
    for module in (creating, joining, person_seats, conductor, sweeping, seats):
        module.enqueue = lambda *_: None  # type: ignore[attr-defined]
    call_command("migrate", verbosity=0)
    told = walk(game)
    print(json.dumps({**told, "seen_by": seen_by()}))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
