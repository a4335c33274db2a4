import { afterEach, describe, expect, it, vi } from 'vitest'
import type { BoardContext, BoardModule, Mounted } from '../kit/board'
import { guarded } from '../src/games'
import type { Frame } from '../src/types'

const element = { replaceChildren: () => undefined } as unknown as HTMLElement
const [frame, context] = [{ n: 1 } as Frame, {} as BoardContext]
const base = (drawn: string[]): BoardModule =>
  ({
    mount: (): Mounted => ({ update: () => drawn.push('derived'), unmount: () => drawn.push('gone') }),
    headline: () => ({ strong: 'derived', quiet: '' }),
  }) as unknown as BoardModule
const own = (mounted: () => Partial<Mounted>): BoardModule =>
  ({ mount: mounted, headline: () => { throw new Error('no headline') } }) as unknown as BoardModule

describe('a board that a package brings', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('is drawn while it can be', () => {
    const drawn: string[] = []
    const board = guarded(own(() => ({ update: () => drawn.push('own') })), base(drawn), 'lake').mount(element, context)
    board.update(frame, context)
    expect(drawn).toEqual(['own'])
  })

  for (const [what, mounted] of [
    ['is mounted', () => { throw new Error('no place') }],
    ['draws a frame', () => ({ update: () => { throw new Error('no fish') } })],
  ] as const)
    it(`gives way to the derived one where it throws as it ${what}, and is named`, () => {
      const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const drawn: string[] = []
      const board = guarded(own(mounted), base(drawn), 'lake').mount(element, context)
      board.update(frame, context)
      board.update(frame, context)
      board.unmount()
      expect(drawn).toEqual(['derived', 'derived', 'gone'])
      expect(error).toHaveBeenCalledTimes(1)
      expect(error.mock.calls[0]?.[0]).toBe('the board lake cannot be used:')
    })

  it('says what the derived one says where it throws', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(guarded(own(() => ({})), base([]), 'lake').headline(frame, context).strong).toBe('derived')
  })
})
