"""What a scripted agent remembers of the map: piles, event grids, blocks, and where it has looked.

Plain JSON between steps, so that a run can be resumed. Cells are remembered as they were last seen; what needs a tool
to be seen is looked for anew once a new tool is held.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.catalog.adasociety.play.paths import distance, nearest, people, seen_cells, sights
from games.catalog.adasociety.rules.observe import Observation
from games.catalog.adasociety.rules.state import BLOCK
from games.catalog.adasociety.setup.torus import Cell
from games.core.agents import Memory
from games.core.game import Seat


@dataclass
class FieldMemory:
    """``piles`` by cell: units by resource name; ``grids`` by cell: event name; ``notes``: a policy's own few words."""

    piles: dict[Cell, dict[str, int]] = field(default_factory=dict)
    grids: dict[Cell, str] = field(default_factory=dict)
    blocks: set[Cell] = field(default_factory=set)
    looked: set[Cell] = field(default_factory=set)
    taken: Mapping[Cell, Seat] = field(default_factory=dict)
    tools: int = 0
    notes: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, memory: Memory) -> FieldMemory:
        if not isinstance(memory, dict):
            return cls()
        raw: dict[str, Any] = memory
        return cls(
            {cell: dict(stack) for cell, stack in raw["piles"]},
            dict(raw["grids"]),
            set(raw["blocks"]),
            set(raw["looked"]),
            {},
            raw["tools"],
            dict(raw["notes"]),
        )

    def write(self) -> Memory:
        return {
            "piles": [[cell, self.piles[cell]] for cell in sorted(self.piles)],
            "grids": [[cell, self.grids[cell]] for cell in sorted(self.grids)],
            "blocks": sorted(self.blocks),
            "looked": sorted(self.looked),
            "tools": self.tools,
            "notes": self.notes,
        }

    def look(self, observation: Observation) -> None:
        """Take in what is seen now."""
        kit = observation.kit
        held = sum(1 << r for r, units in enumerate(observation.bag) if units)
        if held & ~self.tools:
            self.looked.clear()
            self.tools |= held
        for sight in sights(observation):
            for cell, (event, stack) in zip(seen_cells(kit, sight), sight.things, strict=True):
                if sight.seat == kit.seat:
                    self.looked.add(cell)
                if event == BLOCK:
                    self.blocks.add(cell)
                known = kit.events[event] if event >= 0 else None
                if known is not None:
                    self.grids[cell] = known.name
                if stack:
                    self.piles[cell] = {kit.resources[r]: units for r, units in stack if kit.resources[r]}
                else:
                    self.piles.pop(cell, None)
        self.taken = people(observation)

    def nearest_pile(self, observation: Observation, name: str, least: int = 1) -> Cell | None:
        """The nearest remembered pile of a resource, of at least so many units, on which nobody is seen to stand."""
        return self._nearest(observation, [c for c, stack in self.piles.items() if stack.get(name, 0) >= least])

    def nearest_grid(self, observation: Observation, event: str) -> Cell | None:
        return self._nearest(observation, [cell for cell, name in self.grids.items() if name == event])

    def nearest_unseen(self, observation: Observation, spread: int) -> Cell | None:
        """A cell not looked at yet: near, and rather on the own side of the map, so that agents fan out."""
        kit = observation.kit
        home = spread_cell(kit.height, kit.width, kit.seat, spread)
        return min(
            (cell for cell in range(kit.height * kit.width) if cell not in self.looked and cell not in self.blocks),
            key=lambda cell: (2 * distance(kit, observation.cell, cell) + distance(kit, home, cell), cell),
            default=None,
        )

    def _nearest(self, observation: Observation, cells: list[Cell]) -> Cell | None:
        here = observation.cell
        return nearest(observation.kit, here, [cell for cell in cells if cell == here or cell not in self.taken])


def spread_cell(height: int, width: int, seat: int, among: int) -> Cell:
    """A cell of the own side of the map: seats are spread over a grid of sides, as square as ``among`` allows."""
    rows = max(1, int(among**0.5))
    columns = -(-among // rows)
    place = seat % among
    row, column = divmod(place, columns)
    return (2 * row + 1) * height // (2 * rows) % height * width + (2 * column + 1) * width // (2 * columns) % width
