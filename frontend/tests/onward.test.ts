import { afterEach, expect, test, vi } from 'vitest'
import { goOn } from '../src/people/onward'

afterEach(() => vi.unstubAllGlobals())

test('a page is left only when the site answers, however often it has to be tried', async () => {
  const told: string[] = []
  const answers = [() => Promise.reject(new TypeError('offline')), () => Promise.resolve({ ok: false }), () => Promise.resolve({ ok: true })]
  vi.stubGlobal('fetch', () => {
    told.push('asked')
    return answers.shift()?.()
  })
  await goOn(
    '/me/a',
    (to) => told.push(to),
    () => Promise.resolve(void told.push('waited')),
  )
  expect(told).toEqual(['asked', 'waited', 'asked', 'waited', 'asked', '/me/a'])
})

test('an answer that never comes is given up, and asked for again', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new DOMException('too long', 'TimeoutError')))
  const told: string[] = []
  const never = (_: string, { signal }: RequestInit): Promise<Response> =>
    new Promise((_answer, fail) => (signal?.aborted ? fail(signal.reason as Error) : signal?.addEventListener('abort', () => fail(signal.reason as Error))))
  const answers = [never, () => Promise.resolve({ ok: true })]
  vi.stubGlobal('fetch', (address: string, how: RequestInit) => answers.shift()?.(address, how))
  await goOn(
    '/me/a',
    (to) => told.push(to),
    () => Promise.resolve(void told.push('waited')),
  )
  expect(told).toEqual(['waited', '/me/a'])
})
