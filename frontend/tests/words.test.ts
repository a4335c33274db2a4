import { expect, test } from 'vitest'
import { PAGE_WORDS } from '../src/words'

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map((match) => match[1] ?? '').sort()

test('both languages have the same keys, and none is empty', () => {
  expect(Object.keys(PAGE_WORDS.zh)).toEqual(Object.keys(PAGE_WORDS.en))
  for (const words of Object.values(PAGE_WORDS)) for (const text of Object.values(words)) expect(text).not.toBe('')
})

test('a sentence names the same facts in both languages', () => {
  for (const [key, text] of Object.entries(PAGE_WORDS.en)) {
    expect([key, placeholders(PAGE_WORDS.zh[key as keyof typeof PAGE_WORDS.zh])]).toEqual([key, placeholders(text)])
  }
})
