import type { Json, Note } from '../types'
import type { Refused as Told } from '../words/refusals'
import type { Answer, Move } from './types'

/** After so long without an acknowledgement a decision is sent again, with the same id. */
export const RESEND_MS = 2_500
/** So many times on the socket alone; after that plain requests carry it as well. */
const SOCKET_TRIES = 2

export interface Sent {
  id: string
  step: number
  answer: Answer
  /** It was to end a standing plan, which may have acted first. */
  interrupts?: boolean
}

export interface Refused extends Told {
  notes: readonly Note[]
  /** What would stand, where parts were struck out; what stands already, where it was sent before. */
  action: Json
  moved: Move | null
}

export interface OutboxWiring {
  /** Puts it on the socket; false where there is none. */
  say(sent: Sent): boolean
  /** Puts it in a plain request. Throws `Refusal` where it is refused, anything else where the line failed. */
  post(sent: Sent): Promise<Move>
  stored(sent: Sent, move: Move): void
  refused(sent: Sent, refusal: Refused): void
  changed(): void
}

export class Refusal extends Error {
  constructor(readonly refused: Refused) {
    super(refused.message)
  }
}

/**
 * Carries one decision to the server. It is sent again, with the same id, until it is acknowledged or refused: by the
 * socket while there is one, by requests while there is not. There is one at a time.
 */
export class Outbox {
  #sent: Sent | null = null
  #tries = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly wiring: OutboxWiring) {}

  get pending(): Sent | null {
    return this.#sent
  }

  send(sent: Sent): void {
    if (this.#sent) return
    this.#sent = sent
    this.#tries = 0
    this.wiring.changed()
    this.#carry()
  }

  /** The line is back, or the server was heard of: no waiting now. */
  wake(): void {
    if (this.#sent) this.#carry()
  }

  /** The server says that the decision of this id is stored. */
  acknowledged(move: Move): void {
    const sent = this.#sent
    if (!sent || sent.id !== move.id) return
    this.#done()
    this.wiring.stored(sent, move)
  }

  rejected(id: string, refused: Refused): void {
    const sent = this.#sent
    if (!sent || sent.id !== id) return
    this.#done()
    // What stands already may be this very decision, of which the acknowledgement was lost.
    if (refused.moved?.id === sent.id) this.wiring.stored(sent, refused.moved)
    else this.wiring.refused(sent, refused)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#sent = null
  }

  #done(): void {
    clearTimeout(this.#timer)
    this.#sent = null
    this.wiring.changed()
  }

  #carry(): void {
    const sent = this.#sent
    if (!sent) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#carry(), RESEND_MS)
    const isSaid = this.wiring.say(sent)
    if (!isSaid || this.#tries >= SOCKET_TRIES) {
      void this.wiring.post(sent).then(
        (move) => this.acknowledged(move),
        (error: unknown) => {
          if (error instanceof Refusal) this.rejected(sent.id, error.refused)
        },
      )
    }
    this.#tries++
  }
}
