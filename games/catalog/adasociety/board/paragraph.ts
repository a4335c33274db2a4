import type { Box, Theme } from '@polity/board'

type Canvas = CanvasRenderingContext2D

const SIZE = 12
const LINE = 17
/** The room over and under the lines, and at their sides. */
const EDGE = 10
const SIDE = 8

/** Words that stay together: Latin ones whole; Chinese may break after any sign, but begins no line with a stop. */
const WORD = /[^\s\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+[\u3001-\u303f\uff00-\uffef]*\s*|[\u4e00-\u9fff][\u3001-\u303f\uff00-\uffef]*\s*|\s+|./gu

/** The lines of a text that is no wider than `width`; its first line leaves room for `lead`. */
export function wrapped(measure: (text: string) => number, text: string, width: number, lead = 0): string[] {
  const lines: string[] = []
  let line = ''
  let room = width - lead
  for (const [word] of text.matchAll(WORD)) {
    if ((line || room < width) && measure((line + word).trimEnd()) > room) {
      lines.push(line.trimEnd())
      line = ''
      room = width
    }
    line += word
  }
  return [...lines, line.trimEnd()]
}

/** How tall a paragraph of that width is, with the room around it. */
export function paragraphHeight(canvas: Canvas, theme: Theme, strong: string, text: string, width: number): number {
  return linesOf(canvas, theme, strong, text, width).lines.length * LINE + 2 * EDGE
}

/** A few strong words and what follows them, in as many lines as it takes. */
export function drawParagraph(canvas: Canvas, theme: Theme, box: Box, strong: string, text: string): void {
  const { lines, lead } = linesOf(canvas, theme, strong, text, box.width)
  canvas.textAlign = 'left'
  canvas.textBaseline = 'middle'
  const y = (line: number): number => box.y + EDGE + (line + 0.5) * LINE
  canvas.font = `600 ${SIZE}px ${theme.font}`
  canvas.fillStyle = theme.text
  canvas.fillText(strong, box.x + SIDE, y(0))
  canvas.font = `${SIZE}px ${theme.font}`
  canvas.fillStyle = theme.text2
  lines.forEach((line, i) => canvas.fillText(line, box.x + SIDE + (i ? 0 : lead), y(i)))
}

function linesOf(canvas: Canvas, theme: Theme, strong: string, text: string, width: number): { lines: string[]; lead: number } {
  canvas.font = `600 ${SIZE}px ${theme.font}`
  const lead = canvas.measureText(strong).width + 6
  canvas.font = `${SIZE}px ${theme.font}`
  return { lines: wrapped((each) => canvas.measureText(each).width, text, width - 2 * SIDE, lead), lead }
}
