import { ENDED } from '../types'
import type { PlaySession } from './play.svelte'

/** How the match stands for the holder of a seat: what may be done now, and whether anybody waits for it. */
export class SeatStatus {
  readonly #held: PlaySession
  readonly meta = $derived.by(() => this.#held.session.meta ?? this.#held.play?.run ?? null)
  /** The open turn, or the last one while none is open. */
  readonly asked = $derived.by(() => this.#held.turn ?? this.#held.lastTurn)
  /** The newest step through the seat's eyes, wherever its holder looks. */
  readonly newest = $derived.by(() => {
    const { replay, at } = this.#held.session
    return replay.at(at.head) ?? at.frame
  })
  readonly isEnded = $derived.by(() => this.meta !== null && ENDED.has(this.meta.status))
  /** Over for this seat, though the match may go on. */
  readonly isOver = $derived.by(() => {
    const state = this.#held.seatState
    return state === 'ended' || state === 'left' || state === 'removed' || this.isEnded
  })
  readonly isPaused = $derived.by(() => this.meta?.status === 'paused')
  readonly isGathering = $derived.by(() => this.#held.seatState === 'room' && !this.isOver)
  readonly isLost = $derived.by(() => this.#held.session.line.state === 'lost')
  /** Whether something can be written now; where a match ticks or a plan stands, moves for the turns to come as well. */
  readonly isOpen = $derived.by(() => {
    const { turn, holds, seatState, pending, hasPlan } = this.#held
    const isAsked = turn !== null && !turn.moved && (!pending || turn.tick)
    return holds && !this.isOver && !this.isPaused && seatState !== 'room' && (isAsked || (this.asked?.tick ?? false) || hasPlan)
  })
  /** Whether the match waits for this seat; it does not where a plan goes on. */
  readonly isMine = $derived.by(() => {
    const { turn } = this.#held
    return turn !== null && !turn.moved && turn.plan === null
  })
  /** Whether time runs for this seat. */
  readonly isTimed = $derived.by(() => {
    const { turn } = this.#held
    return (this.isMine || (turn?.tick === true && !turn.moved)) && !this.isOver
  })

  constructor(held: PlaySession) {
    this.#held = held
  }
}
