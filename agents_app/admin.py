"""The operator's table of profiles."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from agents_app.forms import AgentProfileForm
from agents_app.models import AgentProfile
from agents_app.profile import Profile


@admin.register(AgentProfile)
class AgentProfileAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = AgentProfileForm
    list_display = ("name", "asked_model", "about", "changed")
    search_fields = ("name", "about")

    @admin.display(description="Model")
    def asked_model(self, profile: AgentProfile) -> str:
        return str(profile.profile.get("model", Profile().model))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """All fields of the form, though most are no columns."""
        return [(None, {"fields": ("name", "about", *Profile.model_fields)})]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """The form as it stands: it declares its fields itself."""
        return AgentProfileForm
