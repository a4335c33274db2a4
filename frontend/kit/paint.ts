import type { Box } from './board'
import { disc, ink, line, rect, shape, widthOf, write, type Ink, type Canvas } from './pen'
import { hatch, hue, letter } from './seats'
import type { Theme } from './theme'

/** The colour of a seat, and of what stands on it. */
export const seatColour = (theme: Theme, seat: number): string => theme.seats[hue(seat)] ?? theme.ink
export const onSeat = (theme: Theme, seat: number): string => theme.onSeats[hue(seat)] ?? theme.surface

/** A rounded box in one colour, with an edge in another. */
export function plate(context: Canvas, { x, y, width, height }: Box, radius: number, fill: string | undefined, edge?: string, thick = 1, dash?: readonly number[]): void {
  rect(context, x, y, width, height, { fill, edge, thick, dash }, radius)
}

/** A seat's colour on a box, and its hatch over it. */
export function seatBox(context: Canvas, theme: Theme, seat: number, x: number, y: number, w: number, h: number, r = 2): void {
  rect(context, x, y, w, h, { fill: seatColour(theme, seat) }, w > 6 ? r : 0)
  if (hatch(seat)) drawHatch(context, theme, hatch(seat), x, y, w, h)
}

/** Lines at 45°, in places fixed to the canvas so that neighbours join; crossed for 2. */
export function drawHatch(context: Canvas, theme: Theme, kind: number, x: number, y: number, w: number, h: number): void {
  if (w < 5) return
  const gap = w < 16 ? 5 : 8
  context.save()
  context.beginPath()
  context.rect(x, y, w, h)
  context.clip()
  context.beginPath()
  const first = Math.floor((x + y) / gap) * gap
  for (let d = first; d <= x + y + w + h; d += gap) {
    context.moveTo(d - y + 2, y - 2)
    context.lineTo(d - y - h - 2, y + h + 2)
  }
  if (kind === 2) {
    const start = Math.floor((x - y - h) / gap) * gap
    for (let d = start; d <= x - y + w; d += gap) {
      context.moveTo(d + y - 2, y - 2)
      context.lineTo(d + y + h + 2, y + h + 2)
    }
  }
  ink(context, { edge: theme.hatch, thick: w < 16 ? 1.2 : 2.2 })
  context.restore()
}

/** A seat's letter, on a plain plate of its hue where the ground is hatched. */
export function seatLetter(context: Canvas, theme: Theme, seat: number, x: number, y: number, size: number): void {
  const text = letter(seat)
  if (hatch(seat)) {
    const width = Math.max(size * 1.2, widthOf(context, theme, text, size, 600) + 4)
    rect(context, x - width / 2, y - size * 0.62, width, size * 1.2, { fill: seatColour(theme, seat) }, 2)
  }
  write(context, theme, text, x, y + size * 0.04, { size, weight: 600, colour: onSeat(theme, seat), align: 'center' })
}

export function seatDisc(context: Canvas, theme: Theme, seat: number, x: number, y: number, radius: number): void {
  disc(context, x, y, radius, { fill: seatColour(theme, seat), edge: theme.surface, thick: Math.max(1.5, radius * 0.2) })
  if (radius >= 6) write(context, theme, letter(seat), x, y + 0.5, { size: Math.max(9, radius * 1.1), weight: 600, colour: onSeat(theme, seat), align: 'center' })
}

export interface ArrowLook {
  /** `head`: it reached its end; `bar`: it was stopped there, and its line is broken. */
  end: 'head' | 'bar'
  colour: string
  casing: string
  width: number
}

/** A line with a casing in the ground's colour, so that it reads on every fill. */
export function arrow(context: Canvas, x1: number, y1: number, x2: number, y2: number, look: ArrowLook): void {
  const length = Math.hypot(x2 - x1, y2 - y1)
  if (length < 1) return
  const ux = (x2 - x1) / length
  const uy = (y2 - y1) / length
  const w = look.width
  const head = Math.min(w * 4, length * 0.6)
  const stop = look.end === 'head' ? head * 0.8 : 0
  const shaft = (edge: string, thick: number, dash: readonly number[]): void => {
    context.lineCap = 'round'
    line(context, [[x1, y1], [x2 - ux * stop, y2 - uy * stop]], { edge, thick, dash })
  }
  const [bx, by] = [x2 - ux * head, y2 - uy * head]
  const tip = (how: Ink): void => shape(context, [[bx - uy * head * 0.6, by + ux * head * 0.6], [x2, y2], [bx + uy * head * 0.6, by - ux * head * 0.6]], how)
  const bar = (edge: string, thick: number): void => line(context, [[x2 - uy * w * 3, y2 + ux * w * 3], [x2 + uy * w * 3, y2 - ux * w * 3]], { edge, thick })
  shaft(look.casing, w * 2.5, [])
  if (look.end === 'head') {
    context.lineJoin = 'round'
    tip({ edge: look.casing, thick: w * 1.7 })
    shaft(look.colour, w, [])
    tip({ fill: look.colour })
  } else {
    shaft(look.colour, w, [w * 1.9, w * 1.8])
    bar(look.casing, w * 2.3)
    bar(look.colour, w * 1.1)
  }
}
