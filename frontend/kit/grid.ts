import type { Box, Cell } from './board'
import { write } from './pen'
import type { Theme } from './theme'

/** Under this many CSS pixels a cell shows its shape alone. */
export const SMALL_CELL = 22

/** Where the cells of a grid stand inside a canvas: square, whole pixels, in the middle. */
export interface GridLayout {
  rows: number
  cols: number
  /** Side of a cell in CSS pixels; whole where a cell is larger than 6. */
  size: number
  x: number
  y: number
  small: boolean
  left(col: number): number
  top(row: number): number
  middle(cell: Cell): { x: number; y: number }
  hit(x: number, y: number): Cell | null
  /** The place of a cell, for signs over the board; null where there is none. */
  box(cell: Cell): Box | null
}

/** `corner`: of the box in which the grid stands, on its canvas. */
export function layoutGrid(width: number, height: number, rows: number, cols: number, gutter: number, corner = { x: 0, y: 0 }): GridLayout {
  const exact = Math.max(1, Math.min((width - gutter - 4) / cols, (height - gutter - 4) / rows))
  const size = exact > 6 ? Math.floor(exact) : exact
  const x = corner.x + Math.round(gutter + Math.max(0, width - gutter - size * cols) / 2)
  const y = corner.y + Math.round(gutter + Math.max(0, Math.min(height - gutter - size * rows, 8)) / 2)
  // Edges on whole pixels, so that neighbours neither overlap nor leave a seam.
  const left = (col: number): number => Math.round(x + col * size)
  const top = (row: number): number => Math.round(y + row * size)
  const layout: GridLayout = {
    rows,
    cols,
    size,
    x,
    y,
    small: size < SMALL_CELL,
    left,
    top,
    middle: ({ row, col }) => ({ x: x + (col + 0.5) * size, y: y + (row + 0.5) * size }),
    hit: (px, py) => {
      const col = Math.floor((px - x) / size)
      const row = Math.floor((py - y) / size)
      return row >= 0 && row < rows && col >= 0 && col < cols ? { row, col } : null
    },
    box: ({ row, col }) => (row >= 0 && row < rows && col >= 0 && col < cols ? { x: left(col), y: top(row), width: left(col + 1) - left(col), height: top(row + 1) - top(row) } : null),
  }
  return layout
}

/** Row and column numbers along the top and the left; every nth where they would touch. `numbered`: what a line is called. */
export function drawAxes(
  context: CanvasRenderingContext2D,
  layout: GridLayout,
  theme: Theme,
  numbered: (axis: 'row' | 'col', index: number) => number = (_, index) => index,
): void {
  const each = [1, 2, 5, 10, 20, 50].find((step) => step * layout.size >= 22) ?? 100
  const look = { size: 11, colour: theme.text3 }
  for (let row = 0; row < layout.rows; row += each) write(context, theme, String(numbered('row', row)), layout.x - 7, layout.top(row) + layout.size / 2, { ...look, align: 'right' })
  for (let col = 0; col < layout.cols; col += each) write(context, theme, String(numbered('col', col)), layout.left(col) + layout.size / 2, layout.y - 7, { ...look, align: 'center', base: 'alphabetic' })
}
