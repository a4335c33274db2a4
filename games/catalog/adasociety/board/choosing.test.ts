import type { ComposerTurn, Facts } from '@polity/board'
import { expect, test } from 'vitest'
import { allows, goalOf, isEven, planFor, under, valuesOf, waysOf, withJoined, withWeight } from './choosing'
import { bargainOf, readWorld, type World } from './reading'

const frame = (view: Facts): World =>
  readWorld({ n: 1, clock: [], stage: 'physical', seats: [], view, events: [], payoffs: [], actions: [], notes: [], flags: [], metrics: null, hash: '' })

const world = frame({
  height: 3, width: 4,
  cells: [
    { cell: [0, 1], block: false, event: 'hammer_craft', stack: [['wood', 5]] },
    { cell: [1, 1], block: true, event: null, stack: [] },
    { cell: [2, 3], block: false, event: null, stack: [['stone', 20]] },
  ],
  agents: [{ seat: 0, cell: [0, 1] }, { seat: 1, cell: [2, 2] }],
  bags: [{ seat: 0, units: [['wood', 2]] }],
  tree: { resources: [{ name: 'wood', value: 1, capacity: 3 }, { name: 'stone', value: 1, capacity: 100 }], events: [] },
  graph: {
    groups: [],
    edges: [
      { from: 0, to: 1, shows_map: false, reward: 0, parity: 0, proposal: null },
      { from: 1, to: 0, shows_map: false, reward: 0, parity: 1, proposal: 70 },
    ],
    messages: [],
  },
})

const turn = (more: Partial<ComposerTurn>): ComposerTurn => ({ step: 1, stage: 'physical', schema: {}, options: null, plan_schema: null, plan: null, tick: true, ...more })
const schema = { oneOf: [{ properties: { do: { const: 'move' }, direction: { enum: ['up', 'stay'] } } }, { properties: { do: { const: 'join' }, group: { type: 'integer', minimum: 0, maximum: 2 } } }] }

test('what may be done is read from the schema, and from the legal actions where they are listed', () => {
  expect([...waysOf(turn({ schema })).keys()]).toEqual(['move', 'join'])
  expect(allows(turn({ schema }), { do: 'join', group: 1 })).toBe(true)
  expect(allows(turn({ schema }), { do: 'pick', resource: 'wood' })).toBe(false)
  expect(allows(turn({ schema, options: [{ direction: 'up', do: 'move' }] }), { do: 'move', direction: 'up' })).toBe(true)
  expect(allows(turn({ schema, options: [{ direction: 'up', do: 'move' }] }), { do: 'move', direction: 'stay' })).toBe(false)
  expect(valuesOf(waysOf(turn({ schema })).get('join'), 'group')).toEqual([0, 1, 2])
})

test('underfoot lies what the own cell holds', () => {
  expect(under(world, 0)).toEqual({ cell: 1, stack: [['wood', 5]], event: 'hammer_craft' })
  expect(under(world, 7)).toBeNull()
})

test('a click on a pile gathers what fits, on an empty cell walks there, on a block or the own cell does nothing', () => {
  expect(planFor(world, 0, { row: 2, col: 3 })).toEqual({ plan: 'gather', resource: 'stone', n: 10, to: 11 })
  expect(planFor(world, 0, { row: 0, col: 1 })).toEqual({ plan: 'gather', resource: 'wood', n: 1, to: 1 })
  expect(planFor(world, 0, { row: 2, col: 0 })).toEqual({ plan: 'go', row: 2, column: 0 })
  expect(planFor(world, 0, { row: 1, col: 1 })).toBeNull()
})

test('a standing plan shows where it leads', () => {
  expect(goalOf({ plan: 'go', row: 2, column: 3 }, 4)).toEqual({ row: 2, col: 3 })
  expect(goalOf({ plan: 'gather', resource: 'stone', n: 1, to: 11 }, 4)).toEqual({ row: 2, col: 3 })
  expect(goalOf({ plan: 'explore' }, 4)).toBeNull()
  expect(goalOf(null, 4)).toBeNull()
})

test('a bargain shows what lies on the table for whom', () => {
  expect(bargainOf(world, 0)).toMatchObject({ partner: 1, own: null, theirs: 70 })
  expect(bargainOf(world, 5)).toBeNull()
})

test('joining and weighing lead to the shares that the rules pay', () => {
  const group = { layer: 1, number: 0, members: [[0, 0.8], [1, 0.2]] as const, total: 1.25 }
  const percents = (shares: [number, number][]): [number, number][] => shares.map(([seat, percent]) => [seat, Math.round(percent * 10) / 10])
  expect(percents(withJoined(group, 2))).toEqual([[0, 44.4], [1, 11.1], [2, 44.4]])
  expect(percents(withWeight(group, 1, 1))).toEqual([[0, 50], [1, 50]])
  expect(isEven(withWeight(group, 1, 1))).toBe(true)
  expect(isEven(withJoined(group, 2))).toBe(false)
})
