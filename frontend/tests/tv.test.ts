import { describe, expect, test } from 'vitest'
import type { Deeds } from '../kit/board'
import type { Frame } from '../src/types'
import { axisMarks, DeedCount } from '../src/tv/deeds'
import { isLoopback } from '../src/parts/loopback'
import { chosen, forHall } from '../src/tv/liveliest'

test('the liveliest match is shown, and gives way to a much livelier one alone', () => {
  const [calm, lively] = [{ id: 'a', lively: 2 }, { id: 'b', lively: 2.5 }]
  expect(chosen(null, [calm, lively])).toBe('b')
  expect(chosen('a', [calm, lively])).toBe('a')
  expect(chosen('a', [calm, { id: 'b', lively: 3.5 }])).toBe('b')
})

test('a match that is over makes room for the next', () => {
  expect(chosen('gone', [{ id: 'a', lively: 0 }])).toBe('a')
  expect(chosen('gone', [])).toBeNull()
})

test('what is its players alone is not for a hall, whoever has signed in there', () => {
  const runs = [{ id: 'a', audience: { kind: 'private' } }, { id: 'b', audience: { kind: 'public' } }, { id: 'c', audience: {} }]
  expect(forHall(runs).map(({ id }) => id)).toEqual(['b', 'c'])
})

test('an address of this machine alone is known as such', () => {
  expect(['localhost', '127.0.0.1', '[::1]', '192.168.0.7', 'lab.example.org'].map(isLoopback)).toEqual([true, true, true, false, false])
})

describe('what seats do to each other, by round', () => {
  const raids: Deeds = { metric: 'raids', kinds: ['plot_taken', 'raid_repelled'], by: ({ data }) => (data.raiders as number[]) }
  const event = (kind: string, ...raiders: number[]) => ({ kind, data: { raiders } })
  const frame = (n: number, ...events: ReturnType<typeof event>[]) => ({ n, events }) as unknown as Frame

  test('is counted by who did it, from what was played before and from what comes', () => {
    const count = new DeedCount(raids)
    count.begin([{ step: 3, ...event('plot_taken', 1) }, { step: 3, ...event('raid_repelled', 1, 4) }, { step: 3, ...event('plot_claimed', 2) }, { step: 9, ...event('plot_taken', 0) }], 8)
    expect([...count.at(3)]).toEqual([[1, 2], [4, 1]])
    expect([...count.at(9)]).toEqual([])
    count.follow(frame(9, event('plot_taken', 0)))
    count.follow(frame(9, event('plot_taken', 0)))
    count.follow(frame(11, event('plot_taken', 0)))
    expect([[...count.at(9)], count.head, count.recent(7), count.recent(6)]).toEqual([[[0, 1]], 9, 4, 1])
  })
  test('stands over an axis of round numbers that has its ends', () => {
    expect(axisMarks(200)).toEqual([1, 50, 100, 150, 200])
    expect(axisMarks(30)).toEqual([1, 10, 20, 30])
    expect(axisMarks(60)).toEqual([1, 20, 40, 60])
    expect(axisMarks(104)).toEqual([1, 50, 104])
    expect(axisMarks(1)).toEqual([1])
    for (const last of [2, 7, 99, 365, 1000, 12_345]) {
      const marks = axisMarks(last)
      expect([marks[0], marks.at(-1), marks.length <= 7]).toEqual([1, last, true])
    }
  })
})
