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
  /** How far its batch is, where its vendor is asked by one; '' where it is not. */
  batch: Waiting['batch']
  /** The clock stands, because the run does. */
  isHeld: boolean
}

/** Who is waited for. `told` is when the description came, `grew` when the newest step did, `now` the page's clock: all in milliseconds. */
export function waitsOf({ waiting_for, status }: Pick<RunMeta, 'waiting_for' | 'status'>, told: number, grew: number, now: number): Wait[] {
  const isHeld = status === 'paused'
  return waiting_for.map(({ seat, since_s, left_s, then, loading, batch }) => {
    const passed = isHeld ? since_s : grew > told && !batch ? (now - grew) / 1000 : since_s + (now - told) / 1000
    return { seat, since: Math.max(0, Math.round(passed)), limit: left_s === null ? null : Math.round(since_s + left_s), then, isLoading: loading, batch, isHeld }
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

/** The batch for which a run waits, and for how many seconds it has; null where it waits for none. */
export function batchOf({ waiting_for }: Pick<RunMeta, 'waiting_for'>): { stage: Wait['batch']; since: number } | null {
  const inBatches = waiting_for.filter(({ batch }) => batch)
  const stage = inBatches.some(({ batch }) => batch === 'sent') ? 'sent' : 'gathered'
  return inBatches.length ? { stage, since: Math.round(Math.max(...inBatches.map(({ since_s }) => since_s))) } : null
}
