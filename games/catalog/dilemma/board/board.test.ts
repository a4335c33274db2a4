import type { BoardContext, Frame } from '@polity/board'
import { expect, test } from 'vitest'
import { cells, detail, headline, ledger, legend } from './facts'
import { layoutBoard } from './layout'
import { forgiveness, readMatch, runningTotals } from './reading'

function step(a: string, b: string, more: object = {}, events: Frame['events'] = []): Frame {
  const pays: Record<string, [number, number]> = { CC: [3, 3], CD: [0, 5], DC: [5, 0], DD: [1, 1] }
  const totals = [0, 0]
  for (let i = 0; i < a.length; i++) pays[`${a[i]}${b[i]}`]?.forEach((paid, seat) => (totals[seat]! += paid))
  return {
    n: a.length, clock: [['round', a.length]], stage: 'choose', seats: [0, 1], payoffs: [], actions: [], notes: [],
    flags: [], metrics: null, hash: '', events,
    view: { moves: [a, b], totals, payoffs: pays, rounds: 60, stop_prob: null, noise: [0, 0], said: null, ending: '', ...more },
  } as unknown as Frame
}

const context = (lang: 'en' | 'zh' = 'en', agents = ['haiku', 'GTFT']): BoardContext =>
  ({
    seats: agents.map((agent, seat) => ({ seat, name: 'AB'[seat], role: '', kind: 'policy', agent })),
    config: {},
    lang,
  }) as unknown as BoardContext

test('the headline says who leads and how often both cooperated', () => {
  expect(headline(step('CDC', 'CCC'), context())).toEqual({
    strong: 'A haiku leads B GTFT by 5: 11 to 6.',
    quiet: 'Both cooperate in 2 of 3 rounds; the joint total is 17 of 18 possible.',
  })
  expect(headline(step('C', 'C'), context('en', ['TFT', 'TFT']))).toEqual({
    strong: 'A TFT and B TFT are level at 3.',
    quiet: 'Both cooperate in 1 of 1 round; the joint total is 6 of 6 possible.',
  })
  expect(headline(step('CC', 'DD', { ending: 'length' }), context()).strong).toBe('B GTFT beats A haiku by 10: 10 to 0.')
})

test('before the first round the headline says what length is known', () => {
  expect(headline(step('', ''), context()).quiet).toBe('The match lasts 60 rounds.')
  expect(headline(step('', '', { rounds: null, stop_prob: 0.02 }), context()).quiet).toBe('After each round it ends with probability 0.02.')
  expect(headline(step('', '', { rounds: null }), context()).quiet).toBe('Its length is hidden.')
})

test('totals that these eyes may not see are told nowhere', () => {
  const hidden = step('CD', 'CC', { totals: null })
  expect(headline(hidden, context())).toEqual({
    strong: 'The totals are hidden.',
    quiet: 'Both cooperate in 1 of 2 rounds.',
  })
  expect(ledger(hidden, context()).rows.map((row) => row.values[1])).toEqual(['–', '–'])
  expect(detail(hidden, { row: 0, col: 1 }, context()).rows.map(([label]) => label)).not.toContain('totals after it')
})

test('a cell says round, move, payoff and slip, in words and as data', () => {
  const grid = cells(step('CD', 'CC', {}, [{ kind: 'hand_slipped', data: { by: 0, meant: 'C', did: 'D' } }]), context())
  expect([grid.rows, grid.cols]).toEqual([2, 60])
  expect(grid.cell(0, 1)).toEqual({
    text: 'Round 2: A haiku plays D, gets 5, total 8, A haiku meant C',
    data: { round: '2', move: 'D', payoff: '5', total: '8', meant: 'C' },
  })
  expect(grid.cell(1, 1).data).toEqual({ round: '2', move: 'C', payoff: '0', total: '3' })
  expect(grid.cell(1, 59).text).toBe('Round 60: not played yet')
})

test('what stands in no round is listed: how both fare, each seat, what a round pays', () => {
  const [standing, payoffs] = cells(step('CDCC', 'CDDC'), context()).lists?.() ?? []
  expect(standing?.items.map(({ data }) => data)).toEqual([
    { played: '4', both: '2', ending: '' },
    { seat: '0', total: '7', perround: '1.75', forgives: '1' },
    { seat: '1', total: '12', perround: '3', forgives: '0' },
  ])
  expect(payoffs?.items.map(({ text }) => text)).toEqual([
    'A plays C, B plays C: A gets 3, B gets 3',
    'A plays C, B plays D: A gets 0, B gets 5',
    'A plays D, B plays C: A gets 5, B gets 0',
    'A plays D, B plays D: A gets 1, B gets 1',
  ])
  const hidden = cells(step('CC', 'CC', { totals: null }), context())
  expect(JSON.stringify([hidden.cell(0, 1), hidden.lists?.()[0]])).not.toContain('total')
})

test('a match by neutral labels says nothing of cooperation and has no letter but its own', () => {
  for (const lang of ['en', 'zh'] as const) {
    const here = context(lang)
    const frame = step('CDC', 'CCC', { labels: 'neutral' }, [{ kind: 'hand_slipped', data: { by: 0, meant: 'Y', did: 'X' } }])
    const lists = cells(frame, here).lists?.() ?? []
    const told = [
      JSON.stringify(headline(frame, here)), ledger(frame, here).columns[0]?.label, JSON.stringify(detail(frame, { row: 0, col: 1 }, here)),
      ...legend(frame, here).map(({ label }) => label), ...[0, 1, 2].map((col) => cells(frame, here).cell(0, col).text),
      ...lists.flatMap(({ items }) => items.map(({ text }) => text)),
    ].join('\n')
    expect(told).toMatch(/X[^]*Y/)
    expect(told).not.toMatch(/ooperat|efect|合作|背叛|宽恕|orgive|(?<![A-Za-z])[CD](?![A-Za-z])/)
  }
})

test('framed moves are told in words, slips too', () => {
  const frame = step('CD', 'CC', { labels: 'framed' }, [{ kind: 'hand_slipped', data: { by: 0, meant: 'cooperate', did: 'defect' } }])
  expect(cells(frame, context('zh')).cell(0, 1).text).toBe('第 2 轮：A haiku 出 背叛，得 5 分，累计 8，A haiku 本想出 合作')
  expect(cells(frame, context()).cell(0, 0).text).toBe('Round 1: A haiku plays cooperate, gets 3, total 3')
})

test('running totals and forgiveness follow from the strips', () => {
  const match = readMatch(step('CDCC', 'CDDC'))
  expect(runningTotals(match)).toEqual([[3, 4, 4, 7], [3, 4, 9, 12]])
  expect(forgiveness(match, 0)).toBe(1)
  expect(forgiveness(match, 1)).toBe(0)
  expect(forgiveness(readMatch(step('CC', 'CC')), 0)).toBeNull()
})

test('the ledger stands by points and shows the share of C', () => {
  expect(ledger(step('CD', 'CC'), context()).rows.map((row) => [row.seat, ...row.values])).toEqual([
    [0, '50%', '8'],
    [1, '100%', '3'],
  ])
})

test('a short match that is over leaves no empty columns, and one without a known end some', () => {
  const over = layoutBoard(800, 500, 4, 4, false)
  expect([over.shown, over.column]).toEqual([4, 72])
  expect(layoutBoard(800, 500, 4, null, false).shown).toBe(40)
})

test('a long match shows its latest rounds in columns that can be read', () => {
  const short = layoutBoard(800, 500, 44, 60, false)
  expect([short.first, short.shown]).toEqual([0, 60])
  const long = layoutBoard(800, 500, 5000, 10_000, false)
  expect(long.column).toBeGreaterThanOrEqual(7)
  expect(long.first + long.shown).toBe(5000)
  expect(long.hit(long.x(4999) + 1, long.strips[1] + 1)).toEqual({ row: 1, col: 4999 })
  expect(long.hit(10, 20)).toBeNull()
})
