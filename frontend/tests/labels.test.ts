import { expect, test } from 'vitest'
import { labelOf } from '../src/form/detail'

test('an agent is named with what was set, and without what is left to it', () => {
  expect(labelOf({ kind: 'policy', policy: 'GTFT', params: { generous_prob: null } })).toBe('GTFT')
  expect(labelOf({ kind: 'policy', policy: 'GTFT', params: { generous_prob: 0.1 } })).toBe('GTFT (generous_prob 0.1)')
})
