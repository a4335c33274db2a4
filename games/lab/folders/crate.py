"""A publication's metadata as an RO-Crate 1.2: what each file is, its size and SHA-256, and what made it."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

METADATA: Final = "ro-crate-metadata.json"
PROFILE: Final = "https://w3id.org/ro/crate/1.2"
LICENCE: Final = "https://creativecommons.org/licenses/by/4.0/"
KINDS: Final = {".parquet": "application/vnd.apache.parquet", ".zst": "application/zstd", ".md": "text/markdown"}


def metadata(
    files: Mapping[str, tuple[str, int]],
    about: Mapping[str, str],
    manifest: Mapping[str, Any],
    licence: str,
    authors: Sequence[str],
) -> bytes:
    """The document. ``files``: SHA-256 and bytes of each by name; ``about``: what it holds, by the name's beginning."""
    told: Mapping[str, Any] = manifest["scenario"]
    stamps: Mapping[str, str] = manifest["timestamps"]
    title = str(told.get("title", {}).get("en") or f"{manifest['game']}: {told['name']}")
    why = str(told.get("about", {}).get("en") or f"Runs of the game {manifest['game']}, with what they show.")
    people = [{"@id": f"#author-{number}", "@type": "Person", "name": name} for number, name in enumerate(authors, 1)]
    graph: list[dict[str, Any]] = [
        {"@id": METADATA, "@type": "CreativeWork", "conformsTo": _id(PROFILE), "about": _id("./")},
        {
            "@id": "./", "@type": "Dataset", "name": title, "description": why, "license": _id(licence),
            "datePublished": stamps["finished"], "hasPart": [_id(name) for name in files],
            "mentions": _id("#played"),
            **({"author": [_id(one["@id"]) for one in people]} if people else {}),
        },
        {"@id": licence, "@type": "CreativeWork", "name": licence, "description": "How this may be used."},
        {
            "@id": "#played", "@type": "CreateAction", "name": "The runs were played", "instrument": _id("#polity"),
            "startTime": stamps["started"], "endTime": stamps["finished"],
            "result": [_id(name) for name in files if name.startswith("runs/")],
        },
        {
            "@id": "#polity", "@type": "SoftwareApplication", "name": "Polity",
            "url": _id("README.md"),  # the program has no address of its own
            "version": str(manifest["versions"].get("commit") or manifest["versions"]["polity"]),
        },
        *people,
    ]  # fmt: skip
    for name, (digest, size) in files.items():
        graph.append(
            {
                "@id": name,
                "@type": "File",
                "name": name.rpartition("/")[2],
                "description": next((text for start, text in about.items() if name.startswith(start)), ""),
                "encodingFormat": _kind(name),
                "contentSize": str(size),
                "sha256": digest,
            }
        )
    text = json.dumps({"@context": f"{PROFILE}/context", "@graph": graph}, indent=1, ensure_ascii=False)
    return text.encode() + b"\n"


def read_metadata(data: bytes) -> tuple[dict[str, str], str, list[str]]:
    """SHA-256 of each file by name, the licence, and the authors. Raises ValueError where it is no such document."""
    try:
        graph = {one["@id"]: one for one in json.loads(data)["@graph"]}
        files = {name: str(one["sha256"]) for name, one in graph.items() if one["@type"] == "File"}
        authors = [graph[one["@id"]]["name"] for one in graph["./"].get("author", ())]
        return files, str(graph["./"]["license"]["@id"]), authors
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"not an RO-Crate of this form: {error}") from None


def measured(data: bytes) -> tuple[str, int]:
    """SHA-256 and bytes, as `metadata` wants them."""
    return sha256(data).hexdigest(), len(data)


def _id(name: str) -> dict[str, str]:
    return {"@id": name}


def _kind(name: str) -> str:
    ending = "." + name.rpartition(".")[2]
    return KINDS.get(ending) or mimetypes.types_map.get(ending) or "application/octet-stream"
