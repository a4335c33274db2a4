"""Text that every database keeps: no NUL, no other control character but tab and line ends, no half of a surrogate."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from games.errors.requests import BadRequest

UNKEEPABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def unkeepable(value: Any, path: tuple[str, ...] = ()) -> tuple[tuple[str, ...], str] | None:
    """The first sign in JSON data, names included, that is not kept: where it stands and its name, such as U+0000."""
    if isinstance(value, str):
        found = UNKEEPABLE.search(value)
        return None if found is None else (path, f"U+{ord(found[0]):04X}")
    inner: Any = ()
    if isinstance(value, Mapping):
        for name in value:
            if (found_in := unkeepable(name, path)) is not None:
                return found_in
        inner = value.items()
    elif isinstance(value, (list, tuple)):
        inner = enumerate(value)
    for name, one in inner:
        if (found_in := unkeepable(one, (*path, str(name)))) is not None:
            return found_in
    return None


def check_text(value: Any) -> None:
    """Raises `BadRequest` where JSON data hold such a sign."""
    found = unkeepable(value)
    if found is not None:
        path, sign = ".".join(found[0]), found[1]
        where = f"{path}: " if path else ""
        raise BadRequest("bad_text", f"{where}it holds {sign}, which cannot be kept; leave it out", path, sign=sign)
