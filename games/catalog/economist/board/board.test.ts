import { expect, test } from 'vitest'
import { layoutGrid, type BoardContext, type Frame } from '@polity/board'
import board from './index'
import { headline, ledger, standing } from './facts'
import { added, bounds, draftOf, isChanged, outlook, taxesOf } from './planning'
import { ownOrders, readEconomy, type Economy } from './reading'
import type { EconomistView } from './shapes'
import { damped, effectOf, gini, taxOn } from './taxes'
import { layoutPart, seenPart } from './window'

const SCHEDULE = [[0, 0.1], [10, 0.2], [25, 0.35], [50, 0.45]] as const
const SMOOTHED = [[0, 0.0], [8, 0.86136918], [10, 1.13745113], [30, 5.77234089], [100, 35.24865581]] as const

const WORKER = { cell: null, frozen: null, banned: null, coalition: '', coin: null, energy: null, wood: null, stone: null, gross: null, deferred: null, stance: null, fines: null, houses: null, audits: null, catches: null }
const BOOK = { bids: [], asks: [], price: null, qty: null }
const ACCOUNT = { gross: null, reported: 0, owed: null, paid: 0, outcome: 'none' as const, chance: null, evaded: null, fined: 0, shared: 0 }
const REPORT = { epoch: 2, schedule: SCHEDULE, statistics: {}, welfare: 0, bunched: 0, flow: {}, built: 0, trades: 0, catches: 0, misses: null, flags: [], accounts: [{ ...ACCOUNT, reported: 30, paid: 5.75 }, { ...ACCOUNT, reported: 10, paid: 1 }] }
const VIEW: EconomistView = {
  rows: 1, cols: 2, epoch: 4, epochs: 9, step: 8, steps: 12, planning: false, bears: [1, null], stock: [5, null], houses: [[1, 0]], workers: [{ ...WORKER, cell: 0, gross: 30, coin: 4 }, WORKER],
  schedule: SCHEDULE, before: [], smoothing: 0, damping: 0.3, falling: false, redistribution: 'none', fee: 0, house_cost: [3, 3], energy: 10, books: { wood: BOOK, stone: BOOK }, treasury: 9, report: REPORT,
}
const frameOf = (view: Partial<EconomistView>, n = 60, events: object[] = []): Frame => ({ n, view: { ...VIEW, ...view }, events }) as never
const economy = (view: Partial<EconomistView> = {}): Economy => readEconomy(frameOf(view))

test('the planner’s header tells welfare and its parts, and the epoch before where that is here; a worker’s tells none', () => {
  const at = (n: number, report: object | null): Frame => frameOf({ steps: 2, report: report && { ...REPORT, ...report } }, n)
  const now = at(8, { epoch: 2, welfare: 29.14, statistics: { mean_income: 29.2, gini: 0.12 } })
  const frames = new Map([[7, at(7, { epoch: 1, welfare: 28.4, statistics: {} })]])
  const eyes = (as: number | null, before = frames): BoardContext => ({ as, lang: 'en', seats: [], at: (n: number) => before.get(n) }) as never
  expect(standing(now, eyes(2))).toBe('Welfare of epoch 3: 29.1 (epoch 2: 28.4) · mean income 29.2 · equality 0.88')
  expect(standing(now, eyes(2, new Map()))).toBe('Welfare of epoch 3: 29.1 · mean income 29.2 · equality 0.88')
  expect([standing(now, eyes(0)), standing(now, eyes(null)), standing(at(1, null), eyes(2))]).toEqual([null, null, null])
})

test('tax in the browser is the tax of the rules', () => {
  for (const [income, due] of [[0, 0], [10, 1], [15, 2], [30, 5.75], [100, 35.25]] as const) expect(taxOn(SCHEDULE, income)).toBeCloseTo(due)
})

test('smoothed edges take what the rules take', () => {
  // `smooth_tax` of the rules, sigma 2.
  for (const [income, due] of SMOOTHED) expect(taxOn(SCHEDULE, income, 2)).toBeCloseTo(due, 6)
})

test('damping goes the undamped share of the way', () => {
  const target = SCHEDULE.map(([low, rate]) => [low, rate + 0.1] as const)
  expect(damped(SCHEDULE, target, 0.3).map(([, rate]) => Number(rate.toFixed(3)))).toEqual([0.17, 0.27, 0.42, 0.52])
  expect(damped(SCHEDULE, [[0, 0.5]], 0.3)).toEqual([[0, 0.5]])
})

test('Gini is 0 for equals and half for two of whom one has all', () => {
  expect([gini([3, 3]), gini([0, 8]), gini([0, 0])]).toEqual([0, 0.5, 0])
})

test('a draft tells what last reports would have paid', () => {
  const { rows, before, after, more, less } = effectOf([{ seat: 0, reported: 30, paid: 5.75 }, { seat: 1, reported: 10, paid: 1 }], [[0, 0.2]], false)
  expect(rows.map((row) => row.drafted)).toEqual([6, 2])
  expect([before.revenue, after.revenue, more, less]).toEqual([6.75, 8, 2, 0])
})

test('an unchanged draft sends no brackets, a changed one all of them', () => {
  const seen = economy()
  const same = draftOf(null, seen)
  expect([isChanged(same, seen), taxesOf(same, seen)]).toEqual([false, { do: 'set_taxes', brackets: [] }])
  const other = draftOf({ brackets: [[0, 12], [10, 20], [25, 35], [50, 45]] }, seen)
  expect(taxesOf(other, seen)).toEqual({ do: 'set_taxes', brackets: [[0, 0.12], [10, 0.2], [25, 0.35], [50, 0.45]] })
  expect(outlook(other, seen).next[0]?.[1]).toBeCloseTo(0.114)
  expect(outlook(other, seen).idleTop).toBe(50)
})

test('who knows nobody’s coin is told what each reported and paid', () => {
  const frame = frameOf({ workers: [WORKER, WORKER], report: { ...REPORT, accounts: [...REPORT.accounts].reverse() } })
  const told = ledger(frame, { lang: 'en', seats: [], config: {} } as unknown as BoardContext)
  expect(told.columns.map(({ label }) => label)).toEqual(['Reported', 'Tax'])
  expect(told.rows.map(({ seat, values }) => [seat, ...values])).toEqual([[1, '30', '5.75'], [0, '10', '1']])
  expect(told.note).toMatch(/^As reported and taxed in epoch 3\./)
})

test('the planner’s page has no board beside what it writes on a telephone, a worker’s has', () => {
  const height = (planning: boolean, as: number): number | undefined =>
    board.height?.(frameOf({ planning }), { as, subject: true } as unknown as BoardContext, 366)
  expect([height(true, 2), height(true, 0), height(false, 2)]).toEqual([0, undefined, undefined])
})

test('a rate stays between its neighbours unless rates may fall', () => {
  const draft = draftOf(null, economy())
  expect(bounds(draft, 1, false)).toEqual({ min: 10, max: 35 })
  expect(bounds(draft, 1, true)).toEqual({ min: 0, max: 100 })
  expect(added(draft).brackets.at(-1)).toEqual([75, 45])
})

test('what these eyes may not see is null, not nothing', () => {
  const seen = economy()
  expect([seen.bears[1], seen.workers[1]?.coin, seen.workers[1]?.cell]).toEqual([null, null, null])
  expect(seen.ownerOf.get(1)).toBe(0)
})

test('a step in which nothing is built or traded is told by who is ahead and when taxes are due', () => {
  const context = (lang: 'en' | 'zh', as: number | null = null) => ({ lang, as, seats: [0, 1, 2].map((seat) => ({ seat, name: `w${seat}` })) }) as unknown as BoardContext
  const told = (coins: readonly (number | null)[], events: object[] = [], more: object = {}) => (lang: 'en' | 'zh', as: number | null = null) =>
    headline(frameOf({ workers: coins.map((coin) => ({ ...WORKER, cell: 0, coin })), ...more }, 60, events), context(lang, as))
  expect(told([20, 41.5, 30])('en')).toEqual({ strong: 'w1 leads with 41.5 coin, 11.5 more than w2.', quiet: 'Taxes are due in 4 steps. 1 house stands, treasury 9.' })
  expect(told([20, 20, 3])('en').strong).toBe('w0 and w1 lead with 20 coin each.')
  expect(told([20, 41.5, 30])('zh').strong).toBe('w1 以 41.5 枚钱币领先，比 w2 多 11.5。')
  expect(told([null, 41.5, null])('en', 1)).toEqual({ strong: 'w1 holds 41.5 coin.', quiet: 'Taxes are due in 4 steps. 1 house in sight, treasury 9.' })
  expect(told([1, 2, 3], [{ kind: 'shift_income', data: { by: 0 } }])('en').strong).toBe('w0 defers income to the next epoch; w2 leads with 3 coin, 1 more than w1.')
  expect(told([1, 2, 3], [], { step: 12, planning: true })('en')).toEqual({ strong: 'The planner is asked: epoch 5 has ended.', quiet: 'Epoch 5 is taxed now. 1 house stands, treasury 9.' })
})

test('eyes that see a part of the map are shown that part, and a place in it is a cell of the map', () => {
  const bears = Array.from({ length: 225 }, (_, cell) => (Math.floor(cell / 15) >= 7 && Math.floor(cell / 15) < 12 && cell % 15 >= 10 ? 0 : null))
  const seen = economy({ rows: 15, cols: 15, bears, stock: bears, houses: [], workers: [{ ...WORKER, cell: 147 }] })
  const part = seenPart(seen)
  expect(part).toEqual({ row: 6, col: 8, rows: 7, cols: 7 })
  expect(seenPart(economy({ bears: [0, 0] }))).toBeNull()
  const layout = layoutPart(layoutGrid(390, 390, 7, 7, 20), seen, part ?? { row: 0, col: 0, rows: 1, cols: 1 })
  const { x, y } = layout.middle({ row: 9, col: 12 })
  expect([layout.hit(x, y), layout.hit(0, 0), layout.box({ row: 0, col: 0 })]).toEqual([{ row: 9, col: 12 }, null, null])
  expect(layout.size).toBeGreaterThan(45)
})

test('a seat is shown those of its orders that still stand', () => {
  const wood = { ...BOOK, bids: [[0, 3, 4, 2], [1, 1, 3, 1]] as const, asks: [[0, 1, 5, 0]] as const }
  expect(ownOrders({ wood, stone: BOOK }, 0)).toEqual([{ good: 'wood', verb: 'buy', left: 2, price: 4 }])
})
