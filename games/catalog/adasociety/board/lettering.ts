import { roundedBox, sentence, spoken, type BoardContext, type Facts, type Theme } from '@polity/board'
import type { Box } from './layout'
import { words, type Word } from './words'

type Canvas = CanvasRenderingContext2D

export function say(context: BoardContext, word: Word, facts: Facts = {}): string {
  return spoken(sentence(words[context.lang][word], facts), (seat) => `#${seat}`)
}

/** A view's heading; gives the box that is left for the view. */
export function title(canvas: Canvas, theme: Theme, box: Box, strong: string, quiet: string): Box {
  canvas.textAlign = 'left'
  canvas.textBaseline = 'alphabetic'
  canvas.font = `600 13px ${theme.font}`
  canvas.fillStyle = theme.text
  canvas.fillText(strong, box.x + 16, box.y + 20)
  const after = canvas.measureText(strong).width
  canvas.font = `12px ${theme.font}`
  canvas.fillStyle = theme.text2
  if (after + canvas.measureText(quiet).width + 40 < box.width) canvas.fillText(quiet, box.x + 26 + after, box.y + 20)
  return { x: box.x, y: box.y + 26, width: box.width, height: box.height - 26 }
}

/** A few words on a plate of the ground's colour. */
export function label(canvas: Canvas, theme: Theme, text: string, x: number, y: number, colour: string): void {
  canvas.font = `11px ${theme.font}`
  canvas.textAlign = 'center'
  canvas.textBaseline = 'middle'
  const width = canvas.measureText(text).width + 6
  canvas.fillStyle = theme.surface
  roundedBox(canvas, x - width / 2, y - 7.5, width, 15, 3)
  canvas.fill()
  canvas.fillStyle = colour
  canvas.fillText(text, x, y + 0.5)
}
