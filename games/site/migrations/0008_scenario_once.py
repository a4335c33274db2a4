"""No scenario is stored twice. In a transaction of its own, since PostgreSQL alters no table with changed references."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0007_scenario_hash"),
    ]

    operations = [
        migrations.AddConstraint(
            model_name="scenario",
            constraint=models.UniqueConstraint(
                fields=("game", "name", "document_hash"), name="a_scenario_is_kept_once"
            ),
        ),
    ]
