import { seatName, type BoardContext, type BoardModule, type Ledger } from '../../kit/board'
import { hue, letter } from '../../kit/seats'
import type { Theme } from '../../kit/theme'
import type { Frame, RunMeta } from '../types'
import { pictures } from './clip'

/** The size that other sites show beside a link, in px. */
const [WIDE, HIGH, HALF, EDGE] = [1200, 630, 600, 48]
const MOST = 3

export interface Told {
  /** "Nations: Five powers". */
  game: string
  /** Who won and by how much. */
  title: string
  /** What happened at the moment that is drawn. */
  caption: string
  ledger: Ledger | null
}

/** A card to share, as PNG: who won, the first three, and the board at the moment that decided it. */
export async function shareCard(meta: RunMeta, board: BoardModule, frame: Frame, context: BoardContext, theme: Theme, told: Told): Promise<Blob | null> {
  const card = document.createElement('canvas')
  card.width = WIDE
  card.height = HIGH
  const pen = card.getContext('2d') as CanvasRenderingContext2D
  const { surface, void: ground, line, text, text2: quiet, font, seats, onSeats } = theme
  const fill = (colour: string, x: number, y: number, w: number, h: number): void => {
    pen.fillStyle = colour
    pen.fillRect(x, y, w, h)
  }
  const write = (words: string, x: number, y: number, size: number, how: { weight?: number; colour?: string; align?: CanvasTextAlign; most?: number } = {}): void => {
    pen.font = `${how.weight ?? 400} ${size}px ${font}`
    pen.fillStyle = how.colour ?? text
    pen.textAlign = how.align ?? 'left'
    pen.fillText(words, x, y, how.most)
  }
  fill(surface, 0, 0, HALF, HIGH)
  fill(ground, HALF, 0, HALF, HIGH)
  fill(line, HALF, 0, 1, HIGH)
  write('Polity', EDGE, 72, 24, { weight: 600 })
  write(told.game, EDGE + 86, 72, 24, { colour: quiet, most: HALF - EDGE * 2 - 86 })
  pen.font = `600 50px ${font}`
  wrapped(pen, told.title, HALF - 2 * EDGE).slice(0, 5).forEach((words, i) => write(words, EDGE, 150 + i * 60, 50, { weight: 600, most: HALF - 2 * EDGE }))
  const rows = told.ledger?.rows.slice(0, MOST) ?? []
  const best = Math.max(1e-9, ...rows.map((row) => row.score ?? 0))
  write(told.ledger?.columns.at(-1)?.label ?? '', EDGE, 452, 22, { colour: quiet })
  rows.forEach((row, i) => {
    const [y, colour] = [470 + i * 48, seats[hue(row.seat)] ?? text]
    fill(colour, EDGE, y, 34, 34)
    write(letter(row.seat), EDGE + 17, y + 25, 22, { weight: 600, align: 'center', colour: onSeats[hue(row.seat)] ?? text })
    write(seatName(meta.seats, row.seat), EDGE + 46, y + 26, 24, { most: 130 })
    fill(colour, EDGE + 186, y + 6, Math.max(3, (210 * Math.max(0, row.score ?? 0)) / best), 22)
    write(String(row.values.at(-1) ?? ''), HALF - EDGE, y + 26, 24, { weight: 600, align: 'right', most: 100 })
  })
  pen.font = `500 26px ${font}`
  const caption = wrapped(pen, told.caption, HALF - 2 * 36).slice(0, 2)
  caption.forEach((words, i) => write(words, HALF + 36, 66 + i * 34, 26, { weight: 500 }))
  await drawBoard(pen, board, frame, context, { x: HALF + 28, y: 124, w: HALF - 56, h: HIGH - 124 - 28 })
  return new Promise((done) => card.toBlob(done, 'image/png'))
}

/** A board drawn once where nobody sees it, and shrunk to a place on the card. */
async function drawBoard(pen: CanvasRenderingContext2D, board: BoardModule, frame: Frame, context: BoardContext, { x, y, w, h }: { x: number; y: number; w: number; h: number }): Promise<void> {
  const host = document.createElement('div')
  host.inert = true
  Object.assign(host.style, { position: 'fixed', left: '-2000px', top: '0', width: `${w}px`, height: `${h}px`, overflow: 'hidden' })
  document.body.append(host)
  const mounted = board.mount(host, context)
  try {
    mounted.update(frame, context)
    // What was mounted measures itself, then draws.
    for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)
    const at = host.getBoundingClientRect()
    for (const { element, source } of await pictures(host)) {
      const box = element.getBoundingClientRect()
      if (source.width && source.height) pen.drawImage(source, x + box.left - at.left, y + box.top - at.top, box.width, box.height)
    }
  } finally {
    mounted.unmount()
    host.remove()
  }
}

/** Lines of words that fit; Chinese, which has no blanks, is broken anywhere. */
export function wrapped(pen: Pick<CanvasRenderingContext2D, 'measureText'>, words: string, wide: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of words.match(/[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*/g) ?? []) {
    if (line && pen.measureText((line + word).trimEnd()).width > wide) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += word
  }
  return line ? [...lines, line.trimEnd()] : lines
}
