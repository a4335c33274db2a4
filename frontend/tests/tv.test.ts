import { expect, test } from 'vitest'
import { isLoopback } from '../src/parts/loopback'
import { chosen, forHall } from '../src/tv/liveliest'

test('the liveliest match is shown, and gives way to a much livelier one alone', () => {
  const [calm, lively] = [{ id: 'a', lively: 2 }, { id: 'b', lively: 2.5 }]
  expect(chosen(null, [calm, lively])).toBe('b')
  expect(chosen('a', [calm, lively])).toBe('a')
  expect(chosen('a', [calm, { id: 'b', lively: 3.5 }])).toBe('b')
})

test('a match that is over makes room for the next', () => {
  expect(chosen('gone', [{ id: 'a', lively: 0 }])).toBe('a')
  expect(chosen('gone', [])).toBeNull()
})

test('what is its players alone is not for a hall, whoever has signed in there', () => {
  const runs = [{ id: 'a', audience: { kind: 'private' } }, { id: 'b', audience: { kind: 'public' } }, { id: 'c', audience: {} }]
  expect(forHall(runs).map(({ id }) => id)).toEqual(['b', 'c'])
})

test('an address of this machine alone is known as such', () => {
  expect(['localhost', '127.0.0.1', '[::1]', '192.168.0.7', 'lab.example.org'].map(isLoopback)).toEqual([true, true, true, false, false])
})
