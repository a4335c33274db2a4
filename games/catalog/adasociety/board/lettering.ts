import { disc, plate, widthOf, write, type Box, type Theme, type Canvas } from '@polity/board'

/** The height of a heading. */
export const TITLE = 26

/** One line of text, `y` at its middle. */
export function letters(canvas: Canvas, theme: Theme, text: string, x: number, y: number, colour: string, align: CanvasTextAlign, size = 12, weight = 400, most?: number): void {
  write(canvas, theme, text, x, y + 0.5, { size, weight, colour, align, most })
}

/** A view's heading; gives the box that is left for the view. */
export function title(canvas: Canvas, theme: Theme, box: Box, strong: string, quiet: string, right = box.x + box.width): Box {
  write(canvas, theme, strong, box.x + 16, box.y + 20, { size: 13, weight: 600, base: 'alphabetic' })
  const after = canvas.measureText(strong).width
  if (box.x + after + widthOf(canvas, theme, quiet) + 40 < right) write(canvas, theme, quiet, box.x + 26 + after, box.y + 20, { colour: theme.text2, base: 'alphabetic' })
  return { x: box.x, y: box.y + TITLE, width: box.width, height: box.height - TITLE }
}

/** A line round a disc: of who decides, or whose eyes these are. */
export function ringed(canvas: Canvas, theme: Theme, x: number, y: number, radius: number, thick = 2): void {
  disc(canvas, x, y, radius, { edge: theme.accent, thick })
}

/** A few words on a plate of the ground's colour, as near to their place as they fit into the box whole. */
export function label(canvas: Canvas, theme: Theme, text: string, x: number, y: number, colour: string, within: Box, edge: string): void {
  const width = widthOf(canvas, theme, text, 11) + 6
  const left = Math.max(within.x + 2, Math.min(x - width / 2, within.x + within.width - width - 2))
  const top = Math.max(within.y, Math.min(y - 7.5, within.y + within.height - 15))
  plate(canvas, { x: left, y: top, width, height: 15 }, 3, theme.surface, edge, 1.2)
  letters(canvas, theme, text, left + width / 2, top + 7.5, colour, 'center', 11)
}
