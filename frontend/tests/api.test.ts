import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, checkRun, readTagged, request } from '../src/api'

afterEach(() => vi.unstubAllGlobals())

describe('what a worker carries out', () => {
  it('is waited for, and its answer is taken as if it had come at once', async () => {
    vi.useFakeTimers()
    const job = { id: 'j', status: 'running', done: 1, of: 4, address: '/api/v1/jobs/j', answer: null, expires: '' }
    const answers = [new Response(JSON.stringify(job), { status: 202 }), new Response(JSON.stringify({ ...job, done: 3 }), { status: 202 }), new Response('{"identical": 4}')]
    const asked: string[] = []
    vi.stubGlobal('fetch', (address: string) => {
      asked.push(address)
      return Promise.resolve(answers.shift())
    })
    const heard: (number | null)[] = []
    const found = checkRun('r', 'csrf', 'verify', ({ done }) => heard.push(done))
    await vi.runAllTimersAsync()
    vi.useRealTimers()
    expect(await found).toEqual({ identical: 4 })
    expect(heard).toEqual([1, 3])
    expect(asked).toEqual(['/api/v1/runs/r/verify', '/api/v1/jobs/j/answer', '/api/v1/jobs/j/answer'])
  })
})

describe('a change of what was read', () => {
  it('is sent with the tag that it was read with, and one of something new without', async () => {
    const sent: (string | undefined)[] = []
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
      sent.push((init.headers as Record<string, string> | undefined)?.['If-Match'])
      return Promise.resolve(new Response('{}', { headers: { ETag: '"abc"' } }))
    })
    const { tag } = await readTagged('models/one')
    await request('models/one', 'csrf', 'PUT', {}, tag)
    await request('models/two', 'csrf', 'PUT', {})
    expect(sent).toEqual([undefined, '"abc"', undefined])
  })

  it('is refused by name where somebody else came first', async () => {
    const told = JSON.stringify({ error: { code: 'stale', message: 'changed', field: 'If-Match' } })
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(told, { status: 412 })))
    const refused = await request('models/one', 'csrf', 'PUT', {}, '"old"').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({ code: 'stale', status: 412 })
  })
})
