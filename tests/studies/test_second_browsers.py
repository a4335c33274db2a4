"""A panel's id is no secret: it gives nobody another's place. The first browser holds it, a second is let in."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from typer.testing import CliRunner

from games.errors.requests import BadRequest
from games.site.models import Knock, Member, Session
from games.site.studies.knocking import WAITING_MAX, signature_of
from games.site.studies.loading import study_read
from games.site.studies.walking import session_open
from simsite.commands.study import study as commands
from tests.studies.conftest import PAIRS

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "the panel's own key, of 32 letters"


def door(session: Session, label: str = "ann", **more: str) -> str:
    rest = "".join(f"&{name}={value}" for name, value in more.items())
    return f"/s/{session.code}?PROLIFIC_PID={label}{rest}"


def comes(session: Session, **more: str) -> tuple[Client, str]:
    """A browser that takes the place of a label, and the address that it gets."""
    client = Client()
    return client, client.post(door(session, **more), {"lang": "en"})["Location"]


def knocks(client: Client, session: Session) -> str:
    """What stands on the page of a second browser after it has asked to be let in: its code."""
    assert client.post(door(session), {"do": "knock"}).status_code == 302
    found = re.search(r"<strong>(\w{4})</strong>", client.get(door(session)).content.decode())
    assert found
    return found[1]


@pytest.fixture
def lead() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("lead", is_superuser=True))
    return client


def test_a_stranger_with_a_members_label_learns_no_address(session: Session) -> None:
    ann, place = comes(session)
    for sent in (None, {"lang": "en"}, {"do": "knock"}, {"lang": "en", "ticket": "forged"}):
        thief = Client()
        answer = thief.get(door(session)) if sent is None else thief.post(door(session), sent)
        assert place.rpartition("/")[2] not in answer.content.decode() + answer.get("Location", "")
        assert answer.status_code in (302, 403)
    assert Member.objects.count() == 1
    assert ann.get(door(session))["Location"] == place, "the same browser comes back by its cookie"
    told = Client().get(door(session) + "&lang=zh").content.decode()
    assert "另一个浏览器" in told


def test_who_has_the_secret_address_comes_back_by_the_door_too(session: Session) -> None:
    _, place = comes(session)
    phone = Client()
    assert phone.get(place).status_code == 200
    assert phone.get(door(session))["Location"] == place


def test_the_lead_lets_the_browser_in_whose_code_is_right_on_the_page(session: Session, lead: Client) -> None:
    _, place = comes(session)
    honest, thief = Client(), Client()
    code, other = knocks(honest, session), knocks(thief, session)
    assert code != other
    page = lead.get(f"/sessions/{session.pk}").content.decode()
    assert code in page
    assert other in page
    assert "2 people need you: 2 wait at the door with a second browser." in page
    member = Member.objects.get()
    lead.post(f"/sessions/{session.pk}", {"do": "admit", "member": member.pk, "text": code})
    assert honest.get(door(session))["Location"] == place
    assert honest.get(door(session))["Location"] == place, "and again, by its cookie"
    assert thief.get(door(session)).status_code == 403
    lead.post(f"/sessions/{session.pk}", {"do": "refuse", "member": member.pk, "text": other})
    refused = thief.get(door(session))
    assert (refused.status_code, other in refused.content.decode()) == (403, False)
    page = lead.get(f"/sessions/{session.pk}").content.decode()
    assert "let a second browser of ann in" in page
    assert code not in page


def test_the_api_and_the_command_line_let_in_too(session: Session, lead: Client) -> None:
    _, place = comes(session)
    honest, again = Client(), Client()
    code = knocks(honest, session)
    api = f"/api/v1/sessions/{session.pk}/knocks"
    assert Client().get(api).status_code in (401, 403)
    (told,) = lead.get(api).json()
    assert (told["member"], told["label"], told["code"]) == (0, "ann", code)
    answer = lead.post(f"{api}/{code}", json.dumps({"do": "admit"}), content_type="application/json")
    assert (answer.status_code, answer.json()) == (200, [])
    assert honest.get(door(session))["Location"] == place
    missing = lead.post(f"{api}/{code}", json.dumps({"do": "admit"}), content_type="application/json")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
    code = knocks(again, session)
    assert "ann" in CliRunner().invoke(commands, ["knocks", session.code]).output
    CliRunner().invoke(commands, ["knocks", session.code, "--admit", code])
    assert again.get(door(session))["Location"] == place


def test_knocking_fills_no_page(session: Session) -> None:
    comes(session)
    codes = [knocks(Client(), session) for _ in range(WAITING_MAX + 3)]
    assert set(Knock.objects.values_list("code", flat=True)) == set(codes[-WAITING_MAX:])


def signing() -> Session:
    return session_open(study_read({**PAIRS, "label": {"signed": "sig"}}))


def test_a_label_that_its_panel_signs_opens_its_place_to_any_browser(settings: Any) -> None:
    settings.POLITY_PANEL_KEY = KEY
    session = signing()
    right = signature_of("ann")
    _, place = comes(session, sig=right)
    assert Client().get(door(session, sig=right))["Location"] == place
    for bad in (right[:-1], signature_of("bob"), "", "é"):
        answer = Client().get(door(session, sig=bad))
        assert answer.status_code == 403
        assert place not in answer.content.decode()
        assert Client().post(door(session, "carl", sig=bad), {"lang": "en"}).status_code == 403
    assert Member.objects.count() == 1


def test_a_study_whose_labels_are_signed_is_not_opened_without_the_key() -> None:
    with pytest.raises(BadRequest, match="POLITY_PANEL_KEY"):
        signing()
