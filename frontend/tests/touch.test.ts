import { afterEach, expect, test, vi } from 'vitest'
import { speakerOf, type Words } from '../kit'

const books = import.meta.glob<Record<string, Words>>('../../games/catalog/*/board/*words.ts', { eager: true })
const KEYS = /arrow keys?|\bpress\b|\bclick|\bEnter\b|\([A-Z]\)|\b[A-Z] (gathers|builds)|方向键|点击|回车|（[A-Z]）/

afterEach(() => vi.unstubAllGlobals())

test('whoever points with a finger is told of no keys, by any game in any language', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const told: string[] = []
  for (const [path, book] of Object.entries(books)) {
    const words = book.composerWords ?? book.words
    expect(words, path).toBeDefined()
    for (const lang of ['en', 'zh'] as const) {
      const say = speakerOf(words!)({ lang, seats: [] })
      for (const word of Object.keys(words!)) told.push(say(word))
    }
  }
  expect(told.length).toBeGreaterThan(100)
  expect(told.filter((text) => KEYS.test(text))).toEqual([])
})

test('a mouse is told of the keys', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  const words = { walk: ['arrow keys', '方向键'], walkTouch: ['taps', '轻触'] } as const
  expect(speakerOf(words)({ lang: 'en', seats: [] })('walk')).toBe('arrow keys')
})
