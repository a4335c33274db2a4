"""Addresses of demo matches that last: which were opened, and how those are played again that were let go."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("games", "0025_jobs"),)

    operations = (
        migrations.CreateModel(
            name="DemoLink",
            fields=[
                ("run_id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("seed", models.BigIntegerField(default=0)),
                ("rules_version", models.PositiveIntegerField(default=0)),
                ("head", models.IntegerField(default=-1)),
                ("head_hash", models.CharField(blank=True, max_length=32)),
                ("created", models.DateTimeField(blank=True, null=True)),
                (
                    "scenario",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to="games.scenario"
                    ),
                ),
            ],
        ),
    )
