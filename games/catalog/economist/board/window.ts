import type { GridLayout } from '@polity/board'
import type { Economy } from './reading'

/** A part of the map, in cells. */
export interface Part {
  row: number
  col: number
  rows: number
  cols: number
}

/** No part is smaller than that each way, where the map is larger. */
const LEAST = 7

/** The least part with all that these eyes see, and who and what they know to stand on it; null where they see it all. */
export function seenPart(economy: Economy): Part | null {
  const { rows, cols, bears } = economy
  const unseen = bears.filter((kind) => kind === null).length
  const known = bears.flatMap((kind, cell) => (kind === null ? [] : [cell]))
  if (!unseen || !known.length) return null
  const cells = [...known, ...economy.houses.map(([cell]) => cell), ...economy.workers.flatMap(({ cell }) => (cell === null ? [] : [cell]))]
  const [row, tall] = span(cells.map((cell) => Math.floor(cell / cols)), rows)
  const [col, wide] = span(cells.map((cell) => cell % cols), cols)
  return { row, col, rows: tall, cols: wide }
}

/** From where and how far, at least `LEAST` and within the map. */
function span(places: readonly number[], most: number): [from: number, length: number] {
  const [first, last] = [Math.min(...places), Math.max(...places)]
  const length = Math.min(most, Math.max(LEAST, last - first + 1))
  return [Math.max(0, Math.min(most - length, first - Math.floor((length - (last - first + 1)) / 2))), length]
}

/** A layout of a part's own cells as one of the map: cells keep their numbers, and what is not in the part has no place. */
export function layoutPart(inner: GridLayout, economy: Economy, part: Part): GridLayout {
  return {
    ...inner,
    rows: economy.rows,
    cols: economy.cols,
    left: (col) => inner.left(col - part.col),
    top: (row) => inner.top(row - part.row),
    middle: ({ row, col }) => inner.middle({ row: row - part.row, col: col - part.col }),
    hit: (x, y) => {
      const cell = inner.hit(x, y)
      return cell && { row: cell.row + part.row, col: cell.col + part.col }
    },
    box: ({ row, col }) => inner.box({ row: row - part.row, col: col - part.col }),
  }
}
