import { clauses, colon, formatted, number, fact, type BoardContext, type FactList, type Frame, type GridFacts, type Lang, type Told } from '@polity/board'
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
      if (move === undefined) return fact(say('unplayed', { round: col + 1 }), { round: col + 1 })
      const points = paid(match, seat, col)
      const total = totals?.[seat][col]
      const meant = col === match.played - 1 ? match.slips.get(seat) : undefined
      const said = [
        say('cell', { round: col + 1, name: names[seat], move: called(move), paid: points }),
        ...(total === undefined ? [] : [say('totalSoFar', { total })]),
        ...(meant === undefined ? [] : [say('slipped', { name: names[seat], meant: called(meant) })]),
      ]
      return fact(clauses(said, context.lang), { round: col + 1, move, payoff: points, total, meant })
    },
    lists: () => [standingOf(match, telling, context.lang), payoffsOf(match, telling)],
  }
}

/** The numbers under the chart: how both fare, and how each does. */
function standingOf(match: Match, { names, say }: Telling, lang: Lang): FactList {
  const { played, both } = match
  const joint = fact(say('peaceOnly', { both, rounds: played }), { played, both, ending: match.ending })
  const each = SEATS.map((seat): Told => {
    const total = match.totals?.[seat]
    const mean = total !== undefined && played ? total / played : null
    const forgives = forgiveness(match, seat)
    const said = [
      ...(total === undefined ? [] : [say('totalSoFar', { total })]),
      ...(mean === null ? [] : [say('perRoundSoFar', { mean: formatted(mean, '.2f') })]),
      ...(forgives === null ? [] : [`${say('forgives', { name: names[seat] })} ${formatted(forgives, '.0%')}`]),
    ]
    const data = { seat, total, perround: mean === null ? null : rounded(mean), forgives: forgives === null ? null : rounded(forgives) }
    return fact(colon(names[seat], clauses(said, lang) || '–', lang), data)
  })
  return { key: 'standing', label: say('points'), items: played ? [joint, ...each] : [] }
}

/** What a round pays, by the moves of both. */
function payoffsOf(match: Match, { called, say }: Telling): FactList {
  const items = ['CC', 'CD', 'DC', 'DD'].map((moves): Told => {
    const [own = '', other = ''] = moves
    const [a, b] = [match.pays(own, other), match.pays(other, own)]
    return fact(say('pays', { own: called(own), other: called(other), a: number(a), b: number(b) }), { moves, a, b })
  })
  return { key: 'payoffs', label: say('payoffs'), items }
}
