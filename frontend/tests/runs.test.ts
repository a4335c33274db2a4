import { expect, test } from 'vitest'
import { filterOf, filters, readRuns, sortedBy, writeRuns } from '../src/runs/address'
import { groupsOf } from '../src/runs/seating'
import { forget, readSaved, save } from '../src/runs/saved'
import type { SeatMeta } from '../src/types'

test('what the table shows is what its address says, and the usual leaves it bare', () => {
  const told = '?find=peace+14&game=mining,nations&tag=a+pilot&since=7d&sort=-cost&page=3&size=50&cols=seed,gini'
  expect(writeRuns(readRuns(told))).toBe(told)
  expect(writeRuns(readRuns(''))).toBe('')
  expect(writeRuns(readRuns('?page=0&size=7'))).toBe('')
})

test('the server is asked for the filters alone, and a filter counts once', () => {
  const view = readRuns('?state=failed,stopped&not_own=5&page=2&cols=seed')
  expect(filterOf(view)).toEqual({ state: 'failed,stopped', not_own: '5' })
  expect(filters(view)).toBe(2)
})

test('a column sorts downwards, then upwards, then as the runs came; the first page comes first', () => {
  const down = sortedBy(readRuns('?page=4'), 'cost')
  expect([down.sort, down.page]).toEqual(['-cost', 1])
  const up = sortedBy(down, 'cost')
  expect(up.sort).toBe('cost')
  expect(sortedBy(up, 'cost').sort).toBe('-created')
})

const seat = (number: number, kind: SeatMeta['kind'], agent: string): SeatMeta => ({ seat: number, name: `s${number}`, role: '', kind, agent })

test('neighbours that are played alike are one range; policies by any name, models by the same', () => {
  const seats = [seat(0, 'model', 'm1'), seat(1, 'model', 'm1'), seat(2, 'model', 'm2'), seat(3, 'policy', 'greedy'), seat(4, 'policy', 'random'), seat(5, 'person', '')]
  expect(groupsOf(seats).map(({ first, last, kind, agent }) => [first, last, kind, agent])).toEqual([
    [0, 1, 'model', 'm1'], [2, 2, 'model', 'm2'], [3, 4, 'policy', ''], [5, 5, 'person', ''],
  ])
})

test('views are kept by name, the latest first; what is no view is left out', () => {
  const kept = new Map<string, string>()
  const store = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, text: string) => void kept.set(key, text) }
  expect(readSaved(store)).toEqual([])
  save({ name: 'failed', address: '?state=failed' }, store)
  save({ name: 'mine', address: '?tag=mine' }, store)
  save({ name: 'failed', address: '?state=failed&since=7d' }, store)
  expect(readSaved(store)).toEqual([{ name: 'failed', address: '?state=failed&since=7d' }, { name: 'mine', address: '?tag=mine' }])
  forget('mine', store)
  expect(readSaved(store).map(({ name }) => name)).toEqual(['failed'])
  expect(readSaved({ getItem: () => '[{"name": "x", "address": "//elsewhere"}, 3, null]' })).toEqual([])
  expect(readSaved({ getItem: () => 'no json' })).toEqual([])
})
