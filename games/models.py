"""What is kept of scenarios, runs and their log: storage and constraints, no behaviour.

Writes are in `games.services` and `games.conductor`, reads in `games.selectors`. Blobs are read and written by
`games.blobs` alone; texts of a person or a model are stored as they came.
"""

from __future__ import annotations

import secrets

from django.db import models
from django.db.models import F, Q

from agents_app.people import LABEL_MAX

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def opaque_id() -> str:
    """Eleven letters that tell nothing: about 64 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(11))


class Scenario(models.Model):
    """A game with its settings and its seats, as a preset, a file or the form gave it."""

    game = models.SlugField(max_length=64)
    name = models.CharField(max_length=120)
    title = models.JSONField(default=dict, help_text="By language.")
    document = models.JSONField(help_text="The scenario file's content, references resolved.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = (models.Index(fields=["game", "name"]),)

    def __str__(self) -> str:
        return f"{self.game}/{self.name}"


class Experiment(models.Model):
    """A scenario's conditions over seeds: the runs that belong together."""

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="experiments")
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.slug


class RunStatus(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    PAUSED = "paused"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"


ACTIVE = (RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.WAITING)
"""Under way. A waiting run is not driven before its ``wake_at``, or before what it waits for makes it queued."""
ENDED = (RunStatus.FINISHED, RunStatus.STOPPED, RunStatus.FAILED)


class Queue(models.TextChoices):
    LIVE = "live"
    BULK = "bulk"


class Demo(models.TextChoices):
    NOT = ""
    CURRENT = "current"
    PAST = "past"


class Run(models.Model):
    """One play of a scenario. Only the holder of the lease writes its steps.

    ``pace``        rounds a second at the most; 0: as fast as it goes
    ``pause_at``    the step after which it pauses by itself
    ``wake_at``     not to be resumed before this moment (pace, deadlines)
    ``lease_*``     who drives it: taken by conditional update, void after ``lease_until``
    """

    id = models.CharField(primary_key=True, max_length=16, default=opaque_id, editable=False)
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="runs")
    experiment = models.ForeignKey(Experiment, on_delete=models.PROTECT, related_name="runs", null=True, blank=True)
    condition = models.CharField(max_length=120, default="base")
    replicate = models.PositiveIntegerField(default=1)
    parent = models.ForeignKey("self", on_delete=models.PROTECT, related_name="forks", null=True, blank=True)
    fork_at = models.PositiveIntegerField(null=True, blank=True)

    game = models.SlugField(max_length=64)
    rules_version = models.PositiveIntegerField()
    schema_version = models.PositiveIntegerField()
    config = models.JSONField()
    config_hash = models.CharField(max_length=32)
    seed = models.BigIntegerField()
    audience = models.JSONField(default=dict)
    limits = models.JSONField(default=dict, blank=True, help_text="Of money (usd), tokens and calls of all its models.")
    cost_usd = models.DecimalField(max_digits=14, decimal_places=8, default=0)
    people = models.JSONField(default=dict, blank=True, help_text="The terms for people; empty where none plays.")
    code = models.CharField(max_length=16, unique=True, null=True, blank=True, help_text="By which people join.")
    begun = models.BooleanField(default=True, help_text="False while the waiting room is open.")
    open_turn = models.JSONField(null=True, blank=True, help_text="Step, seats and deadline that people are asked for.")
    notices_head = models.PositiveIntegerField(default=0)
    demo = models.CharField(max_length=8, choices=Demo.choices, default=Demo.NOT, blank=True)

    queue = models.CharField(max_length=8, choices=Queue.choices, default=Queue.LIVE)
    status = models.CharField(max_length=10, choices=RunStatus.choices, default=RunStatus.QUEUED)
    pace = models.FloatField(default=0)
    pause_at = models.PositiveIntegerField(null=True, blank=True)
    wake_at = models.DateTimeField(null=True, blank=True)
    head = models.IntegerField(default=-1, help_text="Number of the last stored step; -1 before the start is stored.")
    head_hash = models.CharField(max_length=32, blank=True)
    error = models.TextField(blank=True)

    lease_owner = models.CharField(max_length=120, blank=True)
    lease_generation = models.PositiveBigIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)

    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (
            models.Index(fields=["status", "wake_at"]),
            models.Index(fields=["game", "-created"]),
            models.Index(fields=["-created"]),
        )
        constraints = (models.CheckConstraint(condition=Q(pace__gte=0), name="run_pace_not_negative"),)

    def __str__(self) -> str:
        return self.id


class SeatKind(models.TextChoices):
    POLICY = "policy"
    MODEL = "model"
    PERSON = "person"
    RECORDING = "recording"


class Seat(models.Model):
    """A place in a run and who sits there."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveIntegerField()
    name = models.CharField(max_length=120)
    role = models.CharField(max_length=64, blank=True)
    kind = models.CharField(max_length=10, choices=SeatKind.choices, default=SeatKind.POLICY)
    agent = models.JSONField(default=dict, help_text='Such as {"policy": "guided", "params": {}}.')
    since = models.IntegerField(default=-1, help_text="Step after which this agent sat down, with nothing in mind.")
    link = models.PositiveIntegerField(default=1, help_text="Number of the seat's own link; older ones are void.")

    class Meta:
        ordering = ("run", "index")
        constraints = (models.UniqueConstraint(fields=["run", "index"], name="seat_once_per_run"),)

    def __str__(self) -> str:
        return f"{self.run_id} {self.name}"


class Snapshot(models.Model):
    """A whole position, at every 16th step: where a fold starts, and the dictionary of the positions after it."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="snapshots")
    index = models.PositiveIntegerField()
    body = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["run", "index"], name="snapshot_once_per_step"),)

    def __str__(self) -> str:
        return f"{self.run_id} snapshot {self.index}"


class Step(models.Model):
    """One resolved step: its record and the position after it, compressed, and the chained hash."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="steps")
    index = models.PositiveIntegerField()
    stage = models.CharField(max_length=64)
    record = models.BinaryField(help_text="Clock, actions, notes, flags, events, payoffs, metrics.")
    position = models.BinaryField(help_text="State, memories and plans, against the last snapshot.")
    hash = models.CharField(max_length=32)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("run", "index")
        constraints = (models.UniqueConstraint(fields=["run", "index"], name="step_once_per_run"),)

    def __str__(self) -> str:
        return f"{self.run_id} step {self.index}"


class Decision(models.Model):
    """The answer of a seat that answers with I/O, stored when it arrived. Policies' answers are in the step."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="decisions")
    step = models.PositiveIntegerField()
    seat = models.PositiveIntegerField()
    purpose = models.CharField(max_length=8, default="act")
    answer = models.TextField(help_text="Action, memory, plan, flags and trace as JSON text.")
    client_id = models.CharField(max_length=64, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["run", "step", "seat", "purpose"], name="decision_once_per_seat_and_step"),
        )

    def __str__(self) -> str:
        return f"{self.run_id} step {self.step} seat {self.seat}"


class Call(models.Model):
    """One call of a model's provider."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="calls")
    step = models.PositiveIntegerField()
    seat = models.PositiveIntegerField()
    purpose = models.CharField(max_length=8, default="act")
    attempt = models.PositiveIntegerField()
    model = models.CharField(max_length=200)
    prompt_hash = models.CharField(max_length=32)
    prompt = models.TextField(blank=True)
    reply = models.TextField(blank=True)
    failure = models.CharField(max_length=40, blank=True)
    tokens_in = models.PositiveIntegerField(null=True)
    tokens_out = models.PositiveIntegerField(null=True)
    cost_usd = models.DecimalField(max_digits=14, decimal_places=8, null=True)
    latency_ms = models.PositiveIntegerField(null=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["run", "step", "seat", "purpose", "attempt"], name="call_once_per_attempt"),
        )

    def __str__(self) -> str:
        return f"{self.run_id} step {self.step} seat {self.seat} attempt {self.attempt}"


class Message(models.Model):
    """Words that a seat sent, apart from the events because search, audit and deletion need them."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="messages")
    step = models.PositiveIntegerField()
    order = models.PositiveIntegerField()
    sender = models.PositiveIntegerField()
    to = models.JSONField(null=True, help_text="Seats; null: everyone.")
    text = models.TextField()

    class Meta:
        ordering = ("run", "step", "order")
        constraints = (models.UniqueConstraint(fields=["run", "step", "order"], name="message_once_per_step"),)

    def __str__(self) -> str:
        return f"{self.run_id} step {self.step} from {self.sender}"


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


class Notice(models.Model):
    """Something that befell a run from outside its rules: who came, left, was replaced, what an operator changed."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="notices")
    number = models.PositiveIntegerField()
    step = models.IntegerField(help_text="The last stored step at that time.")
    kind = models.CharField(max_length=24)
    seat = models.PositiveIntegerField(null=True)
    data = models.JSONField(default=dict)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("run", "number")
        constraints = (models.UniqueConstraint(fields=["run", "number"], name="notice_once"),)

    def __str__(self) -> str:
        return f"{self.run_id} {self.kind}"


class Entry(models.Model):
    """A one-time door for the operator, as the launcher prints it. Only the token's digest is kept."""

    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(used=None) | Q(used__gte=F("created")), name="entry_order"),)

    def __str__(self) -> str:
        return f"entry of {self.created:%Y-%m-%d %H:%M}"
