import {
  formatted,
  number,
  ranked,
  type BoardContext,
  type Cell,
  type Detail,
  type Frame,
  type Headline,
  type Ledger,
  type LegendItem,
} from '@polity/board'
import { paid, readMatch, runningTotals, SEATS, type Labels, type Match, type Seat } from './reading'
import { rounded, tellingOf, type Telling } from './telling'
import { type Saying } from './words'

export { cells } from './grid'

export function headline(frame: Frame, context: BoardContext): Headline {
  const match = readMatch(frame)
  const { names, say } = tellingOf(match, context)
  if (!match.played) return { strong: match.ending === 'void' ? say('void') : say('start'), quiet: toCome(match, say) }
  const rounds = match.played
  if (!match.totals) return { strong: say('hidden'), quiet: say('peaceOnly', { both: match.both, rounds }) }
  const [a, b] = match.totals
  const ahead: Seat = a >= b ? 0 : 1
  const [high, low] = ahead === 0 ? [a, b] : [b, a]
  const over = match.ending !== '' && match.ending !== 'void'
  const standing = { leader: names[ahead], other: names[ahead === 0 ? 1 : 0], gap: rounded(high - low), high, low }
  const strong = a === b ? say('level', { a: names[0], b: names[1], total: a }) : say(over ? 'won' : 'leads', standing)
  return {
    strong: match.ending === 'void' ? say('void') : strong,
    quiet: say('peace', { both: match.both, rounds, joint: rounded(a + b), possible: rounded(match.joint * rounds) }),
  }
}

function toCome(match: Match, say: Telling['say']): string {
  if (match.rounds !== null) return say('startLength', { rounds: match.rounds })
  return match.stop_prob !== null ? say('startChance', { p: match.stop_prob }) : say('startHidden')
}

export function ledger(frame: Frame, context: BoardContext): Ledger {
  const match = readMatch(frame)
  const { called, say } = tellingOf(match, context)
  const rows = SEATS.map((seat) => {
    const moves = match.moves[seat]
    const share = match.played ? moves.split('C').length - 1 : 0
    const score = match.totals?.[seat] ?? null
    const values = [formatted(match.played ? share / match.played : null, '.0%'), score === null ? '–' : number(score)]
    return { seat, values, score }
  })
  return {
    columns: [
      { label: match.labels === 'letters' && !context.subject ? called('C') : say('shareOf'), numeric: true },
      { label: say('points'), numeric: true },
    ],
    rows: ranked(rows),
    note: match.totals ? '' : say('hidden'),
  }
}

export function detail(frame: Frame, cell: Cell, context: BoardContext): Detail {
  const match = readMatch(frame)
  const { names, called, say } = tellingOf(match, context)
  const title = say('round', { round: cell.col + 1 })
  if (cell.col >= match.played) return { title, seat: null, rows: [] }
  const rows: [string, string][] = []
  for (const seat of SEATS) {
    rows.push([say('plays', { name: names[seat] }), called(match.moves[seat][cell.col] ?? '–')])
    rows.push([say('gets', { name: names[seat] }), number(paid(match, seat, cell.col))])
  }
  if (match.totals) {
    const [a, b] = runningTotals(match)
    rows.push([say('after'), `${number(a[cell.col] ?? 0)}, ${number(b[cell.col] ?? 0)}`])
  }
  return { title, seat: cell.row === 0 ? 0 : 1, rows }
}

/** How the two moves are painted in the legend: where the labels judge nothing, the colours judge nothing either. */
function colours(labels: Labels): [{ fill: string; stroke?: string }, { fill: string }] {
  if (labels === 'neutral') return [{ fill: 'surface', stroke: 'text-2' }, { fill: 'text-2' }]
  return [{ fill: 'good-soft', stroke: 'good-mark' }, { fill: 'warn-mark' }]
}

export function legend(frame: Frame, context: BoardContext): LegendItem[] {
  const match = readMatch(frame)
  const { called, say } = tellingOf(match, context)
  const [good, warn] = colours(match.labels)
  const named = (move: 'C' | 'D', word: Saying): string => (match.labels === 'letters' && !context.subject ? say(word) : called(move))
  const box = 'M1 1h10v14h-10z'
  return [
    { label: named('C', 'keyC'), width: 12, height: 16, paths: [{ d: box, ...good }] },
    { label: named('D', 'keyD'), width: 12, height: 16, paths: [{ d: box, ...warn }] },
    ...(match.noise.some((chance) => chance) ? [{ label: say('keySlip'), width: 12, height: 10, paths: [{ d: 'M2 8l4 -6l4 6z', fill: 'text' }] }] : []),
  ]
}
