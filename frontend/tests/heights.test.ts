import { expect, test } from 'vitest'
import { offsetOf, windowOf } from '../src/run/heights'

const heights = [10, 20, 30, 40, 50]

test.each([
  [0, 25, { first: 0, end: 2, before: 0, after: 120 }],
  [35, 20, { first: 2, end: 3, before: 30, after: 90 }],
  [1000, 20, { first: 5, end: 5, before: 150, after: 0 }],
])('at %i with %i in sight', (scroll, height, window) => {
  expect(windowOf(heights, scroll, height, 0)).toEqual(window)
})

test('what is drawn and what is left out always adds up', () => {
  for (let scroll = 0; scroll < 200; scroll += 7) {
    const { first, end, before, after } = windowOf(heights, scroll, 30, 10)
    expect(before + after + offsetOf(heights.slice(first, end), 9)).toBe(150)
  }
})
