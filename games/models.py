"""What is kept of scenarios, runs and their log: storage and constraints, no behaviour.

Writes are in `games.runs`, `games.people` and `games.drive`, reads in `games.record`. Blobs are read and written by
`games.record.blobs` alone; texts of a person or a model are stored as they came.
"""

from __future__ import annotations

import secrets

from django.conf import settings
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
    document_hash = models.CharField(max_length=32, help_text="Of the document's canonical bytes.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = (models.Index(fields=["game", "name"]),)
        constraints = (
            models.UniqueConstraint(fields=["game", "name", "document_hash"], name="a_scenario_is_kept_once"),
        )

    def __str__(self) -> str:
        return f"{self.game}/{self.name}"


class ExperimentStatus(models.TextChoices):
    DRAFT = "draft"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    STOPPED = "stopped"


class Experiment(models.Model):
    """Conditions over seeds, what is expected of them, and the runs that belong together.

    ``document``   the experiment's file as data; not changed any more once there are runs (``frozen_at``)
    ``declared``   what it declares of its conditions, as it was when it was frozen
    ``plan_hash``  of what decides the outcomes: game, rules, configs, agents and seeds, when it was frozen
    ``audience``   who sees its figures, and what its runs begin with; see `games.audience.sees_figures`
    ``stop``       bounds on what goes wrong: the share of ``fallbacks`` among decisions at which it stops
    ``reason``     why it stands still, where nobody asked for it
    """

    slug = models.SlugField(max_length=80, unique=True)
    title = models.JSONField(default=dict, help_text="By language.")
    game = models.SlugField(max_length=64)
    document = models.JSONField(default=dict)
    declared = models.JSONField(default=dict, blank=True)
    plan_hash = models.CharField(max_length=64, blank=True)
    queue = models.CharField(max_length=8, choices=[("live", "live"), ("bulk", "bulk")], default="bulk")
    pace = models.FloatField(default=0)
    limits = models.JSONField(default=dict, blank=True, help_text="Of money (usd), tokens and calls of all its runs.")
    stop = models.JSONField(default=dict, blank=True)
    audience = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=10, choices=ExperimentStatus.choices, default=ExperimentStatus.DRAFT)
    reason = models.JSONField(default=dict, blank=True)
    parent = models.ForeignKey("self", on_delete=models.PROTECT, related_name="clones", null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    frozen_at = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (models.Index(fields=["-created"]),)

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
    ``rounds_left`` so many rounds are played before it pauses by itself; null: it goes on
    ``wake_at``     not to be resumed before this moment (pace, deadlines)
    ``lease_*``     who drives it: taken by conditional update, void after ``lease_until``
    """

    id = models.CharField(primary_key=True, max_length=16, default=opaque_id, editable=False)
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="runs")
    experiment = models.ForeignKey(Experiment, on_delete=models.PROTECT, related_name="runs", null=True, blank=True)
    session = models.ForeignKey("Session", on_delete=models.PROTECT, related_name="runs", null=True, blank=True)
    study_step = models.CharField(max_length=40, blank=True, help_text="The play step of a session's study.")
    study_round = models.PositiveIntegerField(default=0)
    silo = models.PositiveIntegerField(null=True, blank=True)
    condition = models.CharField(max_length=120, default="base")
    replicate = models.PositiveIntegerField(default=1)
    metrics = models.JSONField(null=True, blank=True, help_text="The run's measures, once it is finished.")
    tally = models.JSONField(null=True, blank=True, help_text="How it was played: payoffs by seat, decisions by kind.")
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
        )
        constraints = (models.CheckConstraint(condition=Q(pace__gte=0), name="run_pace_not_negative"),)
        permissions = (  # of the site's roles; `games.accounts.roles` says what each opens
            ("watch_members", "Can watch runs that are for members"),
            ("experiment", "Can make and steer runs and experiments"),
            ("operate", "Can operate the site"),
        )

    def __str__(self) -> str:
        return self.id


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
    address = models.CharField(max_length=400, blank=True, default="")
    at = models.CharField(max_length=40, blank=True, default="", help_text="When it began, in ISO 8601.")
    finish = models.CharField(max_length=200, blank=True, default="")
    reasoning = models.TextField(blank=True, default="")
    refusal = models.TextField(blank=True, default="")
    tools = models.TextField(blank=True, default="")
    served = models.CharField(max_length=200, blank=True, default="")
    response_id = models.CharField(max_length=200, blank=True, default="")
    fingerprint = models.CharField(max_length=200, blank=True, default="")
    tokens_cached = models.PositiveIntegerField(null=True)
    tokens_reasoning = models.PositiveIntegerField(null=True)
    logprobs = models.TextField(blank=True, default="")
    estimated = models.BooleanField(default=False)
    from_cache = models.BooleanField(default=False)
    repaired = models.CharField(max_length=200, blank=True, default="")
    ignored = models.CharField(max_length=400, blank=True, default="")
    answers = models.TextField(blank=True, default="", help_text="To questions beside the play, as JSON text.")
    batch = models.CharField(max_length=200, blank=True, default="", help_text="The vendor's id of its batch.")
    rate = models.CharField(max_length=8, blank=True, default="", help_text="batch or ordinary: its price, in a batch.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["run", "step", "seat", "purpose", "attempt"], name="call_once_per_attempt"),
        )
        indexes = (models.Index(fields=["prompt_hash"], name="call_by_prompt"),)

    def __str__(self) -> str:
        return f"{self.run_id} step {self.step} seat {self.seat} attempt {self.attempt}"


class Batch(models.Model):
    """Calls that were sent to a vendor's batch interface together.

    ``key``      ours; the order carries it, so that a batch is found again whose id was lost
    ``profile``  server, key's name, model and settings: what its calls have in common
    ``look_at``  when it is looked at next; whoever looks puts it off first, so that nobody else does
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


class Study(models.Model):
    """A study file as it was given: never edited, a change is a new row; data name the hash."""

    slug = models.SlugField(max_length=64)
    title = models.JSONField(default=dict, help_text="By language.")
    document = models.JSONField(help_text="The file's content, texts in place of files.")
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
    seed = models.BigIntegerField()
    is_open = models.BooleanField(default=True, help_text="Whether anybody new may come in.")
    is_public = models.BooleanField(default=False, help_text="Whether everybody may see its matches.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created",)

    def __str__(self) -> str:
        return f"{self.study} {self.code}"


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
    """A person in a session, and where they are in its steps. Written by `games.studies.walking` alone.

    ``step``, ``round``, ``attempt``  where they are; "" before the first step and after the last
    ``silo``, ``place``               among whom they are matched, and as which of its places
    """

    id = models.CharField(primary_key=True, max_length=16, default=opaque_id, editable=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="members")
    number = models.PositiveIntegerField(help_text="In the order of their coming, from 0.")
    label = models.CharField(max_length=120, blank=True)
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


class Visit(models.Model):
    """One stay of a member at a step: when, why it ended, and what was answered, wrong tries too."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="visits")
    step = models.CharField(max_length=40)
    round = models.PositiveIntegerField(default=0)
    attempt = models.PositiveIntegerField(default=0)
    entered = models.DateTimeField()
    left = models.DateTimeField()
    why = models.CharField(max_length=16)
    data = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("member", "entered")
        constraints = (models.UniqueConstraint(fields=["member", "step", "round", "attempt"], name="visit_once"),)

    def __str__(self) -> str:
        return f"{self.member_id} {self.step}"


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

    class Meta:
        ordering = ("-created",)
        constraints = (models.UniqueConstraint(fields=["user", "name"], name="api_key_name_once"),)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix})"


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
