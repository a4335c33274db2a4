import type { Facts, RunMeta } from '../types'
import type { Key } from '../words'
import { ENDED } from '../types'
import type { Sent } from './outbox'
import type { SeatState, Turn } from './types'

/** What the page knows of its seat, as far as a sentence about it needs it. */
export interface Standing {
  run: RunMeta
  seat: number
  state: SeatState
  turn: Turn | null
  pending: Sent | null
  isLost: boolean
  nameOf: (seat: number) => string
}

export interface Saying {
  key: Key
  facts?: Facts
}

/** Whether the match has not begun, because its people are still gathering. */
export function isGathering(run: RunMeta): boolean {
  return run.people != null && !run.people.begun && !ENDED.has(run.status)
}

/** At most so many seats are named. */
const NAMED = 4

/** What is going on, as sentences: whose move it is, what became of one's own, whom all wait for. */
export function stateOf({ run, seat, turn, pending, isLost, nameOf }: Standing): Saying[] {
  if (ENDED.has(run.status)) return []
  if (pending) return [{ key: isLost ? 'sendingLost' : 'sending' }]
  if (run.status === 'paused') return [{ key: 'seatPaused' }]
  if (turn && !turn.moved && turn.plan === null) return [{ key: 'yourMove' }]
  const said: Saying[] = [{ key: turn ? (turn.moved ? (turn.moved.passed ? 'passedWaiting' : 'sentWaiting') : 'planGoesOn') : 'notAsked' }]
  const waited = run.waiting_for.filter((one) => one.seat !== seat)
  if (waited.length) {
    const names = waited.slice(0, NAMED).map((one) => nameOf(one.seat)).join(', ') + (waited.length > NAMED ? ' …' : '')
    said.push({ key: 'waitingPeople', facts: { n: waited.length, all: run.seats.length, names } })
  } else if (turn?.moved) said.push({ key: 'waitingAll' })
  return said
}
