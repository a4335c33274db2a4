import { briefOf, type Brief } from './briefs'
import type { Replay } from './replay'
import type { Frame } from '../types'

/** About how much one request for history should bring. */
const PAGE_CHARS = 1_000_000
const PAGE_MAX = 200
const BRIEFS_MAX = 500
/** About as much of history as is kept; in memory it is several times this. Of a longer run, frames around the cursor. */
const KEEP_CHARS = 32_000_000
/** However large the frames are, so many are kept. */
const KEEP_LEAST = 40
/** So long after a page that did not come it is asked for again. */
export const AGAIN_MS = 3_000

/** Where pages come from. `size` is a page's length in characters, 0 where it is not known. */
export interface PageSource {
  frames(after: number, limit: number): Promise<{ frames: readonly Frame[]; size: number }>
  /** null where frames tell as much and nothing less can be had. */
  briefs: ((after: number, limit: number) => Promise<readonly Brief[]>) | null
  /** The last step that the stream will not bring; null while nothing is to be fetched. */
  reached(): number | null
}

/** The page of frames to fetch next, of at most `size`: the gap under the cursor first, then the nearest. */
export function nextFrames(replay: Replay, reached: number, size: number): [from: number, limit: number] | null {
  const [first, last] = replay.window
  const gaps = replay.gaps(first, Math.min(last, reached))
  if (!gaps.length) return null
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

/** The page of briefs to fetch next, from the first that is lacking: steps of a long run whose frames are not kept. */
export function nextBriefs(replay: Replay, reached: number): [from: number, limit: number] | null {
  let from = 0
  while (from <= reached && replay.briefs.has(from)) from++
  if (from > reached) return null
  let to = from
  while (to < reached && to - from < BRIEFS_MAX - 1 && !replay.briefs.has(to + 1)) to++
  return [from, to - from + 1]
}

/**
 * Fetches what a replay lacks of its history, one page at a time, until nothing is lacking. A page that fails or is
 * empty is asked for again after a while. No DOM; time is that of setTimeout.
 */
export class Pager {
  #isBusy = false
  #perFrame = 5_000
  /** Grows when what is under way is no longer wanted. */
  #generation = 0
  #again: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly replay: Replay,
    private readonly source: PageSource,
  ) {}

  /** How large frames are, and so how many come in a page and are kept; a size of 0 is not known. */
  weigh(size: number, count: number): void {
    if (!count || !size) return
    this.#perFrame = Math.max(1, size / count)
    this.replay.capacity = Math.max(KEEP_LEAST, Math.floor(KEEP_CHARS / this.#perFrame))
  }

  /** What is under way is not wanted any more, as when the eyes change. */
  forget(): void {
    this.#generation++
  }

  close(): void {
    this.forget()
    clearTimeout(this.#again)
  }

  async fill(): Promise<void> {
    const reached = this.source.reached()
    if (this.#isBusy || reached === null) return
    const frames = nextFrames(this.replay, reached, this.#size)
    const briefs = frames ? null : nextBriefs(this.replay, reached)
    if (!frames && !briefs) return
    this.#isBusy = true
    const generation = this.#generation
    let hasCome = false
    try {
      if (frames) hasCome = await this.#frames(generation, ...frames)
      else if (briefs) hasCome = await this.#briefs(generation, ...briefs)
    } catch {
      // The line's state says that the server is away; history comes when it is back.
    }
    this.#isBusy = false
    clearTimeout(this.#again)
    if (hasCome) void this.fill()
    else this.#again = setTimeout(() => void this.fill(), AGAIN_MS)
  }

  get #size(): number {
    return Math.max(1, Math.min(PAGE_MAX, Math.floor(PAGE_CHARS / this.#perFrame)))
  }

  async #frames(generation: number, from: number, limit: number): Promise<boolean> {
    const { frames, size } = await this.source.frames(from - 1, limit)
    if (generation !== this.#generation) return true
    this.weigh(size, frames.length)
    this.replay.put(frames)
    return frames.length > 0
  }

  /** Where a source has no briefs, frames tell as much and are not kept. */
  async #briefs(generation: number, from: number, limit: number): Promise<boolean> {
    const found = this.source.briefs
      ? await this.source.briefs(from - 1, limit)
      : (await this.source.frames(from - 1, Math.min(limit, this.#size))).frames.map(briefOf)
    if (generation !== this.#generation) return true
    this.replay.putBriefs(found)
    return found.length > 0
  }
}
