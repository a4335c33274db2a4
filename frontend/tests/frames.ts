import type { Frame } from '../src/types'

/** A frame with number `n` and whatever the test cares for. */
export function frame(n: number, more: Partial<Frame> = {}): Frame {
  return {
    n,
    clock: [['round', n]],
    stage: 'act',
    seats: [],
    view: {},
    events: [],
    payoffs: [],
    actions: [],
    notes: [],
    flags: [],
    metrics: null,
    hash: `h${n}`,
    ...more,
  }
}

export const frames = (from: number, to: number): Frame[] =>
  Array.from({ length: to - from + 1 }, (_, i) => frame(from + i))
