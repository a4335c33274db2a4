import type { Replay } from '../record/replay'
import type { Frame } from '../types'

/** One row of the feed: the steps of one place in the run, or those that are not here. */
export interface FeedRow {
  /** The last of its steps, which are `from..n`. */
  n: number
  from: number
  /** Their frames, in order; none where they are not here. */
  frames: readonly Frame[]
  /** How many lines it will have, about. */
  size: number
  /** How many rows without news this one stands for; absent where it stands for itself. */
  quiet?: number
}

/** So many rows without news on end are told as one. */
const FOLDED = 3

/** The rows with those that have no news folded, but for the one at step `now`; `opened` are the first steps of what was unfolded. */
export function folded(rows: readonly FeedRow[], opened: ReadonlySet<number>, now = -1): FeedRow[] {
  const found: FeedRow[] = []
  const isQuiet = (row: FeedRow | undefined): boolean => row !== undefined && row.size === 0 && !(row.from <= now && now <= row.n)
  for (let i = 0; i < rows.length; ) {
    let end = i
    while (isQuiet(rows[end])) end++
    const [first, last] = [rows[i] as FeedRow, rows[end - 1] as FeedRow]
    if (end - i >= FOLDED && !opened.has(last.from)) found.push({ n: first.n, from: last.from, frames: [], size: 1, quiet: end - i })
    else found.push(...rows.slice(i, Math.max(end, i + 1)))
    i = Math.max(end, i + 1)
  }
  return found
}

/** A step that takes less of a round than this is a part of one. */
const WHOLE = 0.999

/**
 * The rows of a run, newest first. Steps whose labels are all alike are one row: a talk, and what came of it. What has
 * no line is left out where only some lines are wanted, and where it is a part of a round in which nothing happened.
 */
export function feedRows(replay: Replay, sizeOf: (frame: Frame) => number, isFiltered: boolean): FeedRow[] {
  const { axis } = replay
  const rows: FeedRow[] = []
  for (let n = replay.head; n >= 0; n--) {
    const last = replay.at(n)
    if (!last) {
      const above = rows.at(-1)
      if (above && !above.frames.length && above.from === n + 1) above.from = n
      else if (!isFiltered) rows.push({ n, from: n, frames: [], size: 1 })
      continue
    }
    const frames = [last]
    for (let before = replay.at(n - 1); before && isSamePlace(before, last); before = replay.at(n - frames.length)) frames.unshift(before)
    const from = n - frames.length + 1
    const size = frames.reduce((sum, frame) => sum + sizeOf(frame), 0)
    const isSilentPart = from > 0 && axis.at(n) - axis.at(from - 1) < WHOLE && frames.every(({ events }) => !events.length)
    if (size || !(isFiltered || isSilentPart)) rows.push({ n, from, frames, size })
    n = from
  }
  return rows
}

function isSamePlace(before: Frame, frame: Frame): boolean {
  return before.clock.length > 0 && String(before.clock) === String(frame.clock)
}
