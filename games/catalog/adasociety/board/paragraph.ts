import { widthOf, type Box, type Theme, type Canvas } from '@polity/board'
import { letters } from './lettering'

const SIZE = 12
const LINE = 17
/** The room over and under the lines, and at their sides. */
const EDGE = 10
const SIDE = 8

/** In a text a thing's sign is one character of those that stand for nothing, by the thing's number. */
const FIRST_MARK = 0xe000
const MARK = /[\ue000-\uf8ff]/gu
/** A sign, and how far it moves what follows. */
const SIGN = 14
const SIGN_WIDE = 17

/** What is drawn at once: a sign, or the words up to the next. */
const PART = /[\ue000-\uf8ff]|[^\ue000-\uf8ff]+/gu

/** The mark of a thing's sign, behind its name; '' for one that has no number. */
export function markOf(thing: number): string {
  return thing < 0 ? '' : String.fromCharCode(FIRST_MARK + thing)
}

/** The text as it is read out. */
export function unmarked(text: string): string {
  return text.replace(MARK, '')
}

/**
 * Words that stay together: Latin ones whole; Chinese may break after any character, but begins no line with a stop or a
 * sign.
 */
const WORD = /[^\s\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+[\u3001-\u303f\uff00-\uffef]*\s*|[\u4e00-\u9fff][\ue000-\uf8ff]?[\u3001-\u303f\uff00-\uffef]*\s*|\s+|./gu

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

/** A few strong words and what follows them, in as many lines as it takes; `sign` draws that of a thing by its number. */
export function drawParagraph(canvas: Canvas, theme: Theme, box: Box, strong: string, text: string, sign: (thing: number, x: number, y: number, size: number) => void): void {
  const { lines, lead } = linesOf(canvas, theme, strong, text, box.width)
  const y = (line: number): number => box.y + EDGE + (line + 0.5) * LINE
  letters(canvas, theme, strong, box.x + SIDE, y(0) - 0.5, theme.text, 'left', SIZE, 600)
  lines.forEach((line, i) => {
    let x = box.x + SIDE + (i ? 0 : lead)
    for (const [part] of line.matchAll(PART)) {
      if (unmarked(part) === '') {
        sign(part.charCodeAt(0) - FIRST_MARK, x + 2 + SIGN / 2, y(i), SIGN)
        x += SIGN_WIDE
      } else {
        letters(canvas, theme, part, x, y(i) - 0.5, theme.text2, 'left', SIZE)
        x += canvas.measureText(part).width
      }
    }
  })
}

function linesOf(canvas: Canvas, theme: Theme, strong: string, text: string, width: number): { lines: string[]; lead: number } {
  const lead = widthOf(canvas, theme, strong, SIZE, 600) + 6
  const measure = (each: string): number => widthOf(canvas, theme, unmarked(each), SIZE) + SIGN_WIDE * (each.match(MARK)?.length ?? 0)
  return { lines: wrapped(measure, text, width - 2 * SIDE, lead), lead }
}
