import { ApiError } from './api'
import { Replay } from './replay'
import { SITE, type Source } from './source'
import { Stream, type Line } from './stream'
import type { Frame, RunMeta } from './types'

/** About how much one request for history should bring. */
const PAGE_CHARS = 1_000_000
const PAGE_MAX = 200
/** Beyond this much of history only what is looked at is fetched. */
const KEEP_CHARS = 150_000_000
const AGAIN_MS = 3_000
const BURST_MS = 25

export interface Fault {
  kind: 'load' | 'eyes' | 'refused' | 'control'
  message: string
  network: boolean
}

/**
 * One run as this browser has it: its description, its frames, its line. Snapshot first, then the stream from there,
 * and the history in pages behind it, nearest to the cursor first.
 */
export class Session {
  readonly replay = new Replay()
  meta = $state.raw<RunMeta | null>(null)
  line = $state.raw<Line>({ state: 'connecting', retryAt: null })
  fault = $state.raw<Fault | null>(null)
  as = $state.raw<number | null>(null)
  /** Grows with every change of the replay: read it to depend on the replay. */
  version = $state(0)
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
      const { run, frame } = await this.#snapshot(n, as)
      if (generation !== this.#generation || this.#closed) return
      if (as !== this.as || this.replay.count) this.replay.clear()
      this.as = as
      this.fault = null
      this.#tell(run)
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
      else if (fault.network) this.#retry = setTimeout(() => void this.open(n, as), AGAIN_MS)
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
        if (this.meta && (run || status !== this.meta.status)) this.#tell({ ...this.meta, ...run, status, head })
      },
      line: (line) => (this.line = line),
      refused: (_code, message) => (this.fault = { kind: 'refused', message, network: false }),
      other: (message) => this.source.heard?.(message),
    })
    this.#stream.start(after)
    void this.#fill()
  }

  /** Frames that come in a burst, as after a lost line, are put together: one drawing for all of them. */
  #arrived(frame: Frame): void {
    this.#pending.push(frame)
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

  /** Fetches what is missing up to where the stream began, the gap under the cursor first, one page at a time. */
  async #fill(): Promise<void> {
    if (this.#filling || this.#known === null || this.#closed) return
    const range = this.#nextRange()
    if (!range) return
    this.#filling = true
    const generation = this.#generation
    const [from, limit] = range
    let wait = 0
    try {
      const { body, size } = await this.source.frames(this.id, from - 1, limit, this.as)
      if (body.frames.length) this.#perFrame = Math.max(1, size / body.frames.length)
      else wait = AGAIN_MS
      if (generation === this.#generation) this.replay.put(body.frames)
    } catch {
      // The line state says that the server is away; history comes when it is back.
      wait = AGAIN_MS
    }
    this.#filling = false
    if (wait) setTimeout(() => void this.#fill(), wait)
    else void this.#fill()
  }

  #nextRange(): [from: number, limit: number] | null {
    const { replay } = this
    const known = Math.max(this.#stream?.last ?? this.#known ?? -1, -1)
    const gaps = replay.gaps(0, Math.min(known, replay.head))
    if (!gaps.length) return null
    const size = Math.max(1, Math.min(PAGE_MAX, Math.floor(PAGE_CHARS / this.#perFrame)))
    const under = gaps.find(([from, to]) => from <= replay.cursor && replay.cursor <= to)
    if (under) {
      const from = Math.max(under[0], replay.cursor - Math.floor(size / 2))
      return [from, Math.min(size, under[1] - from + 1)]
    }
    if (replay.count * this.#perFrame > KEEP_CHARS) return null
    const below = gaps.filter(([, to]) => to < replay.cursor).at(-1)
    if (below) {
      const from = Math.max(below[0], below[1] - size + 1)
      return [from, below[1] - from + 1]
    }
    const [from, to] = gaps[0] as [number, number]
    return [from, Math.min(size, to - from + 1)]
  }
}

export function asFault(error: unknown, kind: Fault['kind']): Fault {
  if (error instanceof ApiError) return { kind, message: error.message, network: error.code === 'network' }
  return { kind, message: error instanceof Error ? error.message : String(error), network: false }
}
