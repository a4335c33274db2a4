/** Where values stand on an axis, and at which round numbers it is marked. */
export interface Axis {
  low: number
  high: number
  ticks: number[]
  /** Decimals that tell the ticks apart. */
  digits: number
  at: (value: number) => number
}

const STEPS = [1, 2, 2.5, 5, 10]

/** The least that a measure can have, as far as is seen: 0 where no value is below it. An interval of a mean may reach below. */
export const floorOf = (values: readonly (number | null | undefined)[]): number | null => (values.some((value) => typeof value === 'number' && value < 0) ? null : 0)

/** An axis over the values from `from` to `to` in pixels; one value alone gets room around it. Nothing is drawn below `floor`. */
export function axisOf(values: readonly (number | null | undefined)[], from: number, to: number, count = 4, floor: number | null = null): Axis {
  const known = values.filter((value): value is number => typeof value === 'number' && Number.isFinite(value))
  let low = known.length ? Math.min(...known) : 0
  let high = known.length ? Math.max(...known) : 1
  if (low === high) {
    const room = Math.abs(low) / 10 || 1
    low -= room
    high += room
  }
  if (floor !== null) low = Math.max(floor, low)
  const raw = (high - low) / count
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = (STEPS.find((one) => one * power >= raw * 0.999) ?? 10) * power
  const first = Math.floor(low / step + 1e-9)
  const last = Math.ceil(high / step - 1e-9)
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)))
  const digits = Math.max(0, ...ticks.map((tick) => (String(tick).split('.')[1] ?? '').length))
  const span = (last - first) * step
  return { low: first * step, high: last * step, ticks, digits: Math.min(digits, 6), at: (value) => from + ((Math.max(value, floor ?? value) - first * step) / span) * (to - from) }
}
