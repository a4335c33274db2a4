"""A study with people: its file, a session of it, its members and what they went through."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from games.site.models.identity import opaque_id
from games.site.models.ordered import OrderedJSONField


class Study(models.Model):
    """A study file as it was given: never edited, a change is a new row; data name the hash."""

    slug = models.SlugField(max_length=64)
    title = models.JSONField(default=dict, help_text="By language.")
    document = OrderedJSONField(help_text="The file's content, texts in place of files.")
    document_hash = models.CharField(max_length=32)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "studies"
        constraints = (models.UniqueConstraint(fields=["slug", "document_hash"], name="a_study_is_kept_once"),)

    def __str__(self) -> str:
        return self.slug


class Session(models.Model):
    """One time that a study is held. The seed keys arms, matching, roles and the run that is paid."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="sessions")
    code = models.CharField(max_length=16, unique=True, help_text="By which members come in.")
    name = models.CharField(max_length=80, blank=True, help_text="What its operators call it.")
    seed = models.BigIntegerField()
    is_open = models.BooleanField(default=True, help_text="Whether anybody new may come in.")
    is_public = models.BooleanField(default=False, help_text="Whether everybody may see its matches.")
    created = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True, blank=True, help_text="Found closed, with nobody under way.")

    class Meta:
        ordering = ("-created",)

    def __str__(self) -> str:
        return f"{self.study} {self.code}"


NAME_MAX = 20
"""Characters of a name, so that it fits into its line on a projector."""


class MemberState(models.TextChoices):
    WALKING = "walking"
    WAITING = "waiting"
    PLAYING = "playing"
    DONE = "done"
    SCREENED = "screened"
    UNMATCHED = "unmatched"
    DROPPED = "dropped"
    LEFT = "left"
    DECLINED = "declined"
    LATE = "late"


UNDER_WAY = (MemberState.WALKING, MemberState.WAITING, MemberState.PLAYING)


class Member(models.Model):
    """A person in a session, and where they are in its steps. Written by `games.site.studies.walking` alone.

    ``step``, ``round``, ``attempt``  where they are; "" before the first step and after the last
    ``silo``, ``place``               among whom they are matched, and as which of its places
    """

    id = models.CharField(primary_key=True, max_length=16, default=opaque_id, editable=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="members")
    number = models.PositiveIntegerField(help_text="In the order of their coming, from 0.")
    label = models.CharField(max_length=120, blank=True)
    name = models.CharField(max_length=NAME_MAX, blank=True, help_text="On the screen that all see; in no data.")
    in_ranking = models.BooleanField(
        default=False, help_text="Whether they agreed to stand among those with most points."
    )
    extra = models.JSONField(default=dict, blank=True)
    language = models.CharField(max_length=2, default="en")
    arm = models.CharField(max_length=40, blank=True)
    silo = models.PositiveIntegerField(null=True, blank=True)
    place = models.PositiveIntegerField(null=True, blank=True)
    step = models.CharField(max_length=40, blank=True)
    round = models.PositiveIntegerField(default=0)
    attempt = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=12, choices=MemberState.choices, default=MemberState.WALKING)
    since = models.DateTimeField(help_text="When they came to where they are.")
    until = models.DateTimeField(null=True, blank=True)
    seen = models.DateTimeField(help_text="Last sign of life.")
    away = models.DateTimeField(
        null=True, blank=True, help_text="When they were found to be away; null: they are here."
    )
    draft = models.JSONField(
        default=dict, blank=True, help_text="Of the page where they are: what is on it, looks away."
    )
    erase_asked = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When they asked that what they left be erased; done once their matches are over.",
    )
    erased = models.DateTimeField(null=True, blank=True, help_text="When what they left was erased.")
    pay = models.JSONField(default=dict, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True, blank=True)
    told = models.JSONField(default=dict, blank=True, help_text="What the operator says to them: text, at.")

    class Meta:
        ordering = ("session", "number")
        indexes = (models.Index(fields=["session", "state", "step"]),)
        constraints = (
            models.UniqueConstraint(fields=["session", "number"], name="member_number_once"),
            models.UniqueConstraint(fields=["session", "label"], condition=~Q(label=""), name="member_label_once"),
        )

    def __str__(self) -> str:
        return f"{self.session_id} member {self.number}"


class Knock(models.Model):
    """A second browser that came with a member's label: it waits at the door until an operator lets it in.

    ``code`` is what its page shows, so that an operator can tell it from another that knocks; ``holder`` is the digest
    of the secret that its session keeps.
    """

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="knocks")
    code = models.CharField(max_length=8)
    holder = models.CharField(max_length=64)
    at = models.DateTimeField()
    admitted = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("member", "at")
        constraints = (models.UniqueConstraint(fields=["member", "code"], name="knock_code_once"),)

    def __str__(self) -> str:
        return f"{self.member_id} {self.code}"


class Visit(models.Model):
    """One stay of a member at a step: when, why it ended, and what was answered, wrong tries too."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="visits")
    step = models.CharField(max_length=40)
    round = models.PositiveIntegerField(default=0)
    attempt = models.PositiveIntegerField(default=0)
    entered = models.DateTimeField()
    left = models.DateTimeField()
    why = models.CharField(max_length=16)
    unfocused = models.PositiveIntegerField(default=0, help_text="How often they looked away from the page.")
    unfocused_s = models.FloatField(default=0, help_text="Seconds in which it was open and not looked at.")
    data = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("member", "entered")
        constraints = (models.UniqueConstraint(fields=["member", "step", "round", "attempt"], name="visit_once"),)

    def __str__(self) -> str:
        return f"{self.member_id} {self.step}"
