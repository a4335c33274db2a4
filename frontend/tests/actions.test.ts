import { expect, test } from 'vitest'
import mining from '../../games/catalog/mining/words/en.json'
import nations from '../../games/catalog/nations/words/en.json'
import { itemText, readAs } from '../src/actions'
import type { Json } from '../src/types'

const told = (asked: Json, left: Json, notes: { kind: string; data: { [key: string]: Json } }[], words = mining as never) => {
  const { rows, rest } = readAs(asked, left, notes, words)
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

test('a single move that is replaced names what is played', () => {
  const { rows } = told({ do: 'gather' }, { do: 'noop' }, [], { actions: { gather: 'Gather', noop: 'Nothing' } } as never)
  expect(rows).toEqual([['Gather', 'changed', 'Nothing', []]])
})
