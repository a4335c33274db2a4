import { seatName } from '../../kit/board'
import type { Session } from '../record/session.svelte'
import { ENDED, type RunMeta, type Said } from '../types'

/** A sentence of a story as plain text, seats by their names. */
export const plainSaid = (parts: NonNullable<Said<'Story'>['title'][string]>, seats: RunMeta['seats']): string =>
  parts.map((part) => (typeof part === 'string' ? part : 'seat' in part ? seatName(seats, part.seat) : part.text)).join('')

/** A run that goes on is told anew so often at the most. */
const AGAIN_MS = 10_000

/** The story of a session's run: told once when it is over, and anew while it goes on and somebody reads it. */
export class StoryWatch {
  told = $state.raw<Said<'Story'> | null>(null)
  isComing = $state(true)
  readonly #session: Session
  /** Whether these eyes may be told it: it is made of everything. */
  readonly isTold = $derived.by(() => {
    const { meta, as } = this.#session
    return meta !== null && as === null && meta.config !== null && meta.head > 0
  })

  constructor(session: Session) {
    this.#session = session
    const over = $derived(session.meta !== null && ENDED.has(session.meta.status))
    $effect(() => {
      if (!this.isTold) return
      void this.#fetch()
      if (over) return
      const again = setInterval(() => void this.#fetch(), AGAIN_MS)
      return () => clearInterval(again)
    })
  }

  async #fetch(): Promise<void> {
    try {
      this.told = await this.#session.source.story(this.#session.id)
    } catch {
      // What is known stays; a run that goes on is asked again.
    }
    this.isComing = false
  }
}
