import { expect, test } from 'vitest'
import { Replay } from '../src/record/replay'
import { turningPoints } from '../src/record/turning'
import { allRows } from '../src/run/rows'
import { frame, frames } from './frames'

const live = (to: number): Replay => {
  const replay = new Replay()
  replay.put(frames(0, to))
  return replay
}

test('while following, the cursor goes with the head', () => {
  const replay = live(3)
  replay.put([frame(4)])
  expect([replay.cursor, replay.behind]).toEqual([4, 0])
})

test('whoever scrubbed back is not pulled to the head, and what came meanwhile is counted', () => {
  const replay = live(10)
  replay.seek(6)
  replay.put(frames(11, 13))
  expect([replay.cursor, replay.behind, replay.following]).toEqual([6, 7, false])
  replay.live()
  expect([replay.cursor, replay.behind, replay.following]).toEqual([13, 0, true])
})

test('arriving at the head by single steps follows it again', () => {
  const replay = live(5)
  replay.step(-1)
  replay.step(1)
  replay.put([frame(6)])
  expect(replay.cursor).toBe(6)
})

test('whoever comes before the first frame follows from the first frame on', () => {
  const replay = new Replay()
  replay.live()
  expect([replay.cursor, replay.following]).toEqual([-1, true])
  replay.put([frame(0)])
  replay.put([frame(1)])
  expect([replay.cursor, replay.behind]).toEqual([1, 0])
})

test('seeking stays between the start and the head', () => {
  const replay = live(5)
  replay.seek(-4)
  expect(replay.cursor).toBe(0)
  replay.seek(99)
  expect(replay.cursor).toBe(5)
})

test('a frame that is here already is dropped and changes nothing', () => {
  const replay = live(2)
  const before = replay.version
  expect(replay.put([frame(1, { hash: 'other' })])).toBe(0)
  expect([replay.version, replay.at(1)?.hash]).toEqual([before, 'h1'])
})

test('gaps are named as inclusive ranges', () => {
  const replay = new Replay()
  replay.put([frame(0), frame(3), frame(4), frame(8)])
  expect(replay.gaps()).toEqual([[1, 2], [5, 7]])
  expect(replay.gaps(4, 5)).toEqual([[5, 5]])
})

test('the head may be known before its frames are here, and the cursor waits for them', () => {
  const replay = live(2)
  replay.grow(6)
  expect([replay.head, replay.cursor, replay.gaps()]).toEqual([6, 2, [[3, 6]]])
  replay.seek(5)
  expect([replay.frame, replay.shown?.n]).toEqual([undefined, 2])
})

test('playing takes the steps that the speed owes and follows on reaching the head', () => {
  const replay = live(10)
  replay.seek(0)
  replay.setSpeed(4)
  replay.play()
  replay.pass(500)
  expect(replay.cursor).toBe(2)
  replay.pass(250)
  expect(replay.cursor).toBe(3)
  replay.pass(60_000)
  expect([replay.cursor, replay.playing, replay.following]).toEqual([10, false, true])
})

test('playing waits at a missing frame and does not race when it comes', () => {
  const replay = new Replay()
  replay.put([frame(0), frame(1), ...frames(3, 9)])
  replay.seek(0)
  replay.play()
  replay.pass(30_000)
  expect(replay.cursor).toBe(1)
  replay.put([frame(2)])
  replay.pass(0)
  expect(replay.cursor).toBe(2)
})

test('space holds what runs and runs what is held', () => {
  const replay = live(4)
  replay.toggle()
  replay.put([frame(5)])
  expect([replay.cursor, replay.following]).toEqual([4, false])
  replay.toggle()
  expect(replay.playing).toBe(true)
})

test('real time is the pace of the run', () => {
  const replay = live(9)
  replay.pace = 2
  replay.setSpeed('real')
  replay.seek(0)
  replay.play()
  replay.pass(1000)
  expect(replay.cursor).toBe(2)
})

test('speeds stop at both ends', () => {
  const replay = live(1)
  for (let i = 0; i < 20; i++) replay.faster(-1)
  expect(replay.speed).toBe(0.25)
  for (let i = 0; i < 20; i++) replay.faster(1)
  expect(replay.speed).toBe('real')
})

test('marks lead from one marked step to the next and stay put after the last', () => {
  const replay = new Replay()
  const raid = { kind: 'raid', data: {} }
  replay.put(frames(0, 9).map((f) => (f.n === 3 || f.n === 7 ? { ...f, events: [raid, raid] } : f)))
  replay.markBy((briefs, head) => turningPoints(briefs, head, { events: { raid: { text: '', mark: 'conflict' } } }))
  replay.seek(0)
  replay.toMark(1)
  replay.toMark(1)
  expect(replay.cursor).toBe(7)
  replay.toMark(1)
  expect(replay.cursor).toBe(7)
  replay.toMark(-1)
  expect(replay.cursor).toBe(3)
})

test('a metric is null where it is undefined or its frame is missing', () => {
  const replay = new Replay()
  replay.put([frame(0), frame(1, { metrics: { gini: 0.5 } }), frame(3, { metrics: { gini: null } })])
  expect(replay.series('gini')).toEqual([null, 0.5, null, null])
})

test('what is drawn has a word of its game, its own or that of its family', () => {
  const replay = new Replay()
  replay.put(frames(0, 2).map((one) => ({ ...one, metrics: { gini: 0.5, made_steel_making: 3, made_rope: 1, own_reckoning: 7 } })))
  const metrics = { gini: { label: 'Gini' }, 'made_*': { label: '{name:name}, times so far', format: 'd' } }
  const drawn = (words: object): string[] => allRows(replay, { charts: [], events: {}, ...words } as never, {}).map(({ label, bars }) => (bars ? `${label}, bars` : label))
  expect(drawn({ metrics, names: { steel_making: 'steel making' } })).toEqual(['Gini', 'steel making, times so far, bars', 'rope, times so far, bars'])
  expect(drawn({})).toEqual(['gini', 'made steel making', 'made rope', 'own reckoning'])
})

test('other eyes begin without frames but at the same moment', () => {
  const replay = live(9)
  replay.seek(4)
  replay.clear()
  expect([replay.cursor, replay.count, replay.gaps()]).toEqual([4, 0, [[0, 9]]])
})

test('of a long run the frames around the cursor are kept, and the brief of every step', () => {
  const replay = new Replay()
  replay.capacity = 20
  for (let n = 0; n < 100; n++) replay.put([frame(n, { metrics: { gold: n }, payoffs: [[1, 2]] })])
  expect(replay.count).toBeLessThanOrEqual(20)
  expect([replay.has(99), replay.has(40), replay.window]).toEqual([true, false, [84, 99]])
  expect(replay.series('gold')[40]).toBe(40)
  expect(replay.briefs.totals(70)).toEqual(new Map([[1, 142]]))
  replay.seek(40)
  const [from, to] = replay.window
  expect(from <= 40 && 40 <= to).toBe(true)
  replay.put(frames(from, to))
  expect([replay.gaps(from, to), replay.count <= 20]).toEqual([[], true])
})

test('sums of payoffs wait for every step before, in whatever order they come', () => {
  const replay = new Replay()
  replay.put([frame(2, { payoffs: [[0, 5]] }), frame(3)])
  expect(replay.briefs.totals(3)).toBe(null)
  replay.putBriefs([0, 1].map((n) => ({ n, clock: [], hash: '', kinds: [], metrics: null, payoffs: [[1, 1]] })))
  expect(replay.briefs.totals(1)).toEqual(new Map([[1, 2]]))
  expect(replay.briefs.totals(3)).toEqual(new Map([[0, 5], [1, 2]]))
})

test('a step whose frame is on its way is stood in for by the nearest, before it rather than after', () => {
  const replay = new Replay()
  replay.put([...frames(0, 3), ...frames(8, 12)])
  const stoodIn = [4, 5, 6, 7].map((n) => {
    replay.seek(n)
    return replay.shown?.n
  })
  expect(stoodIn).toEqual([3, 3, 8, 8])
})

test('before the first frame that is kept the nearest after it is shown, and not nothing', () => {
  const replay = new Replay()
  replay.put(frames(5, 9))
  replay.seek(2)
  expect(replay.shown?.n).toBe(5)
})

test('frames that come again change nothing on the time axis', () => {
  const replay = live(20)
  replay.capacity = 5
  replay.seek(18)
  replay.put([frame(21)])
  const before = replay.known
  const kept = replay.count
  replay.put([frame(2)])
  expect([replay.known, kept < 20]).toEqual([before, true])
})

test('what very many seats did is the same when it is asked for', () => {
  const replay = new Replay()
  const actions = Array.from({ length: 1000 }, (_, seat): [number, { cell: number[] }] => [seat, { cell: [seat, 1] }])
  replay.put([frame(0, { actions })])
  expect(replay.at(0)?.actions).toEqual(actions)
})
