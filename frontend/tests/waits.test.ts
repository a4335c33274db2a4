import { expect, test } from 'vitest'
import { batchOf, stillFor, waitsOf } from '../src/run/waits'
import { shortSeed } from '../src/sentences'

const asked = { seat: 2, since_s: 7, left_s: 53, then: 'default', loading: false, batch: '' } as const

test('who is asked is waited for by the page’s clock, up to their limit', () => {
  const run = { status: 'running', waiting_for: [asked] } as const
  expect(waitsOf({ ...run, waiting_for: [asked] }, 1000, 500, 4000)).toEqual([{ seat: 2, since: 10, limit: 60, then: 'default', isLoading: false, batch: '', isHeld: false }])
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

test('a batch is waited for since its call was posted, whatever step came after the description', () => {
  const sent = { ...asked, since_s: 4000, left_s: 80_000, batch: 'sent' } as const
  const wait = waitsOf({ status: 'running', waiting_for: [sent] }, 1000, 9000, 12_000)[0]
  expect([wait?.since, wait?.limit, wait?.batch]).toEqual([4011, 84_000, 'sent'])
})

test('a run in a table says how far its batch is and for how long it has waited', () => {
  expect(batchOf({ waiting_for: [asked] })).toBeNull()
  const gathered = { ...asked, batch: 'gathered' } as const
  expect(batchOf({ waiting_for: [asked, gathered] })).toEqual({ stage: 'gathered', since: 7 })
  expect(batchOf({ waiting_for: [gathered, { ...gathered, since_s: 90, batch: 'sent' }] })).toEqual({ stage: 'sent', since: 90 })
})
