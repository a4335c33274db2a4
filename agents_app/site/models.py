"""Named profiles, so that a form can offer them. A run keeps its own copy: changing one changes no run."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import get_language

from agents_app.profile import BadProfile, Profile, read_profile
from games.errors import sentences


def told(error: BadProfile) -> str:
    """The refusal in the reader's language."""
    is_chinese = (get_language() or "").startswith("zh")
    return sentences.fault(error.note, "zh") if is_chinese else str(error)


def check_profile(raw: Any) -> None:
    """Refuse what is no profile. There is no field for a key, and a field that does not exist is refused."""
    try:
        read_profile(raw)
    except BadProfile as error:
        raise ValidationError(told(error)) from None


class AgentProfile(models.Model):
    """A model and how it is asked, under a name."""

    name: models.SlugField[str, str] = models.SlugField(max_length=64, unique=True)
    about: models.CharField[str, str] = models.CharField(max_length=300, blank=True)
    profile = models.JSONField(default=dict, validators=[check_profile], help_text="The fields of a profile.")
    created: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    changed: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

    def resolved(self) -> Profile:
        """The profile as a value."""
        return read_profile(self.profile)

    def seat(self) -> dict[str, Any]:
        """Who sits there, as scenario files and the API's seats write it."""
        profile = self.resolved().told()
        return {"model": profile.pop("model"), "label": self.name, "profile": profile}
