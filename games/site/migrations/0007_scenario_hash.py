"""A hash of each stored scenario's document; scenarios that were stored twice become one."""

import json
from hashlib import blake2b

from django.db import migrations, models


def hash_documents(apps, schema_editor):
    """Hash every document. Runs of a scenario's later twin go to the first of its kind."""
    scenarios, runs = apps.get_model("games", "Scenario"), apps.get_model("games", "Run")
    first = {}
    for scenario in scenarios.objects.order_by("pk").iterator():
        written = json.dumps(scenario.document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        scenario.document_hash = blake2b(written.encode(), digest_size=16).hexdigest()
        kept = first.setdefault((scenario.game, scenario.name, scenario.document_hash), scenario.pk)
        if kept == scenario.pk:
            scenario.save(update_fields=["document_hash"])
            continue
        runs.objects.filter(scenario_id=scenario.pk).update(scenario_id=kept)
        scenario.delete()


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0006_rounds"),
    ]

    operations = [
        migrations.AddField(
            model_name="scenario",
            name="document_hash",
            field=models.CharField(default="", help_text="Of the document's canonical bytes.", max_length=32),
            preserve_default=False,
        ),
        migrations.RunPython(hash_documents, migrations.RunPython.noop, elidable=True),
    ]
