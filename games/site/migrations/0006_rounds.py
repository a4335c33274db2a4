from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0005_experiments'),
    ]

    operations = [
        migrations.AddField(
            model_name='run',
            name='clock',
            field=models.JSONField(blank=True, default=list, help_text="The last stored step's labels, outermost first."),
        ),
        migrations.AddField(
            model_name='run',
            name='rounds_left',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
    ]
