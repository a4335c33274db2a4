"""Whether an experiment's tests were looked at before it was over."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("games", "0023_width"),)

    operations = (migrations.AddField("experiment", "peeked", models.JSONField(blank=True, default=dict)),)
