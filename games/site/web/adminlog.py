"""A table of the admin that is shown and never edited."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from unfold.admin import ModelAdmin


class LogAdmin(ModelAdmin):
    """Read-only: the log is written by its services alone."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # ended runs go by `games.site.runs.deleting`, which leaves a trace

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return [(None, {"fields": self.get_fields(request, obj), "classes": ("min-w-0",)})]  # no wider than a phone
