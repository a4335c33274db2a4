"""A run's log: its steps, what was decided, asked, said and noted. Blobs are `games.site.record.blobs`' alone."""

from __future__ import annotations

from django.db import models

from games.site.models.runs import Run


class Snapshot(models.Model):
    """Every 16th step: its record and position, those of the steps that are stored with it, and for what comes after
    them the dictionary.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="snapshots")
    index = models.PositiveIntegerField()
    body = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["run", "index"], name="snapshot_once_per_step"),)

    def __str__(self) -> str:
        return f"{self.run_id} snapshot {self.index}"


class Step(models.Model):
    """One resolved step: its record and the position after it, and the chained hash."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="steps")
    index = models.PositiveIntegerField()
    stage = models.CharField(max_length=64)
    record = models.BinaryField(help_text="Clock, actions, notes, flags, events, payoffs, metrics; as position.")
    position = models.BinaryField(help_text="State, memories and plans: a line of the last snapshot, or against it.")
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


class Comment(models.Model):
    """What a model wrote on a step for those who watch, and what that cost; no text where nothing usable came."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="comments")
    step = models.PositiveIntegerField()
    model = models.CharField(max_length=200)
    language = models.CharField(max_length=8)
    text = models.TextField(blank=True)
    tokens_in = models.PositiveIntegerField(null=True)
    tokens_out = models.PositiveIntegerField(null=True)
    cost_usd = models.DecimalField(max_digits=14, decimal_places=8, null=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("run", "pk")

    def __str__(self) -> str:
        return f"{self.run_id} step {self.step} by {self.model}"
