import { expect, test } from 'vitest'
import { seatsOtherwise, settingsOtherwise } from '../src/run/branches'
import { columns } from '../src/run/places'
import { pairedRows, type ChartRow } from '../src/run/rows'
import type { SeatMeta } from '../src/types'

const seat = (n: number, agent: string, kind: SeatMeta['kind'] = 'policy'): SeatMeta => ({ seat: n, name: `s${n}`, role: '', kind, agent })
const row = (key: string, values: (number | null)[]): ChartRow => ({ key, label: key, unit: '', values, bars: false, isSparse: false, format: String })

test('seats in which another sits are told of each branch', () => {
  const [first, second] = [[seat(0, 'random'), seat(1, 'guided'), seat(2, 'Ann', 'person')], [seat(0, 'random'), seat(1, 'random'), seat(2, 'Ann', 'model')]]
  expect(seatsOtherwise(first, second).map(({ agent }) => agent)).toEqual(['guided', 'Ann'])
  expect(seatsOtherwise(second, first).map(({ kind }) => kind)).toEqual(['policy', 'model'])
  expect(seatsOtherwise(first, first)).toEqual([])
})

test('settings that differ are told in the words of the game, and what is a table by its name alone', () => {
  const words = { config: { stamina: { label: 'Stamina' }, defence: { label: 'A defence' } }, values: { block_all: 'stops all' } }
  const [first, second] = [{ rows: 12, stamina: 10, defence: 'block_all', talk: false, costs: [1, 2] }, { rows: 12, stamina: 4, defence: 'per_point', talk: null, costs: [2, 2] }]
  const told = settingsOtherwise(first, second, words).map(({ label, value }) => `${label} ${value}`)
  expect(told).toEqual(['Stamina 10', 'A defence stops all', 'talk ✗', 'costs '])
  expect(settingsOtherwise(first, first, words)).toEqual([])
})

test('a metric that only one branch has keeps its place beside nothing', () => {
  const rows = pairedRows([row('output', [1, 2, 3]), row('gini', [0])], [row('output', [1, 5])])
  expect(rows.map(({ key, values, beside }) => [key, values, beside])).toEqual([['output', [1, 5], [1, 2, 3]], ['gini', [], [0]]])
})

test('the longer branch is drawn to its end, and the shorter has nothing there', () => {
  expect(columns((n) => n, false, [[1, 5], [1, 2, null, 4]])).toEqual([[0, 1, 2, 3], [1, 5, null, null], [1, 2, null, 4]])
})
