import { write, type Theme, type Canvas, type Box } from '@polity/board'
import type { Schedule } from './reading'

/** Shapes in a square of 14 units, for the map and its legend. */
export const SHAPES = {
  wood: 'M12 7a5 5 0 1 1 -10 0a5 5 0 1 1 10 0z',
  stone: 'M7 1.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z',
  house: 'M1 7L7 1.5L13 7V13H1z',
  caught: 'M7 1L13 13H1z',
  frozen: 'M7 1v12M1.8 4l10.4 6M12.2 4L1.8 10',
} as const

/** A shape with its middle at (x, y), so many pixels a unit. */
export function shapeAt(name: keyof typeof SHAPES, x: number, y: number, unit: number): Path2D {
  const path = new Path2D()
  path.addPath(new Path2D(SHAPES[name]), new DOMMatrix([unit, 0, 0, unit, x - 7 * unit, y - 7 * unit]))
  return path
}

/** A name of what stands under it, and what is to be known of it. */
export function title(canvas: Canvas, theme: Theme, box: Box, strong: string, quiet: string): void {
  text(canvas, theme, strong, box.x, box.y + 12, 'left', theme.text, 13, 600)
  if (quiet) text(canvas, theme, quiet, box.x, box.y + 29, 'left', theme.text3)
}

export function text(canvas: Canvas, theme: Theme, said: string, x: number, y: number, align: CanvasTextAlign, colour: string, size = 11, weight = 400): void {
  write(canvas, theme, said, x, y, { size, weight, colour, align, base: 'alphabetic' })
}

/** The rates of a schedule as the corners of a line of steps, up to an income of `reach`. */
export function stepsOf(schedule: Schedule, x: (income: number) => number, y: (rate: number) => number, reach: number): [number, number][] {
  return schedule.flatMap(([threshold, rate], i): [number, number][] => [[x(threshold), y(rate)], [x(schedule[i + 1]?.[0] ?? reach), y(rate)]])
}

/** For spans in the order of their beginnings: the first of so many lanes in which each touches none before it. */
export function lanesOf(spans: readonly (readonly [from: number, to: number])[], most: number, apart: number): number[] {
  const ends: number[] = []
  return spans.map(([from, to], i) => {
    const free = ends.findIndex((end) => end + apart < from)
    const lane = free >= 0 ? free : ends.length < most ? ends.length : i % most
    ends[lane] = Math.max(ends[lane] ?? 0, to)
    return lane
  })
}
