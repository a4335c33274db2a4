"""While a part of the site is away nobody's time runs; afterwards everybody has as much left as before."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.db import OperationalError, connection
from django.db.models import F
from django.test import Client

from agents_app.people import PeopleSettings
from games.core.game import All
from games.site.audience import Sight
from games.site.drive.conductor import conduct
from games.site.drive.lease import Lease
from games.site.live import hub, news
from games.site.live.hub import RunFeed
from games.site.live.window import Socket
from games.site.models import Participant, Run, Worker
from games.site.people.presence import presence_sweep
from games.site.record import clock, pulse
from games.site.record.capacity import capacity
from games.site.workers import sweeper
from tests.games.persons import Person, again, code_of, flags, over, silent

pytestmark = pytest.mark.django_db(transaction=True)
AWAY = timedelta(minutes=5)
TERMS = PeopleSettings(deadline_s=60, grace_s=30)


@pytest.fixture
def run(make_run: Callable[..., Run]) -> Run:
    return make_run(days=2, people=(0,), terms=TERMS)


@pytest.fixture
def ann(run: Run) -> Person:
    """The one person of a match that waits for her."""
    person = Person()
    assert person.joins(run.code).status_code == 201
    person.starts()
    conduct(run.pk, "live")
    assert again(run).status == "waiting"
    return person


def silence(ago: timedelta = AWAY) -> None:
    """The clock said last so long ago that all was well."""
    Worker.objects.update_or_create(name=pulse.CLOCK, defaults={"threads": 0, "seen": clock.now() - ago})


def deadline_of(run: Run) -> datetime:
    turn = again(run).open_turn
    assert turn is not None
    return datetime.fromisoformat(turn["deadline"])


def ago(run: Run, by: timedelta) -> None:
    """All that was to happen to the run was to happen so much earlier."""
    turn = {**(again(run).open_turn or {}), "deadline": (deadline_of(run) - by).isoformat()}
    Run.objects.filter(pk=run.pk).update(open_turn=turn, wake_at=F("wake_at") - by)


def test_a_turn_that_was_open_when_the_database_went_away_is_open_as_long_afterwards(run: Run, ann: Person) -> None:
    before = deadline_of(run)
    ago(run, AWAY)
    silence()
    assert pulse.beat() == [run.pk]
    assert abs(deadline_of(run) - before) < pulse.STILL
    wake_at = again(run).wake_at
    assert wake_at is not None
    assert abs(wake_at - before) < pulse.STILL
    assert pulse.beat() == [], "once"


def test_a_turn_that_was_over_before_is_over_afterwards(run: Run, ann: Person) -> None:
    ago(run, AWAY + timedelta(minutes=2))
    silence()
    assert pulse.beat() == []
    conduct(run.pk, "live")
    Run.objects.filter(pk=run.pk).update(wake_at=None, status="queued")
    conduct(run.pk, "live")
    assert flags(run, 2) == {0: ("timed_out",)}


def test_nobody_is_late_and_nothing_is_played_for_them_before_their_time_is_given_back(run: Run, ann: Person) -> None:
    over(run)
    silence()
    Run.objects.filter(pk=run.pk).update(wake_at=None, status="queued")
    conduct(run.pk, "live")
    assert (again(run).head, run.status) == (1, "waiting")
    assert ann.moves(2).status_code == 200


def test_while_no_web_process_takes_requests_nobody_is_late_and_runs_that_need_none_go_on(
    run: Run, ann: Person, make_run: Callable[..., Run], queued: Any
) -> None:
    before = deadline_of(run)
    other = make_run(days=2)
    pulse.door_beat()
    pulse.beat()
    ago(run, AWAY)
    Worker.objects.filter(pk__in=(pulse.DOOR, pulse.PEOPLE)).update(seen=clock.now() - AWAY)
    silent(ann, AWAY.total_seconds())
    queued.clear()
    assert pulse.beat() == [], "nobody can move yet"
    sweeper.tick()
    assert (pulse.is_up(), pulse.is_open()) == (True, False)
    assert other.pk in [word[0] for word in queued], "what nobody plays is driven"
    assert Participant.objects.get(pk=ann.id).gone_at is None
    assert ann.moves(2).status_code == 200, "a move that comes all the same is none too late"
    pulse.door_beat()
    assert pulse.beat() == [run.pk]
    assert pulse.is_open()
    assert abs(deadline_of(run) - before) < pulse.STILL


def test_a_turn_that_ends_before_the_silence_of_the_web_is_noticed_is_not_over(run: Run, ann: Person) -> None:
    pulse.door_beat()
    pulse.beat()
    short = timedelta(seconds=2)
    Worker.objects.filter(pk__in=(pulse.DOOR, pulse.PEOPLE)).update(seen=clock.now() - short)
    ago(run, deadline_of(run) - clock.now() + short / 2)
    pulse.beat()
    assert pulse.is_open(), "the web process was killed two seconds ago, and the turn ended one second ago"
    assert not pulse.is_past(deadline_of(run))
    pulse.door_beat()
    pulse.beat()
    assert pulse.is_past(deadline_of(run)), "nothing was away"


@pytest.fixture
def set_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets the database's clock by so many hours."""
    monkeypatch.setattr(clock, "_known", clock._known)

    def set_it(hours: int) -> None:
        told = {"sqlite": f"'now', '{hours} hours'", "postgresql": f"(clock_timestamp() + interval '{hours} hours')"}
        for vendor, right in {"sqlite": "'now'", "postgresql": "clock_timestamp()"}.items():
            monkeypatch.setitem(clock.SQL, vendor, clock.SQL[vendor].replace(right, told[vendor]))

    return set_it


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_that_is_set_costs_nobody_a_turn_and_gives_nobody_an_hour(
    run: Run, ann: Person, set_by: Callable[[int], None], hours: int
) -> None:
    pulse.door_beat()
    pulse.beat()
    left = deadline_of(run) - clock.now()
    set_by(hours)
    assert not pulse.is_past(deadline_of(run))
    assert pulse.beat() == [run.pk]
    assert abs(deadline_of(run) - clock.now() - left) < pulse.STILL
    assert Participant.objects.get(pk=ann.id).gone_at is None
    assert pulse.is_open(), "the web process that has not heard of it yet is no outage"


@pytest.mark.parametrize("hours", [1, -1])
def test_all_go_by_a_clock_that_was_set_when_the_clocks_process_does(
    run: Run, ann: Person, set_by: Callable[[int], None], monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    """Else a turn that one has opened by the new time is over by the old, or is put off a second time."""
    pulse.door_beat()
    pulse.beat()
    before, worker = clock.now(), clock._known
    set_by(hours)
    assert abs(clock.now(anew=True) - before) < pulse.STILL, "a worker, before the clock's process"
    assert pulse.beat() == [run.pk]
    until = deadline_of(run)
    monkeypatch.setattr(clock, "_known", worker)
    assert not pulse.is_past(until), "who has not heard of it holds nobody's turn for over"
    pulse.door_beat()
    assert pulse.beat() == []
    assert deadline_of(run) == until
    assert abs(clock.now(anew=True) - before - timedelta(hours=hours)) < pulse.STILL, "and after it"


def test_without_a_clock_that_ever_spoke_a_deadline_is_a_deadline(run: Run, ann: Person) -> None:
    over(run)
    assert code_of(ann.moves(2)) == "late"


def test_whoever_was_there_is_not_replaced_because_nothing_was_heard_of_them_meanwhile(run: Run, ann: Person) -> None:
    silent(ann, AWAY.total_seconds())
    Participant.objects.filter(pk=ann.id).update(gone_at=clock.now() - AWAY)
    silence()
    sweeper.tick()
    pulse.beat()
    presence_sweep()
    assert Participant.objects.get(pk=ann.id).state == "playing"


def test_a_driver_that_holds_answers_keeps_its_run(make_run: Callable[..., Run], queued: Any) -> None:
    run = make_run()
    lease = Lease.take(run.pk, "live")
    assert lease is not None
    Run.objects.filter(pk=run.pk).update(lease_until=clock.now() - AWAY + timedelta(seconds=9), lease_owner="far|1|1")
    silence()
    queued.clear()
    sweeper.tick()
    assert queued == [], "no sweep before the time is given back"
    pulse.beat()
    sweeper.tick()
    assert (queued, Lease.take(run.pk, "live")) == ([], None)
    lease.renew()


def test_the_clock_is_no_worker(db: None) -> None:
    before = capacity()
    pulse.beat()
    assert capacity() == before


def test_a_broker_that_is_away_stops_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise OSError("refused")

    monkeypatch.setattr(sweeper, "broker_check", away)
    sweeper._tried(sweeper._beat)
    assert not Worker.objects.exists()


class Browser:
    """A socket that keeps what it is sent."""

    def __init__(self) -> None:
        self.got: list[dict[str, Any]] = []
        self.socket = Socket(self, Sight(All()), False, -1)

    async def send(self, text_data: str) -> None:
        self.got.append(json.loads(text_data))

    async def close(self, code: int) -> None:
        raise AssertionError(code)

    def last_told(self) -> Any:
        """Whether a part is away, as it was told last."""
        return [one["run"]["away"] for one in self.got if "away" in (one.get("run") or {})][-1]


async def test_who_watches_is_told_while_the_database_is_away_and_that_it_is_back(
    make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await database_sync_to_async(make_run)(start=True)
    browser, room = Browser(), RunFeed(run.pk)
    room.sockets.add(browser.socket)
    monkeypatch.setattr(hub, "PING_S", 0.05)
    real, is_away = news.read, False

    def read(wanted: Any) -> Any:
        if is_away:
            raise OperationalError("connection refused")
        return real(wanted)

    monkeypatch.setattr(news, "read", read)
    room.open()
    try:
        for is_away in (False, True, False, True):
            room.ring()
            async with asyncio.timeout(30):
                while not browser.got or browser.last_told() is not is_away:
                    await asyncio.sleep(0.01)
    finally:
        await room.close()


def test_a_run_says_that_it_waits_for_a_part_that_is_away_and_says_so_no_more_when_it_is_back(
    run: Run, ann: Person, client: Client
) -> None:
    Run.objects.filter(pk=run.pk).update(audience={"kind": "public"})
    for is_away in (False, True, False):
        silence(AWAY if is_away else timedelta(0))
        assert client.get(f"/api/v1/runs/{run.pk}").json()["away"] is is_away


def test_who_asks_each_second_keeps_a_connection_to_sqlite_for_a_minute() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("a connection of PostgreSQL goes back to its pool")
    connection.close()
    connection.ensure_connection()
    opened = connection.connection
    pulse.close_aged_connection()
    assert connection.connection is opened
    connection.close_at -= pulse.KEPT_S
    pulse.close_aged_connection()
    assert connection.connection is None
