import { ApiError } from '../api'
import { AGAIN_MS, Pager } from './pager'
import { Recovery, type Return } from './recovery'
import { Replay, type Standing } from './replay'
import { SITE, type Source } from './source'
import { Stream, type Line } from './stream'
import { ENDED, type Frame, type RunMeta } from '../types'
import type { Refused } from '../words/refusals'

/** Frames that come within so long are put together. */
const BURST_MS = 25

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
  /** When the newest step became known, in the same. */
  grewAt = $state.raw(Date.now())

  #stream: Stream | null = null
  /** The step from which the stream goes on, or the last there is; null while the run is being opened. */
  #known: number | null = null
  #generation = 0
  #closed = false
  #end: Pick<RunMeta, 'rounds' | 'horizon'> | null = null
  #pending: Frame[] = []
  #flush: ReturnType<typeof setTimeout> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  readonly #recovery = new Recovery(() => (this.back = this.#recovery.back))
  readonly #pager: Pager
  #unsubscribe: () => void
  #wake = (): void => {
    if (document.visibilityState === 'visible') this.#stream?.wake()
  }

  constructor(
    readonly id: string,
    readonly source: Source = SITE,
  ) {
    const { briefs } = source
    this.#pager = new Pager(this.replay, {
      frames: async (after, limit) => {
        const { body, size } = await source.frames(id, after, limit, this.as)
        return { frames: body.frames, size }
      },
      briefs: briefs && ((after, limit) => briefs(id, after, limit, this.as)),
      reached: () => this.#reached,
    })
    let head = -1
    this.#unsubscribe = this.replay.subscribe(() => {
      if (this.replay.head !== head) [head, this.grewAt] = [this.replay.head, Date.now()]
      this.version = this.replay.version
      void this.#pager.fill()
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
      this.#pager.weigh(size, frame ? 1 : 0)
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
    this.#pager.close()
    this.#stream?.stop()
    this.#unsubscribe()
    removeEventListener('online', this.#wake)
    removeEventListener('pageshow', this.#wake)
    removeEventListener('focus', this.#wake)
    document.removeEventListener('visibilitychange', this.#wake)
  }

  /** What was on its way through other eyes, or to a page that is gone. */
  #forget(): void {
    this.#recovery.forget()
    this.#pager.forget()
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
      void this.#pager.fill()
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
        this.#recovery.pinged(head, this.#stream?.last ?? -1)
        if (this.meta && (run || status !== this.meta.status)) this.#tell({ ...this.meta, ...run, status, head })
      },
      line: (line) => this.#lineIs(line),
      refused: (said) => (this.fault = { kind: 'refused', ...said }),
      other: (message) => this.source.heard?.(message),
    })
    this.#stream.start(after)
    void this.#pager.fill()
  }

  #lineIs(line: Line): void {
    this.line = line
    if (line.state === 'lost') this.#recovery.lost(this.replay.head)
    else if (line.state === 'open') this.#recovery.opened()
  }

  /** Frames that come in a burst, as after a lost line, are put together: one drawing for all of them. */
  #arrived(frame: Frame): void {
    this.#pending.push(frame)
    this.#recovery.came(frame.n, this.#stream?.last ?? -1)
    this.#flush ??= setTimeout(() => {
      this.#flush = undefined
      this.replay.put(this.#pending.splice(0))
    }, BURST_MS)
  }

  #tell(told: RunMeta): void {
    // Who has seen the whole run knows its end, through whichever eyes they look next: the axis stays as it was.
    if (this.as === null && told.rounds !== null) this.#end = { rounds: told.rounds, horizon: told.horizon }
    const meta = told.rounds === null && this.#end ? { ...told, ...this.#end } : told
    this.meta = meta
    this.waitingSince = Date.now()
    this.replay.pace = meta.pace || 1
    this.replay.countBy({ counted: meta.counted, rounds: meta.rounds, horizon: meta.horizon, isOver: ENDED.has(meta.status) })
  }

  /** The last step that the stream will not bring; null while the run is being opened, and when the page is gone. */
  get #reached(): number | null {
    if (this.#known === null || this.#closed) return null
    return Math.min(this.#stream?.last ?? this.#known, this.replay.head)
  }
}

export function asFault(error: unknown, kind: Fault['kind']): Fault {
  if (error instanceof ApiError) return { kind, code: error.code, message: error.message, facts: error.body }
  return { kind, code: '', message: error instanceof Error ? error.message : String(error) }
}
