import type { Box } from './board'
import { hatch, hue, letter } from './seats'
import type { Theme } from './theme'

type Context = CanvasRenderingContext2D

export function roundedBox(context: Context, x: number, y: number, w: number, h: number, r: number): void {
  context.beginPath()
  context.roundRect(x, y, w, h, r)
}

/** A rounded box in one colour, with an edge in another. */
export function plate(context: Context, { x, y, width, height }: Box, radius: number, fill: string | undefined, edge?: string, thick = 1): void {
  roundedBox(context, x, y, width, height, radius)
  if (fill) {
    context.fillStyle = fill
    context.fill()
  }
  if (!edge) return
  context.strokeStyle = edge
  context.lineWidth = thick
  context.stroke()
}

/** A seat's colour on a box, and its hatch over it. */
export function seatBox(context: Context, theme: Theme, seat: number, x: number, y: number, w: number, h: number, r = 2): void {
  context.fillStyle = theme.seats[hue(seat)] ?? theme.ink
  if (r > 0 && w > 6) {
    roundedBox(context, x, y, w, h, r)
    context.fill()
  } else context.fillRect(x, y, w, h)
  if (hatch(seat)) drawHatch(context, theme, hatch(seat), x, y, w, h)
}

/** Lines at 45°, in places fixed to the canvas so that neighbours join; crossed for 2. */
export function drawHatch(context: Context, theme: Theme, kind: number, x: number, y: number, w: number, h: number): void {
  if (w < 5) return
  const gap = w < 16 ? 5 : 8
  context.save()
  context.beginPath()
  context.rect(x, y, w, h)
  context.clip()
  context.strokeStyle = theme.hatch
  context.lineWidth = w < 16 ? 1.2 : 2.2
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
  context.stroke()
  context.restore()
}

/** A seat's letter, on a plain plate of its hue where the ground is hatched. */
export function seatLetter(context: Context, theme: Theme, seat: number, x: number, y: number, size: number): void {
  const text = letter(seat)
  context.font = `600 ${size}px ${theme.font}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  if (hatch(seat)) {
    const width = Math.max(size * 1.2, context.measureText(text).width + 4)
    context.fillStyle = theme.seats[hue(seat)] ?? theme.ink
    roundedBox(context, x - width / 2, y - size * 0.62, width, size * 1.2, 2)
    context.fill()
  }
  context.fillStyle = theme.onSeats[hue(seat)] ?? theme.surface
  context.fillText(text, x, y + size * 0.04)
}

export function seatDisc(context: Context, theme: Theme, seat: number, x: number, y: number, radius: number): void {
  context.beginPath()
  context.arc(x, y, radius, 0, Math.PI * 2)
  context.fillStyle = theme.seats[hue(seat)] ?? theme.ink
  context.fill()
  context.lineWidth = Math.max(1.5, radius * 0.2)
  context.strokeStyle = theme.surface
  context.stroke()
  if (radius >= 6) {
    context.font = `600 ${Math.max(9, radius * 1.1)}px ${theme.font}`
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillStyle = theme.onSeats[hue(seat)] ?? theme.surface
    context.fillText(letter(seat), x, y + 0.5)
  }
}

export interface ArrowLook {
  /** `head`: it reached its end; `bar`: it was stopped there, and its line is broken. */
  end: 'head' | 'bar'
  colour: string
  casing: string
  width: number
}

/** A line with a casing in the ground's colour, so that it reads on every fill. */
export function arrow(context: Context, x1: number, y1: number, x2: number, y2: number, look: ArrowLook): void {
  const length = Math.hypot(x2 - x1, y2 - y1)
  if (length < 1) return
  const ux = (x2 - x1) / length
  const uy = (y2 - y1) / length
  const w = look.width
  const head = Math.min(w * 4, length * 0.6)
  const stop = look.end === 'head' ? head * 0.8 : 0
  const line = (colour: string, width: number, dash: number[]): void => {
    context.beginPath()
    context.setLineDash(dash)
    context.lineCap = 'round'
    context.lineWidth = width
    context.strokeStyle = colour
    context.moveTo(x1, y1)
    context.lineTo(x2 - ux * stop, y2 - uy * stop)
    context.stroke()
    context.setLineDash([])
  }
  const tip = (): void => {
    const bx = x2 - ux * head
    const by = y2 - uy * head
    context.beginPath()
    context.moveTo(bx - uy * head * 0.6, by + ux * head * 0.6)
    context.lineTo(x2, y2)
    context.lineTo(bx + uy * head * 0.6, by - ux * head * 0.6)
    context.closePath()
  }
  const bar = (colour: string, width: number): void => {
    context.beginPath()
    context.lineWidth = width
    context.strokeStyle = colour
    context.lineCap = 'round'
    context.moveTo(x2 - uy * w * 3, y2 + ux * w * 3)
    context.lineTo(x2 + uy * w * 3, y2 - ux * w * 3)
    context.stroke()
  }
  line(look.casing, w * 2.5, [])
  if (look.end === 'head') {
    tip()
    context.lineJoin = 'round'
    context.lineWidth = w * 1.7
    context.strokeStyle = look.casing
    context.stroke()
    line(look.colour, w, [])
    tip()
    context.fillStyle = look.colour
    context.fill()
  } else {
    line(look.colour, w, [w * 1.9, w * 1.8])
    bar(look.casing, w * 2.3)
    bar(look.colour, w * 1.1)
  }
}
