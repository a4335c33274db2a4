"""How many runs of an experiment go at once, and what the workers have room for."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("games", "0022_register"),)

    operations = (
        migrations.AddField("experiment", "at_once", models.PositiveIntegerField(blank=True, null=True)),
        migrations.CreateModel(
            name="Worker",
            fields=[
                ("name", models.CharField(max_length=200, primary_key=True, serialize=False)),
                ("threads", models.PositiveIntegerField()),
                ("seen", models.DateTimeField()),
            ],
        ),
    )
