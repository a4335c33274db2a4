import type { BoardContext, Frame, Json } from '@polity/board'
import { expect, test } from 'vitest'
import { cells, detail, headline, ledger } from './facts'
import { layoutWorld } from './layout'
import { actionOf, arriving, draftOf, purseOf } from './orders'
import { flows, readWorld, staged } from './reading'

const budget = { territories: 3, gross: 30, damage: 10, penalty: 3, upkeep: 4, wanted: 2, bought: 0, spent: 0, granted: 5, left: 8, received: 6, welfare: 14, army: 2, lost: 1, deserted: 0, disbanded: 0 }
const rules = { income: 10, price: 20, upkeep: 2, damage: 10, defence: 4, penalty: 1, trade: 2, per_attack: true, in_proportion: false, paid_at_end: false, messages: 4, message_length: 280, resources: null }

function turn(more: object = {}, events: Frame['events'] = []): Frame {
  return {
    n: 3, clock: [['round', 1], ['turn', 3]], stage: 'orders', seats: [0, 1, 2], payoffs: [], actions: [], notes: [], flags: [], metrics: null, hash: '', events,
    view: {
      stage: 'orders', round: 1, rounds: 1, turn: 3, turns: 12, owners: [0, 0, 0, 1, 1, 2], first: [0, 0, 1, 1, 1, 2], rules, peak: 120,
      seats: [
        { army: 4, welfare: 50, banked: 0, held: null, goal: null, budget },
        { army: 0, welfare: 70, banked: 0, held: null, goal: null, budget: { ...budget, welfare: 20 } },
        { army: 1, welfare: 20, banked: 0, held: null, goal: null, budget: { ...budget, welfare: 6 } },
      ],
      attacks: [{ by: 2, on: 0, mils: 1, lost: 1, damage: 10 }],
      grants: [{ by: 0, to: 1, wanted: 3, paid: 3, arrived: 6 }, { by: 0, to: 1, wanted: 9, paid: 2, arrived: 4 }],
      cessions: [], promises: [], ...more,
    },
  } as unknown as Frame
}

const context = (lang: 'en' | 'zh' = 'en'): BoardContext =>
  ({ seats: ['Aldor', 'Brevia', 'Corvane'].map((name, seat) => ({ seat, name, role: '', kind: 'policy', agent: '' })), config: {}, lang }) as unknown as BoardContext

const hidden = { seats: [{ army: 4, welfare: 50, banked: 0, held: null, goal: null, budget }, ...[1, 2].map(() => ({ army: null, welfare: null, banked: null, held: null, goal: null, budget: null }))] }

test('the headline says who attacked and what the turn came to', () => {
  expect(headline(turn(), context())).toEqual({
    strong: 'Corvane attacks Aldor: damage 10.',
    quiet: 'The turn yields 40 welfare; peace with full trade would yield 120.',
  })
  expect(headline(turn({ attacks: [] }), context()).strong).toBe('No attacks.')
})

test('what is hidden from these eyes is told nowhere', () => {
  expect(headline(turn(hidden), context()).quiet).toBe('1 grant: 5 given, 10 arrive.')
  expect(ledger(turn(hidden), context()).rows.map((row) => row.values)).toEqual([['3', '4', '50'], ['2', '–', '–'], ['1', '–', '–']])
  expect(cells(turn(hidden), context()).cell(0, 1)).toEqual({ text: 'Brevia: 2 territories, army unknown', data: { seat: '1', territories: '4,5' } })
})

test('the ledger stands in the order of welfare', () => {
  expect(ledger(turn(), context()).rows.map(({ seat }) => seat)).toEqual([1, 0, 2])
})

test('a nation’s budget is told in the order of its deductions', () => {
  expect(detail(turn(), { row: 0, col: 0 }, context()).rows).toEqual([
    ['3 territories', '30'], ['damage', '−10'], ['violence penalty', '−3'], ['upkeep, 2 mils', '−4'], ['0 of 2 mils bought', '0'],
    ['granted', '−5'], ['left, becomes welfare', '8'], ['received as welfare', '6'],
  ])
})

test('grants of one turn between the same two are one flow', () => {
  expect(flows(readWorld(turn()).grants)).toEqual([{ by: 0, to: 1, wanted: 12, paid: 5, arrived: 10 }])
})

test('cards stay on the board and apart, at every size and number', () => {
  for (const [width, height] of [[880, 560], [366, 420]] as const) {
    for (const count of [2, 3, 4, 5, 6]) {
      const { nations } = staged(Array.from({ length: 5 * count }, (_, at) => at % count))
      const { cards } = layoutWorld(width, height, nations, false)
      for (const [i, card] of cards.entries()) {
        expect(card.x >= 0 && card.y >= 0 && card.x + card.width <= width && card.y + card.height <= height, `${width} ${count} ${i}`).toBe(true)
        for (const other of cards.slice(i + 1)) {
          const apart = card.x + card.width <= other.x || other.x + other.width <= card.x || card.y + card.height <= other.y || other.y + other.height <= card.y
          expect(apart, `${width} × ${height}, ${count} nations`).toBe(true)
        }
      }
    }
  }
})

test('the purse cuts attacks at the army, and purchases and grants at the money, in their order', () => {
  const draft = draftOf({ buy: 1, attacks: [{ on: 1, mils: 3 }, { on: 2, mils: 3 }], grants: [{ to: 1, amount: 10 }] })
  // 30 − 2 attacks × 3 lands − 4 mils × 2 = 16: no mil for 20, 10 granted, 6 left.
  expect(purseOf(turn(), 0, draft)).toEqual({ income: 30, upkeep: 8, penalty: 6, toSpend: 16, bought: 0, spent: 0, paid: [10], after: [6], left: 6, army: 4, sent: [3, 1] })
  expect(purseOf(turn(), 0, draftOf({ grants: [{ to: 1, amount: 20 }, { to: 2, amount: 5 }] })).paid).toEqual([20, 2])
})

const purseUnder = (changed: object, draft: Json, held: number[] | null = null): ReturnType<typeof purseOf> =>
  purseOf(turn({ rules: { ...rules, ...changed }, seats: [{ army: 4, welfare: 0, banked: 0, held, goal: null, budget: null }] }), 0, draftOf(draft))

test('the purse counts no income for which a resource is missing', () => {
  // 3 territories need 6, 3 and 3: 30 × 6/6 × 1/3 × 2/3 = 6.666…, in whole hundredths.
  expect(purseUnder({ resources: [2, 1, 1] }, {}, [9, 1, 2]).income).toBe(6.66)
  expect(purseUnder({ resources: [2, 1, 0] }, {}, [9, 9, 0]).income).toBe(30)
  expect(purseUnder({ resources: [2, 1, 1] }, {}, [9, 0, 9]).toSpend).toBe(0)
})

test('the purse knows the ways to cut attacks off, to penalise them and to pay for land', () => {
  const attacks = [{ on: 1, mils: 3 }, { on: 2, mils: 3 }]
  expect(purseUnder({ in_proportion: true }, { attacks }).sent).toEqual([2, 2])
  expect(purseUnder({ per_attack: false }, { attacks }).penalty).toBe(3)
  expect(purseUnder({ paid_at_end: true }, { cede: [{ territory: 1, to: 1 }] }).income).toBe(20)
  expect(purseUnder({}, { cede: [{ territory: 1, to: 1 }] }).income).toBe(30)
})

test('the purse pays for whole mils only, and what a grant brings is rounded down', () => {
  // 30 in all: 2.9999 mils are 2; 0.07 times 1.5 is 0.105.
  expect(purseUnder({ price: 10, upkeep: 0.01 }, { buy: 3 }).bought).toBe(2)
  expect([arriving(0.07, 1.5), arriving(0.29, 1), arriving(10, 2)]).toEqual([0.1, 0.29, 20])
})

test('a draft is an action without empty messages, and none while one is written to nobody', () => {
  const draft = draftOf({ messages: [{ to: 'all', text: ' ', promise: null }, { to: [1], text: 'hi', promise: null }] })
  expect((actionOf(draft) as { messages: unknown }).messages).toEqual([{ to: [1], text: 'hi' }])
  expect(actionOf({ ...draft, messages: [{ to: [], text: 'hi', promise: null }] })).toBeUndefined()
})

test('Chinese eyes read Chinese', () => {
  expect(headline(turn(), context('zh')).strong).toBe('Corvane 攻击 Aldor：损失 10。')
})
