import { axisOf, UNCOUNTED, type Axis, type Counting } from './axis'
import { briefOf, Briefs, type Brief } from './briefs'
import type { Marks } from './turning'
import type { Frame } from '../types'

export const SPEEDS = [0.25, 0.5, 1, 1.5, 2, 4, 8, 16, 'real'] as const
export type Speed = (typeof SPEEDS)[number]

/** Where a replay stands, as one value. */
export interface Standing {
  readonly cursor: number
  readonly head: number
  readonly behind: number
  readonly following: boolean
  readonly playing: boolean
  readonly speed: Speed
  readonly rate: number
  readonly stored: number
  readonly known: number
  /** The time axis of the steps up to the head. */
  readonly axis: Axis
  /** The frame under the cursor, or the nearest while that is on its way. */
  readonly frame: Frame | undefined
}

/** Shares of a round do not add up to the last bit. */
const NEARLY = 1e-9

/** Above so many characters what the seats did is kept as text. */
const ACTIONS_CHARS = 8_000

/**
 * A frame with its actions as text that is read when it is asked for. They are the most of a large frame, are looked at
 * in the inspector alone, and as objects keep the browser collecting garbage while somebody scrubs.
 */
function light(frame: Frame): Frame {
  const text = JSON.stringify(frame.actions)
  if (text.length < ACTIONS_CHARS) return frame
  return {
    ...frame,
    get actions() {
      return JSON.parse(text) as Frame['actions']
    },
  }
}

/**
 * The frames of one run and the place where somebody looks at them. No DOM, no clock, no network.
 *
 * `cursor` is the step that is shown, `head` the newest step known to exist, whether or not its frame is here.
 * While `following`, the cursor goes with the head; whoever scrubs back stays where they are and `behind` counts
 * what came meanwhile.
 *
 * Of a long run only the frames around the cursor are kept, at most `capacity`; of every step its brief.
 */
export class Replay {
  head = -1
  cursor = -1
  following = true
  playing = false
  speed: Speed = 1
  /** Rounds per second of "real time", the pace that the run itself keeps. */
  pace = 1
  /** Grows with every change, so that what is derived from frames can be cached. */
  version = 0
  /** Grows when frames come or go, but not when the cursor moves. */
  stored = 0
  /** Grows when there is a step or a mark more on the time axis: what frames that come again do not change. */
  known = 0

  /** How many frames are kept. */
  capacity = Infinity
  readonly briefs = new Briefs()

  #markOf: (briefs: Briefs, head: number) => Marks = () => new Map()
  #marks: Marks = new Map()
  /** What was known when the marks were made. */
  #marksAt = ''
  #counting: Counting = UNCOUNTED
  #axis: Axis = axisOf(() => undefined, -1, UNCOUNTED)
  /** What was known when the axis was made. */
  #axisOf = 0
  readonly #frames = new Map<number, Frame>()
  readonly #listeners = new Set<() => void>()
  #owed = 0

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The frame under the cursor, or undefined while it is still on its way. */
  get frame(): Frame | undefined {
    return this.#frames.get(this.cursor)
  }

  /** The frame nearest to the cursor, before it rather than after: what to show while the right one is loading. */
  get shown(): Frame | undefined {
    for (let by = 0; by <= this.head; by++) {
      const frame = this.#frames.get(this.cursor - by) ?? this.#frames.get(this.cursor + by)
      if (frame) return frame
    }
    return undefined
  }

  get standing(): Standing {
    const { cursor, head, behind, following, playing, speed, rate, stored, known, axis, shown: frame } = this
    return { cursor, head, behind, following, playing, speed, rate, stored, known, axis, frame }
  }

  /** How the run is counted. */
  get counting(): Counting {
    return this.#counting
  }

  countBy(counting: Counting): void {
    const { counted, rounds, horizon, isOver } = this.#counting
    if (counting.counted === counted && counting.rounds === rounds && counting.horizon === horizon && counting.isOver === isOver) return
    this.#counting = counting
    this.known++
    this.#changed()
  }

  /** The time axis, which counts rounds. */
  get axis(): Axis {
    if (this.#axis.head !== this.head || this.#axisOf !== this.known) {
      this.#axis = axisOf((n) => this.briefs.clock(n), this.head, this.#counting)
      this.#axisOf = this.known
    }
    return this.#axis
  }

  get behind(): number {
    return Math.max(0, this.head - this.cursor)
  }

  get count(): number {
    return this.#frames.size
  }

  at(n: number): Frame | undefined {
    return this.#frames.get(n)
  }

  has(n: number): boolean {
    return this.#frames.has(n)
  }

  /** Takes frames in any order; those it has already are dropped. Returns how many were new. Those far away may go. */
  put(frames: readonly Frame[]): number {
    let fresh = 0
    for (const frame of frames) {
      if (this.#frames.has(frame.n)) continue
      this.#frames.set(frame.n, light(frame))
      if (this.briefs.put(briefOf(frame))) this.known++
      if (frame.n > this.head) this.head = frame.n
      fresh++
    }
    if (!fresh) return 0
    this.stored++
    if (this.following) this.cursor = this.head
    this.#drop()
    this.#changed()
    return fresh
  }

  /** Takes what is known of steps whose frames are not here. */
  putBriefs(briefs: readonly Brief[]): void {
    let fresh = 0
    for (const brief of briefs) if (this.briefs.put(brief)) fresh++
    if (!fresh) return
    this.known++
    this.#changed()
  }

  /** The steps around the cursor whose frames should be here, `[from, to]`: fewer than are kept, so that they stay. */
  get window(): [from: number, to: number] {
    if (this.head < this.capacity) return [0, this.head]
    const size = Math.floor(this.capacity * 0.8)
    const from = Math.min(Math.max(0, this.cursor - Math.floor(size / 2)), Math.max(0, this.head - size + 1))
    return [from, Math.min(this.head, from + size - 1)]
  }

  /** Lets the frames farthest from the cursor go, some at a time. */
  #drop(): void {
    if (this.#frames.size <= this.capacity) return
    const distance = (n: number): number => Math.abs(n - this.cursor)
    const far = [...this.#frames.keys()].sort((a, b) => distance(b) - distance(a))
    for (const n of far.slice(0, this.#frames.size - Math.floor(this.capacity * 0.9))) this.#frames.delete(n)
  }

  /** The server says that steps up to `head` exist. */
  grow(head: number): void {
    if (head <= this.head) return
    this.head = head
    if (this.following && this.#frames.has(head)) this.cursor = head
    this.#changed()
  }

  /** Forgets every frame, as when the eyes change; the cursor stays. */
  clear(): void {
    this.#frames.clear()
    this.briefs.clear()
    this.stored++
    this.known++
    this.#changed()
  }

  /** Missing steps in `[from, to]`, as inclusive ranges in rising order. */
  gaps(from = 0, to = this.head): [number, number][] {
    const gaps: [number, number][] = []
    let start = -1
    for (let n = Math.max(0, from); n <= to; n++) {
      if (this.#frames.has(n)) {
        if (start >= 0) gaps.push([start, n - 1])
        start = -1
      } else if (start < 0) start = n
    }
    if (start >= 0) gaps.push([start, to])
    return gaps
  }

  /** Goes to step `n`. Arriving at the head means following it again. */
  seek(n: number): void {
    // Before the first frame the head is -1, and so is the cursor.
    const to = Math.min(Math.max(Math.round(n), 0), this.head)
    const following = to === this.head
    if (to === this.cursor && following === this.following && !this.playing) return
    this.cursor = to
    this.following = following
    this.playing = false
    this.#owed = 0
    this.#changed()
  }

  /** So many steps on, or back. */
  step(by: number): void {
    this.seek(this.cursor + by)
  }

  /** So many rounds on, or back; from within a round to its ends. */
  round(by: number): void {
    this.seek(this.axis.moved(this.cursor, by))
  }

  live(): void {
    this.seek(this.head)
  }

  /** Space: hold what runs, run what is held. Following counts as running. */
  toggle(): void {
    if (this.playing || this.following) this.hold()
    else this.play()
  }

  hold(): void {
    this.playing = false
    this.following = false
    this.#changed()
  }

  play(): void {
    if (this.cursor >= this.head) this.following = true
    else this.playing = true
    this.#owed = 0
    this.#changed()
  }

  faster(by: 1 | -1): void {
    const next = SPEEDS[SPEEDS.indexOf(this.speed) + by]
    if (next !== undefined) this.setSpeed(next)
  }

  setSpeed(speed: Speed): void {
    this.speed = speed
    this.#changed()
  }

  /** Rounds per second at the chosen speed. */
  get rate(): number {
    return this.speed === 'real' ? this.pace : this.speed
  }

  /** Lets `ms` pass while playing. Waits at a frame that is still on its way; at the head it follows. */
  pass(ms: number): void {
    if (!this.playing) return
    this.#owed += (ms / 1000) * this.rate
    let moved = false
    for (;;) {
      const share = this.axis.share(this.cursor + 1)
      if (this.#owed < share - NEARLY) break
      if (this.cursor >= this.head || !this.#frames.has(this.cursor + 1)) {
        this.#owed = share
        break
      }
      this.cursor++
      this.#owed -= share
      moved = true
    }
    if (this.cursor >= this.head) {
      this.playing = false
      this.following = true
      moved = true
    }
    if (moved) this.#changed()
  }

  /** What the timeline marks; it is asked again when more is known. */
  markBy(markOf: (briefs: Briefs, head: number) => Marks): void {
    this.#markOf = markOf
    this.#marksAt = ''
    this.known++
    this.#changed()
  }

  get marks(): Marks {
    const at = `${this.known}/${this.head}`
    if (this.#marksAt !== at) {
      this.#marks = this.#markOf(this.briefs, this.head)
      this.#marksAt = at
    }
    return this.#marks
  }

  /** Goes to the nearest mark before or after the cursor; stays where there is none. */
  toMark(direction: 1 | -1): void {
    let best = -1
    for (const n of this.marks.keys()) {
      if (direction > 0 ? n <= this.cursor : n >= this.cursor) continue
      if (best < 0 || (direction > 0 ? n < best : n > best)) best = n
    }
    if (best >= 0) this.seek(best)
  }

  /** One metric over the steps 0..head; null where it is undefined or the step is not known. */
  series(key: string): (number | null)[] {
    return this.briefs.series(key, this.head)
  }

  #changed(): void {
    this.version++
    for (const listener of this.#listeners) listener()
  }
}
