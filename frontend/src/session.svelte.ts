import { ApiError } from './api'
import { briefOf, type Brief } from './briefs'
import { Replay, type Standing } from './replay'
import { SITE, type Source } from './source'
import { Stream, type Line } from './stream'
import type { Frame, RunMeta } from './types'
import type { Refused } from './words/refusals'

/** About how much one request for history should bring. */
const PAGE_CHARS = 1_000_000
const PAGE_MAX = 200
const BRIEFS_MAX = 500
/** About as much of history as is kept; in memory it is several times this. Of a longer run, frames around the cursor. */
const KEEP_CHARS = 32_000_000
/** However large the frames are, so many are kept. */
const KEEP_LEAST = 40
const AGAIN_MS = 3_000
const BURST_MS = 25
/** So long it is said that a lost line is back. */
const BACK_MS = 8_000

/** A line that was lost and is back: how many rounds came meanwhile, and whether all of them are here. */
export interface Return {
  rounds: number
  isWhole: boolean
}

export interface Fault extends Refused {
  kind: 'load' | 'eyes' | 'refused' | 'control'
}

/**
 * One run as this browser has it: its description, its frames, its line. Snapshot first, then the stream from there,
 * and the history in pages behind it, nearest to the cursor first.
 */
export class Session {
  readonly replay = new Replay()
  meta = $state.raw<RunMeta | null>(null)
  line = $state.raw<Line>({ state: 'connecting', retryAt: null })
  /** Set for a while after a lost line is back. */
  back = $state.raw<Return | null>(null)
  fault = $state.raw<Fault | null>(null)
  as = $state.raw<number | null>(null)
  /** Grows with every change of the replay: read it to depend on the replay. */
  version = $state(0)
  /** The replay as it stands: what a page reads to be true to it. */
  readonly at = $derived.by((): Standing => {
    void this.version
    return this.replay.standing
  })
  /** When `waiting_for` was told, in the milliseconds of Date.now(). */
  waitingSince = $state.raw(0)

  #stream: Stream | null = null
  /** The step from which the stream goes on, or the last there is; null while the run is being opened. */
  #known: number | null = null
  #generation = 0
  #filling = false
  #perFrame = 5_000
  #closed = false
  #pending: Frame[] = []
  #flush: ReturnType<typeof setTimeout> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #backTimer: ReturnType<typeof setTimeout> | undefined
  /** The head when the line was lost; null while it holds. */
  #lostAt: number | null = null
  /** The head that a ping told of after a lost line: with its frame all that came meanwhile is here. */
  #wanted: number | null = null
  #unsubscribe: () => void
  #wake = (): void => {
    if (document.visibilityState === 'visible') this.#stream?.wake()
  }

  constructor(
    readonly id: string,
    readonly source: Source = SITE,
  ) {
    this.#unsubscribe = this.replay.subscribe(() => {
      this.version = this.replay.version
      void this.#fill()
    })
    addEventListener('online', this.#wake)
    addEventListener('pageshow', this.#wake)
    addEventListener('focus', this.#wake)
    document.addEventListener('visibilitychange', this.#wake)
  }

  /** Loads step `n` (the head where null) through the eyes `as`, then follows the run. */
  async open(n: number | null, as: number | null): Promise<void> {
    const generation = ++this.#generation
    this.#stream?.stop()
    this.#stream = null
    this.#known = null
    this.#forget()
    try {
      const { body, size } = await this.#snapshot(n, as)
      const { run, frame } = body
      if (generation !== this.#generation || this.#closed) return
      if (as !== this.as || this.replay.count) this.replay.clear()
      this.as = as
      this.fault = null
      this.#tell(run)
      this.#weigh(size, frame ? 1 : 0)
      this.replay.grow(run.head)
      if (frame) this.replay.put([frame])
      if (n !== null && n < run.head) this.replay.seek(n)
      else this.replay.live()
      this.#listen(run.head, as)
    } catch (error) {
      if (generation !== this.#generation || this.#closed) return
      const fault = asFault(error, as !== this.as && this.meta ? 'eyes' : 'load')
      this.fault = fault
      // Other eyes were refused: go on with those that were allowed.
      if (fault.kind === 'eyes') this.#listen(this.replay.head, this.as)
      else if (fault.code === 'network') this.#retry = setTimeout(() => void this.open(n, as), AGAIN_MS)
    }
  }

  /** The run through other eyes, at the same moment. */
  see(as: number | null): Promise<void> {
    return this.open(this.replay.following ? null : this.replay.cursor, as)
  }

  told(meta: RunMeta): void {
    this.#tell(meta)
  }

  wake(): void {
    this.#stream?.wake()
  }

  /** Sends something of the page's own; false where the line is not open. */
  say(message: unknown): boolean {
    return this.#stream?.say(message) ?? false
  }

  close(): void {
    this.#closed = true
    this.#generation++
    this.#forget()
    this.#stream?.stop()
    this.#unsubscribe()
    removeEventListener('online', this.#wake)
    removeEventListener('pageshow', this.#wake)
    removeEventListener('focus', this.#wake)
    document.removeEventListener('visibilitychange', this.#wake)
  }

  /** What was on its way through other eyes, or to a page that is gone. */
  #forget(): void {
    this.#lostAt = null
    this.back = null
    clearTimeout(this.#backTimer)
    clearTimeout(this.#retry)
    clearTimeout(this.#flush)
    this.#flush = undefined
    this.#pending = []
  }

  /** A step that an address names may not exist (yet): then the head is shown. */
  async #snapshot(n: number | null, as: number | null) {
    try {
      return await this.source.snapshot(this.id, n, as)
    } catch (error) {
      if (n === null || !(error instanceof ApiError) || error.status !== 404) throw error
      return await this.source.snapshot(this.id, null, as)
    }
  }

  #listen(after: number, as: number | null): void {
    const { socket } = this.source
    this.#known = after
    if (!socket) {
      this.line = { state: 'closed', retryAt: null }
      void this.#fill()
      return
    }
    this.#stream = new Stream({
      open: (from) => socket(this.id, from, as),
      frame: (frame) => this.#arrived(frame),
      snapshot: (run, frame) => {
        this.#tell(run)
        this.#arrived(frame)
      },
      ping: (head, status, run) => {
        this.replay.grow(head)
        this.#caughtUp(head)
        if (this.meta && (run || status !== this.meta.status)) this.#tell({ ...this.meta, ...run, status, head })
      },
      line: (line) => this.#lineIs(line),
      refused: (said) => (this.fault = { kind: 'refused', ...said }),
      other: (message) => this.source.heard?.(message),
    })
    this.#stream.start(after)
    void this.#fill()
  }

  #lineIs(line: Line): void {
    this.line = line
    if (line.state === 'lost') {
      this.#lostAt ??= this.replay.head
      this.#wanted = null
      this.back = null
    } else if (line.state === 'open' && this.#lostAt !== null) this.back = { rounds: 0, isWhole: false }
  }

  /** After a lost line: a ping says how far the run is, and the stream how far it has come. */
  #caughtUp(head: number): void {
    if (this.#lostAt === null || this.line.state !== 'open') return
    this.#wanted = head
    const isWhole = (this.#stream?.last ?? -1) >= head
    this.back = { rounds: Math.max(0, head - this.#lostAt), isWhole }
    if (!isWhole) return
    this.#lostAt = this.#wanted = null
    clearTimeout(this.#backTimer)
    this.#backTimer = setTimeout(() => (this.back = null), BACK_MS)
  }

  /** Frames that come in a burst, as after a lost line, are put together: one drawing for all of them. */
  #arrived(frame: Frame): void {
    this.#pending.push(frame)
    if (this.#wanted !== null && frame.n >= this.#wanted) this.#caughtUp(this.#wanted)
    this.#flush ??= setTimeout(() => {
      this.#flush = undefined
      this.replay.put(this.#pending.splice(0))
    }, BURST_MS)
  }

  #tell(meta: RunMeta): void {
    this.meta = meta
    this.waitingSince = Date.now()
    this.replay.pace = meta.pace || 1
  }

  /** How large frames are, and so how many are kept; a size of 0 is not known. */
  #weigh(size: number, count: number): void {
    if (!count || !size) return
    this.#perFrame = Math.max(1, size / count)
    this.replay.capacity = Math.max(KEEP_LEAST, Math.floor(KEEP_CHARS / this.#perFrame))
  }

  /** Fetches what is missing up to where the stream began, the gap under the cursor first, one page at a time. */
  async #fill(): Promise<void> {
    if (this.#filling || this.#known === null || this.#closed) return
    const frames = this.#nextFrames()
    const briefs = frames ? null : this.#nextBriefs()
    if (!frames && !briefs) return
    this.#filling = true
    const generation = this.#generation
    let wait = 0
    try {
      if (frames) {
        const [from, limit] = frames
        const { body, size } = await this.source.frames(this.id, from - 1, limit, this.as)
        if (!body.frames.length) wait = AGAIN_MS
        if (generation === this.#generation) {
          this.#weigh(size, body.frames.length)
          this.replay.put(body.frames)
        }
      } else if (briefs) {
        const found = await this.#briefs(...briefs)
        if (!found.length) wait = AGAIN_MS
        if (generation === this.#generation) this.replay.putBriefs(found)
      }
    } catch {
      // The line state says that the server is away; history comes when it is back.
      wait = AGAIN_MS
    }
    this.#filling = false
    if (wait) setTimeout(() => void this.#fill(), wait)
    else void this.#fill()
  }

  /** The last step that the stream will not bring. */
  get #reached(): number {
    return Math.min(this.#stream?.last ?? this.#known ?? -1, this.replay.head)
  }

  /** Where a source has no briefs, frames tell as much and are not kept. */
  async #briefs(from: number, limit: number): Promise<readonly Brief[]> {
    const { briefs, frames } = this.source
    if (briefs) return briefs(this.id, from - 1, limit, this.as)
    const size = Math.max(1, Math.min(PAGE_MAX, limit, Math.floor(PAGE_CHARS / this.#perFrame)))
    return (await frames(this.id, from - 1, size, this.as)).body.frames.map(briefOf)
  }

  #nextFrames(): [from: number, limit: number] | null {
    const { replay } = this
    const [first, last] = replay.window
    const gaps = replay.gaps(first, Math.min(last, this.#reached))
    if (!gaps.length) return null
    const size = Math.max(1, Math.min(PAGE_MAX, Math.floor(PAGE_CHARS / this.#perFrame)))
    const under = gaps.find(([from, to]) => from <= replay.cursor && replay.cursor <= to)
    if (under) {
      // Who plays looks ahead; who does not, to both sides.
      const from = Math.max(under[0], replay.cursor - (replay.playing ? 0 : Math.floor(size / 2)))
      return [from, Math.min(size, under[1] - from + 1)]
    }
    const above = gaps.find(([from]) => from > replay.cursor)
    const below = gaps.filter(([, to]) => to < replay.cursor).at(-1)
    if (below && !(replay.playing && above)) {
      const from = Math.max(below[0], below[1] - size + 1)
      return [from, below[1] - from + 1]
    }
    const [from, to] = above ?? (gaps[0] as [number, number])
    return [from, Math.min(size, to - from + 1)]
  }

  /** Steps of a long run whose frames are not kept. */
  #nextBriefs(): [from: number, limit: number] | null {
    let from = 0
    while (from <= this.#reached && this.replay.briefs.has(from)) from++
    if (from > this.#reached) return null
    let to = from
    while (to < this.#reached && to - from < BRIEFS_MAX - 1 && !this.replay.briefs.has(to + 1)) to++
    return [from, to - from + 1]
  }
}

export function asFault(error: unknown, kind: Fault['kind']): Fault {
  if (error instanceof ApiError) return { kind, code: error.code, message: error.message, facts: error.body }
  return { kind, code: '', message: error instanceof Error ? error.message : String(error) }
}
