import { expect, test } from 'vitest'
import { boxLine, discLine, oval, placeTags } from '../kit/graph'

test('an oval begins at its top and goes round clockwise', () => {
  const [top, right] = oval(4, { x: 10, y: 10 }, { x: 8, y: 4 })
  expect([top?.x, top?.y].map((value) => Math.round(value ?? NaN))).toEqual([10, 6])
  expect([right?.x, right?.y].map((value) => Math.round(value ?? NaN))).toEqual([18, 10])
})

const left = { x: 0, y: 0, width: 20, height: 20 }
const right = { x: 100, y: 0, width: 20, height: 20 }

test('a line between boxes runs from edge to edge, and both ways lie side by side', () => {
  expect(boxLine(left, right, 0)).toEqual({ x1: 24, y1: 10, x2: 96, y2: 10 })
  expect(boxLine(left, right, 5)).toEqual({ x1: 24, y1: 15, x2: 96, y2: 15 })
  expect(boxLine(right, left, 5)).toEqual({ x1: 96, y1: 5, x2: 24, y2: 5 })
})

test('a line that is moved aside still begins and ends at the edges', () => {
  const below = { x: 60, y: 100, width: 40, height: 20 }
  for (const shift of [-9, 0, 9]) {
    const line = boxLine(left, below, shift)
    expect(line && (Math.abs(line.x1 - 24) < 1e-9 || Math.abs(line.y1 - 24) < 1e-9), `${shift}`).toBe(true)
    expect(line && (Math.abs(line.x2 - 56) < 1e-9 || Math.abs(line.y2 - 96) < 1e-9), `${shift}`).toBe(true)
  }
})

test('between boxes that touch there is no line', () => {
  expect(boxLine(left, { ...right, x: 22 }, 0)).toBeNull()
  expect(discLine({ x: 1, y: 1 }, { x: 1, y: 1 }, 3, 3)).toBeNull()
})

test('tags keep clear of one another and of what is there, or are left out', () => {
  const line = { x1: 0, y1: 50, x2: 300, y2: 50 }
  const within = { x: 0, y: 0, width: 300, height: 100 }
  const card = { x: 120, y: 0, width: 60, height: 100 }
  const boxes = placeTags(Array.from({ length: 12 }, () => ({ line, width: 50 })), [card], within)
  const placed = boxes.filter((box) => box !== null)
  expect(placed.length).toBeGreaterThan(3)
  expect(placed.length).toBeLessThan(12)
  for (const [i, a] of placed.entries()) {
    for (const b of [card, ...placed.slice(i + 1)]) {
      expect(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(true)
    }
    expect(a.x >= 0 && a.x + a.width <= 300 && a.y >= 0 && a.y + a.height <= 100).toBe(true)
  }
})
