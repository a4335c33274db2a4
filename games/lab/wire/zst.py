"""Zstandard as the standard library has it from Python 3.14 on, by its backport before; bytes with a checksum."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import IO, Any, Final

if sys.version_info >= (3, 14):  # pragma: no cover
    from compression import zstd
else:
    from backports import zstd

Dictionary = zstd.ZstdDict
WINDOW_LOG_MAX: Final = 23
"""Unpacking may look back over so many bytes, as a power of two; ours needs half of it."""
_CHUNK: Final = 2**17
_READ: Final[dict[int, int]] = {zstd.DecompressionParameter.window_log_max: WINDOW_LOG_MAX}


def dictionary_of(text: bytes) -> Dictionary | None:
    """A text as the base of others that are nearly the same; None where it is too short to be one."""
    return Dictionary(text, is_raw=True) if len(text) >= 8 else None


def compressor(level: int, base: Dictionary | None = None) -> zstd.ZstdCompressor:
    """Packs one thing after another, and not two at a time."""
    return _compressor(base, {zstd.CompressionParameter.compression_level: level})


def quick(level: int, shortest: int) -> zstd.ZstdCompressor:
    """A compressor that takes the first match of at least ``shortest`` bytes where the level would weigh the next."""
    numbers = zstd.CompressionParameter
    options: dict[int, int] = {numbers.compression_level: level, numbers.min_match: shortest}
    return _compressor(None, {**options, numbers.strategy: zstd.Strategy.greedy})


def _compressor(base: Dictionary | None, options: Mapping[int, int]) -> zstd.ZstdCompressor:
    numbers = zstd.CompressionParameter
    return zstd.ZstdCompressor(options={**options, numbers.checksum_flag: 1, numbers.dict_id_flag: 0}, zstd_dict=base)


def pack(data: bytes, by: zstd.ZstdCompressor) -> bytes:
    return by.compress(data, by.FLUSH_FRAME)


def copy(source: IO[bytes], target: IO[bytes], by: zstd.ZstdCompressor) -> None:
    """Pack all that is left of a file into another."""
    while chunk := source.read(_CHUNK):
        target.write(by.compress(chunk))
    target.write(by.flush(by.FLUSH_FRAME))


def unpack(data: bytes | memoryview, base: Dictionary | None = None) -> bytes:
    return zstd.decompress(data, zstd_dict=base)


def opened(source: Any) -> zstd.ZstdFile:
    """The unpacked bytes of a file, of all its frames; raises `Unreadable` as it is read."""
    return zstd.ZstdFile(source, options=_READ)


Unreadable = (zstd.ZstdError, EOFError)
