"""JSON whose order counts: the steps of a study, the factors of an experiment."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from django.db import models
from django.db.models.fields.json import KeyTransform, KeyTransformFactory


class OrderedJSONField(models.JSONField):
    """A `JSONField` that gives its keys back in their order. PostgreSQL's jsonb sorts them: here they are text."""

    def db_type(self, connection: Any) -> str | None:
        return models.TextField().db_type(connection)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        if value is None or hasattr(value, "as_sql"):
            return value
        return json.dumps(value, cls=self.encoder, ensure_ascii=False)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return None if value is None else json.loads(value, cls=self.decoder)

    def get_transform(self, lookup_name: str) -> Any:
        found = super().get_transform(lookup_name)
        return partial(_Key, lookup_name) if isinstance(found, KeyTransformFactory) else found


class _Key(KeyTransform):
    """What stands under a key; PostgreSQL is told that the text is JSON."""

    def preprocess_lhs(self, compiler: Any, connection: Any) -> Any:
        lhs, *more = super().preprocess_lhs(compiler, connection)
        return (f"({lhs})::jsonb" if connection.vendor == "postgresql" else lhs, *more)
