"""Profiles in the database: made by the operator's form, refused in one line, without a place for keys."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.test import Client

from agents_app.deciders import seated_agent
from agents_app.profile import Profile
from agents_app.site.models import AgentProfile
from games.core.game import SeatSpec
from tests.agents.company import mining

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(get_user_model().objects.create_superuser("operator", password="x"))
    return client


def test_the_form_shows_every_field_of_a_profile_and_none_for_a_key(operator: Client) -> None:
    page = operator.get("/admin/agents_app/agentprofile/add/").content.decode()
    for name in Profile.model_fields:
        assert f'name="{name}"' in page
    assert 'name="api_key"' not in page


def test_a_profile_is_refused_in_the_operators_language(operator: Client) -> None:
    sent = {"name": "hasty", "model": "mock/greedy-mine", "timeout_s": "500", "output": "auto"}
    for language, told in (
        ("en", "timeout_s: 500 is beyond budget_s 180"),
        ("zh-hans", "timeout_s：500 超过 budget_s"),
    ):
        header = {"accept-language": language}
        page = operator.post("/admin/agents_app/agentprofile/add/", sent, headers=header).content.decode()
        assert told in page


def test_a_profile_is_made_in_the_form_and_takes_a_seat(operator: Client) -> None:
    sent: dict[str, Any] = {
        "name": "cautious", "about": "", "model": "mock/greedy-mine", "language": "zh", "memory": "rounds",
        "output": "auto", "retries": "1", "options": '{"heuristics": false}',
    }  # fmt: skip
    answer = operator.post("/admin/agents_app/agentprofile/add/", sent)
    assert answer.status_code == 302, answer.content.decode()[:3000]
    made = AgentProfile.objects.get(name="cautious")
    assert made.profile == {
        "model": "mock/greedy-mine", "language": "zh", "memory": "rounds", "retries": 1,
        "options": {"heuristics": False},
    }  # fmt: skip
    pack, config = mining(miners=2)
    stored = {"kind": "model", "label": made.name, "profile": made.profile}
    agent: Any = seated_agent(pack, config, SeatSpec("miner-01"), stored)
    assert agent.profile == made.resolved()
    assert operator.get(f"/admin/agents_app/agentprofile/{made.pk}/change/").status_code == 200
    assert "mock/greedy-mine" in operator.get("/admin/agents_app/agentprofile/").content.decode()


@pytest.mark.parametrize("memory", ["", "none", "summary"])
def test_the_form_keeps_what_is_said_of_the_memory_and_says_nothing_of_its_own(memory: str, operator: Client) -> None:
    sent = {"name": "x", "model": "mock/greedy-mine", "memory": memory, "output": "auto"}
    operator.post("/admin/agents_app/agentprofile/add/", sent)
    made = AgentProfile.objects.get()
    assert made.profile == {"model": "mock/greedy-mine", **({"memory": memory} if memory else {})}
    form = operator.get(f"/admin/agents_app/agentprofile/{made.pk}/change/").context["adminform"].form
    assert form["memory"].value() == memory


def test_a_bad_value_is_told_in_the_form(operator: Client) -> None:
    sent = {"name": "x", "model": "gpt", "language": "en", "memory": "none", "output": "auto"}
    page = operator.post("/admin/agents_app/agentprofile/add/", sent).content.decode()
    assert "profile: model: String should match pattern" in page
    assert not AgentProfile.objects.exists()


def test_a_bad_value_is_told_beside_its_field(operator: Client) -> None:
    sent = {"name": "x", "model": "mock/greedy-mine", "temperature": "9", "output": "auto"}
    form = operator.post("/admin/agents_app/agentprofile/add/", sent).context["adminform"].form
    assert list(form.errors) == ["temperature"]


def test_a_key_in_a_profile_is_refused() -> None:
    with pytest.raises(ValidationError, match="api_key"):
        AgentProfile(name="leaky", profile={"model": "openai/x", "api_key": "k"}).full_clean()
