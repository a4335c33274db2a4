import {
  formatted,
  number,
  seatName,
  sentence,
  spoken,
  type BoardContext,
  type Cell,
  type Detail,
  type Facts,
  type FeedPlan,
  type Frame,
  type GridFacts,
  type Headline,
  type Lang,
  type Ledger,
  type LegendItem,
} from '@polity/board'
import { paid, readMatch, runningTotals, SEATS, type Match, type Seat } from './reading'
import { words, type Word } from './words'

export type Say = (word: Word, facts?: Facts) => string

export function speaker(context: BoardContext): Say {
  return (word, facts = {}) => spoken(sentence(words[context.lang][word], facts), (seat) => seatName(context.seats, seat))
}

/** The seat's agent, or its name where the agent has none. */
export function playerName(context: BoardContext, seat: Seat): string {
  const meta = context.seats.find((one) => one.seat === seat)
  return meta?.agent || seatName(context.seats, seat)
}

/** Both names, told apart by the seat where they are the same. */
export function playerNames(context: BoardContext): [string, string] {
  const [a, b] = [playerName(context, 0), playerName(context, 1)]
  return a === b ? [`A ${a}`, `B ${b}`] : [a, b]
}

export function headline(frame: Frame, context: BoardContext): Headline {
  const say = speaker(context)
  const match = readMatch(frame)
  const names = playerNames(context)
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

function toCome(match: Match, say: Say): string {
  if (match.rounds !== null) return say('startLength', { rounds: match.rounds })
  return match.stopProb !== null ? say('startChance', { p: match.stopProb }) : say('startHidden')
}

export function ledger(frame: Frame, context: BoardContext): Ledger {
  const say = speaker(context)
  const match = readMatch(frame)
  const rows = SEATS.map((seat) => {
    const moves = match.moves[seat]
    const share = match.played ? moves.split('C').length - 1 : 0
    const score = match.totals?.[seat] ?? null
    const values = [formatted(match.played ? share / match.played : null, '.0%'), score === null ? '–' : number(score)]
    return { seat, values, score }
  })
  rows.sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.seat - b.seat)
  return {
    columns: [
      { label: say('cooperates'), numeric: true },
      { label: say('points'), numeric: true },
    ],
    rows,
    note: match.totals ? '' : say('hidden'),
  }
}

export function cells(frame: Frame, context: BoardContext): GridFacts {
  const say = speaker(context)
  const match = readMatch(frame)
  const names = playerNames(context)
  return {
    rows: 2,
    cols: Math.max(1, match.rounds ?? 0, match.played),
    label: say('grid'),
    cell: (row, col) => {
      const seat: Seat = row === 0 ? 0 : 1
      const move = match.moves[seat][col]
      if (move === undefined) return { text: say('unplayed', { round: col + 1 }), data: { round: String(col + 1) } }
      const points = paid(match, seat, col)
      const said = [say('cell', { round: col + 1, name: names[seat], move, paid: points })]
      const data: Record<string, string> = { round: String(col + 1), move, payoff: String(points) }
      const meant = col === match.played - 1 ? match.slips.get(seat) : undefined
      if (meant !== undefined) {
        data.meant = meant
        said.push(say('slipped', { name: names[seat], meant }))
      }
      return { text: said.join(context.lang === 'zh' ? '，' : ', '), data }
    },
  }
}

export function detail(frame: Frame, cell: Cell, context: BoardContext): Detail {
  const say = speaker(context)
  const match = readMatch(frame)
  const names = playerNames(context)
  const title = say('round', { round: cell.col + 1 })
  if (cell.col >= match.played) return { title, seat: null, rows: [] }
  const rows: [string, string][] = []
  for (const seat of SEATS) {
    rows.push([say('plays', { name: names[seat] }), match.moves[seat][cell.col] ?? '–'])
    rows.push([say('gets', { name: names[seat] }), number(paid(match, seat, cell.col))])
  }
  if (match.totals) {
    const [a, b] = runningTotals(match)
    rows.push([say('after'), `${number(a[cell.col] ?? 0)}, ${number(b[cell.col] ?? 0)}`])
  }
  return { title, seat: cell.row === 0 ? 0 : 1, rows }
}

export function feed(lang: Lang): FeedPlan {
  const word = words[lang]
  return {
    minor: ['round_played'],
    groups: [
      { key: 'moves', label: word.groupMoves, kinds: ['round_played', 'hand_slipped'] },
      {
        key: 'turns',
        label: word.groupTurns,
        kinds: ['cooperation_broke', 'cooperation_returned', 'match_ended', 'match_voided'],
      },
      { key: 'talk', label: word.groupTalk, kinds: ['message_sent'] },
    ],
  }
}

export function legend(_frame: Frame, context: BoardContext): LegendItem[] {
  const say = speaker(context)
  const box = 'M1 1h10v14h-10z'
  return [
    { label: say('keyC'), width: 12, height: 16, paths: [{ d: box, fill: 'good-soft', stroke: 'good-mark' }] },
    { label: say('keyD'), width: 12, height: 16, paths: [{ d: box, fill: 'warn-mark' }] },
    { label: say('keySlip'), width: 12, height: 10, paths: [{ d: 'M2 8l4 -6l4 6z', fill: 'text' }] },
  ]
}

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
