import type { RunMeta, Waiting } from '../types'

/** Somebody who is asked and has not answered, as it stands now. Seconds are whole. */
export interface Wait {
  seat: number
  since: number
  /** When the time is over; null where there is no limit. */
  limit: number | null
  then: Waiting['then']
  /** The first call of a vendor's model may be loading its library. */
  isLoading: boolean
  /** The clock stands, because the run does. */
  isHeld: boolean
}

/** Who is waited for. `told` is when the description came, `grew` when the newest step did, `now` the page's clock: all in milliseconds. */
export function waitsOf({ waiting_for, status }: Pick<RunMeta, 'waiting_for' | 'status'>, told: number, grew: number, now: number): Wait[] {
  const isHeld = status === 'paused'
  return waiting_for.map(({ seat, since_s, left_s, then, loading }) => {
    const passed = isHeld ? since_s : grew > told ? (now - grew) / 1000 : since_s + (now - told) / 1000
    return { seat, since: Math.max(0, Math.round(passed)), limit: left_s === null ? null : Math.round(since_s + left_s), then, isLoading: loading, isHeld }
  })
}

/** Below so many seconds nobody has to be told that somebody is thinking. */
export const WORTH_S = 2
/** A round may come so much later than the pace says before that is told. */
const LATE_ROUNDS = 3
const LATE_S = 5

/** For how many seconds a run that is under way has stood still for no reason that is known; null while it does not. */
export function stillFor({ pace, waiting_for }: Pick<RunMeta, 'pace' | 'waiting_for'>, grew: number, now: number): number | null {
  if (waiting_for.length) return null
  const still = Math.round((now - grew) / 1000)
  return still >= Math.max(LATE_S, pace ? LATE_ROUNDS / pace : 0) ? still : null
}
