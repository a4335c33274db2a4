"""The fifth kind of seat, users' own keys to the API, answers that are told once more, and the audit trail."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_listing'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='seat',
            name='kind',
            field=models.CharField(choices=[('policy', 'Policy'), ('model', 'Model'), ('person', 'Person'), ('recording', 'Recording'), ('program', 'Program')], default='policy', max_length=10),
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('who', models.CharField(help_text='User name, and the key where one was used.', max_length=160)),
                ('what', models.CharField(max_length=40)),
                ('on', models.CharField(blank=True, help_text='Such as run ID or experiment SLUG.', max_length=160)),
                ('data', models.JSONField(default=dict)),
            ],
            options={
                'verbose_name_plural': 'audit trail',
                'ordering': ('-id',),
                'indexes': [models.Index(fields=['on', '-at'], name='games_audit_on_7c293f_idx')],
            },
        ),
        migrations.CreateModel(
            name='KeptAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('owner', models.CharField(max_length=80)),
                ('key', models.CharField(max_length=200)),
                ('asked', models.CharField(help_text='Digest of method, address and body.', max_length=64)),
                ('status', models.PositiveSmallIntegerField(help_text='Null while it is under way.', null=True)),
                ('kind', models.CharField(blank=True, help_text='Content type.', max_length=80)),
                ('body', models.BinaryField(default=bytes)),
                ('created', models.DateTimeField(auto_now_add=True, db_index=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('owner', 'key'), name='idempotency_key_once')],
            },
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('prefix', models.CharField(help_text='Its open part, by which it is found and known.', max_length=16, unique=True)),
                ('digest', models.CharField(max_length=64)),
                ('scopes', models.JSONField(default=list, help_text='What it may be used for: read, run, export.')),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('expires', models.DateTimeField(blank=True, null=True)),
                ('used', models.DateTimeField(blank=True, help_text='Last use, to the minute.', null=True)),
                ('revoked', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_keys', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-created',),
                'constraints': [models.UniqueConstraint(fields=('user', 'name'), name='api_key_name_once')],
            },
        ),
    ]
