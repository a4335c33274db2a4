"""Requests that a worker carries out, and what is answered to them."""

from __future__ import annotations

import secrets

from django.db import models


class JobStatus(models.TextChoices):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"


def job_id() -> str:
    """128 random bits: who has it may read the answer of a stranger's job."""
    return secrets.token_urlsafe(16)


class Job(models.Model):
    """A request as it came, for a bulk worker; its answer stays for an hour.

    ``owner``    ``user:ID``, who alone may read the answer; of strangers ``address:…``, by which they are counted
    ``mark``     digest of user, method, address and body: the same request, while it is under way, is one job
    ``request``  ``method``, ``path``, ``query``, ``type``, and by whom: ``user``, ``bearer``
    ``queued``   when the workers were last asked
    ``headers``  of the answer, which lies in `JobPart` where it is a stream
    """

    id = models.CharField(max_length=22, primary_key=True, default=job_id)
    owner = models.CharField(max_length=80, blank=True, db_index=True)
    mark = models.CharField(max_length=64, db_index=True)
    request = models.JSONField()
    body = models.BinaryField(default=bytes)
    status = models.CharField(max_length=8, choices=JobStatus.choices, default=JobStatus.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    queued = models.DateTimeField()
    begun = models.DateTimeField(null=True)
    code = models.PositiveSmallIntegerField(null=True, help_text="HTTP status of the answer.")
    headers = models.JSONField(default=dict)
    answer = models.BinaryField(default=bytes)
    expires = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.request.get('method')} {self.request.get('path')} {self.status}"


class JobPart(models.Model):
    """A piece of an answer that is a stream: neither who writes it nor who sends it holds it whole."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["job", "number"], name="job_part_once"),)

    def __str__(self) -> str:
        return f"{self.job_id} {self.number}"
