"""Where programs are told that something has happened, and what was sent there."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models


def delivery_id() -> str:
    return f"msg_{secrets.token_urlsafe(16)}"


class Webhook(models.Model):
    """An address to which an account's events are sent.

    ``experiment``  its name in addresses: of its events and its runs' alone; "" for all
    ``salt``        what its secret is made from, together with the site's own key; ``old_salt`` signs beside it until
                    ``old_until``
    ``failing``     since when nothing has arrived there; null where the last did
    ``disabled``    nothing is sent since then, because of ``reason``: failing, gone (410), role, owner
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=500)
    events = models.JSONField(default=list)
    experiment = models.CharField(max_length=80, blank=True)
    salt = models.CharField(max_length=32)
    old_salt = models.CharField(max_length=32, blank=True)
    old_until = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    failing = models.DateTimeField(null=True, blank=True)
    disabled = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=16, blank=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"webhook {self.pk}"


class DeliveryStatus(models.TextChoices):
    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


class Delivery(models.Model):
    """One event for one webhook, written with what it tells of, and how often it was sent. ``id`` stays through tries.

    ``due``     when it is to be sent next; null where that is over
    ``code``    HTTP status of the last answer; null where none came, for the reason in ``error``
    """

    id = models.CharField(primary_key=True, max_length=32, default=delivery_id, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    kind = models.CharField(max_length=32)
    body = models.TextField()
    created = models.DateTimeField()
    status = models.CharField(max_length=10, choices=DeliveryStatus.choices, default=DeliveryStatus.WAITING)
    due = models.DateTimeField(null=True, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)
    tried = models.DateTimeField(null=True)
    code = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=80, blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = (models.Index(fields=["webhook", "-created"]),)

    def __str__(self) -> str:
        return f"{self.kind} {self.status}"
