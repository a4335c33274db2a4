"""Prolific, by its public API: a study made for a session, published, paused, its submissions approved, bonuses paid.

What stands on their side is read anew each time; what was paid by us stands in the member's pay, written before it is
paid, so that no bonus is paid twice. Requests as their reference has them (https://docs.prolific.com/api-reference).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from games.errors.requests import BadRequest
from games.site.models import UNDER_WAY, Member, MemberState, Session
from games.site.studies.operating import session_act
from games.site.studies.walking import Place, study_of

API: Final = "https://api.prolific.com"
ADDRESS: Final = "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
"""What they put into the address of whoever comes."""
AWAITING, APPROVED, SCREENED, RETURNED, TIMED_OUT = (
    "AWAITING REVIEW", "APPROVED", "SCREENED OUT", "RETURNED", "TIMED-OUT",
)  # fmt: skip
"""Of submissions, as they call them."""
TIMEOUT_S: Final = 30.0
CENTS: Final = Decimal("0.01")


class Prolific:
    """Their API as one researcher. Raises `BadRequest` with what they answered."""

    def __init__(self, token: str, base: str = API) -> None:
        try:
            import httpx
        except ImportError:
            raise BadRequest("panel", "Prolific's API is asked by httpx; install polity-lab[client]") from None
        headers = {"Authorization": f"Token {token}"}
        self._http = httpx.Client(base_url=f"{base.rstrip('/')}/api/v1/", headers=headers, timeout=TIMEOUT_S)
        self._failed = httpx.HTTPError

    def _asked(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        try:
            answer = self._http.request(method, path, json=body)
        except self._failed as error:
            raise BadRequest("panel", f"Prolific, {method} {path}: {error}; nothing is known of it") from None
        if answer.status_code >= 400:
            raise BadRequest("panel", f"Prolific, {method} {path}: {answer.status_code} {answer.text[:300]}")
        return answer.json() if answer.content else None

    def create(self, body: Mapping[str, Any]) -> str:
        """Its id; a draft that nobody sees."""
        return str(self._asked("POST", "studies/", body)["id"])

    def transition(self, study: str, action: str) -> str:
        """PUBLISH, PAUSE, START or STOP; how the study stands then."""
        return str(self._asked("POST", f"studies/{study}/transition/", {"action": action})["status"])

    def submissions(self, study: str) -> Iterator[Mapping[str, Any]]:
        """Every submission, page by page."""
        path = f"submissions/?study={study}"
        while path:
            page = self._asked("GET", path)
            yield from page["results"]
            following = (page.get("_links") or {}).get("next") or {}
            path = str(following.get("href") or "").rpartition("/api/v1/")[2]

    def approve(self, submission: str) -> None:
        self._asked("POST", f"submissions/{submission}/transition/", {"action": "APPROVE"})

    def bonuses_set_up(self, study: str, amounts: Mapping[str, Decimal]) -> str:
        """The id of a payment of these amounts, by participant; nothing is paid yet."""
        rows = "\n".join(f"{participant},{amount}" for participant, amount in amounts.items())
        return str(self._asked("POST", "submissions/bonus-payments/", {"study_id": study, "csv_bonuses": rows})["id"])

    def bonuses_pay(self, payment: str) -> None:
        self._asked("POST", f"bulk-bonus-payments/{payment}/pay/")


# --- a study there --------------------------------------------------------------------------------


def study_body(session: Session, address: str) -> dict[str, Any]:
    """A session as their study. Raises `BadRequest` where its file does not say what they need."""
    form = study_of(session).form
    if "PROLIFIC_PID" not in form.label.sources:
        raise BadRequest("panel", "label.from: PROLIFIC_PID has to be among them, or nobody is known by it", "label")
    done = form.ends.get("done")
    code = None if done is None else done.code
    needed = {"minutes": form.minutes, "places": form.places, "pay.show_up": form.pay.show_up, "ends.done.code": code}
    if missing := [name for name, value in needed.items() if not value]:
        raise BadRequest("panel", f"{', '.join(missing)}: Prolific needs it; write it into the study's file")
    title = form.title.get("en") or next(iter(form.title.values()), form.study)
    return {
        "name": title, "internal_name": f"{form.study} {session.code}", "description": title,
        "external_study_url": f"{address.rstrip('/')}/s/{session.code}?{ADDRESS}",
        "prolific_id_option": "url_parameters",
        "completion_codes": list(_codes(session)), "estimated_completion_time": round(form.minutes or 0),
        "total_available_places": form.places, "reward": _cents(Decimal(str(form.pay.show_up))),
    }  # fmt: skip


def _codes(session: Session) -> Iterator[dict[str, Any]]:
    form = study_of(session).form
    for name, end in form.ends.items():
        if end.code is None:
            continue
        kind = {"done": "COMPLETED", "screened": "SCREENED_OUT"}.get(name, "OTHER")
        action: dict[str, Any] = {"action": "MANUALLY_REVIEW"}
        if name == "screened" and isinstance(end.pay, float | int):
            reward = _cents(Decimal(str(end.pay)))
            action = {"action": "FIXED_SCREEN_OUT_PAYMENT", "fixed_screen_out_reward": reward, "slots": form.places}
        yield {"code": end.code, "code_type": kind, "actions": [action]}


def _cents(amount: Decimal) -> int:
    return int((amount / CENTS).to_integral_value())


# --- what came of it ------------------------------------------------------------------------------


@dataclass(slots=True)
class Settled:
    """What a settling did. ``odd``: what an operator has to look at, a line each."""

    approved: list[int] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    bonuses: dict[int, Decimal] = field(default_factory=dict)
    odd: list[str] = field(default_factory=list)


def settle(panel: Prolific, session: Session, study: str) -> Settled:
    """Approve who is done, end the walk of who returned or ran out of time, and pay what is due beyond the reward.

    Done twice it does the rest of what was left, and pays nobody twice.
    """
    told, form = Settled(), study_of(session).form
    members = {
        one.label: one for one in Member.objects.filter(session=session).select_related("session", "session__study")
    }
    due: dict[str, tuple[Member, Decimal]] = {}
    for submission in panel.submissions(study):
        participant, status = str(submission["participant_id"]), str(submission["status"])
        member = members.get(participant)
        if member is None:
            if status == AWAITING:
                told.odd.append(f"{participant}: awaits review, and never came here")
            continue
        if status in (RETURNED, TIMED_OUT) and member.state in UNDER_WAY:
            session_act(session, "end", member, Place.of(member), who="prolific")
            member.refresh_from_db()
            told.ended.append(member.number)
        elif status == AWAITING and member.state == MemberState.DONE:
            panel.approve(str(submission["id"]))
            status = APPROVED
            told.approved.append(member.number)
        elif status == AWAITING:
            told.odd.append(f"member {member.number}: awaits review, and is {member.state} here")
        rest = _beyond(member, status, form.pay.show_up, _screened_pay(form.ends.get("screened")))
        if rest > 0:
            due[participant] = member, rest
    _pay(panel, study, due, told)
    return told


def _screened_pay(end: Any) -> float:
    return float(end.pay) if end is not None and isinstance(end.pay, float | int) else 0.0


def _beyond(member: Member, status: str, reward: float, screened: float) -> Decimal:
    """What a member is owed beside what Prolific pays by itself; 0 while their walk or its review is under way."""
    if not member.ended or status not in (APPROVED, SCREENED, RETURNED, TIMED_OUT):
        return Decimal(0)
    by_itself = {APPROVED: reward, SCREENED: screened}.get(status, 0.0)
    return (Decimal(str(member.pay.get("total") or 0)) - Decimal(str(by_itself))).quantize(CENTS)


def _pay(panel: Prolific, study: str, due: Mapping[str, tuple[Member, Decimal]], told: Settled) -> None:
    fresh: dict[str, Decimal] = {}
    for participant, (member, amount) in due.items():
        paid = member.pay.get("panel")
        if paid is None:
            fresh[participant] = amount
        elif paid["state"] != "paid":
            told.odd.append(
                f"member {member.number}: look whether payment {paid['payment']} of {paid['amount']} was made"
            )
    if not fresh:
        return
    payment = panel.bonuses_set_up(study, fresh)
    for participant, amount in fresh.items():
        _note(due[participant][0], {"payment": payment, "amount": str(amount), "state": "set_up"})
    panel.bonuses_pay(payment)
    for participant, amount in fresh.items():
        _note(due[participant][0], {"payment": payment, "amount": str(amount), "state": "paid"})
        told.bonuses[due[participant][0].number] = amount


def _note(member: Member, paid: Mapping[str, str]) -> None:
    member.pay = {**member.pay, "panel": dict(paid)}
    Member.objects.filter(pk=member.pk).update(pay=member.pay)
