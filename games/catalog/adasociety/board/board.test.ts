import { ledgerText, type BoardContext, type Frame } from '@polity/board'
import { expect, test } from 'vitest'
import { since, standings } from './agreeing'
import { needsOf } from './drawing'
import { cells, detail, headline, ledger, legend } from './facts'
import { depths, panels, roomFor, rowOfSeats } from './layout'
import { wrapped } from './paragraph'
import { bargains, mergedShares, readWorld } from './reading'
import { stakes } from './stakes'
import { columnsOf, standOf, treeHeight } from './treedrawing'
import { Viewport, fieldOf, portAround } from './viewport'
import { short } from './words'

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
    theme: { isDark: false },
    at: () => undefined,
  }) as unknown as BoardContext

test('a cell says who stands there, what lies there and what can be made, in words and as data', () => {
  const grid = cells(step(3), context())
  expect(grid.cell(0, 0)).toEqual({
    text: '(0,0) carpenter_0 stands here, holding 2 wood, in group 0 with 40%, bargaining with carpenter_1, proposing 60% for its side, showing its map to carpenter_1, a place for hammer making, 5 wood, 1 hammer',
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
  expect(seats?.items[2]?.text).toBe('miner_0: holding 3 hammers, in group 0 with 60%, reward 30')
  expect(tree?.items.at(-1)).toEqual({
    text: 'hammer making: 1 hammer from 1 wood, 1 stone (4 made)',
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
    strong: 'carpenter_0 makes a hammer.',
    quiet: '32.5 earned so far, 1 group with members, 90 steps left.',
  })
  expect(headline(made, context('zh')).strong).toBe('carpenter_0 制成锤子。')
  const picked = step(31, { events: [{ kind: 'resource_picked', data: { seat: 2, resource: 'hammer', cell: [0, 0] } }] })
  expect(headline(picked, context()).strong).toBe('miner_0 picks up a hammer.')
  const merged = step(5, { events: [{ kind: 'groups_merged', data: { seat: 2, with: 0, share: 60, group: 0, weights: [] } }] })
  expect(headline(merged, context()).strong).toBe('miner_0 and carpenter_0 agree: 60 to 40 of all that their sides earn, as group 0.')
  expect(headline(step(9, { stage: 'negotiation' }), context()).strong).toBe('Nobody bargains; 1 group stands as agreed.')
})

test('eyes that know no rewards are told so', () => {
  expect(headline(step(4, { view: { returns: [] } }), context()).quiet).toBe(
    'Only who is with whom is known here; 116 steps left.',
  )
})

test('the first of its kind is told as such, and who of the group gains from it', () => {
  const made = step(30, { view: { made: [['hammer_craft', 1]] }, events: [{ kind: 'synthesized', data: { seat: 0, event: 'hammer_craft', made: ['hammer'], cell: [0, 0] } }] })
  made.payoffs.push([0, 2], [2, 3])
  expect(headline(made, context()).strong).toBe('carpenter_0 makes the first hammer. miner_0, of its group, gains 3 from it.')
})

test('who leaves a group breaks it up, and that is told', () => {
  const left = step(31, { view: { graph: { groups: [{ layer: 1, number: 0, members: [[2, 1]] }], edges: [], messages: [] } } })
  expect(headline(left, { ...context(), at: () => step(30) }).strong).toBe('Group 0 breaks up.')
})

test('a seat that sees its own reward alone is told that, and nothing of the others', () => {
  expect(headline(step(4, { view: { returns: [[1, 7]] } }), context('en', 1)).quiet).toBe('carpenter_1 has earned 7; 116 steps are left.')
})

test('the ledger stands by reward, and bags that these eyes may not see are a dash', () => {
  const { rows, note } = ledger(step(3, { view: { bags: [{ seat: 2, units: [['hammer', 3]] }], returns: [[2, 30]] } }), context())
  expect(rows.map((row) => [row.seat, ...row.values.map((value) => ledgerText(value, 'en'))])).toEqual([
    [2, '0', '3 hammer', '30'],
    [0, '0', '–', '–'],
    [1, 'alone', '–', '–'],
  ])
  expect(note).toBe('Bags are known to their owners alone.')
})

test('a bag of many kinds is cut, what was made last first', () => {
  const units = ['wood', 'stone', 'coal', 'iron', 'clay', 'hammer', 'torch', 'steel'].map((name, i) => [name, i + 1])
  const { rows } = ledger(step(3, { view: { bags: [{ seat: 2, units }] } }), context('zh'))
  expect(ledgerText(rows.find((row) => row.seat === 2)?.values[1] ?? '', 'zh')).toBe('8 份钢、7 份火把、6 份锤子、5 份黏土、4 份铁、3 份煤、+2')
})

test('a chosen cell tells the bag of who stands on it', () => {
  const told = Object.fromEntries(detail(step(3), { row: 0, col: 0 }, context()).rows)
  expect(told).toEqual({ event: 'hammer making', piles: '5 wood, 1 hammer', agent: 'carpenter_0', Holds: '2 wood' })
})

test('the legend names every sign that is on the map, and the window only where somebody looks', () => {
  expect(legend(step(1), context()).map((item) => item.label)).toEqual(['wood', 'hammer', 'hammer: made on a bench', 'rock'])
  expect(legend(step(1), context('en', 1)).map((item) => item.label)).toContain('what the agent sees')
  const unknown = ['torch_craft', 'potting'].map((name) => ({ name, inputs: [['wood', 1]], outputs: [['', 1]], requires: [] }))
  const cells = unknown.map(({ name }, col) => ({ cell: [1, col], block: false, event: name, stack: [] }))
  const labels = legend(step(1, { view: { cells, tree: { resources: [], events: unknown } } }), context('en', 1)).map((item) => item.label)
  expect(labels).toEqual([...new Set(labels)].filter(Boolean))
})

test('where groups overlap, those who share most groups stand side by side', () => {
  const equal = (...seats: number[]) => seats.map((seat) => [seat, 0.25])
  const groups = [equal(0, 1, 4, 5), equal(2, 3, 6, 7), equal(0, 1, 2, 3), equal(4, 5, 6, 7)]
  const graph = { groups: groups.map((members, number) => ({ layer: 1, number, members })), edges: [], messages: [] }
  expect(rowOfSeats(readWorld(step(1, { view: { graph } })), [0, 1, 2, 3, 4, 5, 6, 7])).toEqual([0, 1, 2, 3, 6, 7, 4, 5])
})

test('members of a group stand side by side, and loners last', () => {
  expect(rowOfSeats(readWorld(step(3)), [0, 1, 2])).toEqual([0, 2, 1])
})

test('who bargains and is on turn decides, and accepting splits what both sides earn by their shares', () => {
  const edges = [
    { from: 0, to: 1, shows_map: false, reward: 0, parity: 0, proposal: 60 },
    { from: 1, to: 0, shows_map: false, reward: 0, parity: 1, proposal: null },
  ]
  const groups = [{ layer: 1, number: 0, members: [[0, 0.5], [2, 0.5]] }]
  const world = readWorld(step(3, { view: { graph: { groups, edges, messages: [] } } }))
  const [open] = bargains(world)
  expect(open).toEqual({ decides: 1, waits: 0, asked: 60, before: null })
  expect(open && mergedShares(world, open)).toEqual([[0, 30], [2, 30], [1, 40]])
  expect(bargains(readWorld(step(4, { view: { graph: { groups, edges, messages: [] } } })))[0]?.decides).toBe(0)
})

test('a thing is possible now where somebody holds what it takes, and made where it was', () => {
  const poor = readWorld(step(3))
  expect([...standOf(poor, [0, 1, 2]).makeable]).toEqual([])
  expect(standOf(poor, [0]).made.get('hammer')).toBe(4)
  const rich = readWorld(step(3, { view: { bags: [{ seat: 1, units: [['wood', 1], ['stone', 2]] }] } }))
  expect([...standOf(rich, [0, 1, 2]).makeable]).toEqual(['hammer'])
})

test('a part of the torus is drawn over its edges, and what is hit is the cell of the map', () => {
  const size = { rows: 20, cols: 20 }
  const port = portAround(size, 0, 9)
  expect(port).toEqual({ row: 16, col: 16, rows: 9, cols: 9 })
  const field = fieldOf(size, port, { x: 100, y: 0, width: 380, height: 380 }, 0)
  const box = field.box({ row: 0, col: 0 })
  expect(box && field.hit(box.x + 1, box.y + 1)).toEqual({ row: 0, col: 0 })
  expect(field.isDrawn(10 * 20 + 10)).toBe(false)
})

test('a seat looks at its window, which is moved only when it would leave what is drawn; whoever drags it keeps it', () => {
  const at = (row: number, col: number) => readWorld(step(3, { view: { height: 20, width: 20, sight: 2, seen: [], agents: [{ seat: 0, cell: [row, col] }] } }))
  const view = new Viewport()
  const first = view.port(at(10, 10), 0, true)
  expect(first).toEqual({ row: 6, col: 6, rows: 9, cols: 9 })
  expect(view.port(at(11, 10), 0, true)).toEqual(first)
  expect(view.port(at(13, 10), 0, true).row).toBe(9)
  view.pan(3, 0)
  expect(view.port(at(13, 10), 0, true).row).toBe(12)
  expect(view.port(at(2, 2), 0, true).row).toBe(12)
  view.reset()
  expect(view.port(at(2, 2), 0, true).rows).toBe(20)
  view.reset()
  expect(view.port(at(2, 2), 0, true).row).toBe(18)
})

test('a resource stands one column after the deepest of its inputs', () => {
  const recipes = [
    { name: 'a', inputs: [['wood', 1], ['stone', 1]], outputs: [['hammer', 1]], requires: [] },
    { name: 'b', inputs: [['hammer', 1], ['wood', 1]], outputs: [['torch', 1]], requires: [] },
  ] as const
  expect(Object.fromEntries(depths(['wood', 'stone', 'hammer', 'torch'], recipes))).toEqual({ wood: 0, stone: 0, hammer: 1, torch: 2 })
})

test('who plays on a telephone has the map alone; a wide board has all, and the map small while nobody moves', () => {
  const how = { bare: false, plays: false, isSocial: false, seats: 8 }
  expect(panels(390, 400, { ...how, plays: true })).toEqual({ map: { x: 0, y: 0, width: 390, height: 400 } })
  expect(panels(390, 630, how).graph).toBeDefined()
  expect(panels(1000, 700, { ...how, bare: true }).graph).toBeUndefined()
  const wide = panels(1000, 620, how)
  expect([wide.table, wide.graph, wide.tree].every(Boolean)).toBe(true)
  const social = panels(1000, 620, { ...how, isSocial: true })
  expect(social.map?.width).toBeLessThan(wide.map?.width ?? 0)
  expect(social.talk).toBeDefined()
  expect(social.tree).toBeUndefined()
  const quiet = panels(1000, 620, { ...how, isSocial: true, graph: 120, talk: 60 })
  expect([quiet.talk?.height, quiet.tree?.height]).toEqual([60, 440])
})

test('where nothing is said at the table, the headline says who must answer, or what was agreed', () => {
  const negotiating = { mini_game: 'negotiation', stage: 'negotiation', step: 8 }
  const told = (more: object) => headline(step(8, { stage: 'negotiation', view: { ...negotiating, ...more } }), context())
  const edges = [{ from: 0, to: 1, parity: 0, proposal: null }, { from: 1, to: 0, parity: 1, proposal: 70 }]
  expect(told({ graph: { groups: [], edges, messages: [] } }).strong).toMatch(/^\S+ must answer \S+, who asks 70 and leaves 30\.$/)
  const all = [{ layer: 1, number: 0, members: [[0, 0.3], [1, 0.3], [2, 0.4]] }]
  const settled = told({ graph: { groups: all, edges: [], messages: [] } })
  expect(settled.strong).toBe('All have agreed: everybody is in group 0, and nothing is left to bargain over.')
  expect(settled.quiet).toBe('The map opens in 12 steps.')
  expect(told({ graph: { groups: [], edges: [], messages: [] } }).strong).toBe('Nothing is agreed in this step.')
})

test('while everybody is on the way, the headline says what was made until then, and at the end that it is over', () => {
  expect(headline(step(40), context()).strong).toBe('Everybody is on the way; made so far: 4 hammers.')
  expect(headline(step(120), context()).strong).toBe('The run is over; made in all: 4 hammers.')
  expect(headline(step(120), context('zh')).strong).toBe('已结束；共制成：4 份锤子。')
})

const bargaining = { mini_game: 'negotiation', stage: 'negotiation' }
const bodies = [
  { role: 'carpenter', seats: [0, 1], carries: [['hammer', 1], ['coal', 0], ['stone', null]], worth: [['hammer', 5]] },
  { role: 'miner', seats: [2], carries: [['hammer', null], ['coal', null], ['stone', 0]], worth: [['hammer', 10]] },
]

test('while nobody moves the page says why anybody agrees: what only others may carry, and what a group shares', () => {
  const world = readWorld(step(8, { stage: 'negotiation', view: { ...bargaining, bodies } }))
  expect(stakes(world, context())).toMatchObject({
    question: 'Why bargain?',
    answer:
      'A carpenter may carry at most 1 hammer and no coal. A miner may carry no stone. One hammer is worth 5 to a carpenter and 10 to a miner. ' +
      'In a group each earns its share of what any member earns. A share once agreed changes only when its group agrees with others.',
  })
  expect(stakes(world, context('zh'))?.answer).toMatch(/^木匠至多携带 1 份锤子，不能携带煤。矿工不能携带石头。每份锤子对木匠值 5，对矿工值 10。/)
  expect(stakes(readWorld(step(30)), context())).toBeNull()
})

test('the reasons are drawn with the sign of each thing behind its name, and read out without', () => {
  const world = readWorld(step(8, { stage: 'negotiation', view: { ...bargaining, bodies } }))
  const told = stakes(world, context('zh'))
  const marks = told?.drawn.match(/[\ue000-\uf8ff]/g) ?? []
  expect(marks.map((mark) => world.resources[mark.charCodeAt(0) - 0xe000]?.name)).toEqual(['hammer', 'stone', 'hammer'])
  expect(told?.answer).not.toMatch(/[\ue000-\uf8ff]/)
  for (const width of [5, 6, 7, 8, 9]) expect(wrapped((text) => text.length, told?.drawn ?? '', width).some((line) => /^[\ue000-\uf8ff]/.test(line))).toBe(false)
})

test('a new offer is told with whose answer is waited for', () => {
  const edges = [{ from: 0, to: 1, parity: 1, proposal: 60 }, { from: 1, to: 0, parity: 0, proposal: null }]
  const frame = step(8, { stage: 'negotiation', view: { ...bargaining, graph: { groups: [], edges, messages: [] } }, events: [{ kind: 'share_proposed', data: { seat: 0, to: 1, share: 60 } }] })
  expect(headline(frame, context()).quiet).toBe('carpenter_1 must answer now; 12 steps of bargaining left.')
  expect(headline(frame, context('zh')).quiet).toBe('现在须由 carpenter_1 答复；谈判还剩 12 步。')
})

test('seats of one role that carry different things are told by their names', () => {
  const mixed = bodies.map((body) => ({ ...body, role: 'carpenter' }))
  const world = readWorld(step(8, { stage: 'negotiation', view: { ...bargaining, bodies: mixed } }))
  expect(stakes(world, context())?.answer).toMatch(/^carpenter_0 and carpenter_1 may carry/)
})

test('a group has stood since the step in which it came to its members and shares', () => {
  const grouped = (members: [number, number][]) => ({ graph: { groups: [{ layer: 1, number: 0, members }], edges: [], messages: [] } })
  const equal: [number, number][] = [[0, 0.5], [1, 0.5]]
  const frames = [[], [], [[0, 0.4], [1, 0.6]] as [number, number][], equal, equal, equal].map((members, n) => step(n, { view: grouped(members) }))
  const world = readWorld(frames[5] ?? step(5))
  const [group] = world.groups
  const after = (first: number): BoardContext => ({ ...context(), at: (n) => (n < first ? undefined : frames[n]) })
  expect(group && since(world, group, after(4))).toBeNull()
  expect(group && since(world, group, after(0))).toBe(3)
})

test('who must decide stands first, each with what it is at and its share', () => {
  const edges = [{ from: 0, to: 2, parity: 0, proposal: 60 }, { from: 2, to: 0, parity: 1, proposal: null }]
  const groups = [{ layer: 1, number: 4, members: [[0, 0.4], [1, 0.6]] }]
  const frame = step(7, { stage: 'negotiation', view: { ...bargaining, bodies, graph: { groups, edges, messages: [] } } })
  expect(standings(readWorld(frame), context()).map(({ doing, group, percent }) => [doing, group, percent])).toEqual([
    ['must answer carpenter_0', null, 100],
    ['asked 60, waits for miner_0', 4, 40],
    ['free', 4, 60],
  ])
  const told = ledger(frame, context())
  expect(told.rows[0]?.values).toEqual(['must answer carpenter_0', 'alone', '100%'])
  expect(told.note).toMatch(/^Why bargain\? A carpenter may carry/)
})

test('where groups are chosen in turn, each is told when it chooses', () => {
  const choosing = { stage: 'contract', order: [2, 0, 1] }
  const told = (n: number) => standings(readWorld(step(n, { stage: 'contract', view: { ...choosing, step: n } })), context()).map(({ seat, doing }) => [seat, doing])
  expect(told(4)).toEqual([[0, 'must choose'], [1, 'chooses in 1 step'], [2, 'chooses in 2 steps']])
  expect(told(19)[1]).toEqual([1, 'has chosen'])
})

test('a paragraph breaks between words, in Chinese anywhere but before a stop, and loses nothing', () => {
  const measure = (text: string): number => text.length
  expect(wrapped(measure, 'one two three four', 9)).toEqual(['one two', 'three', 'four'])
  expect(wrapped(measure, 'one two three', 9, 7)).toEqual(['', 'one two', 'three'])
  const zh = wrapped(measure, '木匠至多携带，矿工 12 份。', 6)
  expect(zh.some((line) => /^[，。]/.test(line))).toBe(false)
  expect(zh.join('').replaceAll(' ', '')).toBe('木匠至多携带，矿工12份。')
})

test('on a telephone four groups have room for their shares, and the tree has the rest', () => {
  const { graph, tree } = panels(366, 632, { bare: false, plays: false, isSocial: false, seats: 8, graph: 259 })
  expect([graph?.height, tree?.height]).toEqual([165, 101])
  expect(panels(366, 632, { bare: false, plays: false, isSocial: false, seats: 8, graph: 120 }).graph?.height).toBe(133)
})

test('on a telephone who is with whom and what hangs on the answers stand over the map while nobody moves', () => {
  const how = { bare: false, plays: false, isSocial: true, seats: 8, graph: 210, talk: 230 }
  const { map, graph, talk, tree } = panels(366, roomFor(366, { ...how, tree: 0 }), how)
  expect(tree).toBeUndefined()
  expect([graph?.y, talk?.y, map?.y]).toEqual([0, 210, 440])
  expect([graph?.height, talk?.height]).toEqual([210, 230])
  expect(map?.height).toBeGreaterThan(300)
  const squeezed = panels(366, 500, how)
  expect(squeezed.map?.height).toBe(150)
  expect((squeezed.graph?.height ?? 0) + (squeezed.talk?.height ?? 0)).toBe(squeezed.map?.y)
})

test('on a telephone the board asks for a height in which neither the graph nor the tree is squeezed', () => {
  const world = readWorld(step(30))
  const needs = needsOf(world)
  const { map, table, graph, tree } = panels(366, roomFor(366, { ...needs, seats: 8 }), { bare: false, plays: false, seats: 8, ...needs })
  expect([table?.y, map?.y]).toEqual([0, (table?.height ?? 0) + 8])
  expect([map?.height, graph?.height, tree?.height]).toEqual([366, needs.graph, needs.tree])
  expect(treeHeight(world)).toBeGreaterThanOrEqual(36 * Math.max(...columnsOf(world).map((column) => column.length)))
})

test('the map gives way to the reasons down to a size, and then they stand with the seats alone', () => {
  const how = { bare: false, plays: false, isSocial: true, seats: 8, stakes: () => 110 }
  const roomy = panels(1000, 620, how)
  expect(roomy.stakes).toMatchObject({ y: roomy.table?.height, height: 110 })
  expect(roomy.map?.y).toBe((roomy.table?.height ?? 0) + 110)
  expect(panels(1000, 300, how).stakes).toBeUndefined()
})

test('a map on which nobody moves gives way before its cells are too small to read, and no sooner', () => {
  const how = { bare: false, plays: false, isSocial: true, seats: 8, graph: 240, talk: 190, stakes: () => 100 }
  expect(panels(890, 460, { ...how, side: 13 }).map).toBeUndefined()
  expect(panels(890, 460, { ...how, side: 5 }).map).toBeDefined()
  expect(panels(890, 460, { ...how, isSocial: false, side: 13 }).map).toBeDefined()
})

test('who bargains on a telephone sees who is with whom, and the map where there is room under it', () => {
  const how = { bare: false, plays: true, isSocial: true, seats: 8, graph: 180 }
  expect(panels(366, 180, how)).toEqual({ graph: { x: 0, y: 0, width: 366, height: 180 } })
  expect(panels(366, 400, how)).toMatchObject({ graph: { height: 180 }, map: { y: 180, height: 220 } })
})

test('beside a player’s board all seats stand already: it has no table of them', () => {
  const how = { bare: false, plays: true, seats: 8, graph: 200 }
  expect([false, true].map((isSocial) => panels(1000, 620, { ...how, isSocial }).table)).toEqual([undefined, undefined])
})

test('in a low frame the recipes give way to who is with whom, and in a narrow one who leads stands beside the map', () => {
  const how = { bare: false, plays: false, isSocial: false, seats: 8, graph: 200 }
  const low = panels(1176, 340, how)
  expect(low.tree).toBeUndefined()
  expect((low.graph?.y ?? 0) + (low.graph?.height ?? 0)).toBe(340)
  const { table, graph } = panels(616, 320, { ...how, seats: 4, graph: 150 })
  expect(table?.y).toBe(0)
  expect(graph?.y).toBeGreaterThanOrEqual(table?.height ?? 0)
})

test('an invented resource has two letters', () => {
  expect(short('rope')).toBe('Ro')
})
