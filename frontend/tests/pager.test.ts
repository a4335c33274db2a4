import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { briefOf } from '../src/record/briefs'
import { AGAIN_MS, nextBriefs, nextFrames, Pager, type PageSource } from '../src/record/pager'
import { BACK_MS, Recovery } from '../src/record/recovery'
import { Replay } from '../src/record/replay'
import { frame, frames } from './frames'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A replay with these frames, of a run that has come to `head`, looked at from `cursor`. */
function replay(head: number, has: readonly [number, number][], cursor = head): Replay {
  const made = new Replay()
  made.grow(head)
  for (const [from, to] of has) made.put(frames(from, to))
  made.seek(cursor)
  return made
}

test.each<[what: string, has: [number, number][], cursor: number, isPlaying: boolean, reached: number, page: [number, number] | null]>([
  ['what lies before the head comes nearest first', [[100, 100]], 100, false, 100, [90, 10]],
  ['the gap under the cursor comes first, to both sides', [[100, 100]], 50, false, 100, [45, 10]],
  ['who plays looks ahead', [[100, 100]], 50, true, 100, [50, 10]],
  ['a gap is not gone beyond', [[0, 47], [52, 100]], 50, false, 100, [48, 4]],
  ['at the start of a gap nothing before it is asked for', [[0, 47], [90, 100]], 49, false, 100, [48, 10]],
  ['behind the cursor before what is ahead', [[40, 60]], 50, false, 100, [30, 10]],
  ['who plays has what is ahead first', [[40, 60]], 50, true, 100, [61, 10]],
  ['only what is ahead is lacking', [[0, 60]], 50, false, 100, [61, 10]],
  ['what the stream brings is not fetched', [[0, 60]], 50, false, 60, null],
  ['everything is here', [[0, 100]], 50, false, 100, null],
])('%s', (_what, has, cursor, isPlaying, reached, page) => {
  const made = replay(100, has, cursor)
  if (isPlaying) made.play()
  expect(nextFrames(made, reached, 10)).toEqual(page)
})

test('briefs are fetched from the first that is lacking, as far as they lack and at most five hundred', () => {
  const made = replay(2000, [[1990, 2000]])
  expect(nextBriefs(made, 2000)).toEqual([0, 500])
  made.putBriefs([...frames(0, 9), ...frames(15, 20)].map(briefOf))
  expect(nextBriefs(made, 2000)).toEqual([10, 5])
  made.putBriefs(frames(10, 1989).map(briefOf))
  expect(nextBriefs(made, 2000)).toBeNull()
})

/** Pages of a run that has come to `head`; each answers at once, unless told otherwise. */
class Pages implements PageSource {
  asked: [after: number, limit: number][] = []
  briefed: [after: number, limit: number][] = []
  answer: 'all' | 'none' | 'fault' = 'all'
  held: (() => void)[] | null = null
  constructor(public head: number, readonly size = 0) {}
  async frames(after: number, limit: number) {
    this.asked.push([after, limit])
    if (this.held) await new Promise<void>((go) => this.held?.push(go))
    if (this.answer === 'fault') throw new Error('away')
    const found = this.answer === 'none' ? [] : frames(after + 1, Math.min(after + limit, this.head))
    return { frames: found, size: found.length * this.size }
  }
  briefs: PageSource['briefs'] = async (after, limit) => {
    this.briefed.push([after, limit])
    return frames(after + 1, Math.min(after + limit, this.head)).map(briefOf)
  }
  reached = (): number | null => this.head
}

test('history is fetched page by page until nothing is lacking', async () => {
  const [made, pages] = [replay(450, [[450, 450]]), new Pages(450)]
  await new Pager(made, pages).fill()
  await vi.runAllTimersAsync()
  expect(pages.asked).toEqual([[249, 200], [49, 200], [-1, 50]])
  expect(made.gaps()).toEqual([])
})

test('of a long run frames around the cursor are kept, and briefs of all the rest', async () => {
  const [made, pages] = [replay(3000, [[3000, 3000]]), new Pages(3000, 1_000_000)]
  const pager = new Pager(made, pages)
  pager.weigh(1_000_000, 1)
  expect(made.capacity).toBe(40)
  await pager.fill()
  await vi.runAllTimersAsync()
  expect([made.count, made.gaps(...made.window)]).toEqual([32, []])
  expect(pages.asked.every(([, limit]) => limit === 1)).toBe(true)
  expect([pages.briefed.length, nextBriefs(made, 3000)]).toEqual([6, null])
})

test('where a source has no briefs, frames are fetched in their stead and not kept', async () => {
  const [made, pages] = [replay(100, [[100, 100]]), new Pages(100, 500_000)]
  pages.briefs = null
  const pager = new Pager(made, pages)
  pager.weigh(500_000, 1)
  await pager.fill()
  await vi.runAllTimersAsync()
  expect(nextBriefs(made, 100)).toBeNull()
  expect(made.count).toBeLessThanOrEqual(made.capacity)
  expect(pages.asked.every(([, limit]) => limit <= 2)).toBe(true)
})

test.each(['none', 'fault'] as const)('a page that comes to %s is asked for again after a while, and one at a time', async (answer) => {
  const [made, pages] = [replay(10, [[10, 10]]), new Pages(10)]
  const pager = new Pager(made, pages)
  pages.answer = answer
  await pager.fill()
  expect(pages.asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(AGAIN_MS - 1)
  expect(pages.asked).toHaveLength(1)
  pages.answer = 'all'
  await vi.advanceTimersByTimeAsync(1)
  expect([pages.asked.length, made.gaps()]).toEqual([2, []])
})

test('a page for eyes that were changed meanwhile is dropped', async () => {
  const [made, pages] = [replay(10, [[10, 10]]), new Pages(10)]
  pages.held = []
  const pager = new Pager(made, pages)
  void pager.fill()
  void pager.fill()
  expect(pages.asked).toHaveLength(1)
  pager.forget()
  const [go] = pages.held
  pages.held = null
  pages.reached = () => null
  go?.()
  await vi.runAllTimersAsync()
  expect(made.count).toBe(1)
})

test('nothing is fetched while the run is being opened, and nothing after the page is closed', async () => {
  const [made, pages] = [replay(10, [[10, 10]]), new Pages(10)]
  const pager = new Pager(made, pages)
  pages.reached = () => null
  await pager.fill()
  pages.reached = () => 10
  pages.answer = 'fault'
  await pager.fill()
  pager.close()
  await vi.advanceTimersByTimeAsync(10 * AGAIN_MS)
  expect(pages.asked).toHaveLength(1)
})

test('a line that is back says what came meanwhile once all of it is here, for a while', () => {
  const said: unknown[] = []
  const recovery = new Recovery(() => said.push(recovery.back))
  recovery.lost(10)
  recovery.lost(11)
  recovery.pinged(12, 10)
  expect(recovery.back).toBeNull()
  recovery.opened()
  expect(recovery.back).toEqual({ from: 10, to: 10, isWhole: false })
  recovery.pinged(14, 10)
  expect(recovery.back).toEqual({ from: 10, to: 14, isWhole: false })
  recovery.came(13, 13)
  expect(recovery.back).toMatchObject({ isWhole: false })
  recovery.came(14, 14)
  expect(recovery.back).toEqual({ from: 10, to: 14, isWhole: true })
  vi.advanceTimersByTime(BACK_MS - 1)
  expect(recovery.back).not.toBeNull()
  vi.advanceTimersByTime(1)
  expect([recovery.back, said.at(-1)]).toEqual([null, null])
})

test('a line that is lost again says nothing of the last time, and a line that was never lost says nothing', () => {
  const recovery = new Recovery(() => undefined)
  recovery.opened()
  recovery.pinged(5, 5)
  expect(recovery.back).toBeNull()
  recovery.lost(5)
  recovery.opened()
  recovery.pinged(5, 5)
  recovery.lost(6)
  recovery.opened()
  vi.advanceTimersByTime(BACK_MS)
  expect(recovery.back).toEqual({ from: 6, to: 6, isWhole: false })
  recovery.forget()
  expect(recovery.back).toBeNull()
})

test('frames that the stream brings are no gap', () => {
  const made = replay(5, [[3, 5]])
  made.put([frame(6)])
  expect(nextFrames(made, 5, 10)).toEqual([0, 3])
})
