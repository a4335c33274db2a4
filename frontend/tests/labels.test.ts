import { expect, test } from 'vitest'
import { labelOf } from '../src/form/detail'
import type { Policy } from '../src/form/seats'

test('an agent is named with what was set, and without what is left to it or as usual', () => {
  const policies: Policy[] = [{ name: 'GTFT', rule: '', source: '', params: { properties: { generous_prob: { type: 'number', default: 0.3 } } }, roles: [] }]
  const named = (generous_prob: number | null): string => labelOf({ kind: 'policy', policy: 'GTFT', params: { generous_prob } }, policies)
  expect([null, 0.3, 0.1].map(named)).toEqual(['GTFT', 'GTFT', 'GTFT (generous_prob 0.1)'])
  expect(labelOf({ kind: 'model', label: 'own' }, policies)).toBe('own')
})
