import { expect, test } from 'vitest'
import { toggled } from '../kit/letters'

test('a message goes to everyone, or to the seats that are named, in their order', () => {
  expect(toggled('all', 4)).toEqual([4])
  expect(toggled([4], 2)).toEqual([2, 4])
  expect(toggled([2, 10, 4], 9)).toEqual([2, 4, 9, 10])
  expect(toggled([2, 4], 'all')).toBe('all')
  expect([toggled([2, 4], 2), toggled([4], 4), toggled('all', 'all')], 'taking the last away makes nothing public').toEqual([[4], [], []])
})
