import { expect, test } from 'vitest'
import { costCell, costOf } from '../src/run/costs'

test('a price that nobody knows is not nothing', () => {
  expect(costOf({ usd: 0, unpriced: 3 })).toEqual({ kind: 'unknown', usd: '$0.00', unpriced: 3 })
  expect(costOf({ usd: 0.25, unpriced: 3 }).kind).toBe('partly')
  expect([costCell(null, true, 'unknown'), costCell(0, true, 'unknown'), costCell(0.25, true, 'unknown'), costCell(0, false, 'unknown')]).toEqual(['–', 'unknown', '≥ 0.25', '0.00'])
})
