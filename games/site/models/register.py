"""The register of what was declared and how it ended: appended to, never changed, each entry bound to the last."""

from __future__ import annotations

from django.db import models

from games.site.models.ordered import OrderedJSONField


class RegisterKind(models.TextChoices):
    DECLARED = "declared"
    IMPORTED = "imported"
    ENDED = "ended"
    ERASED = "erased"


class RegisterEntry(models.Model):
    """One entry. ``digest`` is of the document, ``hash`` of the entry with the hash of the one before it."""

    number = models.PositiveIntegerField(primary_key=True)
    at = models.DateTimeField(help_text="When the site received it, by its own clock.")
    kind = models.CharField(max_length=12, choices=RegisterKind.choices)
    subject = models.CharField(max_length=120, db_index=True, help_text="Such as: experiment SLUG.")
    document = OrderedJSONField(default=dict)
    digest = models.CharField(max_length=32)
    hash = models.CharField(max_length=32)

    class Meta:
        ordering = ("number",)

    def __str__(self) -> str:
        return f"{self.number} {self.kind} {self.subject}"
