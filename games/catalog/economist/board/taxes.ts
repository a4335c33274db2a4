import type { Schedule } from './reading'

/** The tax on an income: each bracket's rate on its part of it; with smoothed edges the same integral as the rules'. */
export function taxOn(schedule: Schedule, income: number, smoothing = 0): number {
  if (smoothing > 0 && income > 0) {
    const area = (low: number): number => ramp(income - low, smoothing) - ramp(-low, smoothing)
    const due = schedule.reduce((sum, [low, rate], i) => sum + (i ? (rate - (schedule[i - 1]?.[1] ?? 0)) * area(low) : rate * income), 0)
    return Math.max(0, Math.min(due, income))
  }
  return schedule.reduce((due, [low, rate], i) => due + Math.max(0, Math.min(income, schedule[i + 1]?.[0] ?? Infinity) - low) * rate, 0)
}

/** smoothing × softplus(x / smoothing); the quotient may overflow. */
function ramp(x: number, smoothing: number): number {
  return Math.max(x, 0) + smoothing * Math.log1p(Math.exp(-Math.abs(x) / smoothing))
}

/** The schedule that takes effect of a draft: rates go the undamped share of the way, if the brackets are as many. */
export function damped(old: Schedule, target: Schedule, damping: number): Schedule {
  if (old.length !== target.length) return target
  return target.map(([low, rate], i) => {
    const before = old[i]?.[1] ?? rate
    return [low, before + (1 - damping) * (rate - before)] as const
  })
}

/** Gini coefficient in the population form; 0 where nobody has anything. */
export function gini(values: readonly number[]): number {
  const total = values.reduce((sum, value) => sum + value, 0)
  if (total <= 0) return 0
  const sorted = [...values].sort((a, b) => a - b)
  return sorted.reduce((sum, value, i) => sum + (2 * (i + 1) - sorted.length - 1) * value, 0) / (sorted.length * total)
}

export interface Effect {
  rows: readonly { seat: number; reported: number; paid: number; drafted: number }[]
  before: { revenue: number; gini: number; taken: number }
  after: { revenue: number; gini: number; taken: number }
  less: number
  more: number
}

/** What reported incomes would have paid under another schedule, richest first; `shared`: whether it is paid back. */
export function effectOf(reports: readonly { seat: number; reported: number; paid: number }[], schedule: Schedule, shared: boolean, smoothing = 0): Effect {
  const rows = reports
    .map(({ seat, reported, paid }) => ({ seat, reported, paid, drafted: taxOn(schedule, reported, smoothing) }))
    .sort((a, b) => b.reported - a.reported || a.seat - b.seat)
  const total = rows.reduce((sum, row) => sum + row.reported, 0)
  const summed = (tax: (row: (typeof rows)[number]) => number) => {
    const revenue = rows.reduce((sum, row) => sum + tax(row), 0)
    const back = shared && rows.length ? revenue / rows.length : 0
    return { revenue, gini: gini(rows.map((row) => row.reported - tax(row) + back)), taken: total > 0 ? revenue / total : 0 }
  }
  return {
    rows,
    before: summed((row) => row.paid),
    after: summed((row) => row.drafted),
    less: rows.filter((row) => row.drafted < row.paid - 0.005).length,
    more: rows.filter((row) => row.drafted > row.paid + 0.005).length,
  }
}
