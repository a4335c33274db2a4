"""The operator's tables. What is a log is shown and never edited."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.models import Call, Decision, Experiment, Message, Run, Scenario, Seat


class LogAdmin(admin.ModelAdmin):
    """Read-only: the log is written by its services alone."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatInline(admin.TabularInline):
    model = Seat
    extra = 0
    can_delete = False
    fields = readonly_fields = ("index", "name", "role", "kind", "agent")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Run)
class RunAdmin(LogAdmin):
    list_display = ("id", "watch", "game", "scenario", "condition", "seed", "status", "head", "pace", "created")
    list_filter = ("game", "status", "queue")
    search_fields = ("id", "scenario__name")
    inlines = (SeatInline,)

    @admin.display(description="page")
    def watch(self, run: Run) -> SafeString:
        return format_html('<a href="{}">watch</a>', reverse("run", args=[run.pk]))


@admin.register(Scenario)
class ScenarioAdmin(LogAdmin):
    list_display = ("name", "game", "created")
    list_filter = ("game",)


@admin.register(Experiment)
class ExperimentAdmin(LogAdmin):
    list_display = ("slug", "title", "scenario", "created")


@admin.register(Decision)
class DecisionAdmin(LogAdmin):
    list_display = ("run", "step", "seat", "purpose", "created")


@admin.register(Call)
class CallAdmin(LogAdmin):
    list_display = ("run", "step", "seat", "attempt", "model", "failure", "cost_usd", "latency_ms")
    list_filter = ("failure", "model")


@admin.register(Message)
class MessageAdmin(LogAdmin):
    list_display = ("run", "step", "sender", "text")
    search_fields = ("text",)
