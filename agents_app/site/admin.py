"""The operator's table of profiles."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin

from agents_app.profile import Profile
from agents_app.site.forms import AgentProfileForm
from agents_app.site.models import AgentProfile
from games.site.web.admintext import said


@admin.register(AgentProfile)
class AgentProfileAdmin(ModelAdmin):
    form = AgentProfileForm
    list_display = ("name", "test", "asked_model", "about", "changed")
    search_fields = ("name", "about")

    @admin.display(description=said("test", "测试"))
    def test(self, profile: AgentProfile) -> SafeString:
        """To the page where it is asked once, as a seat would be, and its prompt can be read."""
        return format_html('<a href="{}">{}</a>', self.view_on_site(profile), said("test", "测试"))

    def view_on_site(self, profile: AgentProfile) -> str:
        return f"{reverse('models_page')}?name={profile.name}"

    @admin.display(description=said("model", "模型"))
    def asked_model(self, profile: AgentProfile) -> str:
        return str(profile.profile.get("model", Profile().model))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """All fields of the form, though most are no columns."""
        return [(None, {"fields": ("name", "about", *Profile.model_fields)})]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """The form as it stands: it declares its fields itself."""
        return AgentProfileForm
