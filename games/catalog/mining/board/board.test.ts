import type { BoardContext, Frame } from '@polity/board'
import { expect, test } from 'vitest'
import { cells, detail, headline, ledger } from './facts'
import { readLand } from './reading'

/** A land of one row: `owners` as letters, dots for nobody. */
function step(n: number, owners: string, more: { view?: object; events?: Frame['events'] } = {}): Frame {
  const seats = [...owners].map((mark) => (mark === '.' ? -1 : mark.charCodeAt(0) - 65))
  return {
    n,
    clock: [['round', n]],
    stage: 'act',
    seats: [0, 1, 2],
    view: {
      rows: 1,
      cols: owners.length,
      round: n,
      mine_cap: 3,
      owners: seats,
      since: seats.map(() => n),
      first: seats,
      immune_until: seats.map(() => 0),
      alpha: seats.map(() => 1),
      defended: [],
      claimed: [],
      taken: [],
      treasury: 0,
      seats: [5, 9, null].map((gold, seat) => ({ gold, plots: seats.filter((s) => s === seat).length, stamina: 10 })),
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

const context = (lang: 'en' | 'zh' = 'en', at: (n: number) => Frame | undefined = () => undefined): BoardContext =>
  ({
    seats: [0, 1, 2].map((seat) => ({ seat, name: `miner-0${seat + 1}`, role: '', kind: 'policy', agent: 'guided' })),
    config: { mine_cap: 3 },
    lang,
    at,
  }) as unknown as BoardContext

const raided = step(4, 'ABAC.', {
  view: { defended: [1], taken: [[2, 1]], claimed: [3], immune_until: [0, 0, 0, 4, 0] },
  events: [
    { kind: 'raid_repelled', data: { plot: [0, 1], raiders: [0, 2], from: [[0, 0], null], owner: 1 } },
    { kind: 'raid_drawn', data: { plot: [0, 2], raiders: [0, 2], from: [[0, 0], [0, 3]], owner: 1, by: 0 } },
    { kind: 'gold_mined', data: { by: 0, gold: 3, plots: [[0, 0]], mined: [3], lost: [] } },
    { kind: 'round_closed', data: { output: 3 } },
  ],
})

test('a cell says owner, defence, immunity and raid, in words and as data', () => {
  const grid = cells(raided, context())
  expect(grid.cell(0, 1)).toEqual({
    text: '(0,1) owned by miner-02, defended, raid by miner-01 and miner-03 repelled',
    data: { owner: '1', defended: 'true', raid: 'repelled', raiders: '0 2' },
  })
  expect(grid.cell(0, 2)).toEqual({
    text: '(0,2) owned by miner-01, taken from miner-02 by miner-01, miner-03 lost the draw',
    data: { owner: '0', raid: 'taken', raiders: '0 2', before: '1', winner: '0' },
  })
  expect(grid.cell(0, 3).data).toEqual({ owner: '2', claimed: 'true', immune: 'true' })
  expect(grid.cell(0, 4)).toEqual({ text: '(0,4) unowned', data: { owner: '-1' } })
  expect(grid.cell(0, 0).data.mined).toBe('3')
})

test('the headline says what happened and then how things stand', () => {
  expect(headline(raided, context())).toEqual({
    strong: 'miner-01 takes (0,2) from miner-02; 2 raids repelled.',
    quiet: '4 of 5 plots held, 1 defended, output 3 gold.',
  })
  expect(headline(step(2, 'A.'), context()).strong).toBe('A quiet round: nobody raids.')
  expect(headline(step(0, '..'), context('zh')).strong).toBe('土地尚未分配。')
})

test('the ledger stands by gold, and gold that these eyes may not see is a dash', () => {
  const { rows, note } = ledger(raided, context())
  expect(rows.map((row) => [row.seat, ...row.values])).toEqual([
    [1, '1', '9'],
    [0, '2', '5'],
    [2, '1', '–'],
  ])
  expect(note).toBe('Gold is known to its owner alone.')
})

test('a plot tells its owners from the frames that are here', () => {
  const past = [step(0, '...'), step(1, 'A..'), step(2, 'A..'), step(3, 'B..')]
  const now = step(4, 'A..')
  const told = Object.fromEntries(detail(now, { row: 0, col: 0 }, context('en', (n) => past[n])).rows)
  expect(told).toMatchObject({ 'owner before': 'miner-02', 'held by it': '1 round', 'owners so far': '2' })
  const partly = Object.fromEntries(detail(now, { row: 0, col: 0 }, context('en', (n) => (n === 3 ? past[3] : undefined))).rows)
  expect(partly['owners so far']).toBe('–')
})

test('immunity ends with its last round', () => {
  const at = (round: number): boolean => readLand(step(round, 'A', { view: { immune_until: [4] } })).immune(0)
  expect([at(3), at(4), at(5)]).toEqual([true, true, false])
})
