import { expect, test } from 'vitest'
import { formatted, sentence, spoken } from '../src/sentences'
import cases from '../../tests/core/sentences.json'

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

const names = { wood: 'wood', gem_mine: 'gem ore', 'one hammer': 'a hammer', 'setting mine_cap': 'Mining cap', 'term gather': 'gathering' }

// The server and its prompts tell these sentences too: tests/core/test_words.py.
test.each(cases as [string, object, string][])('%s with %j is spoken as "%s"', (template, facts, text) => {
  expect(spoken(sentence(template, facts as never, names), name)).toBe(text)
})

test('a number below zero has a real minus sign', () => {
  expect(spoken(sentence('{gain} gold', { gain: -4 }), name)).toBe('−4 gold')
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
  expect(said(['gem_mine', 'own_thing'])).toBe('makes gem ore and own thing')
})
