from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_people'),
    ]

    operations = [
        migrations.AddField(
            model_name='participant',
            name='halted',
            field=models.BooleanField(default=False, help_text='Their plan ends before the next step; then they are asked.'),
        ),
    ]
