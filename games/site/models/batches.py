"""Models' calls that go through their vendors' batch interfaces, and what came back."""

from __future__ import annotations

from django.db import models

from games.site.models.runs import Run


class Batch(models.Model):
    """Calls that were sent to a vendor's batch interface together.

    ``key``      ours; the order carries it, so that a batch is found again whose id was lost
    ``profile``  server, key's name, model and settings: what its calls have in common
    ``look_at``  when it is looked at next; whoever looks puts it off first, so that nobody else does
    ``holder``   who looks at it now, as in a run's lease
    """

    key = models.CharField(max_length=32, unique=True)
    profile = models.JSONField()
    ordered = models.BooleanField(default=False, help_text="An order was sent, of which no answer may have come.")
    vendor_id = models.CharField(max_length=200, blank=True, default="")
    cancelled = models.BooleanField(default=False)
    over = models.BooleanField(default=False)
    error = models.CharField(max_length=400, blank=True, default="", help_text="Why the last look told nothing.")
    posted = models.DateTimeField()
    deadline = models.DateTimeField()
    look_at = models.DateTimeField()
    holder = models.CharField(max_length=120, blank=True, default="")

    class Meta:
        verbose_name_plural = "batches"
        indexes = (models.Index(fields=["over", "look_at"], name="batch_due"),)

    def __str__(self) -> str:
        return self.vendor_id or self.key


class Letter(models.Model):
    """One call of a run that goes by batch. Its line is kept until it is answered, its answer until the run is gone."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="letters")
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="letters", null=True, blank=True)
    name = models.CharField(max_length=32, unique=True, help_text="The custom_id of its line.")
    group = models.CharField(max_length=32, help_text="The same for those that can share a batch.")
    profile = models.JSONField()
    seat = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField(help_text="That it is expected to take at the most.")
    taken = models.BooleanField(default=False, help_text="Its run has its answer.")
    line = models.TextField(blank=True)
    answer = models.TextField(blank=True, default="", help_text="As JSON text; empty before it is there.")
    posted = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=["batch", "group"], name="letter_waiting"),)

    def __str__(self) -> str:
        return self.name
