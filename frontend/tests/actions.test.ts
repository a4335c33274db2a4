import { expect, test } from 'vitest'
import adasociety from '../../games/catalog/adasociety/words/en.yaml'
import economist from '../../games/catalog/economist/words/en.yaml'
import mining from '../../games/catalog/mining/words/en.yaml'
import nations from '../../games/catalog/nations/words/en.yaml'
import nationsZh from '../../games/catalog/nations/words/zh.yaml'
import { asideOf, itemText, readAs } from '../src/actions'
import type { Json } from '../src/types'

const told = (asked: Json, left: Json, notes: { kind: string; data: { [key: string]: Json } }[], words = mining as never) => {
  const { rows, rest } = readAs(asked, left, notes, words, 'en')
  return { rows: rows.map((row) => [itemText(row), row.fate, row.now, row.why.map(({ kind }) => kind)]), rest: rest.map(({ kind }) => kind) }
}

test('each item of a plan has its fate and its reason', () => {
  const asked = { items: [{ type: 'defend', cell: [2, 3], s: 1 }, { type: 'mine', cell: [3, 2], s: 3 }, { type: 'raid', cell: [1, 2], s: 1 }], messages: [], origin: 'own', unread: 0 }
  const left = { items: [{ type: 'defend', cell: [2, 3], s: 1 }, { type: 'mine', cell: [3, 2], s: 2 }], messages: [], origin: 'own', unread: 0 }
  const notes = [
    { kind: 'mining_capped', data: { action: 'mine', cell: [3, 2], stamina: 3, most: 2 } },
    { kind: 'own_plot', data: { action: 'raid', cell: [1, 2] } },
    { kind: 'no_talk', data: { count: 1 } },
  ]
  expect(told(asked, left, notes)).toEqual({
    rows: [
      ['Defend (2,3) stamina 1', 'kept', '', []],
      ['Mine (3,2) stamina 3', 'changed', 'stamina 3 → 2', ['mining_capped']],
      ['Raid (1,2) stamina 1', 'out', '', ['own_plot']],
    ],
    rest: ['no_talk'],
  })
})

test('of two items that are the same one is struck out', () => {
  const claim = { type: 'claim', cell: [0, 0], s: 1 }
  const { rows } = told({ items: [claim, claim] }, { items: [claim] }, [{ kind: 'stands_twice', data: { action: 'claim', cell: [0, 0] } }])
  expect(rows.map(([, fate, , why]) => [fate, why])).toEqual([['kept', []], ['out', ['stands_twice']]])
})

test('amounts beside lists are items where they are any', () => {
  const asked = { buy: 5, attacks: [{ on: 2, mils: 9 }], cede: [], disband: 0 }
  const left = { buy: 5, attacks: [{ on: 2, mils: 4 }], cede: [], disband: 0 }
  const { rows } = told(asked, left, [{ kind: 'attack_cut', data: { to: 2, mils: 9, left: 4, army: 4 } }], nations as never)
  expect(rows).toEqual([
    ['Attack on 2, mils 9', 'changed', 'mils 9 → 4', ['attack_cut']],
    ['Buy 5', 'kept', '', []],
  ])
})

test('nothing of something is told where it is the whole answer, and not beside lists', () => {
  expect(asideOf({ units: 0 }, {})).toEqual(['units 0'])
  expect(asideOf({ buy: 0, attacks: [], disband: 2 }, nations as never)).toEqual(['Disband 2'])
})

test('a single move that is replaced names what is played', () => {
  const { rows } = told({ do: 'gather' }, { do: 'noop' }, [], { actions: { gather: 'Gather', noop: 'Nothing' } } as never)
  expect(rows).toEqual([['Gather', 'changed', 'Nothing', []]])
})

test('an item says whom it is for, quotes what is said, and holds no JSON', () => {
  const named = (seat: number): string => ['Aldor', 'Brevia', 'Corvane'][seat] ?? ''
  const read = (asked: Json, words: unknown, lang: 'en' | 'zh' = 'en'): string[] => readAs(asked, asked, [], words as never, lang, named).rows.map(itemText)
  const orders = { buy: 0, attacks: [{ on: 2, mils: 3 }], grants: [{ to: 1, amount: 16.66 }], messages: [{ to: [1], text: 'Peace?', promise: { kind: 'peace', amount: 0, turns: 2 } }] }
  expect(read(orders, nations)).toEqual(['Attack on Corvane, mils 3', 'Grant to Brevia, money 16.66', 'to Brevia, “Peace?”, promise no attack, money 0, turns 2'])
  expect(read({ grants: orders.grants }, nationsZh, 'zh')).toEqual(['赠予 给 Brevia，金额 16.66'])
  expect(read({ do: 'set_taxes', brackets: [[0, 0.093119], [10, 0.2]] }, economist)).toEqual(['Set taxes brackets 0:\u00a09.3%, 10:\u00a020%'])
  expect(read({ do: 'send', seat: 1, text: '', vector: [] }, adasociety)).toEqual(['Send a message Brevia'])
})
