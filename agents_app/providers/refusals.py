"""What a vendor's refusal means here: by its status, and by its words where a status says too little."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from agents_app.providers.answers import sentence_of
from agents_app.providers.protocol import Failure, ProviderFault
from agents_app.providers.redacting import redacted

SAID_AT_MOST: Final = 300
READ_AT_MOST: Final = 64 * 1024
CONTEXT: Final = re.compile(
    r"context[ _](length|window|size)|maximum context|available context|too many (input )?tokens|prompt is too long"
    r"|longer than the (model|maximum)|exceeds? .{0,40}\btokens\b",
    re.IGNORECASE,
)
FILTERED: Final = re.compile(r"content[ _](filter|management|policy)|responsible ?ai", re.IGNORECASE)
SPENT: Final = re.compile(r"insufficient_quota|exceeded your current quota|credit balance|billing", re.IGNORECASE)


def failure_of(status: int, said: str, had_schema: bool = False) -> Failure:
    """The label of an HTTP status with what was said to it; ``had_schema``: structured output was asked for."""
    if status in (400, 413, 422, 500) and CONTEXT.search(said):
        return "context"
    if status in (400, 403, 422) and FILTERED.search(said):
        return "filtered"
    if had_schema and status in (400, 415, 422, 501):
        return "no_schema"
    match status:
        case 429:
            return "refused" if SPENT.search(said) else "rate_limited"
        case 529:
            return "rate_limited"
        case 408 | 504:
            return "timeout"
        case 502 | 503:
            return "away"
        case _:
            return "server_error" if status >= 500 else "refused"


def fault_of(
    status: int, url: str, body: str, said: Any, had_schema: bool, retry_after_s: float | None
) -> ProviderFault:
    """The refusal as a fault: ``said`` is the body's JSON where it is any, else the body itself is told."""
    sentence = sentence_of(said) or body[:READ_AT_MOST]
    failure = failure_of(status, f"{sentence} {body[:READ_AT_MOST]}", had_schema)
    return ProviderFault(failure, one_sentence(f"{status} from {url}: {sentence}"), retry_after_s)


def one_sentence(text: str) -> str:
    """One redacted line of at most 300 characters."""
    return redacted(" ".join(text.split()))[:SAID_AT_MOST]


def retry_after(header: object) -> float | None:
    """Seconds that the vendor asks to be left alone, from its header: a number of them, or a date (RFC 9110, 10.2.3).

    None where it is neither; a date that is over is 0 s.
    """
    text = "" if header is None else str(header).strip()
    if re.fullmatch(r"\d{1,6}(\.\d+)?", text):
        return float(text)
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
