import { expect, test } from 'vitest'
import { Axis, axisEnd, axisOf, roundReached, type Counting } from '../src/record/axis'
import { placeOf, roundLabel, roundShort } from '../src/record/feed'
import { Replay } from '../src/record/replay'
import { columns } from '../src/run/places'
import { feedRows, folded } from '../src/run/feedrows'
import { valueAt } from '../src/run/rows'
import type { Clock } from '../src/types'
import { frame } from './frames'

const counting = (more: Partial<Counting> = {}): Counting => ({ counted: '', rounds: null, horizon: null, ...more })
const axis = (clocks: readonly (Clock | null)[], more: Partial<Counting> = {}): Axis => axisOf((n) => clocks[n] ?? undefined, clocks.length - 1, counting(more))
const places = (made: Axis): number[] => Array.from({ length: made.head + 1 }, (_, n) => made.at(n))
const START: Clock = []
const round = (n: number): Clock => [['round', n]]
/** The start, then so many rounds of a talk and a choice. */
const talks = (rounds: number): Clock[] => [START, ...Array.from({ length: rounds * 2 }, (_, i) => round(Math.floor(i / 2) + 1))]

test('where each step is a round, a step lies at its number', () => {
  expect(places(axis([START, round(1), round(2), round(3)]))).toEqual([0, 1, 2, 3])
})

test('the steps of a round lie evenly in it, and the last of them at its number', () => {
  expect(places(axis(talks(3)))).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3])
})

test.each([
  ['as many steps as the round before had', talks(2).slice(0, -1), {}, [0, 0.5, 1, 1.5]],
  ['as many as the rules say', [START, round(1)], { rounds: 30, horizon: 60 }, [0, 0.5]],
])('the round under way has room for %s', (_what, clocks, more, expected) => {
  expect(places(axis(clocks, more))).toEqual(expected)
})

test('a round of which the later steps are still loading takes no more room than it will', () => {
  const known: (Clock | null)[] = [START, round(1), round(1), round(1), round(1), round(2), round(2), null, null, null, null, null, null]
  const made = axis(known, { rounds: 3, horizon: 12 })
  expect(made.at(6)).toBe(1.5)
  expect(made.at(12)).toBe(3)
})

test('rounds may have different numbers of steps', () => {
  const clocks: Clock[] = [START, round(1), round(1), round(1), round(1), round(2), round(3), round(3)]
  expect(places(axis(clocks))).toEqual([0, 0.25, 0.5, 0.75, 1, 2, 2.5, 3])
})

test('the label that a run is counted in may lie inside another', () => {
  const clocks: Clock[] = [START, [['round', 1], ['step', 1]], [['round', 1], ['step', 2]], [['round', 2], ['step', 3]], [['step', 4]], [['step', 5]]]
  expect(places(axis(clocks, { counted: 'step' }))).toEqual([0, 1, 2, 3, 4, 5])
})

test('labels that begin anew go on counting, and steps that are not known yet are guessed', () => {
  expect(places(axis([START, round(1), round(2), round(1), round(2)]))).toEqual([0, 1, 2, 3, 4])
  expect(places(axis([START, round(1), null, null, round(4)]))).toEqual([0, 1, 2, 3, 4])
  expect(places(axis([START, null, null, round(2), round(2)], { rounds: 4, horizon: 8 }))).toEqual([0, 0.5, 1, 1.5, 2])
})

test('the step nearest to a place is found, and steps to come are counted on', () => {
  const made = axis(talks(3))
  expect([0, 0.3, 0.8, 1, 2.6, 3, 3.5, 5].map((place) => made.step(place))).toEqual([0, 1, 2, 2, 5, 6, 7, 10])
  expect([made.at(7), made.at(8), made.round(5), made.round(6)]).toEqual([3.5, 4, 3, 3])
})

test.each([
  [2, 1, 4], [2, -1, 0], [3, 1, 4], [3, -1, 2], [4, -1, 2], [0, 2, 4], [6, -3, 0], [4, 10, 7], [2, -10, 0],
])('from step %i, %i rounds lead to step %i', (from, by, to) => {
  expect(axis(talks(3)).moved(from, by)).toBe(to)
})

test('the axis ends with the last round, or with some room where nobody may know it', () => {
  expect(axisEnd(axis(talks(3)), counting({ rounds: 30, horizon: 60 }))).toBe(30)
  expect([3, 10, 39, 40, 150, 300].map((rounds) => axisEnd(axis(talks(rounds)), counting()))).toEqual([10, 20, 40, 60, 160, 400])
  expect(axisEnd(axis(talks(3)), counting({ isOver: true }))).toBe(3)
  expect(axisEnd(axis(talks(3)), counting({ rounds: 30, isOver: true }))).toBe(30)
})

/** A replay of two rounds of talk and choice; somebody speaks in the second alone. */
function talked(): Replay {
  const replay = new Replay()
  const said = [{ kind: 'message_sent', data: { by: 0, text: 'hello' } }]
  const played = [{ kind: 'round_played', data: {} }]
  replay.put(talks(2).map((clock, n) => frame(n, { clock, stage: n % 2 ? 'talk' : 'choose', events: n === 3 ? said : n && n % 2 === 0 ? played : [] })))
  return replay
}

test('a talk and what came of it are one row of the feed, and a talk without a word is none', () => {
  const rows = feedRows(talked(), ({ events }) => events.length, false)
  expect(rows.map(({ n, from, size }) => [n, from, size])).toEqual([[4, 3, 2], [2, 1, 1], [0, 0, 0]])
})

test('a part of a round in which nothing happened is left out, a quiet round is not', () => {
  const replay = new Replay()
  const clocks: Clock[] = [START, [['epoch', 1], ['step', 1]], [['epoch', 1], ['step', 2]], [['epoch', 2], ['step', 3]], [['epoch', 2], ['step', 4]]]
  replay.put(clocks.map((clock, n) => frame(n, { clock, events: n === 2 ? [{ kind: 'built', data: {} }] : [] })))
  expect(feedRows(replay, ({ events }) => events.length, false).map(({ n }) => n)).toEqual([2, 0])
  const plain = new Replay()
  plain.put([0, 1, 2].map((n) => frame(n, { clock: n ? round(n) : [] })))
  expect(feedRows(plain, () => 0, false).map(({ n }) => n)).toEqual([2, 1, 0])
  expect(feedRows(plain, () => 0, true)).toEqual([])
})

test('many steps in a row of which there is nothing to tell are one row', () => {
  const replay = new Replay()
  replay.put([0, 1, 2, 3, 4, 5, 6].map((n) => frame(n, { clock: n ? round(n) : [], events: n === 2 ? [{ kind: 'built', data: {} }] : [] })))
  const rows = folded(feedRows(replay, ({ events }) => events.length, false), new Set())
  expect(rows.map(({ n, from, quiet }) => [n, from, quiet])).toEqual([[6, 3, 4], [2, 2, undefined], [1, 1, undefined], [0, 0, undefined]])
})

test('a round takes its time, however many steps it has', () => {
  const replay = talked()
  replay.seek(0)
  replay.play()
  replay.pass(900)
  expect(replay.cursor).toBe(1)
  replay.pass(200)
  expect(replay.cursor).toBe(2)
  replay.pass(900)
  expect([replay.cursor, replay.following]).toEqual([4, true])
})

test('a place is told in the words of the game, the counted label first of all', () => {
  const game = { name: '', tagline: '', round: 'Step {n}', clock: { round: 'Contract round {n}' }, events: {} }
  const clock: Clock = [['round', 2], ['step', 11]]
  expect(placeOf(clock, game, 'step')).toEqual({ before: 'Contract round 2', round: 'Step 11', after: '' })
  expect(roundLabel({ clock }, game, 'step')).toBe('Contract round 2 · Step 11')
  const short = (at: Clock, counted: string): string => roundShort({ clock: at }, game, counted)
  expect([short(clock, 'step'), short(clock, ''), short([], '')]).toEqual(['s11', 's2 s11', 's0'])
  expect(roundShort({ clock }, { ...game, round: '第 {n} 步' }, '')).toBe('2.11')
  expect(roundLabel({ clock: [] }, game)).toBe('Step 0')
  expect(placeOf([['epoch', 3], ['step', 40]], { ...game, round: 'Epoch {n}' }, '').after).toBe('step 40')
})

test('what is measured once a round is drawn across its steps, and read as it was when it was last measured', () => {
  const values = [null, null, 3, null, 5]
  expect(columns((n) => n / 2, true, [values])).toEqual([[1, 2], [3, 5]])
  expect(columns((n) => n / 2, false, [values])[0]).toEqual([0, 0.5, 1, 1.5, 2])
  expect([0, 2, 3, 4, 9].map((n) => valueAt({ isSparse: true }, values, n))).toEqual([null, 3, 3, 5, 5])
  expect(valueAt({ isSparse: false }, values, 3)).toBeNull()
})

test('how far a run has come is told without its frames', () => {
  const run = { ...counting({ rounds: 30, horizon: 60 }), clock: null, head: 23 }
  expect(roundReached(run)).toBe(12)
  expect(roundReached({ ...run, clock: round(7) })).toBe(7)
  expect(roundReached({ ...run, rounds: null, clock: [] })).toBe(23)
})
