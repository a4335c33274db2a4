"""The doorbell: "run R has something new". It carries no news; whoever hears it reads the record.

A lost ring is healed by the next one, or by the stream's ping.
"""

from __future__ import annotations

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

log = logging.getLogger(__name__)


def group(run_id: str) -> str:
    return f"run.{run_id}"


def ring(run_id: str) -> None:
    """Tell every web process that a run has changed. Never raises: the record is what counts."""
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        async_to_sync(layer.group_send)(group(run_id), {"type": "run.changed", "run": run_id})
    except Exception as error:
        log.warning("doorbell of run %s: %r; pings will carry it", run_id, error)
