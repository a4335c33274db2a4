import { expect, test } from 'vitest'
import { readMoment, writeMoment } from '../src/address'

test('a copied moment is read back as it was', () => {
  const moment = { r: 37, as: 3, tab: 'charts' } as const
  expect(readMoment(writeMoment(moment))).toEqual(moment)
})

test('seat 0 and round 0 are not mistaken for nothing', () => {
  expect(writeMoment({ r: 0, as: 0, tab: null })).toBe('?r=0&as=0')
  expect(readMoment('?r=0&as=0')).toEqual({ r: 0, as: 0, tab: null })
})

test('the live edge through everyone\'s eyes needs no query', () => {
  expect(writeMoment({ r: null, as: null, tab: null })).toBe('')
})

test.each(['?r=-1', '?r=1e9', '?r=abc', '?as=%00', '?tab=admin'])('junk in %s is passed over', (search) => {
  expect(readMoment(search)).toEqual({ r: null, as: null, tab: null })
})

test('other parts of the query stay', () => {
  expect(writeMoment({ r: 4, as: null, tab: null }, '?x=1&as=2')).toBe('?x=1&r=4')
})
