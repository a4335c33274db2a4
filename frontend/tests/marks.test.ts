import { expect, test } from 'vitest'
import { clustersOf, markPaths } from '../src/run/marks'

test('steps that are far enough apart keep a mark of their own', () => {
  expect(clustersOf([40, 10, 20], 1)).toEqual([10, 20, 40].map((n) => ({ from: n, to: n, count: 1 })))
})

test('steps that would run into each other are one cluster, which a wider axis parts again', () => {
  expect(clustersOf([3, 4, 5, 30], 5)).toEqual([{ from: 3, to: 5, count: 3 }, { from: 30, to: 30, count: 1 }])
  expect(clustersOf([3, 4, 5, 30], 12)).toHaveLength(4)
})

test('a thousand marks of one look make few shapes, and looks are kept apart', () => {
  const marks = new Map(Array.from({ length: 1000 }, (_, n) => [n, n % 500 === 7 ? ['conflict', 'peace'] : ['conflict']] as const))
  const paths = markPaths(marks, (n) => n, 1000, 1000)
  expect(paths.down.match(/M/g)).toHaveLength(1)
  expect(paths.up.match(/M/g)).toHaveLength(2)
  expect(paths.flag).toBe('')
})
