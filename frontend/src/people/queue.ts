import type { Answer } from './types'

/** Answers that wait for the turns to come, where a match ticks: one goes out with each turn that opens. */
export const QUEUE_MAX = 20

/** The queue with one more, unchanged where it is full. A plan says what to do from then on, so that it takes all places. */
export function queued(queue: readonly Answer[], answer: Answer): readonly Answer[] {
  if ('plan' in answer) return [answer]
  return queue.length >= QUEUE_MAX ? queue : [...queue, answer]
}

/** What goes out now, and what stays. */
export function nextOf(queue: readonly Answer[]): { answer: Answer; rest: readonly Answer[] } | null {
  const [answer, ...rest] = queue
  return answer === undefined ? null : { answer, rest }
}
