import type { DryRun, Facts, Frame } from '@polity/board'
import { expect, test } from 'vitest'
import { actionOf, costOf, draftOf, fates, hindrance, lastItems, mostOf, otherNotes, staminaOf, type Item } from './planning'

/** Two rows of three plots: A's (seat 0), B's (seat 1), nobody's (.). */
function land(rows: string, more: Facts = {}): Frame {
  const cells = rows.replaceAll('/', '').split('')
  const owners = cells.map((each) => (each === '.' ? -1 : each.charCodeAt(0) - 65))
  const view = {
    rows: rows.split('/').length, cols: (rows + '/').indexOf('/'), round: 4, mine_cap: 3, defence: 'block_all', immunity_window: 1, owners,
    since: owners.map(() => 1), first: owners, immune_until: owners.map(() => 0), alpha: owners.map(() => 1), defended: [], claimed: [], taken: [],
    seats: [{ gold: 5, plots: 2, stamina: 6 }, { gold: null, plots: 1, stamina: 10 }], treasury: 0, ...more,
  }
  return { n: 4, clock: [['round', 4]], stage: 'act', seats: [0, 1], view, events: [], payoffs: [], actions: [], notes: [], flags: [], metrics: null, hash: '' }
}
const item = (type: Item['type'], row: number, col: number, s = 1): Item => ({ type, cell: [row, col], s })

test('an action that makes no sense on a plot says why', () => {
  const frame = land('AB./A..')
  const why = (kind: Item['type'], plot: number) => hindrance(kind, plot, frame, 0, [])
  expect([why('claim', 2), why('claim', 0), why('claim', 1)]).toEqual([null, 'notEmpty', 'notEmpty'])
  expect([why('raid', 1), why('raid', 0), why('raid', 2)]).toEqual([null, 'ownPlot', 'nobodys'])
  expect([why('mine', 0), why('mine', 1), why('defend', 2)]).toEqual([null, 'notYours', 'notYours'])
  expect(hindrance('mine', 0, frame, 0, [item('mine', 0, 0)])).toBe('planned')
})

test('a plot that is immune in the coming round cannot be raided, one whose immunity ends with this one can', () => {
  const immune = (until: number) => hindrance('raid', 1, land('AB./A..', { immune_until: [0, until, 0, 0, 0, 0] }), 0, [])
  expect([immune(5), immune(4)]).toEqual(['immune', null])
  expect(hindrance('raid', 2, land('AB./A..', { immunity_window: 0 }), 0, [])).toBeNull()
})

test('stamina is bounded by the seat, by what a plot can use and by how defence works', () => {
  const frame = land('AB./A..')
  expect([staminaOf(frame, 0), staminaOf(frame, 1)]).toEqual([6, 10])
  expect([mostOf('mine', frame, 6), mostOf('mine', frame, 2), mostOf('defend', frame, 6), mostOf('raid', frame, 6)]).toEqual([3, 2, 1, 1])
  expect(mostOf('defend', land('A.', { defence: 'per_point' }), 6)).toBe(6)
})

test('what the dry run leaves out is struck out, with the reason that names it', () => {
  const items = [item('claim', 0, 2), item('raid', 0, 1), item('mine', 0, 0, 3)]
  const dry: DryRun = {
    ok: false,
    notes: [
      { kind: 'immune', data: { action: 'raid', cell: [0, 1], until: 4 } },
      { kind: 'mining_capped', data: { action: 'mine', cell: [0, 0], stamina: 3, most: 2 } },
      { kind: 'message_too_long', data: { text: 'x', length: 9, most: 5 } },
      { kind: 'over_stamina', data: { action: 'mine', cell: [0, 0], cost: 5, stamina: 4, count: 1 } },
    ],
    action: { items: [{ type: 'claim', cell: [0, 2], s: 1 }, { type: 'mine', cell: [0, 0], s: 2 }] },
  }
  expect(fates(items, dry).map(({ isOut, s }) => [isOut, s])).toEqual([[false, 1], [true, 0], [false, 2]])
  expect(fates(items, dry)[1]?.reason?.kind).toBe('immune')
  expect(otherNotes(items, dry).map(({ kind }) => kind)).toEqual(['message_too_long'])
  expect(fates(items, null).every(({ isOut }) => !isOut)).toBe(true)
})

test('of two equal items the dry run keeps one', () => {
  const twice = [item('mine', 0, 0), item('mine', 0, 0)]
  const dry: DryRun = { ok: false, notes: [], action: { items: [{ type: 'mine', cell: [0, 0], s: 1 }] } }
  expect(fates(twice, dry).map(({ isOut }) => isOut)).toEqual([false, true])
})

test('a draft is read back as it was written, and from whatever else was kept as an empty one', () => {
  const draft = { items: [item('mine', 0, 0, 2)], messages: [{ to: 'all' as const, text: 'hi' }, { to: [1], text: ' ' }], cell: [0, 0] as [number, number] }
  expect(draftOf(JSON.parse(JSON.stringify(draft)))).toEqual(draft)
  expect(actionOf({ ...draft, messages: [{ to: [], text: 'hi' }] }), 'written to nobody').toBeUndefined()
  expect(draftOf('nonsense')).toEqual({ items: [], messages: [], cell: null })
  expect(actionOf(draft)).toEqual({ items: [{ type: 'mine', cell: [0, 0], s: 2 }], messages: [{ to: 'all', text: 'hi' }] })
  expect(costOf(draft.items)).toBe(2)
})

test('the last plan that was carried out can be taken up again', () => {
  const frame = { ...land('A.'), actions: [[0, { items: [{ type: 'mine', cell: [0, 0], s: 3 }], origin: 'own' }]] as Frame['actions'] }
  expect(lastItems(frame, 0)).toEqual([item('mine', 0, 0, 3)])
  expect(lastItems(frame, 1)).toEqual([])
})
