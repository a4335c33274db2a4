"""What an address asks is read as a body is: a name that is not known is refused, a value with its bound."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.site.web.api import api

pytestmark = pytest.mark.django_db


def refused(client: Client, address: str) -> dict[str, Any]:
    answer = client.get(f"/api/v1{address}")
    assert answer.status_code == 422, answer.content
    return dict(answer.json()["error"])


@pytest.mark.parametrize(
    ("address", "field", "says"),
    [
        ("/runs?gmae=mining", "gmae", "gmae: unknown; did you mean game?"),
        ("/runs?hue=x", "hue", "hue: unknown; there are agent, condition,"),
        ("/experiments?limt=2", "limt", "limt: unknown; did you mean limit?"),
        ("/scenarios?gane=mining", "gane", "gane: unknown; did you mean game?"),
        ("/games?zzz=1", "zzz", "zzz: unknown; there are none"),
        ("/runs/table.csv?stat=x", "stat", "stat: unknown; did you mean state?"),
        ("/runs?limit=500", "limit", "limit: '500'; at most 200"),
        ("/runs?limit=many", "limit", "limit: 'many'; a whole number is needed"),
        ("/runs?status=lost", "status.0", "status.0: 'lost'; one of"),
    ],
)
def test_a_query_is_refused_by_parameter_value_and_bound(client: Client, address: str, field: str, says: str) -> None:
    error = refused(client, address)
    assert error["field"] == field
    assert error["says"]["en"].startswith(says)
    assert error["message"].startswith(f"{field}: ")


def test_every_operation_that_reads_refuses_what_it_does_not_know() -> None:
    operator = Client()
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    values = {"run_id": "nosuch", "slug": "mining", "name": "baseline", "participant": "nosuch", "code": "nosuch"}
    heard = []
    for path, operations in api.get_openapi_schema(path_prefix="")["paths"].items():
        if "get" not in operations:
            continue
        address = path
        for name in ("run_id", "slug", "name", "participant", "code", "seat", "session", "prefix"):
            address = address.replace(f"{{{name}}}", values.get(name, "1"))
        answer = operator.get(f"/api/v1{address}?no_such_parameter=1")
        if answer.status_code != 422 or answer.json()["error"].get("field") != "no_such_parameter":
            heard.append((address, answer.status_code))
    assert heard == []
