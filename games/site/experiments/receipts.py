"""Receipts for the register's head: somebody else's signature (RFC 3161) that the chain was this long at that time.

What is stamped is the last entry's hash as text; through it, every entry before. A chain that is made anew later, by
whoever owns the site, no longer holds the hash that was stamped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from importlib import import_module
from typing import Any

from games.errors.faults import Refused
from games.site.models import RegisterEntry


@dataclass(frozen=True, slots=True)
class Receipt:
    """By whose clock which entry stood in the register, and with what hash; ``entry`` 0: none that stands there now.

    ``is_signed``: whether its certificate was followed to one of the roots that were given
    """

    entry: int
    at: datetime
    is_signed: bool


def request() -> bytes:
    """A TimeStampReq (DER) of the last entry's hash, with the authority's certificate asked for."""
    last = RegisterEntry.objects.order_by("-number").first()
    if last is None:
        raise Refused("register: it has no entry yet, so there is nothing to stamp")
    library = _library()
    made = library.TimestampRequestBuilder().data(last.hash.encode()).hash_algorithm(library.HashAlgorithm.SHA256)
    return bytes(made.cert_request(cert_request=True).build().as_bytes())


def read(response: bytes, roots: Iterable[bytes] = ()) -> Receipt:
    """A TimeStampResp (DER), its signature held to certificates (PEM); raises `Refused` where it is none, or false.

    Without roots nothing is said of who signed.
    """
    library = _library()
    try:
        decoded = library.decode_timestamp_response(response)
        told = decoded.tst_info
        imprint, at = bytes(told.message_imprint.message), told.gen_time
    except ValueError as error:
        raise Refused(f"receipt: no answer of a time stamp authority (RFC 3161): {error}") from None
    if certificates := [one for text in roots for one in _certificates(text)]:
        builder = library.VerifierBuilder(roots=certificates)
        try:
            builder.build().verify(decoded, imprint)
        except library.VerificationError as error:
            raise Refused(f"receipt: its signature does not hold against these certificates: {error}") from None
    hashes = RegisterEntry.objects.order_by("number").values_list("number", "hash")
    entry = next((number for number, hash_ in hashes if sha256(hash_.encode()).digest() == imprint), 0)
    return Receipt(entry, at, bool(certificates))


def _certificates(text: bytes) -> list[Any]:
    try:
        found: list[Any] = import_module("cryptography.x509").load_pem_x509_certificates(text)
    except ValueError as error:
        raise Refused(f"--root: no certificates (PEM): {error}") from None
    return found


def _library() -> Any:
    try:
        return import_module("rfc3161_client")
    except ImportError:
        raise Refused("time stamps need rfc3161-client: pip install 'polity-lab[timestamp]'") from None
