import type { Box } from './board'
import type { Line, Point } from './graph'
import { plate } from './paint'
import type { Theme } from './theme'

type Canvas = CanvasRenderingContext2D

/** A line of dots, with a dot at its end where it says who is reached. */
export function dottedLine(canvas: Canvas, line: Line, colour: string, width: number, end = 0): void {
  canvas.beginPath()
  canvas.setLineDash([1.5, 4])
  canvas.lineCap = 'round'
  canvas.moveTo(line.x1, line.y1)
  canvas.lineTo(line.x2, line.y2)
  canvas.strokeStyle = colour
  canvas.lineWidth = width
  canvas.stroke()
  canvas.setLineDash([])
  if (end) dot(canvas, line.x2, line.y2, end, colour)
}

/** What flows from one to the other: a line with a casing, and a dot where it arrives. */
export function flowLine(canvas: Canvas, theme: Theme, line: Line, colour: string, width: number): void {
  for (const [ink, wide] of [[theme.surface, width + 3], [colour, width]] as const) {
    canvas.beginPath()
    canvas.moveTo(line.x1, line.y1)
    canvas.lineTo(line.x2, line.y2)
    canvas.lineCap = 'butt'
    canvas.strokeStyle = ink
    canvas.lineWidth = wide
    canvas.stroke()
  }
  dot(canvas, line.x2, line.y2, Math.max(3.5, width * 0.9), colour)
}

function dot(canvas: Canvas, x: number, y: number, radius: number, colour: string): void {
  canvas.beginPath()
  canvas.arc(x, y, radius, 0, Math.PI * 2)
  canvas.fillStyle = colour
  canvas.fill()
}

/** A cross over a place: what was ordered there did not come about. */
export function cross(canvas: Canvas, x: number, y: number, colour: string, size = 4): void {
  canvas.beginPath()
  canvas.moveTo(x - size, y - size)
  canvas.lineTo(x + size, y + size)
  canvas.moveTo(x + size, y - size)
  canvas.lineTo(x - size, y + size)
  canvas.strokeStyle = colour
  canvas.lineWidth = 1.5
  canvas.stroke()
}

/** A shape round some points, at this distance from them. */
export function outline(canvas: Canvas, theme: Theme, corners: readonly Point[], reach: number): void {
  const first = corners[0]
  if (!first) return
  const trace = (): void => {
    canvas.beginPath()
    canvas.moveTo(first.x, first.y)
    for (const corner of corners) canvas.lineTo(corner.x, corner.y)
    canvas.closePath()
  }
  canvas.lineJoin = 'round'
  canvas.lineCap = 'round'
  for (const [colour, width] of [[theme.line2, reach * 2 + 2], [theme.void, reach * 2]] as const) {
    trace()
    canvas.strokeStyle = colour
    canvas.fillStyle = colour
    canvas.lineWidth = width
    canvas.stroke()
    canvas.fill()
  }
}

const TAG_FONT = '500 11px'

/** How wide a tag with these words is. */
export function tagWidth(canvas: Canvas, theme: Theme, text: string): number {
  canvas.font = `${TAG_FONT} ${theme.font}`
  return Math.ceil(canvas.measureText(text).width) + 8
}

/** Words on a plate with an edge. */
export function tag(canvas: Canvas, theme: Theme, text: string, box: Box, colour: string): void {
  canvas.font = `${TAG_FONT} ${theme.font}`
  plate(canvas, box, 3, theme.surface, theme.line2)
  canvas.fillStyle = colour
  canvas.textAlign = 'center'
  canvas.textBaseline = 'middle'
  canvas.fillText(text, box.x + box.width / 2, box.y + box.height / 2 + 0.5)
}
