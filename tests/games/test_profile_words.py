"""The admin's form of a profile, in the language of whoever fills it in."""

from __future__ import annotations

from django.test import Client

from agents_app.profile import Profile
from games.site.web.profilewords import FIELDS


def test_each_field_of_a_profile_has_its_name_and_note_in_chinese() -> None:
    assert set(FIELDS) == set(Profile.model_fields)
    assert all(name and note for name, note in FIELDS.values())


def test_the_form_speaks_chinese_to_who_reads_chinese(admin_client: Client) -> None:
    page = admin_client.get("/admin/agents_app/agentprofile/add/", HTTP_ACCEPT_LANGUAGE="zh-CN").content.decode()
    assert "单次调用时限" in page
    assert "Time for one call" not in page
    english = admin_client.get("/admin/agents_app/agentprofile/add/", HTTP_ACCEPT_LANGUAGE="en").content.decode()
    assert "Time for one call" in english
    assert "单次调用时限" not in english
