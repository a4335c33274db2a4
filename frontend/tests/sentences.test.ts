import { expect, test } from 'vitest'
import { formatted, sentence, spoken } from '../src/sentences'

const name = (seat: number): string => `miner-0${seat + 1}`

test('seats and places become parts of their own', () => {
  expect(sentence('{by:seat} takes {plot:cell} from {owner:seat}.', { by: 0, plot: [8, 2], owner: 2 })).toEqual([
    { type: 'seat', seat: 0 },
    { type: 'text', text: ' takes ' },
    { type: 'cell', row: 8, col: 2 },
    { type: 'text', text: ' from ' },
    { type: 'seat', seat: 2 },
    { type: 'text', text: '.' },
  ])
})

test.each([
  ['{n} {n|plot|plots}', { n: 1 }, '1 plot'],
  ['{n} {n|plot|plots}', { n: 0 }, '0 plots'],
  ['{n} {n|plot|plots}', { n: 2 }, '2 plots'],
  ['{who|raider|raiders}', { who: [3] }, 'raider'],
  ['lost by {losers:seats}', { losers: [1, 2] }, 'lost by miner-02, miner-03'],
  ['lost by {losers:seats}', { losers: [] }, 'lost by –'],
  ['{plots:cells}', { plots: [[1, 2], [3, 4]] }, '(1,2), (3,4)'],
  ['{plots:cells}', { plots: [] }, ''],
  ['{why:list}', { why: ['a', 3] }, 'a, 3'],
  ['{gain} gold', { gain: -4 }, '−4 gold'],
  ['{missing} {also:seat}', {}, '– –'],
  ['{tax.rate}', { tax: { rate: 0.25 } }, '0.25'],
  ['{constructor}', {}, '–'],
  ['a { b } {1} {}', {}, 'a { b } {1} {}'],
])('%s with %j is spoken as "%s"', (template, facts, text) => {
  expect(spoken(sentence(template, facts as never), name)).toBe(text)
})

test('what somebody wrote stays one quoted part, whatever it looks like', () => {
  const parts = sentence('{by:seat}: {text:quote}', { by: 1, text: '<b>{by:seat}</b>' })
  expect(parts.at(-1)).toEqual({ type: 'quote', text: '<b>{by:seat}</b>' })
})

test.each([
  [0.1234, '.2f', '0.12'],
  [-0.5, '.1f', '−0.5'],
  [1234, 'd', '1,234'],
  [0.041, '.1%', '4.1%'],
  [0.25, '+.2f', '+0.25'],
  [-0.25, '+.2f', '−0.25'],
  [-0.001, '.2f', '0.00'],
  [null, '.2f', '–'],
  [Number.NaN, 'd', '–'],
  [92, '', '92'],
])('%s as %s is %s', (value, format, text) => {
  expect(formatted(value as never, format)).toBe(text)
})

test('a name is what the game calls it, and else its own with blanks', () => {
  const names = { gem_mine: 'gem ore' }
  const said = (value: string | string[]): string => spoken(sentence('makes {x:name}', { x: value }, names), String)
  expect(said('gem_mine')).toBe('makes gem ore')
  expect(said(['gem_mine', 'own_thing'])).toBe('makes gem ore, own thing')
})
