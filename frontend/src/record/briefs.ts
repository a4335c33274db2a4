import type { Frame, Said } from '../types'

/** What a page keeps of every step of a run, however long: enough for the time axis, its charts, marks and totals. */
export type Brief = Said<'Brief'>

export function briefOf({ n, clock, hash, payoffs, metrics, events }: Frame): Brief {
  return { n, clock, hash, payoffs, metrics, kinds: [...new Set(events.map((event) => event.kind))] }
}

interface Kept {
  clock: [string, number][]
  hash: string
  kinds: readonly string[]
  metrics: Map<string, number>
  /** By seat; NaN where nothing was paid or may be known. */
  payoffs: Float64Array
}

/** Sums are kept at every so many steps. */
const SUMS_EVERY = 32

/** The briefs of one run. Pure; a step that comes twice is dropped. */
export class Briefs {
  readonly #kept = new Map<number, Kept>()
  /** Payoffs summed up to steps 0, 32, 64 …, and up to which of these they are right. */
  #sums: Float64Array[] = []

  put(brief: Brief): boolean {
    const { n, clock, hash, kinds } = brief
    if (this.#kept.has(n)) return false
    const metrics = new Map<string, number>()
    for (const [key, value] of Object.entries(brief.metrics ?? {})) {
      if (typeof value === 'number' && Number.isFinite(value)) metrics.set(key, value)
    }
    const payoffs = new Float64Array(brief.payoffs.reduce((most, [seat]) => Math.max(most, seat + 1), 0)).fill(NaN)
    for (const [seat, amount] of brief.payoffs) payoffs[seat] = amount
    this.#kept.set(n, { clock, hash, kinds, metrics, payoffs })
    return true
  }

  clear(): void {
    this.#kept.clear()
    this.#sums = []
  }

  has(n: number): boolean {
    return this.#kept.has(n)
  }

  hash(n: number): string | undefined {
    return this.#kept.get(n)?.hash
  }

  clock(n: number): [string, number][] | undefined {
    return this.#kept.get(n)?.clock
  }

  kinds(n: number): readonly string[] {
    return this.#kept.get(n)?.kinds ?? []
  }

  /** What a step paid, by seat; NaN where nothing was paid or may be known. */
  payoffs(n: number): Float64Array | undefined {
    return this.#kept.get(n)?.payoffs
  }

  /** Metrics with a number anywhere in steps `from..to`. */
  metrics(from: number, to: number): Set<string> {
    const keys = new Set<string>()
    for (let n = Math.max(0, from); n <= to; n++) for (const key of this.#kept.get(n)?.metrics.keys() ?? []) keys.add(key)
    return keys
  }

  /** One metric over the steps 0..head; null where it is undefined or the step is not known. */
  series(key: string, head: number): (number | null)[] {
    return Array.from({ length: head + 1 }, (_, n) => this.#kept.get(n)?.metrics.get(key) ?? null)
  }

  /** Payoffs by seat summed over the steps 0..n; null while one of them is not known. */
  totals(n: number): Map<number, number> | null {
    const start = Math.floor(n / SUMS_EVERY)
    while (this.#sums.length <= start) {
      const to = this.#sums.length * SUMS_EVERY
      const sum = this.#added(this.#sums.at(-1) ?? new Float64Array(0), to - SUMS_EVERY + 1, to)
      if (!sum) return null
      this.#sums.push(sum)
    }
    const sum = this.#added(this.#sums[start] as Float64Array, start * SUMS_EVERY + 1, n)
    if (!sum) return null
    const totals = new Map<number, number>()
    sum.forEach((amount, seat) => {
      if (!Number.isNaN(amount)) totals.set(seat, amount)
    })
    return totals
  }

  #added(sum: Float64Array, from: number, to: number): Float64Array | null {
    let next = sum
    for (let n = Math.max(0, from); n <= to; n++) {
      const paid = this.#kept.get(n)?.payoffs
      if (!paid) return null
      if (next === sum || paid.length > next.length) {
        const longer = new Float64Array(Math.max(paid.length, next.length)).fill(NaN)
        longer.set(next)
        next = longer
      }
      for (let seat = 0; seat < paid.length; seat++) {
        const amount = paid[seat] as number
        if (!Number.isNaN(amount)) next[seat] = (Number.isNaN(next[seat]) ? 0 : (next[seat] as number)) + amount
      }
    }
    return next
  }
}
