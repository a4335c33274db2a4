import { roundedBox, type Box, type Theme } from '@polity/board'

type Canvas = CanvasRenderingContext2D

/** The height of a heading. */
export const TITLE = 26

/** A view's heading; gives the box that is left for the view. */
export function title(canvas: Canvas, theme: Theme, box: Box, strong: string, quiet: string, right = box.x + box.width): Box {
  canvas.textAlign = 'left'
  canvas.textBaseline = 'alphabetic'
  canvas.font = `600 13px ${theme.font}`
  canvas.fillStyle = theme.text
  canvas.fillText(strong, box.x + 16, box.y + 20)
  const after = canvas.measureText(strong).width
  canvas.font = `12px ${theme.font}`
  canvas.fillStyle = theme.text2
  if (box.x + after + canvas.measureText(quiet).width + 40 < right) canvas.fillText(quiet, box.x + 26 + after, box.y + 20)
  return { x: box.x, y: box.y + TITLE, width: box.width, height: box.height - TITLE }
}

/** A few words on a plate of the ground's colour, as near to their place as they fit into the box whole. */
export function label(canvas: Canvas, theme: Theme, text: string, x: number, y: number, colour: string, within: Box, edge?: string): void {
  canvas.font = `11px ${theme.font}`
  canvas.textAlign = 'center'
  canvas.textBaseline = 'middle'
  const width = canvas.measureText(text).width + 6
  const left = clamped(x - width / 2, within.x + 2, within.x + within.width - width - 2)
  const top = clamped(y - 7.5, within.y, within.y + within.height - 15)
  canvas.fillStyle = theme.surface
  roundedBox(canvas, left, top, width, 15, 3)
  canvas.fill()
  if (edge) {
    canvas.strokeStyle = edge
    canvas.lineWidth = 1.2
    canvas.stroke()
  }
  canvas.fillStyle = colour
  canvas.fillText(text, left + width / 2, top + 8)
}

function clamped(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}
