import type { Clock } from '../types'

/** How a run is counted, as its description says it. */
export interface Counting {
  /** The label that it is counted in; '' its outermost. */
  counted: string
  /** The last value of that label, and the last step, where they are known. */
  rounds: number | null
  horizon: number | null
  /** Whether no further step comes. */
  isOver?: boolean
}

/** Places are fractions: equal ones may differ in the last bits. */
const EPSILON = 1e-6

export const UNCOUNTED: Counting = { counted: '', rounds: null, horizon: null }

/** Which of a clock's labels the run is counted in; -1 at the start, which has none. */
export function countedIn(clock: Clock, counted: string): number {
  const found = clock.findIndex(([name]) => name === counted)
  return found >= 0 || !clock.length ? found : 0
}

/** The number of a step's round; 0 at the start. */
export function roundOf(clock: Clock, counted: string): number {
  return clock[countedIn(clock, counted)]?.[1] ?? 0
}

/**
 * A run's time axis. It counts rounds: the steps of round r lie evenly in (r-1, r], the last of them at r. A step whose
 * labels are not known (yet) takes as much room as one of the round before.
 */
export class Axis {
  constructor(
    private readonly places: Float64Array,
    /** Steps of a round, as far as is known of the last. */
    readonly perRound: number,
  ) {}

  /** The last step that lies on it. */
  get head(): number {
    return this.places.length - 1
  }

  /** The place of a step, in rounds. */
  at(n: number): number {
    if (n <= this.head) return this.places[Math.max(n, 0)] ?? 0
    return (this.places[this.head] ?? 0) + (n - Math.max(this.head, 0)) / this.perRound
  }

  /** The round that a step is of. */
  round(n: number): number {
    return Math.ceil(this.at(n) - EPSILON)
  }

  /** The step nearest to a place; steps to come are counted on. */
  step(place: number): number {
    const end = this.at(this.head)
    if (place > end) return Math.max(this.head, 0) + Math.round((place - end) * this.perRound)
    const above = this.first(place)
    return above > 0 && place - this.at(above - 1) < this.at(above) - place ? above - 1 : above
  }

  /** The step that lies `by` rounds after one, or before it: the last of its round; from within a round to its ends. */
  moved(n: number, by: number): number {
    const place = this.at(n)
    const wanted = by > 0 ? Math.floor(place + EPSILON) + by : Math.ceil(place - EPSILON) + by
    return this.first(wanted - EPSILON)
  }

  /** How much of a round passes between the step before and this one. */
  share(n: number): number {
    return this.at(n) - this.at(n - 1)
  }

  /** The first step at a place or after it; one past the head where none is. */
  private first(place: number): number {
    let [low, high] = [0, this.places.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.places[middle] as number) < place) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The axis of the steps 0..head. `clockOf` gives a step's labels, undefined where they are not known. */
export function axisOf(clockOf: (n: number) => Clock | undefined, head: number, { counted, rounds, horizon }: Counting): Axis {
  const places = new Float64Array(Math.max(0, head + 1))
  let perRound = rounds && horizon ? Math.max(1, horizon / rounds) : 1
  for (let n = 1; n <= head; ) {
    const before = places[n - 1] as number
    const clock = clockOf(n)
    if (!clock) {
      places[n++] = before + 1 / perRound
      continue
    }
    const round = roundOf(clock, counted)
    let end = n
    for (let next = clockOf(n + 1); end < head && next && roundOf(next, counted) === round; next = clockOf(end + 1)) end++
    const size = end - n + 1
    // A round that is under way, or known in part, may have more steps: as many as the one before had.
    const isWhole = end < head && clockOf(end + 1) !== undefined
    const steps = isWhole ? size : Math.max(size, perRound)
    if (isWhole) perRound = size
    // Labels that begin anew go on counting.
    const [from, to] = round > before + EPSILON ? [Math.max(before, round - 1), round] : [before, before + 1]
    for (let i = 0; i < size; i++) places[n + i] = from + ((to - from) * (i + 1)) / steps
    n = end + 1
  }
  return new Axis(places, perRound)
}

/** Room that an axis grows by where its end is not known: so seldom that it does not jump, so little that it promises nothing. */
function room(head: number): number {
  const by = head < 40 ? 10 : head < 200 ? 20 : 100
  return (Math.floor(head / by) + 1) * by
}

/** Whether nobody may know where the axis ends, until it has. */
export const isOpen = ({ rounds, isOver }: Counting): boolean => rounds === null && !isOver

/** Where the axis ends. Where nobody may know it there is some room beyond the head. */
export function axisEnd(axis: Axis, counting: Counting): number {
  const head = axis.at(axis.head)
  return Math.max(isOpen(counting) ? room(head) : (counting.rounds ?? 1), head, 1)
}

/** The round that a run has come to, as its description says it without its frames; as many steps where it does not. */
export function roundReached({ clock, counted, head, rounds, horizon }: Counting & { clock: Clock | null; head: number }): number {
  if (clock?.length) return roundOf(clock, counted)
  return rounds && horizon ? Math.ceil((Math.max(head, 0) * rounds) / horizon) : Math.max(head, 0)
}
