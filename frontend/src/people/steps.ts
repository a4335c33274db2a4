import type { JoinWord } from '../words/joining'
import type { Board, Rules } from './types'

/** The steps into a seat: what is read, the seat itself, and what comes after. A step that has nothing to say is absent. */
export type Step = 'what' | 'do' | 'time' | 'seat' | 'wait' | 'play'

export const STEP_NAMES: Readonly<Record<Step, JoinWord>> = {
  what: 'stepWhat', do: 'stepDo', time: 'stepTime', seat: 'stepSeat', wait: 'stepWait', play: 'stepPlay',
}

export function stepsOf(rules: Pick<Rules, 'acts'> | null): Step[] {
  return ['what', ...(rules?.acts.length ? (['do'] as const) : []), 'time', 'seat', 'wait', 'play']
}

/** The step that an address names (`#do`); the first where it names none of them. */
export function stepAt(hash: string, steps: readonly Step[]): Step {
  return steps.find((step) => `#${step}` === hash && step !== 'wait' && step !== 'play') ?? 'what'
}

export type Square = 'you' | 'present' | 'open'

/** The seats of a group that is waited for: one's own, those who are here, those still open. */
export function squaresOf(ready: number, of: number, isReady: boolean): Square[] {
  const others = Math.min(of - 1, Math.max(0, ready - (isReady ? 1 : 0)))
  return Array.from({ length: of }, (_, i) => (i === 0 ? 'you' : i <= others ? 'present' : 'open'))
}

/** Somebody else on the board: the next seat, or the one before the last. */
export function otherThan({ seat, seats }: Pick<Board, 'seat' | 'seats'>): number {
  const others = seats.map((one) => one.seat).filter((one) => one !== seat)
  return others.find((one) => one > seat) ?? others[0] ?? seat + 1
}
