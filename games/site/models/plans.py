"""What is to be played: a scenario, and an experiment over conditions and seeds."""

from __future__ import annotations

from django.db import models

from games.site.models.ordered import OrderedJSONField


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
    ``audience``   who sees its figures, and what its runs begin with; see `games.site.audience.sees_figures`
    ``at_once``    so many of its runs go at once; null: as many as the workers and its models have room for
    ``stop``       bounds on what goes wrong: the share of ``fallbacks`` among decisions at which it stops
    ``reason``     why it stands still, or is over, where nobody asked for it
    ``peeked``     when its tests were first looked at before it was over, after how many ``runs``; {}: they were not
    """

    slug = models.SlugField(max_length=80, unique=True)
    title = models.JSONField(default=dict, help_text="By language.")
    game = models.SlugField(max_length=64)
    document = OrderedJSONField(default=dict)
    declared = OrderedJSONField(default=dict, blank=True)
    plan_hash = models.CharField(max_length=64, blank=True)
    queue = models.CharField(max_length=8, choices=[("live", "live"), ("bulk", "bulk")], default="bulk")
    pace = models.FloatField(default=0)
    limits = models.JSONField(default=dict, blank=True, help_text="Of money (usd), tokens and calls of all its runs.")
    at_once = models.PositiveIntegerField(null=True, blank=True)
    stop = models.JSONField(default=dict, blank=True)
    audience = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=10, choices=ExperimentStatus.choices, default=ExperimentStatus.DRAFT)
    reason = models.JSONField(default=dict, blank=True)
    peeked = models.JSONField(default=dict, blank=True)
    parent = models.ForeignKey("self", on_delete=models.PROTECT, related_name="clones", null=True, blank=True)
    key = models.ForeignKey("ApiKey", on_delete=models.SET_NULL, related_name="experiments", null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    frozen_at = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (models.Index(fields=["-created"]),)

    def __str__(self) -> str:
        return self.slug


class Worker(models.Model):
    """A worker: how many runs of models it drives at once (a bulk worker, the clock: 0), and when it last said so."""

    name = models.CharField(max_length=200, primary_key=True)
    threads = models.PositiveIntegerField()
    seen = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
