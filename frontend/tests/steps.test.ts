import { expect, test } from 'vitest'
import { entryOf, keepEntry, keepKnown, knownGames } from '../src/people/entry'
import { otherThan, squaresOf, stepAt, stepsOf } from '../src/people/steps'
import { shelfOf } from '../src/shelves'
import { joinWord, thingsToDo } from '../src/words/joining'

const act = { picture: 'claim', name: 'Claim', price: '1', text: '.', facts: {} }

test('a step that has nothing to say is absent', () => {
  expect(stepsOf({ acts: [act] })).toEqual(['what', 'do', 'time', 'seat', 'wait', 'play'])
  expect(stepsOf({ acts: [] })).toEqual(['what', 'time', 'seat', 'wait', 'play'])
})

test('the address names the step, and one that is not there leads to the first', () => {
  const steps = stepsOf({ acts: [act] })
  expect(stepAt('#time', steps)).toBe('time')
  expect(stepAt('#elsewhere', steps)).toBe('what')
  expect(stepAt('#play', steps)).toBe('what')
  expect(stepAt('', steps)).toBe('what')
})

test('a group is oneself, those who are here, and the open seats', () => {
  expect(squaresOf(2, 4, true)).toEqual(['you', 'present', 'open', 'open'])
  expect(squaresOf(2, 4, false)).toEqual(['you', 'present', 'present', 'open'])
  expect(squaresOf(4, 4, true)).toEqual(['you', 'present', 'present', 'present'])
})

test('a picture has the reader and somebody else', () => {
  const seats = [0, 1, 2].map((seat) => ({ seat, name: '', role: '' }))
  expect(otherThan({ seat: 0, seats })).toBe(1)
  expect(otherThan({ seat: 2, seats })).toBe(0)
})

test('what was typed and agreed to at a door outlives a reload, and is forgotten once the seat is taken', () => {
  const kept = new Map<string, string>()
  const shelf = { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, value: string) => void kept.set(name, value), removeItem: (name: string) => void kept.delete(name) }
  keepEntry(shelf, 'AB', { label: 'Ann', agreed: true })
  expect(entryOf(shelf, 'AB')).toEqual({ label: 'Ann', agreed: true })
  expect(entryOf(shelf, 'CD')).toEqual({ label: '', agreed: false })
  keepEntry(shelf, 'AB', null)
  expect(entryOf(shelf, 'AB')).toEqual({ label: '', agreed: false })
})

test('a game is known once somebody sat down to it, and broken storage knows none', () => {
  const kept = new Map<string, string>()
  const shelf = { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, value: string) => void kept.set(name, value), removeItem: (name: string) => void kept.delete(name) }
  keepKnown(shelf, 'mining')
  keepKnown(shelf, 'mining')
  keepKnown(shelf, 'nations')
  expect(knownGames(shelf)).toEqual(['mining', 'nations'])
  kept.set('polity.known', '{"a": 1}')
  expect(knownGames(shelf)).toEqual([])
  const shut = shelfOf(() => {
    throw new Error('cookies are blocked')
  })
  keepKnown(shut, 'mining')
  expect(knownGames(shut)).toEqual([])
})

test('what there is to do is counted in words as far as there are any', () => {
  expect(thingsToDo('en', 4)).toBe('Four things you can do')
  expect(thingsToDo('zh', 40)).toBe('你可以做什么')
  expect(joinWord('en', 'seatLead', { taken: 1, of: 3 })).toBe('1 of 3 seats for people are taken.')
})
