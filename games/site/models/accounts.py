"""Who may do what, and who did: keys, kept answers, the trail, the operator's one-time door."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class ApiKey(models.Model):
    """A user's own key to the API, shown once. Only its digest is kept; a revoked one stays for the trail."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=16, unique=True, help_text="Its open part, by which it is found and known.")
    digest = models.CharField(max_length=64)
    scopes = models.JSONField(default=list, help_text="What it may be used for: read, run, export.")
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField(null=True, blank=True)
    used = models.DateTimeField(null=True, blank=True, help_text="Last use, to the minute.")
    revoked = models.DateTimeField(null=True, blank=True)
    budget_usd = models.DecimalField(
        max_digits=14,
        decimal_places=8,
        null=True,
        blank=True,
        help_text="What its runs may cost in all; empty: no bound.",
    )
    deleted_usd = models.DecimalField(
        max_digits=14, decimal_places=8, default=0, db_default=0, help_text="What runs had cost that are deleted."
    )

    class Meta:
        ordering = ("-created",)
        constraints = (models.UniqueConstraint(fields=["user", "name"], name="api_key_name_once"),)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix})"


class SignIn(models.Model):
    """A browser that is signed in: whose, since when, from where. Its session is Django's own."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_ins")
    session = models.CharField(max_length=40, unique=True)
    address = models.CharField(max_length=64, blank=True)
    agent = models.CharField(max_length=200, blank=True, help_text="As the browser calls itself.")
    at = models.DateTimeField(auto_now_add=True)
    seen = models.DateTimeField(auto_now_add=True, help_text="Last use, to five minutes.")

    class Meta:
        ordering = ("-seen",)

    def __str__(self) -> str:
        return f"{self.user} from {self.address}"


class KeptAnswer(models.Model):
    """What a request with an idempotency key was answered, so that the same one again is told the same."""

    owner = models.CharField(max_length=80)
    key = models.CharField(max_length=200)
    asked = models.CharField(max_length=64, help_text="Digest of method, address and body.")
    status = models.PositiveSmallIntegerField(null=True, help_text="Null while it is under way.")
    kind = models.CharField(max_length=80, blank=True, help_text="Content type.")
    body = models.BinaryField(default=bytes)
    created = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["owner", "key"], name="idempotency_key_once"),)

    def __str__(self) -> str:
        return f"{self.owner} {self.key[:20]}"


class AuditEntry(models.Model):
    """Who did what that others may ask about: started, paused, handed over, read labels, exported, made a key."""

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    who = models.CharField(max_length=160, help_text="User name, and the key where one was used.")
    what = models.CharField(max_length=40)
    on = models.CharField(max_length=160, blank=True, help_text="Such as run ID or experiment SLUG.")
    data = models.JSONField(default=dict)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=["on", "-at"]),)
        verbose_name_plural = "audit trail"

    def __str__(self) -> str:
        return f"{self.who} {self.what} {self.on}"


class Entry(models.Model):
    """A one-time door for the operator, as the launcher prints it. Only the token's digest is kept."""

    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(used=None) | Q(used__gte=F("created")), name="entry_order"),)

    def __str__(self) -> str:
        return f"entry of {self.created:%Y-%m-%d %H:%M}"
