import type { Turn } from './types'

/** The time left of a turn, from what the server said and when that came. It is the server's deadline that counts. */
export interface Countdown {
  /** Milliseconds of the page's own monotonic clock at which the turn ends; null: no deadline. */
  ends: number | null
  total_s: number | null
}

/** Seconds left at which the time is spoken. */
export const SPOKEN_S = [30, 10, 5] as const

export function countdown(turn: Pick<Turn, 'left_s' | 'total_s'> | null, now: number): Countdown {
  if (!turn || turn.left_s === null) return { ends: null, total_s: null }
  return { ends: now + turn.left_s * 1000, total_s: turn.total_s }
}

/** Seconds left, never below 0; null where there is no deadline. */
export function secondsLeft({ ends }: Countdown, now: number): number | null {
  return ends === null ? null : Math.max(0, (ends - now) / 1000)
}

/** How much of the time is gone, 0 to 1. */
export function shareGone(count: Countdown, now: number): number {
  const left = secondsLeft(count, now)
  return left === null || !count.total_s ? 0 : Math.min(1, Math.max(0, 1 - left / count.total_s))
}

/** "0:22", "12:05", "1:02:00"; a started second counts as whole. */
export function clockFace(seconds: number): string {
  const whole = Math.ceil(seconds - 1e-6)
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (n: number): string => String(n).padStart(2, '0')
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/**
 * The mark to be spoken when the time left goes from `before` to `now`; null where none is passed. Of several that are
 * passed at once, as after sleep, the lowest is true. A turn that began below a mark does not speak it.
 */
export function markPassed(before: number, now: number): number | null {
  let passed: number | null = null
  for (const mark of SPOKEN_S) if (before > mark && now <= mark && now > 0) passed = mark
  return passed
}
