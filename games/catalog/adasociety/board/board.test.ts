import type { BoardContext, Frame } from '@polity/board'
import { expect, test } from 'vitest'
import { cells, detail, headline, ledger, legend } from './facts'
import { depths, hull, panels, placeGraph } from './layout'
import { readWorld } from './reading'
import { short, words } from './words'

function step(n: number, more: { view?: object; events?: Frame['events']; stage?: string } = {}): Frame {
  return {
    n,
    clock: [['step', n]],
    stage: more.stage ?? 'physical',
    seats: [0, 1, 2],
    view: {
      step: n,
      horizon: 120,
      social_steps: 20,
      height: 2,
      width: 3,
      sight: 1,
      stage: 'physical',
      mini_game: 'contract',
      order: [],
      cells: [
        { cell: [0, 0], block: false, event: 'hammer_craft', stack: [['wood', 5], ['hammer', 1]] },
        { cell: [0, 2], block: true, event: null, stack: [] },
      ],
      seen: null,
      agents: [{ seat: 0, cell: [0, 0] }, { seat: 1, cell: [1, 1] }],
      bags: [{ seat: 0, units: [['wood', 2]] }, { seat: 1, units: [] }, { seat: 2, units: [['hammer', 3]] }],
      returns: [[0, 2.5], [1, 0], [2, 30]],
      made: [['hammer_craft', 4]],
      graph: {
        groups: [
          { layer: 1, number: 0, members: [[0, 0.4], [2, 0.6]] },
          { layer: 1, number: 1, members: [] },
        ],
        edges: [{ from: 0, to: 1, shows_map: true, reward: 0, parity: 0, proposal: 60 }],
        messages: [],
      },
      tree: {
        resources: [{ name: 'wood', value: 1, capacity: 9 }, { name: 'stone', value: 1, capacity: 9 }, { name: 'hammer', value: 5, capacity: 1 }],
        events: [{ name: 'hammer_craft', inputs: [['wood', 1], ['stone', 1]], outputs: [['hammer', 1]], requires: [] }],
      },
      ...more.view,
    } as Frame['view'],
    events: more.events ?? [],
    payoffs: [],
    actions: [],
    notes: [],
    flags: [],
    metrics: null,
    hash: '',
  }
}

const context = (lang: 'en' | 'zh' = 'en', as: number | null = null): BoardContext =>
  ({
    seats: ['carpenter_0', 'carpenter_1', 'miner_0'].map((name, seat) => ({ seat, name, role: '', kind: 'policy', agent: 'crew' })),
    lang,
    as,
  }) as unknown as BoardContext

test('a cell says who stands there, what lies there and what can be made, in words and as data', () => {
  const grid = cells(step(3), context())
  expect(grid.cell(0, 0)).toEqual({
    text: '(0,0) carpenter_0 stands here, holding 2 wood, in group 0 with 40%, bargaining with carpenter_1, proposing 60% for its side, showing its map to carpenter_1, a place for hammer craft, 5 wood, 1 hammer',
    data: { seat: '0', event: 'hammer_craft', stack: 'wood:5 hammer:1' },
  })
  expect(grid.cell(0, 2).data).toEqual({ block: 'true' })
  expect(grid.cell(1, 0)).toEqual({ text: '(1,0) empty', data: {} })
})

test('what stands in no cell is listed: the moment, the seats of the graph, the tree', () => {
  const [moment, seats, tree] = cells(step(3), context()).lists?.() ?? []
  expect(moment?.items).toEqual([{ text: 'Next: everyone acts on the map; step 3 of 120', data: { step: '3', stage: 'physical', horizon: '120' } }])
  expect(seats?.items.map(({ data }) => data)).toEqual([
    { seat: '0', groups: '0:0.4', shows: '1', gives: '', at: '0 0', bag: 'wood:2', reward: '2.5', partner: '1', proposal: '60' },
    { seat: '1', groups: '', shows: '', gives: '', at: '1 1', bag: '', reward: '0' },
    { seat: '2', groups: '0:0.6', shows: '', gives: '', bag: 'hammer:3', reward: '30' },
  ])
  expect(seats?.items[2]?.text).toBe('miner_0: holding 3 hammer, in group 0 with 60%, reward 30')
  expect(tree?.items.at(-1)).toEqual({
    text: 'hammer craft: 1 hammer from 1 wood, 1 stone (4 made)',
    data: { event: 'hammer_craft', inputs: 'wood:1 stone:1', outputs: 'hammer:1', made: '4' },
  })
})

test('what the eyes do not see is said to be unseen, not empty', () => {
  const grid = cells(step(3, { view: { seen: [0, 1] } }), context('en', 0))
  expect(grid.cell(1, 2)).toEqual({ text: '(1,2) not seen', data: { unseen: 'true' } })
})

test('the headline says what happened and then how things stand', () => {
  const made = step(30, { events: [{ kind: 'synthesized', data: { seat: 0, event: 'hammer_craft', made: ['hammer'], cell: [0, 0] } }] })
  expect(headline(made, context())).toEqual({
    strong: 'carpenter_0 makes hammer.',
    quiet: '32.5 earned so far, 1 group with members, 90 steps left.',
  })
  expect(headline(made, context('zh')).strong).toBe('carpenter_0 制成 锤子。')
  const merged = step(5, { events: [{ kind: 'groups_merged', data: { seat: 2, with: 0, share: 60, group: 0, weights: [] } }] })
  expect(headline(merged, context()).strong).toBe('miner_0 and carpenter_0 agree.')
  expect(headline(step(9, { stage: 'negotiation' }), context()).strong).toBe('Nothing is agreed in this step.')
})

test('eyes that know no rewards are told so', () => {
  expect(headline(step(4, { view: { returns: [] } }), context()).quiet).toBe(
    'Only the social graph is known to these eyes; 116 steps left.',
  )
})

test('the ledger stands by reward, and bags that these eyes may not see are a dash', () => {
  const { rows, note } = ledger(step(3, { view: { bags: [{ seat: 2, units: [['hammer', 3]] }], returns: [[2, 30]] } }), context())
  expect(rows.map((row) => [row.seat, ...row.values])).toEqual([
    [2, '0', '3 Hm', '30'],
    [0, '0', '–', '–'],
    [1, 'alone', '–', '–'],
  ])
  expect(note).toBe('Bags are known to their owners alone.')
})

test('a bag of many kinds is cut to the two that there are most of', () => {
  const units = [['wood', 3], ['stone', 9], ['hammer', 1], ['coal', 2], ['iron', 1]]
  const { rows } = ledger(step(3, { view: { bags: [{ seat: 2, units }] } }), context('zh'))
  expect(rows.find((row) => row.seat === 2)?.values[1]).toBe('9 石 3 木 +3')
})

test('a chosen cell tells the bag of who stands on it', () => {
  const told = Object.fromEntries(detail(step(3), { row: 0, col: 0 }, context()).rows)
  expect(told).toEqual({ event: 'hammer craft', piles: '5 wood, 1 hammer', agent: 'carpenter_0', Bag: '2 wood' })
})

test('the window is in the legend only where somebody looks', () => {
  expect(legend(step(1), context()).map((item) => item.label)).toEqual(['pile', 'dot or light letters: event grid', 'block', 'shows its map'])
  expect(legend(step(1), context('en', 1)).map((item) => item.label)).toContain('what the agent sees')
})

test('every seat has its own place in the graph, inside the box', () => {
  const world = readWorld(step(3))
  const { seats, groups } = placeGraph(world, [0, 1, 2], { x: 100, y: 50, width: 400, height: 300 }, 14)
  expect([...seats.keys()].sort()).toEqual([0, 1, 2])
  expect([...groups.keys()]).toEqual([0])
  const spots = [...seats.values()].map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`)
  expect(new Set(spots).size).toBe(3)
  for (const { x, y } of seats.values()) {
    expect(x).toBeGreaterThan(100)
    expect(x).toBeLessThan(500)
    expect(y).toBeGreaterThan(50)
    expect(y).toBeLessThan(350)
  }
})

test('where a group has too little room its seats stand without words, which would hide their neighbours', () => {
  const seats = [0, 1, 2, 3, 4, 5, 6, 7]
  const graph = { groups: [{ layer: 1, number: 0, members: seats.map((seat) => [seat, 0.125]) }], edges: [], messages: [] }
  const world = readWorld(step(1, { view: { graph } }))
  expect(placeGraph(world, seats, { x: 0, y: 0, width: 390, height: 130 }, 8).roomy).toBe(false)
  expect(placeGraph(world, seats, { x: 0, y: 0, width: 390, height: 320 }, 14).roomy).toBe(true)
})

test('where groups overlap, those who share most groups stand side by side', () => {
  const equal = (...seats: number[]) => seats.map((seat) => [seat, 0.25])
  const groups = [equal(0, 1, 4, 5), equal(2, 3, 6, 7), equal(0, 1, 2, 3), equal(4, 5, 6, 7)]
  const graph = { groups: groups.map((members, number) => ({ layer: 1, number, members })), edges: [], messages: [] }
  const placed = placeGraph(readWorld(step(1, { view: { graph } })), [0, 1, 2, 3, 4, 5, 6, 7], { x: 0, y: 0, width: 400, height: 300 }, 14)
  expect(placed.overlapping).toBe(true)
  expect([...placed.seats.keys()]).toEqual([0, 1, 2, 3, 6, 7, 4, 5])
  expect(placed.groups.size).toBe(4)
})

test('a hull leaves out what lies inside', () => {
  const corners = hull([{ x: 0, y: 0 }, { x: 4, y: 0 }, { x: 4, y: 4 }, { x: 0, y: 4 }, { x: 2, y: 2 }])
  expect(corners).toHaveLength(4)
  expect(corners).not.toContainEqual({ x: 2, y: 2 })
})

test('a resource stands one column after the deepest of its inputs', () => {
  const recipes = [
    { name: 'a', inputs: [['wood', 1], ['stone', 1]], outputs: [['hammer', 1]] },
    { name: 'b', inputs: [['hammer', 1], ['wood', 1]], outputs: [['torch', 1]] },
  ] as const
  expect(Object.fromEntries(depths(['wood', 'stone', 'hammer', 'torch'], recipes))).toEqual({ wood: 0, stone: 0, hammer: 1, torch: 2 })
})

test('a narrow board keeps the map, a bare one has nothing else', () => {
  expect(panels(390, 800, false).tree).toBeNull()
  expect(panels(1000, 700, true).graph).toBeNull()
  expect(panels(600, 620, false).tree).not.toBeNull()
  const wide = panels(1000, 700, false)
  expect(wide.map.width + (wide.graph?.width ?? 0)).toBe(1000)
})

test('both languages have every word, and an invented resource has two letters', () => {
  expect(Object.keys(words.zh)).toEqual(Object.keys(words.en))
  expect(short('rope', 'zh')).toBe('Ro')
})
