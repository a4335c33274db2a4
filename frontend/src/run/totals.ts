import type { Ledger } from '../../kit/board'
import type { Replay } from '../record/replay'
import type { SeatMeta } from '../types'

export interface Totals {
  seat: number
  /** What the seat had got after each step; null from the first step on that is not known. */
  values: (number | null)[]
}

/** Payoffs summed up step by step, in seat order; of more than `most` seats those that have most and least, half each. */
export function totalsOf(replay: Replay, most: number): Totals[] {
  const sums = new Map<number, number>()
  const series = new Map<number, (number | null)[]>()
  let until = 0
  for (; until <= replay.head; until++) {
    const paid = replay.briefs.payoffs(until)
    if (!paid) break
    for (const [seat, amount] of paid.entries()) {
      if (Number.isNaN(amount)) continue
      sums.set(seat, (sums.get(seat) ?? 0) + amount)
      if (!series.has(seat)) series.set(seat, new Array<number>(until).fill(0))
    }
    for (const [seat, values] of series) values.push(sums.get(seat) ?? 0)
  }
  const ranked = [...series].sort(([a], [b]) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0) || a - b)
  const shown = ranked.length > most ? [...ranked.slice(0, Math.ceil(most / 2)), ...ranked.slice(-Math.floor(most / 2))] : ranked
  return shown
    .sort(([a], [b]) => a - b)
    .map(([seat, values]) => ({ seat, values: [...values, ...new Array<null>(Math.max(0, replay.head + 1 - until)).fill(null)] }))
}

const plain = new Intl.NumberFormat('en')

/** The ledger of a game without a board: seats by what they have got. */
export function plainLedger(seats: readonly SeatMeta[], totals: ReadonlyMap<number, number>, label: string): Ledger {
  const rows = seats.map(({ seat }) => {
    const score = totals.get(seat) ?? null
    return { seat, score, values: [score === null ? '–' : plain.format(score)] }
  })
  rows.sort((a, b) => (b.score ?? -Infinity) - (a.score ?? -Infinity) || a.seat - b.seat)
  return { columns: [{ label, numeric: true }], rows, note: '' }
}
