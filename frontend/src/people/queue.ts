import type { Json } from '../types'

/** Moves that wait for the turns to come, where a match ticks: one goes out with each turn that opens. */
export const QUEUE_MAX = 20

/** The queue with one more; unchanged where it is full. */
export function queued(queue: readonly Json[], action: Json): readonly Json[] {
  return queue.length >= QUEUE_MAX ? queue : [...queue, action]
}

/** What goes out now, and what stays. */
export function nextOf(queue: readonly Json[]): { action: Json; rest: readonly Json[] } | null {
  const [action, ...rest] = queue
  return action === undefined ? null : { action, rest }
}
