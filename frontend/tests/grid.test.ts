import { expect, test } from 'vitest'
import type { GridFacts } from '../kit/board'
import { layoutGrid } from '../kit/grid'
import { spanOf } from '../src/run/spelling'

test('cells smaller than a few pixels stand on whole pixels, and their edges meet', () => {
  const layout = layoutGrid(560, 560, 100, 100, 22)
  expect(layout.size % 1).not.toBe(0)
  for (let col = 0; col < 99; col++) {
    const [one, next] = [layout.box({ row: 0, col }), layout.box({ row: 0, col: col + 1 })]
    expect(one && one.x % 1).toBe(0)
    expect(one && one.x + one.width).toBe(next?.x)
  }
})

test('there is no box outside the grid, and a hit finds the cell whose box it is in', () => {
  const layout = layoutGrid(600, 500, 4, 5, 22)
  expect(layout.box({ row: 4, col: 0 })).toBeNull()
  expect(layout.box({ row: 0, col: -1 })).toBeNull()
  const box = layout.box({ row: 3, col: 4 })
  expect(box && layout.hit(box.x + 1, box.y + 1)).toEqual({ row: 3, col: 4 })
})

const facts = (rows: number, cols: number): GridFacts => ({ rows, cols, label: '', cell: () => ({ text: '', data: {} }) })

test('of a small grid all cells are in the document, of a large one those around the focus', () => {
  expect(spanOf(facts(30, 30), { row: 29, col: 0 })).toEqual({ top: 0, bottom: 29, left: 0, right: 29 })
  expect(spanOf(facts(100, 100), { row: 50, col: 2 })).toEqual({ top: 44, bottom: 56, left: 0, right: 8 })
  expect(spanOf(facts(100, 100), { row: 99, col: 99 })).toEqual({ top: 93, bottom: 99, left: 93, right: 99 })
})
