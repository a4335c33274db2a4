"""Members who walk a study while they are killed: ``DATABASE_URL=... python -m tests.studies.walker MEMBERS [MOST]``.

A child does what browsers, workers and the clock do, on the rows that it finds, and kills itself with SIGKILL before or
after its n-th write; the next one goes on from there with another n, until one comes to the end. Prints a line of JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any


def in_child(work: Callable[[], None]) -> int:
    """Its exit status, or the signal that ended it as a negative number."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
            sys.stdout.flush()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Killer:
    """Ends the process at its n-th write, before it (odd n) or after it, in whatever transaction it stands."""

    def __init__(self, n: int) -> None:
        self.n, self.left = n, n

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE")):
            return execute(sql, params, many, context)
        self.left -= 1
        if self.left == 0 and self.n % 2:
            os.kill(os.getpid(), signal.SIGKILL)
        done = execute(sql, params, many, context)
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return done


def begin() -> None:
    from django.core.management import call_command

    from games.site.studies.loading import study_read
    from games.site.studies.walking import session_open
    from tests.studies.conftest import PAIRS

    call_command("migrate", verbosity=0)
    # What is not moved in time is played by default: no kill and no busy machine is to let a time run out.
    play = {**PAIRS["steps"]["play"], "people": {"deadline_s": 3600}}
    session_open(study_read({**PAIRS, "steps": {**PAIRS["steps"], "play": play}}), seed=7)


def go(members: int) -> None:
    """Everything that is to be done, until everybody is at an end."""
    from games.site.drive import conductor, sweeping
    from games.site.models import ACTIVE, UNDER_WAY, Member, MemberState, Participant, Run, Session
    from games.site.people.moves import move_submit
    from games.site.record import clock
    from games.site.studies.answering import page_submit
    from games.site.studies.gathering import studies_continue
    from games.site.studies.walking import Place, member_join

    (session,) = Session.objects.all()
    for number in range(members):
        member_join(session, label=f"p{number}")
    answers = {"consent": {"agree": "yes"}, "check": {"points": "3"}, "survey": {"trust": "4"}}
    while Member.objects.filter(state__in=UNDER_WAY).exists():
        for one in Member.objects.filter(state=MemberState.WALKING).select_related("session"):
            assert page_submit(one, Place.of(one), answers[one.step]) == {}
        # Everybody is there: no kill and no busy machine is to make anybody seem gone.
        Member.objects.filter(state__in=UNDER_WAY).update(seen=clock.now(), away=None)
        Participant.objects.filter(run__status__in=ACTIVE).update(seen=clock.now(), gone_at=None)
        studies_continue()
        sweeping.sweep()
        for run in Run.objects.filter(status__in=ACTIVE):
            conductor.conduct(run.pk, "live")
            run.refresh_from_db()
            for one in Participant.objects.filter(run=run, state="playing") if run.status in ACTIVE else ():
                step = run.head + 1
                id_ = f"move-{one.pk}-{step}"
                move_submit(participant=one, tab="", client_id=id_, step=step, raw={"action": {"move": "C"}})
            conductor.conduct(run.pk, "live")


def tell(kills: int) -> None:
    from django.db.models import Count

    from games.site.exports.sessions import tables_of
    from games.site.models import Decision, Member, Run, Session, Visit

    (session,) = Session.objects.all()
    tables = tables_of(session).rows
    told = {
        "kills": kills,
        "ends": dict(Member.objects.values_list("state").annotate(n=Count("pk"))),
        "members": Member.objects.count(),
        "points": sorted({row["points"] for row in tables["members"]}),
        "decisions": Decision.objects.filter(purpose="act").count(),
        "rows": {name: len(rows) for name, rows in tables.items()},
        "own": sum(bool(row["own"]) for row in tables["decisions"]),
        "visits": Visit.objects.values("member", "step", "round", "attempt").distinct().count(),
        "runs": sorted(set(Run.objects.values_list("status", flat=True))),
        "seats_held_twice": Run.objects.values("session", "study_round", "participants__member").annotate(
            n=Count("pk")
        ).filter(n__gt=1).count(),
    }  # fmt: skip
    print(json.dumps(told))  # noqa: T201


def main(members: int, most: int) -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection

    from games.site.drive import conductor, person_seats, sweeping
    from games.site.people import joining, seats
    from games.site.runs import creating

    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    for module in (creating, joining, person_seats, conductor, sweeping, seats):
        module.enqueue = lambda *_: None  # type: ignore[attr-defined]

    def battered(n: int) -> Callable[[], None]:
        def work() -> None:
            with connection.execute_wrapper(Killer(n)):
                go(members)

        return work

    assert in_child(begin) == 0
    kills, status = 0, -9
    while status == -signal.SIGKILL:
        kills += 1
        status = in_child(battered(1 + kills * 37 % most))
    return status or in_child(lambda: tell(kills - 1))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 211))
