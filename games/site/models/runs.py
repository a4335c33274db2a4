"""What is played: a run, its place in an experiment, who sits in its seats."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from games.site.models.identity import opaque_id
from games.site.models.plans import Experiment, Scenario


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
    ``rounds_left`` so many rounds are played before it pauses by itself; null: it goes on
    ``wake_at``     not to be resumed before this moment (pace, deadlines)
    ``lease_*``     who drives it: taken by conditional update, void after ``lease_until``
    """

    id = models.CharField(primary_key=True, max_length=16, default=opaque_id, editable=False)
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="runs")
    experiment = models.ForeignKey(Experiment, on_delete=models.PROTECT, related_name="runs", null=True, blank=True)
    key = models.ForeignKey("ApiKey", on_delete=models.SET_NULL, related_name="runs", null=True, blank=True)
    session = models.ForeignKey("Session", on_delete=models.PROTECT, related_name="runs", null=True, blank=True)
    study_step = models.CharField(max_length=40, blank=True, help_text="The play step of a session's study.")
    study_round = models.PositiveIntegerField(default=0)
    silo = models.PositiveIntegerField(null=True, blank=True)
    condition = models.CharField(max_length=120, default="base")
    replicate = models.PositiveIntegerField(default=1)
    metrics = models.JSONField(null=True, blank=True, help_text="The run's measures, once it is finished.")
    tally = models.JSONField(null=True, blank=True, help_text="How it was played: payoffs by seat, decisions by kind.")
    story = models.JSONField(null=True, blank=True, help_text="What came of it and, but for bulk runs, how.")
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
    away_since = models.DateTimeField(null=True, blank=True, help_text="Paused by itself: everybody is away.")
    begun = models.BooleanField(default=True, help_text="False while the waiting room is open.")
    open_turn = models.JSONField(null=True, blank=True, help_text="Step, seats and deadline that people are asked for.")
    notices_head = models.PositiveIntegerField(default=0)
    demo = models.CharField(max_length=8, choices=Demo.choices, default=Demo.NOT, blank=True)

    queue = models.CharField(max_length=8, choices=Queue.choices, default=Queue.LIVE)
    status = models.CharField(max_length=10, choices=RunStatus.choices, default=RunStatus.QUEUED)
    pace = models.FloatField(default=0)
    pause_at = models.PositiveIntegerField(null=True, blank=True)
    rounds_left = models.PositiveIntegerField(null=True, blank=True)
    wake_at = models.DateTimeField(null=True, blank=True)
    head = models.IntegerField(default=-1, help_text="Number of the last stored step; -1 before the start is stored.")
    head_hash = models.CharField(max_length=32, blank=True)
    clock = models.JSONField(default=list, blank=True, help_text="The last stored step's labels, outermost first.")
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
            models.Index(fields=["-ended"]),
            models.Index(fields=["experiment", "-created"]),
        )
        constraints = (models.CheckConstraint(condition=Q(pace__gte=0), name="run_pace_not_negative"),)
        permissions = (  # of the site's roles; `games.site.accounts.roles` says what each opens
            ("watch_members", "Can watch runs that are for members"),
            ("experiment", "Can make and steer runs and experiments"),
            ("operate", "Can operate the site"),
        )

    def __str__(self) -> str:
        return self.id


class DemoLink(models.Model):
    """The address of a demo match that is to last: of one that was opened, or of one that was let go.

    ``scenario``, ``seed``  by which it is played again, under the rules of ``rules_version``; null where it is here
    ``head``, ``head_hash`` of the last step that it had: what it must come to; "" where nothing is to be compared
    """

    run_id = models.CharField(primary_key=True, max_length=16)
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, null=True, blank=True)
    seed = models.BigIntegerField(default=0)
    rules_version = models.PositiveIntegerField(default=0)
    head = models.IntegerField(default=-1)
    head_hash = models.CharField(max_length=32, blank=True)
    created = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.run_id


class Cell(models.Model):
    """One condition of an experiment with one seed, and the run that plays it; a failed one may be played again."""

    experiment = models.ForeignKey(Experiment, on_delete=models.CASCADE, related_name="cells")
    order = models.PositiveIntegerField()
    condition = models.CharField(max_length=120)
    replicate = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="cell", null=True, blank=True)

    class Meta:
        ordering = ("experiment", "order")
        constraints = (
            models.UniqueConstraint(fields=["experiment", "condition", "replicate"], name="cell_once_per_experiment"),
        )

    def __str__(self) -> str:
        return f"{self.experiment_id} {self.condition} {self.replicate}"


class Tag(models.Model):
    """A word by which operators find a run again."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="tags")
    name = models.CharField(max_length=40)

    class Meta:
        ordering = ("run", "name")
        indexes = (models.Index(fields=["name"]),)
        constraints = (models.UniqueConstraint(fields=["run", "name"], name="tag_once_per_run"),)

    def __str__(self) -> str:
        return f"{self.run_id} {self.name}"


class Guess(models.Model):
    """What a spectator guessed that a seat does next; by a mark that names nobody and is another one each round.

    ``after`` the last decision that was shown to them; -1: none
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="guesses")
    seat = models.PositiveIntegerField()
    after = models.IntegerField()
    choice = models.CharField(max_length=40)
    mark = models.CharField(max_length=64, unique=True)

    class Meta:
        indexes = (models.Index(fields=["run", "seat", "after"]),)

    def __str__(self) -> str:
        return f"{self.run_id} {self.seat} {self.choice}"


class SeatKind(models.TextChoices):
    POLICY = "policy"
    MODEL = "model"
    PERSON = "person"
    RECORDING = "recording"
    PROGRAM = "program"


JOINED = (SeatKind.PERSON, SeatKind.PROGRAM)
"""Seats that somebody takes from outside, by a code, a link or a token, and answers for against the same clock."""


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
    decisions = models.PositiveIntegerField(
        null=True, blank=True, help_text="Of a model that sat there to the end of a finished run, from the first step."
    )
    fallbacks = models.PositiveIntegerField(
        null=True, blank=True, help_text="Of these decisions, those in which nothing was usable."
    )

    class Meta:
        ordering = ("run", "index")
        constraints = (models.UniqueConstraint(fields=["run", "index"], name="seat_once_per_run"),)

    def __str__(self) -> str:
        return f"{self.run_id} {self.name}"
