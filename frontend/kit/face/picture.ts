import { seatBox, seatColour } from '../paint'
import { disc, ink, line, rect, type Canvas } from '../pen'
import type { Theme } from '../theme'

/** The small picture on the card of a game without a board: what kind of thing its view is, and no match of it. */
export function drawFacePicture(canvas: Canvas, width: number, height: number, theme: Theme, parts: readonly { kind: string }[]): void {
  const kinds = new Set(parts.map(({ kind }) => kind))
  if (kinds.has('grid')) drawCells(canvas, width, height, theme)
  else if (kinds.has('bars')) drawBars(canvas, width, height, theme, kinds.has('matrix'))
  else if (kinds.has('matrix')) drawTable(canvas, width, height, theme)
  else if (kinds.has('series')) drawLines(canvas, width, height, theme)
  else drawDiscs(canvas, width, height, theme)
}

function drawBars(canvas: Canvas, width: number, height: number, theme: Theme, hasArrow: boolean): void {
  const [wide, gap, tall] = [30, 16, height - 26]
  const left = width / 2 - 2 * wide - 1.5 * gap
  for (const [seat, share] of [0.85, 0.8, 1, 0.5].entries()) {
    const x = left + seat * (wide + gap)
    rect(canvas, x + 0.5, 13.5, wide - 1, tall - 1, { edge: theme.line2 })
    seatBox(canvas, theme, seat, x, 13 + tall * (1 - share), wide, tall * share)
  }
  if (!hasArrow) return
  canvas.beginPath()
  canvas.moveTo(left + wide / 2, 10)
  canvas.quadraticCurveTo(width / 2, -4, left + 3 * (wide + gap) + wide / 2, 12)
  ink(canvas, { edge: theme.ink, thick: 2 })
}

/** What the first and the second get, as shares of a cell's height. */
const PAYS = [[0.8, 0.8], [0.2, 1], [1, 0.2], [0.4, 0.4]]

function drawTable(canvas: Canvas, width: number, height: number, theme: Theme): void {
  const side = Math.min(34, (height - 20) / 2)
  for (const [i, row] of [0, 0, 1, 1].entries()) {
    const [x, y] = [width / 2 - side - 2 + (i % 2) * (side + 4), height / 2 - side - 2 + row * (side + 4)]
    rect(canvas, x, y, side, side, { edge: i === 0 ? theme.accent : theme.line2, thick: i === 0 ? 2 : 1 })
    for (const [seat, share] of (PAYS[i] ?? []).entries()) {
      const wide = side * 0.24
      rect(canvas, x + side * (seat ? 0.58 : 0.18), y + side * (0.86 - share * 0.72), wide, side * share * 0.72, { fill: seatColour(theme, seat) })
    }
  }
}

/** A table of pays of two: what the first gets in its colour, then the second; more than four by four is not drawn. */
export function drawPays(canvas: Canvas, width: number, height: number, theme: Theme, rows: readonly (readonly (readonly [number, number])[])[]): void {
  const [tall, wide] = [Math.min(30, (height - 14) / rows.length), Math.min(72, (width - 24) / (rows[0]?.length ?? 1))]
  const [left, top] = [(width - wide * (rows[0]?.length ?? 0)) / 2, (height - tall * rows.length) / 2]
  canvas.font = `600 ${Math.min(15, tall * 0.62)}px Inter, system-ui, sans-serif`
  canvas.textAlign = 'center'
  canvas.textBaseline = 'middle'
  for (const [r, row] of rows.entries()) {
    for (const [c, pays] of row.entries()) {
      const [x, y] = [Math.round(left + c * wide), Math.round(top + r * tall)]
      rect(canvas, x + 0.5, y + 0.5, wide, tall, { edge: theme.line2 })
      for (const [seat, pay] of pays.entries()) {
        canvas.fillStyle = seatColour(theme, seat)
        canvas.fillText(String(pay).replace('-', '−'), x + wide * (seat ? 0.7 : 0.3), y + tall / 2 + 1)
      }
    }
  }
}

function drawLines(canvas: Canvas, width: number, height: number, theme: Theme): void {
  const lines = [[0.5, 0.55, 0.6, 0.7, 0.8], [0.5, 0.4, 0.5, 0.6, 0.65], [0.6, 0.65, 0.6, 0.8, 0.9], [0.1, 0.35, 0.2, 0.6, 0.4]]
  for (const [seat, values] of lines.entries()) {
    line(canvas, values.map((value, i) => [width / 2 - 80 + i * 40, height - 12 - value * (height - 24)]), { edge: seatColour(theme, seat), thick: 2 })
  }
}

function drawCells(canvas: Canvas, width: number, height: number, theme: Theme): void {
  const side = Math.floor((height - 20) / 4)
  const owners = [0, 0, -1, 1, 0, -1, 2, 1, 3, 2, 2, -1, 3, 3, -1, 1]
  for (const [i, seat] of owners.entries()) {
    const [x, y] = [width / 2 - side * 2 + (i % 4) * side, 10 + Math.floor(i / 4) * side]
    if (seat >= 0) seatBox(canvas, theme, seat, x + 1, y + 1, side - 2, side - 2)
    else rect(canvas, x + 1, y + 1, side - 2, side - 2, { fill: theme.line })
  }
}

function drawDiscs(canvas: Canvas, width: number, height: number, theme: Theme): void {
  for (let seat = 0; seat < 8; seat++) disc(canvas, width / 2 + (seat - 3.5) * 26, height / 2, 8, { fill: seatColour(theme, seat) })
}
