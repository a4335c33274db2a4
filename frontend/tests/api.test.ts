import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, readTagged, request } from '../src/api'

afterEach(() => vi.unstubAllGlobals())

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
