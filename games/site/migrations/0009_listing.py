"""Tags of runs, and an experiment's own audience."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0008_scenario_once"),
    ]

    operations = [
        migrations.AddField(
            model_name="experiment",
            name="audience",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.CreateModel(
            name="Tag",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tags", to="games.run"
                    ),
                ),
            ],
            options={
                "ordering": ("run", "name"),
                "indexes": [models.Index(fields=["name"], name="games_tag_name_bf9c8e_idx")],
                "constraints": [models.UniqueConstraint(fields=("run", "name"), name="tag_once_per_run")],
            },
        ),
    ]
