import { clauses, colon, formatted, number, type BoardContext, type FactList, type Frame, type GridFacts, type Lang, type Told } from '@polity/board'
import { forgiveness, paid, readMatch, runningTotals, SEATS, type Match, type Seat } from './reading'
import { rounded, tellingOf, type Telling } from './telling'

/** All that the board shows, in words and as data: a row for each seat, a column a round, and what stands beside them. */
export function cells(frame: Frame, context: BoardContext): GridFacts {
  const match = readMatch(frame)
  const telling = tellingOf(match, context)
  const { names, called, say } = telling
  const totals = match.totals && runningTotals(match)
  return {
    rows: 2,
    cols: Math.max(1, match.rounds ?? 0, match.played),
    label: say('grid'),
    cell: (row, col) => {
      const seat: Seat = row === 0 ? 0 : 1
      const move = match.moves[seat][col]
      if (move === undefined) return { text: say('unplayed', { round: col + 1 }), data: { round: String(col + 1) } }
      const points = paid(match, seat, col)
      const said = [say('cell', { round: col + 1, name: names[seat], move: called(move), paid: points })]
      const data: Record<string, string> = { round: String(col + 1), move, payoff: String(points) }
      const total = totals?.[seat][col]
      if (total !== undefined) {
        data.total = String(total)
        said.push(say('totalSoFar', { total }))
      }
      const meant = col === match.played - 1 ? match.slips.get(seat) : undefined
      if (meant !== undefined) {
        data.meant = meant
        said.push(say('slipped', { name: names[seat], meant: called(meant) }))
      }
      return { text: clauses(said, context.lang), data }
    },
    lists: () => [standingOf(match, telling, context.lang), payoffsOf(match, telling, context.lang)],
  }
}

/** The numbers under the chart: how both fare, and how each does. */
function standingOf(match: Match, { names, say }: Telling, lang: Lang): FactList {
  const { played, both } = match
  const joint: Told = { text: say('peaceOnly', { both, rounds: played }), data: { played: String(played), both: String(both), ending: match.ending } }
  const each = SEATS.map((seat): Told => {
    const total = match.totals?.[seat]
    const forgives = forgiveness(match, seat)
    const data: Record<string, string> = { seat: String(seat) }
    const said: string[] = []
    if (total !== undefined) {
      data.total = String(total)
      said.push(say('totalSoFar', { total }))
    }
    if (total !== undefined && played) {
      data.perround = String(rounded(total / played))
      said.push(say('perRoundSoFar', { mean: formatted(total / played, '.2f') }))
    }
    if (forgives !== null) {
      data.forgives = String(rounded(forgives))
      said.push(`${say('forgives', { name: names[seat] })} ${formatted(forgives, '.0%')}`)
    }
    return { text: colon(names[seat], clauses(said, lang) || '–', lang), data }
  })
  return { key: 'standing', label: say('points'), items: played ? [joint, ...each] : [] }
}

/** What a round pays, by the moves of both. */
function payoffsOf(match: Match, { called, say }: Telling, lang: Lang): FactList {
  const items = ['CC', 'CD', 'DC', 'DD'].map((moves): Told => {
    const [own = '', other = ''] = moves
    const [a, b] = [match.pays(own, other), match.pays(other, own)]
    return { text: colon(`${called(own)}, ${called(other)}`, `${number(a)}, ${number(b)}`, lang), data: { moves, a: String(a), b: String(b) } }
  })
  return { key: 'payoffs', label: say('payoff'), items }
}
