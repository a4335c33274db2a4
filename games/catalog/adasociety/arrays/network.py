"""A small network in whole numbers: the same preferences on every machine, without a library for learning.

Weights are whole parts of 65 536 and what layers pass on is whole parts of 256, all below 2**53: sums of such products
are exact in doubles, in whatever order a machine takes them. A file holds arrays and a text alone (NumPy's ``.npz``,
read without pickle), so that reading it runs no code.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.catalog.adasociety.arrays.cell import GATES, STEP, WHOLE, Cell

WEIGHT_MAX: Final = 32 * WHOLE
"""The largest weight or bias is 32."""
PASSED_MAX: Final = 1 << 18
LAYERS_MAX: Final = 8
WIDTH_MAX: Final = 4096
BYTES_MAX: Final = 32 << 20
ODDS_MAX: Final = 1 << 20
_CELL: Final = ("cell_into", "cell_back", "cell_biases")
_TABLE: Final = tuple(round(ODDS_MAX * math.exp(-distance / STEP)) for distance in range(14 * STEP))
"""Odds by distance from the best, in parts of 256; whole, so that no machine's last digit matters."""

Floats = NDArray[np.float64]


class BadNetwork(ValueError):
    """A file that holds no network; the message says why."""


@dataclass(frozen=True, eq=False)
class Network:
    """Layers of (weights, biases) with max(0, x) between them; a ``cell`` remembers between the first and the second.
    ``about`` says what it was trained for.
    """

    layers: tuple[tuple[NDArray[np.int32], NDArray[np.int32]], ...]
    about: Mapping[str, Any]
    cell: Cell | None = None

    @classmethod
    def rounded(
        cls, layers: Sequence[tuple[Any, Any]], about: Mapping[str, Any], cell: Sequence[Any] | None = None
    ) -> Network:
        """The nearest network to one in floats; ``cell`` are a cell's three arrays."""
        whole = tuple((_whole(weights), _whole(biases)) for weights, biases in layers)
        return cls(whole, about, Cell(*map(_whole, cell)) if cell else None)

    @cached_property
    def _doubles(self) -> list[tuple[Floats, Floats]]:
        return [(weights.astype(np.float64), biases.astype(np.float64)) for weights, biases in self.layers]

    def preferences(self, rows: NDArray[np.int16], carry: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """For each row of features the preference for each action, in parts of 256; see `remembered` for ``carry``."""
        passed = rows.astype(np.float64) * STEP
        for number, layer in enumerate(self._doubles):
            if number == 1 and carry is not None:
                passed = carry[..., 1, :].astype(np.float64)
            elif number:
                passed = np.clip(passed, 0, PASSED_MAX)
            passed = _passed(passed, *layer)
        return passed.astype(np.int64)

    def remembered(self, rows: NDArray[np.int16], carry: NDArray[np.int64]) -> NDArray[np.int64]:
        """What the cell remembers once it has seen these rows."""
        assert self.cell is not None
        passed = _passed(rows.astype(np.float64) * STEP, *self._doubles[0])
        return self.cell.moved(np.clip(passed, 0, PASSED_MAX), carry)

    def odds(
        self, rows: NDArray[np.int16], mask: NDArray[np.int8], carry: NDArray[np.int64] | None = None
    ) -> NDArray[np.int64]:
        """For each row the odds of each action, 0 where the mask forbids it: softmax in whole numbers."""
        liked = np.where(mask, self.preferences(rows, carry), np.iinfo(np.int32).min)
        below = liked.max(axis=-1, keepdims=True) - liked
        return np.where(mask, _ODDS[np.minimum(below, len(_TABLE) - 1)], 0)

    def packed(self) -> bytes:
        """As a file: arrays in NumPy's format, ``about`` as a text of JSON. The same network gives the same bytes."""
        arrays: dict[str, NDArray[Any]] = {}
        for number, (weights, biases) in enumerate(self.layers):
            arrays |= {f"w{number}": weights, f"b{number}": biases}
        if self.cell is not None:
            arrays |= dict(zip(_CELL, (self.cell.into, self.cell.back, self.cell.biases), strict=True))
        arrays["about"] = np.frombuffer(json.dumps(self.about, sort_keys=True).encode(), np.uint8)
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as parts:
            for name in sorted(arrays):
                held = io.BytesIO()
                np.lib.format.write_array(held, arrays[name], allow_pickle=False)
                parts.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), held.getvalue())
        return file.getvalue()

    @classmethod
    def read(cls, path: Path) -> Network:
        """The network of a file; raises `BadNetwork`."""
        try:
            raw = path.read_bytes() if path.stat().st_size <= BYTES_MAX else None
        except OSError as error:
            raise BadNetwork(f"{path.name}: cannot be read: {error.strerror or error}") from None
        if raw is None:
            raise BadNetwork(f"{path.name}: larger than {BYTES_MAX >> 20} MiB, the most a network may have")
        return cls.unpacked(raw, path.name)

    @classmethod
    def unpacked(cls, raw: bytes, name: str) -> Network:
        """The network that a file's bytes hold; raises `BadNetwork`."""
        try:
            with zipfile.ZipFile(io.BytesIO(raw)) as parts:
                if sum(part.file_size for part in parts.infolist()) > BYTES_MAX:
                    raise BadNetwork(f"{name}: unpacks to more than {BYTES_MAX >> 20} MiB")
            with np.load(io.BytesIO(raw), allow_pickle=False) as file:
                arrays = {part: file[part] for part in file.files}
            about = json.loads(bytes(arrays.pop("about").astype(np.uint8)))
        except BadNetwork:
            raise
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, NotImplementedError) as error:
            raise BadNetwork(f"{name}: no network of whole numbers: {error}") from None
        if not isinstance(about, dict):
            raise BadNetwork(f"{name}: about: a mapping is needed")
        held = [arrays.pop(part) for part in _CELL if part in arrays]
        layers = tuple((arrays.get(f"w{n}"), arrays.get(f"b{n}")) for n in range(len(arrays) // 2))
        _check(layers, len(arrays), name)
        return cls(layers, about, _cell(held, layers, name))  # type: ignore[arg-type]


def digest(raw: bytes) -> str:
    """The first sixteen letters of a file's SHA-256."""
    return hashlib.sha256(raw).hexdigest()[:16]


def _whole(values: Any) -> NDArray[np.int32]:
    return np.clip(np.rint(np.asarray(values, np.float64) * WHOLE), -WEIGHT_MAX, WEIGHT_MAX).astype(np.int32)


def _passed(rows: Floats, weights: Floats, biases: Floats) -> Floats:
    return np.floor((rows @ weights + biases * STEP) / WHOLE)


def _cell(held: Sequence[Any], layers: Sequence[tuple[Any, Any]], name: str) -> Cell | None:
    """The cell of a file, if it has one; raises `BadNetwork` for one that does not fit between the first two layers."""
    if not held:
        return None
    rows = layers[0][1].size
    width = layers[1][0].shape[0] if len(layers) > 1 else 0
    shapes = [(rows, GATES * width), (width, GATES * width), (GATES * width,)]
    if [array.shape for array in held] != shapes or any(array.dtype != np.int32 for array in held):
        raise BadNetwork(f"{name}: {', '.join(_CELL)}: whole numbers of 32 bits in shapes {shapes} are needed")
    if any(array.size and int(np.abs(array.astype(np.int64)).max()) > WEIGHT_MAX for array in held):
        raise BadNetwork(f"{name}: {', '.join(_CELL)}: a number beyond {WEIGHT_MAX}")
    return Cell(*held)


def _check(layers: Sequence[tuple[Any, Any]], arrays: int, name: str) -> None:
    if not 1 <= len(layers) <= LAYERS_MAX or arrays != 2 * len(layers):
        raise BadNetwork(f"{name}: {arrays} arrays; w0, b0, w1, b1 ... of at most {LAYERS_MAX} layers are needed")
    width = None
    for number, (weights, biases) in enumerate(layers):
        for part, array, axes in (("w", weights, 2), ("b", biases, 1)):
            if array is None or array.dtype != np.int32 or array.ndim != axes:
                raise BadNetwork(f"{name}: {part}{number}: whole numbers of 32 bits in {axes} axes are needed")
            if array.size and not -WEIGHT_MAX <= int(array.min()) <= int(array.max()) <= WEIGHT_MAX:
                raise BadNetwork(f"{name}: {part}{number}: a number beyond {WEIGHT_MAX}")
        if max(weights.shape) > WIDTH_MAX or min(weights.shape) < 1:
            raise BadNetwork(f"{name}: w{number}: {weights.shape}; from 1 to {WIDTH_MAX} each way")
        if weights.shape[1] != biases.shape[0] or width not in (None, weights.shape[0]):
            raise BadNetwork(f"{name}: layer {number} does not fit the one before it, or its biases")
        width = weights.shape[1]


_ODDS: Final = np.array(_TABLE, np.int64)
