"""One match by plain look-ups, its draws made all at once: for a few matches numpy's calls cost more than the play."""

from __future__ import annotations

from games.catalog.dilemma import draws
from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.tables import Tables


def play_single(
    config: DilemmaConfig, tables: Tables, start: int, key: int, length: int, mixes: tuple[bool, bool]
) -> tuple[bytes, bytes]:
    """The outcomes and the slips of a match of ``length`` rounds, a code a round, from a row of the tables."""
    meant, after, reach_a, reach_b = tables.lists
    mixes_a, mixes_b = mixes
    is_noisy = bool(config.noise_a or config.noise_b)
    bits_a, bits_b, slips = draws.of_match(config, key, length, mixes) if is_noisy or mixes_a or mixes_b else NOTHING
    pair, codes = start, bytearray(length)
    slipped = slips or bytes(length)
    if mixes_a and mixes_b:
        for t, bit_a in enumerate(bits_a):
            codes[t] = code = (2 * (bit_a >= reach_a[pair]) + (bits_b[t] >= reach_b[pair])) ^ slipped[t]
            pair = after[pair + code]
    elif mixes_b:
        for t, bit_b in enumerate(bits_b):
            codes[t] = code = (meant[pair] & 2 | (bit_b >= reach_b[pair])) ^ slipped[t]
            pair = after[pair + code]
    elif mixes_a:
        for t, bit_a in enumerate(bits_a):
            codes[t] = code = (2 * (bit_a >= reach_a[pair]) | meant[pair] & 1) ^ slipped[t]
            pair = after[pair + code]
    else:
        for t, slip in enumerate(slipped):
            codes[t] = code = meant[pair] ^ slip
            pair = after[pair + code]
    return bytes(codes), slipped


NOTHING: tuple[list[int], list[int], bytes] = ([], [], b"")
