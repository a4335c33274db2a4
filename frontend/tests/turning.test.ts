import { expect, test } from 'vitest'
import { briefOf, Briefs } from '../src/record/briefs'
import { Replay } from '../src/record/replay'
import { turningPoints } from '../src/record/turning'
import { feedRows, folded } from '../src/run/feedrows'
import type { Frame } from '../src/types'
import { frame, frames } from './frames'

const game = { events: { raid: { text: '', mark: 'conflict' } }, charts: ['raids'], metrics: { raids: { label: '', format: 'd' } } }
function of(head: number, more: (n: number) => Partial<Frame>): Briefs {
  const briefs = new Briefs()
  for (let n = 0; n <= head; n++) briefs.put(briefOf(frame(n, more(n))))
  return briefs
}
const raid = { events: [{ kind: 'raid', data: {}, to: 'all' as const }] }

test('what is seldom is marked each time, what is frequent the first time', () => {
  expect([...turningPoints(of(60, (n) => (n === 9 || n === 40 ? raid : {})), 60, game).keys()]).toEqual([9, 40])
  expect([...turningPoints(of(60, (n) => (n > 20 ? raid : {})), 60, game).keys()]).toEqual([21])
})

test('the round with the most of what is counted is marked, where it stands out', () => {
  const counted = (peak: number) => of(30, (n) => ({ metrics: { raids: n === 17 ? peak : 2 } }))
  expect([...turningPoints(counted(9), 30, game)]).toEqual([[17, ['most']]])
  expect(turningPoints(counted(3), 30, game).size).toBe(0)
})

test('a lead is marked where it began, if it lasts; those of the first rounds are not', () => {
  const paid = (n: number): Partial<Frame> => ({ payoffs: n === 20 || n === 50 ? [[0, 1], [1, 9]] : n === 21 ? [[0, 9], [1, 1]] : [[0, 2], [1, 2]] })
  const briefs = of(80, (n) => (n === 1 ? { payoffs: [[0, 3], [1, 2]] } : paid(n)))
  expect([...turningPoints(briefs, 80, game)]).toEqual([[50, ['leader']]])
})

test('rounds without news on end are one row, until they are unfolded', () => {
  const replay = new Replay()
  replay.put(frames(0, 9))
  const rows = feedRows(replay, ({ n }) => (n === 4 ? 1 : 0), false)
  expect(folded(rows, new Set()).map(({ n, from, quiet }) => [n, from, quiet])).toEqual([[9, 5, 5], [4, 4, undefined], [3, 0, 4]])
  expect(folded(rows, new Set(), 8).map(({ n }) => n)).toEqual([9, 8, 7, 4, 3])
  expect(folded(rows, new Set([5])).map(({ n }) => n)).toEqual([9, 8, 7, 6, 5, 4, 3])
})
