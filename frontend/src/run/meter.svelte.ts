import { fetchMeter, type Meter } from '../api'
import type { Session } from '../record/session.svelte'
import { SITE } from '../record/source'
import { ENDED, mayPrompts, type RunMeta } from '../types'

const EVERY_MS = 4_000

/** What a run's models have spent and how they fared, read again while it goes on; made with the page. */
export class MeterWatch {
  now = $state.raw<Meter | null>(null)
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
    $effect(() => {
      const { meta } = session
      if (!meta || !isMetered(session, meta)) return
      void session.as
      const { status } = meta
      this.read()
      if (ENDED.has(status)) return
      const timer = setInterval(() => this.read(), EVERY_MS)
      return () => clearInterval(timer)
    })
  }

  read(): void {
    void fetchMeter(this.#session.id, this.#session.as).then((found) => (this.now = found), () => undefined)
  }

  /** Of all models together: decisions, and those in which nothing that came could be used. */
  readonly answers = $derived.by(() => {
    const seats = this.now?.seats ?? []
    return { given: sum(seats.map(({ answers }) => answers.given)), fallbacks: sum(seats.map(({ answers }) => answers.fallbacks)) }
  })
}

/** Whether there is a meter for this viewer. */
export function isMetered({ source }: Session, meta: RunMeta): boolean {
  return source === SITE && mayPrompts(meta) && meta.seats.some(({ kind }) => kind === 'model' || kind === 'recording')
}

export const LIMITS = ['usd', 'tokens', 'calls'] as const
/** Which of its limits holds a paused run; it says so itself. None: a model holds it, which no limit would help, or a person does. */
export function heldBy({ status, error }: RunMeta): (typeof LIMITS)[number] | undefined {
  return status === 'paused' ? LIMITS.find((one) => error?.includes(`(${one})`)) : undefined
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
