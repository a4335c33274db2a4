import type { Theme } from './theme'

export type Canvas = CanvasRenderingContext2D

/** How a shape is inked: filled, then edged. Lengths are CSS pixels. */
export interface Ink {
  fill?: string | undefined
  edge?: string | undefined
  thick?: number
  dash?: readonly number[] | undefined
  /** 0 to 1, of both. */
  alpha?: number
}

export type Spot = readonly [x: number, y: number]

/** Inks a path; without one what was traced last. */
export function ink(canvas: Canvas, { fill, edge, thick = 1, dash, alpha }: Ink, path?: Path2D): void {
  if (alpha !== undefined) canvas.globalAlpha = alpha
  if (fill) {
    canvas.fillStyle = fill
    if (path) canvas.fill(path)
    else canvas.fill()
  }
  if (edge) {
    canvas.strokeStyle = edge
    canvas.lineWidth = thick
    if (dash) canvas.setLineDash([...dash])
    if (path) canvas.stroke(path)
    else canvas.stroke()
    if (dash) canvas.setLineDash([])
  }
  if (alpha !== undefined) canvas.globalAlpha = 1
}

/** A line from spot to spot. */
export function line(canvas: Canvas, spots: readonly Spot[], how: Ink): void {
  canvas.beginPath()
  for (const [x, y] of spots) canvas.lineTo(x, y)
  ink(canvas, how)
}

/** The shape between some corners. */
export function shape(canvas: Canvas, corners: readonly Spot[], how: Ink): void {
  canvas.beginPath()
  for (const [x, y] of corners) canvas.lineTo(x, y)
  canvas.closePath()
  ink(canvas, how)
}

export function disc(canvas: Canvas, x: number, y: number, radius: number, how: Ink): void {
  canvas.beginPath()
  canvas.arc(x, y, radius, 0, Math.PI * 2)
  ink(canvas, how)
}

/** A rectangle, with round corners where a radius is given. */
export function rect(canvas: Canvas, x: number, y: number, width: number, height: number, how: Ink, radius = 0): void {
  canvas.beginPath()
  if (radius) canvas.roundRect(x, y, width, height, radius)
  else canvas.rect(x, y, width, height)
  ink(canvas, how)
}

/** How a line of text is written. */
export interface Hand {
  size?: number
  weight?: number
  colour?: string
  align?: CanvasTextAlign
  base?: CanvasTextBaseline
  /** No wider than this: its letters grow narrow. */
  most?: number | undefined
  /** No wider than this: what is too much is cut off. */
  room?: number
  /** Kept clear of what it stands on, by a line of that colour and width. */
  halo?: { colour: string; thick: number }
}

export function fontOf(theme: Theme, size: number, weight = 400): string {
  return `${weight} ${size}px ${theme.font}`
}

/** The width of a text as it would be written. */
export function widthOf(canvas: Canvas, theme: Theme, text: string, size = 12, weight = 400): number {
  canvas.font = fontOf(theme, size, weight)
  return canvas.measureText(text).width
}

/** One line of text, `y` at its middle unless `base` says otherwise. */
export function write(canvas: Canvas, theme: Theme, text: string, x: number, y: number, { size = 12, weight = 400, colour = theme.text, align = 'left', base = 'middle', most, room, halo }: Hand = {}): void {
  canvas.font = fontOf(theme, size, weight)
  canvas.textAlign = align
  canvas.textBaseline = base
  const said = room === undefined ? text : fitted(canvas, text, room)
  if (halo) {
    canvas.strokeStyle = halo.colour
    canvas.lineWidth = halo.thick
    canvas.lineJoin = 'round'
    canvas.strokeText(said, x, y, most)
  }
  canvas.fillStyle = colour
  canvas.fillText(said, x, y, most)
}

/** As much of a text as there is room for, in the font that is set. */
export function fitted(canvas: Canvas, text: string, room: number): string {
  if (canvas.measureText(text).width <= room) return text
  let length = text.length
  while (length > 1 && canvas.measureText(`${text.slice(0, length)}…`).width > room) length--
  return `${text.slice(0, length).trimEnd()}…`
}
