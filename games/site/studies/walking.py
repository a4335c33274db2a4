"""Where a member is: the only writer of a member's step. The same move of a member twice is made once.

Each transaction begins with an update on condition that the member still is where the caller saw them; whoever comes
second changes nothing and is told where the member is now. Nothing is kept outside rows.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count

from games.errors.requests import BadRequest
from games.site.models import NAME_MAX, UNDER_WAY, Member, MemberState, Session, Visit
from games.site.models import Study as StudyRow
from games.site.models.identity import opaque_id
from games.site.people.invites import code_new
from games.site.record import clock
from games.site.runs.creating import any_seed
from games.site.studies.assigning import assigned
from games.site.studies.conditions import holds
from games.site.studies.form import Ending, Step
from games.site.studies.loading import Study, study_read
from games.site.studies.paying import amount
from games.site.studies.plugging import check_plugs

EARLY = (MemberState.SCREENED, MemberState.UNMATCHED, MemberState.DROPPED, MemberState.LEFT, MemberState.DECLINED)
"""Ends that leave an arm short of somebody."""
CLASS_CODE = 6
"""Letters of a code that is read off a screen and typed into a phone; whoever is in the room sees who comes by it."""
UNPAID = (MemberState.LATE, MemberState.DECLINED)
"""Ends that are paid nothing where the file does not say so."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a member was when a page was made for them: what they send back names it."""

    step: str
    round: int
    attempt: int

    @classmethod
    def of(cls, member: Member) -> Place:
        return cls(member.step, member.round, member.attempt)

    def __str__(self) -> str:
        return f"{self.step}.{self.round}.{self.attempt}"

    @classmethod
    def read(cls, text: str) -> Place | None:
        step, _, rest = text.partition(".")
        number, _, attempt = rest.partition(".")
        return cls(step, int(number), int(attempt)) if number.isdecimal() and attempt.isdecimal() else None


# --- studies and sessions ---------------------------------------------------------------------------


def study_keep(study: Study) -> StudyRow:
    row, _ = StudyRow.objects.get_or_create(
        slug=study.form.study,
        document_hash=study.hash,
        defaults={"title": dict(study.form.title), "document": dict(study.document)},
    )
    return row


def session_open(study: Study, *, seed: int | None = None, name: str = "") -> Session:
    """A session that members can come to by its code; raises `BadRequest`."""
    if study.form.label.signed is not None and not settings.POLITY_PANEL_KEY:
        told = "label.signed: this site has no key of the panel; set POLITY_PANEL_KEY, or leave label.signed out"
        raise BadRequest("no_panel_key", told, "label.signed")
    check_plugs(study.form.steps)
    is_class = any(step.is_led for step in study.form.steps.values())
    code = code_new(CLASS_CODE) if is_class else code_new()
    drawn = any_seed() if seed is None else seed
    return Session.objects.create(study=study_keep(study), code=code, seed=drawn, name=name.strip()[:80])


def study_of(session: Session) -> Study:
    """The checked study of a session."""
    return study_kept(session.study_id)


@lru_cache(maxsize=32)
def study_kept(pk: int) -> Study:
    """The checked study of a row."""
    return study_read(StudyRow.objects.get(pk=pk).document, is_kept=True)


def secret_of(member: Member) -> str:
    """What a browser that follows the member's own link holds for their seats; made from the site's secret."""
    return hmac.new(settings.SECRET_KEY.encode(), f"polity.member/{member.pk}".encode(), hashlib.sha256).hexdigest()


# --- coming in --------------------------------------------------------------------------------------


def member_join(
    session: Session,
    *,
    label: str = "",
    extra: Mapping[str, str] | None = None,
    language: str = "en",
    name: str = "",
    in_ranking: bool = False,
    pk: str = "",
) -> Member:
    """Somebody new, at the first step; whoever has that label already is found again, and so is, without one, ``pk``.

    ``name`` stands on the session's screen where the study asks for names, ``in_ranking`` among those with most points.
    """
    study = study_of(session)
    for _ in range(20):
        same = {"label": label} if label else {"pk": pk}
        known = Member.objects.filter(session=session, **same).first()
        if known is not None:
            return known
        now = clock.now()
        try:
            with transaction.atomic():
                number = Member.objects.filter(session=session).count()
                member = Member.objects.create(
                    pk=pk or opaque_id(), session=session, number=number, label=label, extra=dict(extra or {}),
                    language=language, name=name[:NAME_MAX], in_ranking=in_ranking, since=now, seen=now,
                )  # fmt: skip
                if is_full(session, study):
                    _end(member, study, MemberState.LATE)
                else:
                    _enter(member, study, 0)
            return member
        except IntegrityError:
            continue  # somebody else took that number, or that label, a moment ago
    raise RuntimeError("no number for a new member after twenty tries")


def is_full(session: Session, study: Study) -> bool:
    """Whether whoever comes now is late: it takes nobody new, or all its places are taken. Who ended early frees one.

    Of somebody who is just coming in, the others before them count.
    """
    if not session.is_open:
        return True
    staying = Member.objects.filter(session=session).exclude(state__in=[*EARLY, MemberState.LATE]).exclude(step="")
    return study.form.places is not None and staying.count() >= study.form.places


def member_seen(member: Member) -> None:
    """A sign of life."""
    Member.objects.filter(pk=member.pk).update(seen=clock.now(), away=None)


# --- going on ---------------------------------------------------------------------------------------


def advance(member: Member, at: Place, why: str, data: Mapping[str, Any] | None = None, *, end: str = "") -> bool:
    """From where they are to what comes next, or to an end; False, and nothing done, where they are elsewhere."""
    study = study_of(member.session)
    with transaction.atomic():
        now = clock.now()
        if not _held(member, at).update(since=now):
            return False
        _visit(member, at, why, data or {}, now)
        if end:
            _end(member, study, end)
            return True
        step = study.step(member.arm, at.step)
        if step.is_play and at.round + 1 < step.repeat:
            _put(member, step=at.step, round=at.round + 1, attempt=0, state=MemberState.WAITING, until=None)
        else:
            _enter(member, study, study.names().index(at.step) + 1)
    return True


def tried_again(member: Member, at: Place, data: Mapping[str, Any]) -> bool:
    """A wrong try is kept, and the same page stands again."""
    with transaction.atomic():
        if not _held(member, at).update(attempt=at.attempt + 1):
            return False
        _visit(member, at, "wrong", data, clock.now())
        member.attempt = at.attempt + 1
    return True


def grouped(member: Member, at: Place, **more: Any) -> bool:
    """From waiting to playing, in a transaction of the caller's; False where they are no longer waiting there."""
    waiting = _held(member, at).filter(state=MemberState.WAITING)
    changed = waiting.update(state=MemberState.PLAYING, until=None, since=clock.now(), **more)
    return bool(changed)


def _held(member: Member, at: Place) -> Any:
    return Member.objects.filter(pk=member.pk, step=at.step, round=at.round, attempt=at.attempt, state__in=UNDER_WAY)


def _visit(member: Member, at: Place, why: str, data: Mapping[str, Any], now: datetime) -> None:
    looked = member.draft if member.draft.get("at") == str(at) else {}
    Visit.objects.create(
        member=member, step=at.step, round=at.round, attempt=at.attempt, entered=member.since, left=now, why=why,
        data=dict(data), unfocused=int(looked.get("n", 0)), unfocused_s=looked.get("s", 0.0),
    )  # fmt: skip


def _enter(member: Member, study: Study, index: int) -> None:
    """The next step that the member's arm has and whose conditions hold, from ``index`` on; the end where none is."""
    from games.site.studies.facts import facts_of  # it reads what was played

    for name in study.names()[index:]:
        if name == study.at and not member.arm and not study.form.steps[name].is_play:
            member.arm = arm_for(member.session, study, member)
        if not member.arm or name in study.arms[member.arm]:
            step = study.arms[member.arm][name] if member.arm else study.form.steps[name]
            if step.when and not holds(step.when, facts_of(member, study)):
                continue
            _put(member, arm=member.arm, step=name, round=0, attempt=0, **_standing(step))
            return
    _end(member, study, MemberState.DONE)


def _standing(step: Step) -> dict[str, Any]:
    if step.is_play:
        until = None if step.is_led else _in(step.gather.wait_s)
        silo = {} if step.keeps_silo else {"silo": None, "place": None}
        return {"state": MemberState.WAITING, "until": until, **silo}
    return {"state": MemberState.WALKING, "until": _in(step.limit_s)}


def _in(seconds: float | None) -> datetime | None:
    return None if seconds is None else clock.now() + timedelta(seconds=seconds)


def arm_for(session: Session, study: Study, member: Member) -> str:
    """The arm of somebody who has none, by the members who have not ended early."""
    held = Member.objects.filter(session=session).exclude(arm="").exclude(state__in=EARLY)
    filled = dict(held.values_list("arm").annotate(n=Count("pk")))
    number = Member.objects.filter(session=session).exclude(arm="").count()
    fixed = study.form.assign.fixed.get(member.label, "")
    begun = _begun(session, study)
    return assigned(study.form.assign.how, list(study.arms), filled, number, session.seed, fixed, begun)


def _begun(session: Session, study: Study) -> set[str]:
    """The arms in which somebody is on the way to a group that still lacks somebody."""
    names = study.names()
    coming = Member.objects.filter(session=session, state__in=UNDER_WAY, silo=None).exclude(arm="")
    counts = Counter(
        arm for arm, step in coming.values_list("arm", "step")
        if arm in study.groups and names.index(step) <= names.index(study.groups[arm][0])
    )  # fmt: skip
    return {arm for arm, here in counts.items() if here % study.groups[arm][1]}


def arm_at(session: Session, study: Study, member: Member, name: str) -> str:
    """The arm of somebody who is to play a step: theirs, or the one that is drawn there; "" before arms are drawn."""
    return member.arm or (arm_for(session, study, member) if study.is_drawn(name) else "")


def _end(member: Member, study: Study, end: str) -> None:
    from games.site.studies.earning import points_of, rounds_of  # what was played is read only at an end

    ending = study.form.ends.get(end)  # type: ignore[call-overload]
    if end in UNPAID and (ending is None or ending.pay is None):
        ending = (ending or Ending.model_validate({})).model_copy(update={"pay": 0.0})
    rounds = rounds_of(member, study) if study.form.pay.play == "round" else []
    units = [one.points for one in rounds] if study.form.pay.play == "round" else points_of(member, study)
    paid = amount(study.form.pay, ending, end == MemberState.DONE, units, (member.session.seed, member.number))
    drawn = rounds[paid.paid_run] if rounds and paid.paid_run is not None else None
    pay = {
        "points": paid.points, "show_up": str(paid.show_up), "bonus": str(paid.bonus), "total": str(paid.total),
        "currency": study.form.pay.currency, "paid_run": drawn.match if drawn else paid.paid_run,
        "paid_round": drawn.round if drawn else None,
    }  # fmt: skip
    _put(member, state=MemberState(end), until=None, pay=pay, ended=clock.now())


def _put(member: Member, **fields: Any) -> None:
    fields.setdefault("since", clock.now())
    fields.setdefault("told", {})
    fields.setdefault("draft", {})
    Member.objects.filter(pk=member.pk).update(**fields)
    for name, value in fields.items():
        setattr(member, name, value)
