"""Webhooks: an account's programs are told what happens, signed by the Standard Webhooks scheme.

An event is written for each webhook that wants it in the transaction of what it tells of (`happened`), and sent later
(`games.site.workers.delivering`). It names what has happened and where to read it; what is read there is up to the
reader's key.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from agents_app.providers.outward import Guard, numbers
from games.errors.requests import BadRequest, NotFound
from games.site.accounts.trail import audit
from games.site.models import Delivery, Experiment, Run, Session, Webhook

Event: TypeAlias = Literal["run.ended", "run.paused", "experiment.ended", "experiment.paused", "session.ended"]
"""paused: by itself, as where a limit is reached; what somebody pauses by hand is told to nobody."""
EVENTS: Final[tuple[Event, ...]] = get_args(Event)
TEST: Final = "webhook.test"
MOST: Final = 20
"""Webhooks of one account."""
ADDRESS_MAX: Final = 500
ROTATING: Final = timedelta(days=1)
"""So long a secret that was replaced signs beside the new one."""


# --- what has happened --------------------------------------------------------------------------------


def run_happened(kind: Event, run_id: str, why: str = "") -> None:
    """Write down that a run has ended, or paused by itself because of ``why``. Call it in the transaction of that."""
    if not (hooks := _live(kind)):
        return
    run = Run.objects.select_related("scenario", "experiment", "session").get(pk=run_id)
    data = {
        "run": run.pk,
        "game": run.game,
        "scenario": run.scenario.name,
        "condition": run.condition,
        "status": str(run.status),
        "experiment": run.experiment.slug if run.experiment else None,
        "session": run.session.pk if run.session else None,
        "address": f"/api/v1/runs/{run.pk}",
    }
    _write(kind, hooks, data | ({"why": why} if why else {}))


def experiment_happened(kind: Event, pk: int, why: str = "") -> None:
    """The same of an experiment."""
    if not (hooks := _live(kind)):
        return
    experiment = Experiment.objects.get(pk=pk)
    address = f"/api/v1/experiments/{experiment.slug}"
    data = {"experiment": experiment.slug, "status": str(experiment.status), "address": address}
    _write(kind, hooks, data | ({"why": why} if why else {}))


def session_happened(kind: Event, session: Session) -> None:
    """The same of a session of a study."""
    address = f"/api/v1/sessions/{session.pk}"
    _write(kind, _live(kind), {"session": session.pk, "study": session.study.slug, "address": address})


def _live(kind: Event) -> list[Webhook]:
    return [hook for hook in Webhook.objects.filter(disabled=None) if kind in hook.events]


def _write(kind: str, hooks: Sequence[Webhook], data: Mapping[str, Any]) -> list[Delivery]:
    now = timezone.now()
    body = json.dumps({"type": kind, "timestamp": now.isoformat(), "data": data})
    wanted = [hook for hook in hooks if hook.experiment in ("", data.get("experiment"))]
    return Delivery.objects.bulk_create(
        [Delivery(webhook=hook, kind=kind, body=body, created=now, due=now) for hook in wanted]
    )


def webhook_test(hook: Webhook) -> Delivery:
    """An event that tells of nothing."""
    return _write(TEST, [hook], {"experiment": hook.experiment or None})[0]


# --- made and changed -----------------------------------------------------------------------------------


def webhook_create(*, user: Any, who: str, address: str, events: Sequence[str], experiment: str = "") -> Webhook:
    """A new webhook; raises `BadRequest`."""
    checked = _checked(address, events, experiment)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if Webhook.objects.filter(user=user).count() >= MOST:
            raise BadRequest("too_many_webhooks", f"you have {MOST} webhooks; delete one of them", most=MOST)
        made = Webhook.objects.create(user=user, salt=secrets.token_hex(16), **checked)
        audit(who=who, what="webhook_made", on=str(made), data=checked)
    return made


def webhook_change(
    *,
    hook: Webhook,
    who: str,
    address: str | None = None,
    events: Sequence[str] | None = None,
    experiment: str | None = None,
    enabled: bool | None = None,
) -> None:
    """Change what is given; raises `BadRequest`. Enabled again it is sent what has waited, too."""
    wanted = {"address": address, "events": events, "experiment": experiment}
    now: dict[str, Any] = {name: getattr(hook, name) if value is None else value for name, value in wanted.items()}
    changed = _checked(**now)
    if enabled is not None:
        changed |= {"disabled": None if enabled else timezone.now(), "reason": "" if enabled else "owner"}
        changed |= {"failing": None} if enabled else {}
    with transaction.atomic():
        Webhook.objects.filter(pk=hook.pk).update(**changed)
        audit(who=who, what="webhook_changed", on=str(hook), data={**now, "enabled": enabled})


def webhook_delete(*, hook: Webhook, who: str) -> None:
    """Let go of it, and of what was sent or waits."""
    with transaction.atomic():
        audit(who=who, what="webhook_deleted", on=str(hook))
        hook.delete()


def webhook_disable(hook: Webhook, reason: str) -> None:
    """Nothing is sent there any more until somebody enables it."""
    with transaction.atomic():
        if Webhook.objects.filter(pk=hook.pk, disabled=None).update(disabled=timezone.now(), reason=reason):
            audit(who="polity", what="webhook_disabled", on=str(hook), data={"reason": reason})


def webhook_of(user: Any, pk: int) -> Webhook:
    """The user's own webhook; raises `NotFound`."""
    found = Webhook.objects.filter(user=user, pk=pk).first()
    if found is None:
        raise NotFound(f"webhook {pk}: you have none of that id", why="webhook")
    return found


def _checked(address: str, events: Sequence[str], experiment: str) -> dict[str, Any]:
    if unknown := [event for event in events if event not in EVENTS] or ([] if events else ["none"]):
        told = f"events: {unknown[0][:40]}; one or more of {', '.join(EVENTS)}"
        raise BadRequest("bad_events", told, "events", known=list(EVENTS))
    if experiment and not Experiment.objects.filter(slug=experiment).exists():
        raise NotFound(f"experiment: there is no {experiment[:80]!r}", "no_such_experiment", slug=experiment[:80])
    address_check(address)
    return {"address": address, "events": [one for one in EVENTS if one in events], "experiment": experiment}


def address_check(address: str) -> None:
    """Raises `BadRequest` where no event is sent to such an address; where a name leads is looked at as it is sent."""
    try:
        split = urlsplit(address)
        is_sound = split.scheme in ("http", "https") and bool(split.hostname) and (split.port or 1) > 0
        is_sound = is_sound and "@" not in split.netloc and not split.fragment
    except ValueError:
        is_sound = False
    if not is_sound or len(address) > ADDRESS_MAX or not re.fullmatch(r"[!-~]+", address):
        told = f"address: {address[:80]!r}; https://HOST/PATH is expected, at most {ADDRESS_MAX} characters"
        raise BadRequest("bad_webhook_address", told, "address", most=ADDRESS_MAX)
    if is_own(address):
        return
    guard = Guard()
    if split.scheme == "http" and not guard.loopback:
        raise BadRequest("bad_webhook_address", f"address: {address[:80]!r}; it must begin with https://", "address")
    if (number := numbers(address)) and not guard.lets(number):
        told = f"address: {number} is not on the open internet; an operator may name it in POLITY_WEBHOOK_HOSTS"
        raise BadRequest("bad_webhook_address", told, "address")


def is_own(address: str) -> bool:
    """Whether the operator's setting names the address, which may then lie in their own network."""
    named: Sequence[str] = settings.POLITY_WEBHOOK_HOSTS
    return any(address == one or address.startswith((f"{one}/", f"{one}?")) for one in named)


# --- signatures -----------------------------------------------------------------------------------------


def secret_of(hook: Webhook) -> str:
    """With which it is signed, as `whsec_…`: kept nowhere, made from its salt and the site's key."""
    return f"whsec_{base64.b64encode(_secret(hook, hook.salt)).decode()}"


def secret_rotate(*, hook: Webhook, who: str) -> str:
    """A new secret; for a day what is sent is signed with the old one too."""
    with transaction.atomic():
        hook.old_salt, hook.old_until = hook.salt, timezone.now() + ROTATING
        hook.salt = secrets.token_hex(16)
        hook.save(update_fields=["salt", "old_salt", "old_until"])
        audit(who=who, what="webhook_rotated", on=str(hook))
    return secret_of(hook)


def signed(hook: Webhook, message: str, body: str, at: datetime) -> dict[str, str]:
    """The headers of a message by the Standard Webhooks scheme, 1.0."""
    stamp = str(int(at.timestamp()))
    made = [signature(secret, message, stamp, body) for secret in _secrets(hook, at)]
    return {"webhook-id": message, "webhook-timestamp": stamp, "webhook-signature": " ".join(made)}


def signature(secret: bytes, message: str, stamp: str, body: str) -> str:
    digest = hmac.new(secret, f"{message}.{stamp}.{body}".encode(), hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def _secrets(hook: Webhook, at: datetime) -> Iterator[bytes]:
    yield _secret(hook, hook.salt)
    if hook.old_until is not None and at < hook.old_until:
        yield _secret(hook, hook.old_salt)


def _secret(hook: Webhook, salt: str) -> bytes:
    return hmac.new(settings.SECRET_KEY.encode(), f"webhook {hook.pk} {salt}".encode(), hashlib.sha256).digest()
