import type { GameWords } from '../gamewords'
import type { Briefs } from './briefs'

/** What happened at most so often is marked each time; of what is frequent, the first. */
const SELDOM = 8
/** So much higher than the mean of the rounds in which anything was counted is news. */
const PEAK = 2
/** A lead is told when it has lasted so many steps, or this share of them. */
const LASTING = 3
const LASTING_SHARE = 0.03
/** Before this share of a run's steps everybody leads in turn. */
const SETTLED_SHARE = 0.05
/** The name under which a change of the lead is marked. */
export const LEADER = 'leader'
export const MOST = 'most'

export type Marks = ReadonlyMap<number, readonly string[]>

/**
 * The turning points of a run, by step: what its game marks, each time where it is seldom and once where it is not; the
 * round with the most of what is counted; and each time that somebody else takes the lead for longer than a moment.
 */
export function turningPoints(briefs: Briefs, head: number, game: Pick<GameWords, 'events' | 'charts' | 'metrics'>): Marks {
  const marks = new Map<number, string[]>()
  const mark = (n: number, name: string): void => {
    const there = marks.get(n)
    if (!there) marks.set(n, [name])
    else if (!there.includes(name)) there.push(name)
  }
  const steps = new Map<string, number[]>()
  for (let n = 0; n <= head; n++) {
    for (const name of new Set(briefs.kinds(n).flatMap((kind) => game.events[kind]?.mark || []))) {
      const of = steps.get(name)
      if (of) of.push(n)
      else steps.set(name, [n])
    }
  }
  for (const [name, of] of steps) for (const n of of.length <= SELDOM ? of : of.slice(0, 1)) mark(n, name)
  for (const key of game.charts ?? []) {
    if (!/d$/.test(game.metrics?.[key]?.format ?? '')) continue
    const n = peakOf(briefs.series(key, head))
    if (n !== null) mark(n, MOST)
  }
  for (const n of changesOfLead(briefs, head)) mark(n, LEADER)
  return marks
}

function peakOf(values: readonly (number | null)[]): number | null {
  let [best, at, sum, count] = [1, -1, 0, 0]
  values.forEach((value, n) => {
    if (!value || value < 0) return
    sum += value
    count++
    if (value > best) [best, at] = [value, n]
  })
  return at >= 0 && best >= (PEAK * sum) / count ? at : null
}

/** The steps at which a lead began that lasted. */
function changesOfLead(briefs: Briefs, head: number): number[] {
  const totals: number[] = []
  const lasting = Math.max(LASTING, Math.ceil(head * LASTING_SHARE))
  const settled = Math.max(LASTING, Math.ceil(head * SETTLED_SHARE))
  const changes: number[] = []
  let [leader, next, since] = [-1, -1, 0]
  for (let n = 0; n <= head; n++) {
    const paid = briefs.payoffs(n)
    if (!paid) return changes
    paid.forEach((amount, seat) => {
      if (!Number.isNaN(amount)) totals[seat] = (totals[seat] ?? 0) + amount
    })
    const now = soleMost(totals)
    if (now !== next) [next, since] = [now, n]
    if (next < 0 || next === leader || n - since + 1 < lasting) continue
    if (leader >= 0 && since >= settled) changes.push(since)
    leader = next
  }
  return changes
}

/** The seat that alone has most; -1 where there is none. */
function soleMost(totals: readonly number[]): number {
  let [best, seat] = [-Infinity, -1]
  totals.forEach((total, of) => {
    if (total > best) [best, seat] = [total, of]
    else if (total === best) seat = -1
  })
  return seat
}
