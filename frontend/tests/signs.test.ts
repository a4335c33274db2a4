import { expect, test } from 'vitest'
import type { Mark } from '../kit/board'
import { byCell } from '../src/run/signs'

const sign = (row: number, col: number, text: string, kind: Mark['kind'] = 'plan'): Mark => ({ cell: { row, col }, text, kind })

test('what is planned twice for a cell has both signs there, in the order of the plan', () => {
  const signs = byCell([sign(4, 1, 'D'), sign(1, 41, 'C'), sign(4, 1, 'M', 'out'), sign(14, 1, 'M')])
  expect(signs.map((same) => same.map(({ text }) => text).join(''))).toEqual(['DM', 'C', 'M'])
})
