from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0014_attention'),
    ]

    operations = [
        migrations.AddField(
            model_name='call',
            name='answers',
            field=models.TextField(blank=True, default='', help_text='To questions beside the play, as JSON text.'),
        ),
    ]
