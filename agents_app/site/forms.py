"""A profile's fields as a form, made from the profile itself: a field that is added there appears here."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy
from pydantic.fields import FieldInfo

from agents_app.profile import BadProfile, MemoryMode, Profile, read_profile
from agents_app.site.models import AgentProfile, told

OWN = "memory"
"""Where nothing is said of it, it is each game's own: what its default is not."""


def form_field(info: FieldInfo) -> forms.Field:
    """The form's field for one of the profile's: choices, numbers and texts as such, anything else as JSON."""
    help_text = gettext_lazy(info.description) if info.description else ""
    shown: dict[str, Any] = {"label": gettext_lazy(info.title or ""), "help_text": help_text, "required": False}
    kinds = [info.annotation]
    if get_origin(info.annotation) in (Union, types.UnionType):
        kinds = [part for part in get_args(info.annotation) if part is not type(None)]
    kind = kinds[0] if len(kinds) == 1 else None
    if get_origin(kind) is Literal:
        return forms.ChoiceField(choices=[(value, value) for value in get_args(kind)], **shown)
    if kind is int:
        return forms.IntegerField(**shown)
    if kind is float:
        return forms.FloatField(**shown)
    if kind is str:
        return forms.CharField(**shown)
    return forms.JSONField(widget=forms.Textarea(attrs={"rows": 3}), **shown)


class AgentProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """Name, about, and every field of the profile. Empty fields take the profile's default. Keys have no field."""

    class Meta:
        model = AgentProfile
        fields = ("name", "about")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stored: Mapping[str, Any] = self.instance.profile or {}
        shown = Profile.model_validate(stored).told() if self.instance.pk else {}
        for name, info in Profile.model_fields.items():
            self.fields[name] = form_field(info)
            default = info.get_default(call_default_factory=True)
            dumped = default.model_dump(mode="json") if hasattr(default, "model_dump") else default
            self.initial.setdefault(name, shown.get(name, "" if name == OWN else dumped))
        memory = self.fields[OWN]
        assert isinstance(memory, forms.ChoiceField)
        memory.choices = [("", gettext_lazy("the game's own")), *[(value, value) for value in get_args(MemoryMode)]]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        given = {
            name: cleaned[name] for name in Profile.model_fields if cleaned.get(name) not in (None, "", {}, [])
        }  # fmt: skip
        try:
            profile = read_profile(given)
        except BadProfile as error:
            self.add_error(_field_of(error), ValidationError(told(error)))
            return cleaned
        self.instance.profile = profile.stored()
        return cleaned


def _field_of(error: BadProfile) -> str | None:
    """The field beside which it is told; None: above the form."""
    path = str(error.note.data.get("path") or "") if error.note is not None else ""
    name = path.partition(".")[0]
    return name if name in Profile.model_fields else None
