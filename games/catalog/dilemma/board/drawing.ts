import { disc, fitted, formatted, letter, lettered, line, number, plate, rect, seatBox, seatColour, seatLetter, shape, ticksOf, widthOf, write, type BoardContext, type Theme, type Canvas } from '@polity/board'
import { LETTERED, type BoardLayout } from './layout'
import { forgiveness, paid, runningTotals, SEATS, type Match, type Seat } from './reading'
import type { Telling } from './telling'
import { initial } from './words'

export interface Scene {
  match: Match
  context: BoardContext
  telling: Telling
  layout: BoardLayout
  width: number
}

/** Strips, payoffs, round numbers, running totals, numbers and table, then what is pointed at. */
export function drawScene(canvas: Canvas, scene: Scene): void {
  for (const seat of SEATS) drawStrip(canvas, scene, seat)
  drawAxis(canvas, scene)
  drawTotals(canvas, scene)
  drawNumbers(canvas, scene)
  drawTable(canvas, scene)
  drawPointed(canvas, scene)
}

/** The space that the players' names take, up to a third of the width. */
export function gutterOf(canvas: Canvas, { agents }: Telling, theme: Theme, width: number): number {
  const widest = Math.max(...agents.map((name) => widthOf(canvas, theme, name, 12, 500)))
  return Math.min(Math.ceil(widest) + 38, Math.max(84, width / 3))
}

export function drawStrip(canvas: Canvas, scene: Scene, seat: Seat): void {
  const { context, telling, layout } = scene
  const { theme } = context
  const top = layout.strips[seat]
  const side = 18
  seatBox(canvas, theme, seat, 0, top + layout.stripHeight / 2 - side / 2, side, side, 3)
  seatLetter(canvas, theme, seat, side / 2, top + layout.stripHeight / 2, 11)
  if (!context.bare) {
    write(canvas, theme, telling.agents[seat], side + 6, top + layout.stripHeight / 2, { size: 12, weight: 500, room: layout.left - side - 12 })
    if (layout.hasPayoffs) {
      write(canvas, theme, telling.say('payoff'), side + 6, top + layout.stripHeight + 16, { size: 11, colour: theme.text3 })
    }
  }
  for (let col = 0; col < layout.shown; col++) drawRound(canvas, scene, seat, layout.first + col)
}

function drawRound(canvas: Canvas, { match, context, layout }: Scene, seat: Seat, round: number): void {
  const { theme } = context
  const move = match.moves[seat][round]
  const gap = layout.column > 9 ? 0.8 : 0.4
  const x = layout.x(round) + gap
  const y = layout.strips[seat]
  const w = layout.column - 2 * gap
  const h = layout.stripHeight
  if (move === undefined) {
    plate(canvas, { x, y, width: w, height: h }, 1.5, theme.void, theme.line, 0.6)
    return
  }
  const isNeutral = match.labels === 'neutral'
  drawMove(canvas, theme, move, isNeutral, x, y, w, h)
  const middle = x + w / 2
  if (layout.column >= LETTERED) {
    const colour = move === 'C' ? theme.text : isNeutral ? theme.surface : '#000000'
    write(canvas, theme, initial(match.labels, context.lang, move), middle, y + h / 2, { size: 11, weight: 600, colour, align: 'center' })
  }
  if (layout.hasPayoffs) {
    const points = paid(match, seat, round)
    const colour = points === match.pays('C', 'D') ? theme.text3 : theme.text
    write(canvas, theme, number(points), middle, y + h + 16, { size: 11, colour, align: 'center' })
  }
  if (round === match.played - 1 && match.slips.has(seat)) shape(canvas, [[middle - 4, y - 2], [middle, y - 8], [middle + 4, y - 2]], { fill: theme.text })
}

/** A cooperation is an outline over a faint fill, a defection is solid: the shape tells it without the colour. */
function drawMove(canvas: Canvas, theme: Theme, move: string, isNeutral: boolean, x: number, y: number, w: number, h: number): void {
  const isC = move === 'C'
  const colour = isNeutral ? theme.text2 : isC ? theme.goodMark : theme.warnMark
  rect(canvas, x, y, w, h, { fill: colour, alpha: isC ? 0.14 : 1 }, 1.5)
  if (isC) rect(canvas, x, y, w, h, { edge: colour }, 1.5)
}

function drawAxis(canvas: Canvas, { context, layout }: Scene): void {
  if (context.bare) return
  const every = [...(layout.shown < 10 ? [1] : []), 5, 10, 20, 50, 100, 200, 500, 1000].find((step) => step * layout.column >= 40) ?? 2000
  for (let round = Math.ceil((layout.first + 1) / every) * every; round <= layout.first + layout.shown; round += every) {
    const x = layout.x(round - 1) + layout.column / 2
    write(canvas, context.theme, String(round), x, layout.axis, { size: 11, colour: context.theme.text3, align: 'center' })
  }
}

function drawTotals(canvas: Canvas, { match, context, telling, layout, width }: Scene): void {
  if (!layout.chart || !match.totals) return
  const { theme } = context
  const { names, say } = telling
  const { top, bottom } = layout.chart
  const totals = runningTotals(match)
  const last = layout.first + layout.shown
  const highest = Math.max(1, match.reward * last, ...totals.map((points) => points.at(-1) ?? 0))
  const floor = Math.min(0, ...totals.flatMap((points) => points))
  const levels = ticksOf(floor, highest)
  const ceiling = Math.max(highest, ...levels)
  const y = (points: number): number => bottom - ((points - floor) / (ceiling - floor)) * (bottom - top)
  const x = (round: number): number => layout.x(round) + layout.column / 2
  const end = layout.x(last)
  const head = top - 15
  write(canvas, theme, say('total'), 0, head, { size: 12, weight: 600 })
  if (!context.subject) {
    // What two who always cooperate would have: its line is named beside the heading, where it covers nothing.
    const beside = canvas.measureText(say('total')).width + 16
    const all: [number, number][] = [[x(layout.first), y(match.reward * (layout.first + 1))], [x(last - 1), y(match.reward * last)]]
    for (const points of [all, [[beside, head], [beside + 24, head]] as const]) line(canvas, points, { edge: theme.line2, dash: [2, 4] })
    write(canvas, theme, say('allOf', { reward: match.reward }), beside + 30, head, { size: 11, colour: theme.text3 })
  }
  for (const tick of levels) {
    line(canvas, [[layout.left, y(tick)], [end, y(tick)]], { edge: theme.grid })
    write(canvas, theme, number(tick), layout.left - 8, y(tick), { size: 11, colour: theme.text3, align: 'right' })
  }
  if (!match.played) return
  for (const seat of [1, 0] as const) {
    const points = totals[seat].slice(layout.first).map((value, i): [number, number] => [x(layout.first + i), y(value)])
    canvas.lineJoin = 'round'
    line(canvas, points, { edge: seatColour(theme, seat), thick: 2.2, dash: seat ? [6, 3] : [] })
  }
  const [a, b] = match.totals
  const above: Seat = a >= b ? 0 : 1
  for (const seat of SEATS) {
    const total = match.totals[seat]
    const at = x(match.played - 1)
    disc(canvas, at, y(total), 4, { fill: seatColour(theme, seat) })
    canvas.font = `600 12px ${theme.font}`
    const count = ` ${number(total)}`
    const [before, after] = [at - 9, width - at - 12]
    const fits = (name: string): boolean => canvas.measureText(name + count).width <= after
    // To the left of its end a label lies over the curves: the letter alone, which the strips explain, goes before that.
    const name = fits(names[seat]) || !fits(letter(seat)) ? names[seat] : letter(seat)
    const isLate = !fits(name) && before > after
    const label = fitted(canvas, name, (isLate ? before : after) - canvas.measureText(count).width) + count
    const high = y(total) + (seat === above ? -9 : 11)
    // To the left stands the heading, above.
    write(canvas, theme, label, isLate ? at - 9 : at + 9, isLate ? Math.max(high, top + 3) : high, { size: 12, weight: 600, align: isLate ? 'right' : 'left', halo: { colour: theme.surface, thick: 4 } })
  }
}

function drawNumbers(canvas: Canvas, { match, context, telling, layout, width }: Scene): void {
  if (layout.foot === null || !match.played) return
  const { theme } = context
  const { agents, say } = telling
  // Both stand beside their seats' signs; with their letters where they are the same.
  const names = agents[0] === agents[1] ? SEATS.map((seat) => lettered(seat, agents[seat])) : agents
  const shown: [string, string][] = [
    ...names.flatMap((name, seat): [string, string][] => (match.totals ? [[formatted((match.totals[seat] ?? 0) / match.played, '.2f'), say('perRound', { name })]] : [])),
    [formatted(match.both / match.played, '.0%'), say('both')],
    ...SEATS.map((seat): [string, string] => [formatted(forgiveness(match, seat), '.0%'), say('forgives', { name: names[seat] ?? '' })]),
  ]
  let x = 0
  const end = width - TABLE.width - 24
  for (const [value, label] of shown) {
    const wide = Math.max(60, widthOf(canvas, theme, label))
    if (x + wide > end) break
    write(canvas, theme, value, x, layout.foot + 26, { size: 18, weight: 600 })
    write(canvas, theme, label, x, layout.foot + 48, { size: 12, colour: theme.text2 })
    x += wide + 32
  }
}

const TABLE = { width: 142, row: 22 }

function drawTable(canvas: Canvas, { match, context, telling, layout, width }: Scene): void {
  if (layout.foot === null || width < 420) return
  const { theme } = context
  const x = width - TABLE.width - 4
  const y = layout.foot
  const columns = [0, 50, 96, TABLE.width]
  const named = (move: string): string => (match.labels === 'framed' ? initial(match.labels, context.lang, move) : telling.called(move))
  const text = [
    ['A \\ B', ...['C', 'D'].map(named)],
    ...['C', 'D'].map((own) => [named(own), ...['C', 'D'].map((other) => `${number(match.pays(own, other))}, ${number(match.pays(other, own))}`)]),
  ]
  const latest = match.moves.map((moves) => moves.at(-1))
  text.forEach((cells, row) =>
    cells.forEach((cell, col) => {
      const left = x + (columns[col] ?? 0)
      const wide = (columns[col + 1] ?? 0) - (columns[col] ?? 0)
      const top = y + row * TABLE.row
      const isLatest = row > 0 && col > 0 && latest[0] === 'CD'[row - 1] && latest[1] === 'CD'[col - 1]
      rect(canvas, Math.round(left) + 0.5, Math.round(top) + 0.5, wide, TABLE.row, { edge: theme.line })
      const isHead = row === 0 || col === 0
      write(canvas, theme, cell, left + 10, top + TABLE.row / 2 + 1, {
        size: 12,
        weight: isLatest ? 600 : 400,
        colour: isHead ? theme.text2 : theme.text,
      })
    }),
  )
}

/** The round of this step, and whatever is selected or focused, in the one accent. */
function drawPointed(canvas: Canvas, { match, context, layout }: Scene): void {
  const { theme } = context
  const whole = (round: number): void => {
    if (round < layout.first || round >= layout.first + layout.shown) return
    const bottom = layout.strips[1] + layout.stripHeight + (layout.hasPayoffs ? 26 : 4)
    plate(canvas, { x: layout.x(round) - 1, y: layout.strips[0] - 5, width: layout.column + 2, height: bottom - layout.strips[0] + 5 }, 3, undefined, theme.accent, 2)
  }
  if (match.played) whole(match.played - 1)
  if (context.selected) whole(context.selected.col)
  const at = context.focused
  if (at && at.col >= layout.first && at.col < layout.first + layout.shown) {
    plate(canvas, { x: layout.x(at.col) - 2, y: layout.strips[at.row === 0 ? 0 : 1] - 2, width: layout.column + 4, height: layout.stripHeight + 4 }, 3, undefined, theme.accent, 2)
  }
}

/** The card in the lobby: a feud that another slip ends. */
export function drawPicture(canvas: Canvas, width: number, height: number, theme: Theme): void {
  const strips = ['CCCCCDCDCDCCCCDDDDCC', 'CCCCCCDCDCCCCCCDDDDC']
  const column = Math.min(14, (width - 16) / 20)
  const tall = Math.min(30, height / 3)
  const left = (width - column * 20) / 2
  strips.forEach((moves, seat) =>
    [...moves].forEach((move, round) => {
      const x = left + round * column + 0.8
      drawMove(canvas, theme, move, false, x, height / 2 - tall - 5 + seat * (tall + 10), column - 1.6, tall)
    }),
  )
}
