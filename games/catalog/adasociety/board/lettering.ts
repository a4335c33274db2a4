import { plate, type Box, type Theme } from '@polity/board'

type Canvas = CanvasRenderingContext2D

/** The height of a heading. */
export const TITLE = 26

/** One line of text, `y` at its middle. */
export function letters(canvas: Canvas, theme: Theme, text: string, x: number, y: number, colour: string, align: CanvasTextAlign, size = 12, weight = 400, most?: number): void {
  canvas.font = `${weight} ${size}px ${theme.font}`
  canvas.textAlign = align
  canvas.textBaseline = 'middle'
  canvas.fillStyle = colour
  canvas.fillText(text, x, y + 0.5, most)
}

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

/** A line round a disc: of who decides, or whose eyes these are. */
export function ringed(canvas: Canvas, theme: Theme, x: number, y: number, radius: number, thick = 2): void {
  canvas.beginPath()
  canvas.arc(x, y, radius, 0, 2 * Math.PI)
  canvas.strokeStyle = theme.accent
  canvas.lineWidth = thick
  canvas.stroke()
}

/** A few words on a plate of the ground's colour, as near to their place as they fit into the box whole. */
export function label(canvas: Canvas, theme: Theme, text: string, x: number, y: number, colour: string, within: Box, edge: string): void {
  canvas.font = `400 11px ${theme.font}`
  const width = canvas.measureText(text).width + 6
  const left = Math.max(within.x + 2, Math.min(x - width / 2, within.x + within.width - width - 2))
  const top = Math.max(within.y, Math.min(y - 7.5, within.y + within.height - 15))
  plate(canvas, { x: left, y: top, width, height: 15 }, 3, theme.surface, edge, 1.2)
  letters(canvas, theme, text, left + width / 2, top + 7.5, colour, 'center', 11)
}
