"""Who sits in a person's or a program's seat."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from agents_app.people import LABEL_MAX
from games.site.models.identity import opaque_id
from games.site.models.runs import Run


class ParticipantState(models.TextChoices):
    ROOM = "room"
    READY = "ready"
    PLAYING = "playing"
    SUBSTITUTED = "substituted"
    LEFT = "left"
    REMOVED = "removed"


HOLDING = (
    ParticipantState.ROOM,
    ParticipantState.READY,
    ParticipantState.PLAYING,
    ParticipantState.SUBSTITUTED,
)
"""States in which a participant holds the seat."""


class Participant(models.Model):
    """A person in a seat. Label, language and consent are here alone, apart from what was played."""

    id = models.CharField(primary_key=True, max_length=16, default=opaque_id, editable=False)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="participants")
    member = models.ForeignKey("Member", on_delete=models.PROTECT, related_name="participants", null=True, blank=True)
    seat = models.PositiveIntegerField()
    link = models.PositiveIntegerField(help_text="Number of the seat's link when they joined.")
    state = models.CharField(max_length=12, choices=ParticipantState.choices, default=ParticipantState.ROOM)
    label = models.CharField(max_length=LABEL_MAX, blank=True)
    language = models.CharField(max_length=2, default="en")
    consent_at = models.DateTimeField(null=True)
    consent = models.TextField(blank=True, help_text="The text that was agreed to.")
    holder = models.CharField(max_length=64, help_text="Digest of the secret in the holder's session.")
    tab = models.CharField(max_length=64, blank=True, help_text="The tab that may move.")
    tab_seen = models.DateTimeField(null=True)
    seen = models.DateTimeField(help_text="Last sign of life.")
    active = models.DateTimeField(help_text="Last sign that somebody looks at the page.")
    gone_at = models.DateTimeField(null=True, help_text="Since when there is no sign of life.")
    unfocused_s = models.FloatField(default=0, help_text="Seconds in which the page was open and not looked at.")
    unfocused = models.PositiveIntegerField(default=0, help_text="How often they looked away.")
    halted = models.BooleanField(default=False, help_text="Their plan ends before the next step; then they are asked.")
    joined = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True)

    class Meta:
        ordering = ("run", "seat", "joined")
        constraints = (
            models.UniqueConstraint(fields=["run", "seat"], condition=Q(state__in=HOLDING), name="seat_held_once"),
            models.UniqueConstraint(
                fields=["run", "label"], condition=Q(state__in=HOLDING) & ~Q(label=""), name="label_held_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.run_id} seat {self.seat}"
