import type { Facts, RunMeta } from '../types'
import type { Key } from '../words'
import { ENDED } from '../types'
import type { Sent } from './outbox'
import type { Move, SeatState, Turn } from './types'

/** What the page knows of its seat, as far as a sentence about it needs it. */
export interface Standing {
  run: RunMeta
  seat: number
  state: SeatState
  turn: Turn | null
  pending: Sent | null
  isLost: boolean
  /** Who plays while the holder does not, and what is played for one who does not answer. */
  substitute: string
  then: string
  nameOf: (seat: number) => string
  /** Why a plan that stood has ended, in the game's words. */
  ended: string
}

export interface Saying {
  key: Key
  facts?: Facts
}

/** Whether the match has not begun, because its people are still gathering. */
export function isGathering(run: RunMeta): boolean {
  return run.people != null && !run.people.begun && !ENDED.has(run.status)
}

/** What became of the move of this turn, told as one's own only where it is. */
function ofMove({ own, flags, passed }: Move, substitute: string, then: string): Saying {
  if (own) return { key: passed ? 'passedWaiting' : 'sentWaiting' }
  return flags.includes('timed_out') || flags.includes('idle') ? { key: 'defaultPlayed', facts: { default: then } } : { key: 'otherPlayed', facts: { substitute } }
}

/** What the button says of a move that was made: on its way, or there and for how many others it waits; null: none was made. */
export function sentOf({ run, seat, turn, pending }: Pick<Standing, 'run' | 'seat' | 'turn' | 'pending'>): Saying | null {
  if (ENDED.has(run.status)) return null
  if (pending) return { key: 'sending' }
  if (!turn?.moved?.own) return null
  const n = run.waiting_for.filter((one) => one.seat !== seat).length
  return n ? { key: 'sentButton', facts: { n } } : { key: 'sentAll' }
}

/** At most so many seats are named. */
const NAMED = 4

/** What is going on, as sentences: whose move it is, what became of one's own, whom all wait for. */
export function stateOf({ run, seat, turn, pending, isLost, substitute, then, nameOf, ended }: Standing): Saying[] {
  if (ENDED.has(run.status)) return []
  if (pending) return [{ key: isLost ? 'sendingLost' : 'sending' }]
  if (run.status === 'paused') return [{ key: 'seatPaused' }]
  if (turn && !turn.moved && turn.plan === null) return ended ? [{ key: 'yourMove' }, { key: 'planEnded', facts: { why: ended } }] : [{ key: 'yourMove' }]
  const said: Saying[] = [turn?.moved ? ofMove(turn.moved, substitute, then) : { key: turn ? 'planGoesOn' : 'notAsked' }]
  const waited = run.waiting_for.filter((one) => one.seat !== seat)
  if (waited.length) {
    const names = waited.slice(0, NAMED).map((one) => nameOf(one.seat))
    said.push({ key: 'waitingPeople', facts: { n: waited.length, all: run.seats.length, names, more: waited.length > NAMED ? ' …' : '' } })
  } else if (turn?.moved) said.push({ key: 'waitingAll' })
  return said
}
