from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0016_batches'),
    ]

    operations = [
        migrations.AddField(
            model_name='batch',
            name='holder',
            field=models.CharField(blank=True, default='', max_length=120),
        ),
    ]
