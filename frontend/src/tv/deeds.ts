import { fetchEvents } from '../api'
import type { Deeds } from '../../kit/board'
import type { Frame, GameEvent } from '../types'

/** Who did what is counted, step by step: for bars in the colour of who did it. */

/** What of an event is counted by. */
type Told = Pick<GameEvent, 'kind' | 'data'>

/** Of one step, how often each seat did it. */
export type BySeats = ReadonlyMap<number, number>

/** The count of one run; events come in any order, each step once. Pure. */
export class DeedCount {
  readonly #steps = new Map<number, Map<number, number>>()
  readonly #deeds: Deeds
  #head = -1

  constructor(deeds: Deeds) {
    this.#deeds = deeds
  }

  /** All events of the steps up to `head` that are of its kinds. */
  begin(events: readonly (Told & { step: number })[], head: number): void {
    this.#steps.clear()
    for (const event of events) if (event.step <= head) this.#add(event.step, event)
    this.#head = head
  }

  /** Steps that came since; one that comes twice is dropped. */
  follow(frame: Frame): void {
    if (frame.n !== this.#head + 1) return
    for (const event of frame.events) this.#add(frame.n, event)
    this.#head = frame.n
  }

  get head(): number {
    return this.#head
  }

  at(step: number): BySeats {
    return this.#steps.get(step) ?? NOBODY
  }

  /** How many there were in the last so many steps. */
  recent(steps: number, until = this.#head): number {
    let sum = 0
    for (let n = Math.max(0, until - steps + 1); n <= until; n++) for (const times of this.at(n).values()) sum += times
    return sum
  }

  #add(step: number, event: Told): void {
    if (!this.#deeds.kinds.includes(event.kind)) return
    const here = this.#steps.get(step) ?? new Map<number, number>()
    for (const seat of this.#deeds.by(event)) here.set(seat, (here.get(seat) ?? 0) + 1)
    this.#steps.set(step, here)
  }
}

const NOBODY: BySeats = new Map()

/** All events of a run of these kinds, as far as the asker's eyes see. */
export async function eventsOf(id: string, kinds: readonly string[]): Promise<(Told & { step: number })[]> {
  const found = await Promise.all(kinds.map((kind) => fetchEvents(id, kind)))
  return found.flat()
}

/** Numbers that an axis of rounds from 1 to `last` is marked with: round ones, at most so many, the ends among them. */
export function axisMarks(last: number, most = 6): number[] {
  if (last <= 1) return [1]
  const step = [1, 2, 5].flatMap((one) => [one, one * 10, one * 100, one * 1000, one * 10_000]).sort((a, b) => a - b).find((one) => last / one <= most - 1) ?? last
  const inner = Array.from({ length: Math.floor(last / step) }, (_, i) => (i + 1) * step).filter((mark) => mark > 1 && last - mark >= step / 2)
  return [1, ...inner, last]
}
