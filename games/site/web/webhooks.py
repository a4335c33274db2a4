"""The API's room for webhooks, and their place on the page of an account."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router, Schema, Status
from pydantic import ConfigDict

from games.errors.plaintext import check_text
from games.site.accounts.trail import who_of
from games.site.accounts.webhooks import (
    ADDRESS_MAX,
    EVENTS,
    secret_of,
    secret_rotate,
    webhook_change,
    webhook_create,
    webhook_delete,
    webhook_of,
    webhook_test,
)
from games.site.models import Delivery, Webhook
from games.site.record.cursors import NEWEST, after, cursor_of, last_of, ordered, place_of
from games.site.web.holders import experimenters
from games.site.web.idempotency import tell_once
from games.site.web.listshapes import Cursor
from games.site.web.paging import link_next

router = Router()
SHOWN: Final = 5
"""Deliveries of each on the account's page."""

EventName = Literal["run.ended", "run.paused", "experiment.ended", "experiment.paused", "session.ended"]
Address = Annotated[str, Field(max_length=ADDRESS_MAX, description="https://HOST/PATH")]
Narrowed = Annotated[
    str, Field(max_length=80, description="Of this experiment and its runs alone, by its slug; empty: of all.")
]
Events = Annotated[list[EventName], Field(min_length=1, max_length=len(EVENTS))]


class WebhookIn(Schema):
    address: Address
    events: Events
    experiment: Narrowed = ""

    model_config = ConfigDict(extra="forbid")


class WebhookPatch(Schema):
    """What is not given stays."""

    address: Address | None = None
    events: Events | None = None
    experiment: Narrowed | None = None
    enabled: bool | None = Field(None, description="true: what has waited is sent, too.")

    model_config = ConfigDict(extra="forbid")


class WebhookOut(Schema):
    id: int
    address: str
    events: list[EventName]
    experiment: str
    created: datetime
    enabled: bool
    reason: str = Field(description="Why not: failing for three days, gone (it answered 410), role, owner; else empty.")
    failing: datetime | None = Field(description="Since when nothing has arrived; null where the last did.")


class WebhookMadeOut(WebhookOut):
    secret: str = Field(description="whsec_…; nobody can read it again.")


class SecretOut(Schema):
    secret: str = Field(description="whsec_…; the one before signs beside it for a day.")


class DeliveryOut(Schema):
    id: str = Field(description="The header webhook-id: the same each time that it is sent.")
    type: str
    status: Literal["waiting", "delivered", "failed"]
    tries: int
    code: int | None = Field(description="HTTP status of the last answer.")
    error: str = Field(description="Why there was none.")
    created: datetime
    tried: datetime | None
    due: datetime | None = Field(description="When it is sent next; null: never again.")
    body: str = Field(description="As it is sent.")


class EventData(Schema):
    """What has happened, and where it is read; nothing of what was said or played."""

    run: str | None = None
    game: str | None = None
    scenario: str | None = None
    condition: str | None = None
    experiment: str | None = Field(None, description="Its slug; null: of none.")
    session: int | None = None
    study: str | None = None
    status: str | None = None
    why: str | None = Field(None, description="Why it stands still, or ended so: limit, models, away, …")
    address: str | None = Field(None, description="Below the site's own.")

    model_config = ConfigDict(extra="forbid")


class WebhookMessage(Schema):
    """What is sent to a webhook's address, signed by the Standard Webhooks scheme."""

    type: EventName | Literal["webhook.test"]
    timestamp: datetime
    data: EventData


RECEIVED: Final = {
    "event": {
        "post": {
            "operationId": "receive_event",
            "summary": "An event of a webhook.",
            "parameters": [
                {"name": name, "in": "header", "required": True, "schema": {"type": "string"}}
                for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
            ],
            "requestBody": {
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/WebhookMessage"}}}
            },
            "responses": {"2XX": {"description": "It is taken; after anything else it is sent again."}},
        }
    }
}
"""As the API's description tells receivers of it."""


class NothingIn(Schema):
    model_config = ConfigDict(extra="forbid")


def _out(hook: Webhook) -> dict[str, Any]:
    names = ("id", "address", "events", "experiment", "created", "reason", "failing")
    return {name: getattr(hook, name) for name in names} | {"enabled": hook.disabled is None}


def _delivery(one: Delivery) -> dict[str, Any]:
    names = ("id", "status", "tries", "code", "error", "created", "tried", "due", "body")
    return {name: getattr(one, name) for name in names} | {"type": one.kind}


@router.get("/webhooks", response=list[WebhookOut], auth=experimenters, url_name="webhooks")
def webhooks(request: HttpRequest) -> list[dict[str, Any]]:
    """The asker's webhooks, newest first."""
    user: Any = request.user
    return [_out(hook) for hook in Webhook.objects.filter(user=user)]


@router.post("/webhooks", response={201: WebhookMadeOut}, auth=experimenters, url_name="webhook_create")
def webhook_make(request: HttpRequest, body: WebhookIn) -> Status[dict[str, Any]]:
    """Have events sent to an address, signed with a secret that is told here alone."""
    hook = webhook_create(user=request.user, who=who_of(request), **body.dict())
    return Status(201, {**_out(hook), "secret": tell_once(request, secret_of(hook))})


@router.get("/webhooks/{webhook}", response=WebhookOut, auth=experimenters, url_name="webhook")
def webhook_see(request: HttpRequest, webhook: int) -> dict[str, Any]:
    """One webhook, and how it stands."""
    return _out(webhook_of(request.user, webhook))


@router.patch("/webhooks/{webhook}", response=WebhookOut, auth=experimenters, url_name="webhook_change")
def webhook_patch(request: HttpRequest, webhook: int, body: WebhookPatch) -> dict[str, Any]:
    """Change its address or events, stop it, or go on with it."""
    webhook_change(hook=webhook_of(request.user, webhook), who=who_of(request), **body.dict())
    return _out(webhook_of(request.user, webhook))


@router.delete("/webhooks/{webhook}", response={204: None}, auth=experimenters, url_name="webhook_delete")
def webhook_drop(request: HttpRequest, webhook: int) -> Status[None]:
    """Delete it, with what waits for it."""
    webhook_delete(hook=webhook_of(request.user, webhook), who=who_of(request))
    return Status(204, None)


@router.post("/webhooks/{webhook}/test", response={202: DeliveryOut}, auth=experimenters, url_name="webhook_test")
def webhook_try(request: HttpRequest, webhook: int, body: NothingIn) -> Status[dict[str, Any]]:
    """Send an event that tells of nothing; what came of it stands among the deliveries."""
    return Status(202, _delivery(webhook_test(webhook_of(request.user, webhook))))


@router.post("/webhooks/{webhook}/secret", response=SecretOut, auth=experimenters, url_name="webhook_secret")
def webhook_rotate(request: HttpRequest, webhook: int, body: NothingIn) -> dict[str, str]:
    """A new secret, told here alone."""
    return {"secret": tell_once(request, secret_rotate(hook=webhook_of(request.user, webhook), who=who_of(request)))}


@router.get(
    "/webhooks/{webhook}/deliveries", response=list[DeliveryOut], auth=experimenters, url_name="webhook_deliveries"
)
def webhook_deliveries(
    request: HttpRequest,
    response: HttpResponse,
    webhook: int,
    limit: Annotated[int, Query(50, ge=1, le=200)],
    cursor: Cursor,
) -> list[dict[str, Any]]:
    """What was sent there or waits, newest first, for thirty days; the next page is named in `Link`."""
    named = f"deliveries {webhook}"
    rows = ordered(Delivery.objects.filter(webhook=webhook_of(request.user, webhook)), NEWEST)
    if (place := last_of(named, cursor)) is not None:
        rows = after(rows, NEWEST, place)
    found = list(rows[: limit + 1])
    if len(found) > limit:
        link_next(request, response, cursor_of(named, place_of(found[limit - 1], NEWEST)))
    return [_delivery(one) for one in found[:limit]]


# --- on the account's page --------------------------------------------------------------------------------


def page_do(request: HttpRequest) -> str:
    """What a form of the page asks; the secret that is to be shown, where there is one. Raises `Refusal`."""
    who, given = who_of(request), request.POST
    check_text([given.get("address", ""), given.get("experiment", "")])
    if given["do"] == "hook":
        about = {"address": given.get("address", "").strip(), "experiment": given.get("experiment", "").strip()}
        return secret_of(webhook_create(user=request.user, who=who, events=given.getlist("events"), **about))
    number = given.get("webhook", "")
    hook = webhook_of(request.user, int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else 0)
    match given["do"]:
        case "hook-test":
            webhook_test(hook)
        case "hook-secret":
            return secret_rotate(hook=hook, who=who)
        case "hook-enable":
            webhook_change(hook=hook, who=who, enabled=True)
        case "hook-delete":
            webhook_delete(hook=hook, who=who)
    return ""


def page_hooks(user: Any) -> list[tuple[Webhook, list[Delivery]]]:
    """The user's webhooks, each with the latest of what was sent."""
    return [(hook, list(hook.deliveries.order_by("-created")[:SHOWN])) for hook in Webhook.objects.filter(user=user)]
