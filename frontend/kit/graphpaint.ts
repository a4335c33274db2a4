import type { Box } from './board'
import type { Line, Point } from './graph'
import { plate } from './paint'
import { disc, line, shape, widthOf, write, type Canvas } from './pen'
import type { Theme } from './theme'

/** A line of dots, with a dot at its end where it says who is reached. */
export function dottedLine(canvas: Canvas, { x1, y1, x2, y2 }: Line, colour: string, width: number, end = 0): void {
  canvas.lineCap = 'round'
  line(canvas, [[x1, y1], [x2, y2]], { edge: colour, thick: width, dash: [1.5, 4] })
  if (end) disc(canvas, x2, y2, end, { fill: colour })
}

/** What flows from one to the other: a line with a casing, and a dot where it arrives. */
export function flowLine(canvas: Canvas, theme: Theme, { x1, y1, x2, y2 }: Line, colour: string, width: number): void {
  canvas.lineCap = 'butt'
  for (const [edge, thick] of [[theme.surface, width + 3], [colour, width]] as const) line(canvas, [[x1, y1], [x2, y2]], { edge, thick })
  disc(canvas, x2, y2, Math.max(3.5, width * 0.9), { fill: colour })
}

/** A cross over a place: what was ordered there did not come about. */
export function cross(canvas: Canvas, x: number, y: number, colour: string, size = 4): void {
  for (const way of [size, -size]) line(canvas, [[x - size, y - way], [x + size, y + way]], { edge: colour, thick: 1.5 })
}

/** A shape round some points, at this distance from them. */
export function outline(canvas: Canvas, theme: Theme, corners: readonly Point[], reach: number): void {
  canvas.lineJoin = 'round'
  canvas.lineCap = 'round'
  for (const [fill, thick] of [[theme.line2, reach * 2 + 2], [theme.void, reach * 2]] as const) shape(canvas, corners.map(({ x, y }) => [x, y]), { fill, edge: fill, thick })
}

/** How wide a tag with these words is. */
export function tagWidth(canvas: Canvas, theme: Theme, text: string): number {
  return Math.ceil(widthOf(canvas, theme, text, 11, 500)) + 8
}

/** Words on a plate with an edge. */
export function tag(canvas: Canvas, theme: Theme, text: string, box: Box, colour: string): void {
  plate(canvas, box, 3, theme.surface, theme.line2)
  write(canvas, theme, text, box.x + box.width / 2, box.y + box.height / 2 + 0.5, { size: 11, weight: 500, colour, align: 'center' })
}
