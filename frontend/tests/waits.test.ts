import { expect, test } from 'vitest'
import { stillFor, waitsOf } from '../src/run/waits'
import { shortSeed } from '../src/sentences'

const asked = { seat: 2, since_s: 7, left_s: 53, then: 'default', loading: false } as const

test('who is asked is waited for by the page’s clock, up to their limit', () => {
  const run = { status: 'running', waiting_for: [asked] } as const
  expect(waitsOf({ ...run, waiting_for: [asked] }, 1000, 500, 4000)).toEqual([{ seat: 2, since: 10, limit: 60, then: 'default', isLoading: false, isHeld: false }])
})

test('a step that came after the description begins the wait anew', () => {
  expect(waitsOf({ status: 'running', waiting_for: [asked] }, 1000, 9000, 12_000)[0]?.since).toBe(3)
})

test('while a run stands still its clock stands as well', () => {
  expect(waitsOf({ status: 'paused', waiting_for: [asked] }, 1000, 500, 90_000)[0]).toMatchObject({ since: 7, isHeld: true })
})

test('a run that stands still without a reason says so, later where its pace is slow', () => {
  expect(stillFor({ pace: 2, waiting_for: [] }, 0, 4000)).toBeNull()
  expect(stillFor({ pace: 2, waiting_for: [] }, 0, 6000)).toBe(6)
  expect(stillFor({ pace: 0.1, waiting_for: [] }, 0, 20_000)).toBeNull()
  expect(stillFor({ pace: 2, waiting_for: [asked] }, 0, 60_000)).toBeNull()
})

test('a long seed is shown by its end', () => {
  expect([shortSeed(7), shortSeed('5213967000112233')]).toEqual(['7', '…2233'])
})
