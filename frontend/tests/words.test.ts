import { expect, test } from 'vitest'
import refusalsEn from '../../games/errors/refusals/en.json'
import refusalsZh from '../../games/errors/refusals/zh.json'
import { sentence, spoken } from '../src/sentences'
import { PAGES, WORDS } from '../src/words/all'
import { classWords } from '../src/words/classroom'
import { joinWords } from '../src/words/joining'
import type { Words } from '../src/words/rows'
import { tableWords } from '../src/words/tables'
import { modelWords } from '../src/models/words'

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map((match) => match[1] ?? '').sort()

test('no two pages use one key for different words', () => {
  const keys = PAGES.flatMap((words) => Object.keys(words))
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
})

type Book = Record<'en' | 'zh', Record<string, string>>
const boards: Record<string, Record<string, unknown>> = import.meta.glob(['../../games/catalog/*/board/*words.ts', '../kit/**/words.ts'], { eager: true })
/** A board's words, a row of both languages each, as a book. */
const bookOf = (words: Words): Book => ({ en: mapped(words, 0), zh: mapped(words, 1) })
const mapped = (words: Words, at: 0 | 1): Record<string, string> => Object.fromEntries(Object.entries(words).map(([key, row]) => [key, row[at]]))
const isWords = (value: unknown): value is Words => typeof value === 'object' && value !== null && Object.values(value).every((row) => Array.isArray(row) && row.length === 2)
const books: [string, Book][] = [
  ['the pages', bookOf(WORDS)],
  ['a class', bookOf(classWords)],
  ['the way in', bookOf(joinWords)],
  ['tables of pays', bookOf(tableWords)],
  ['models', bookOf(modelWords)],
  ['refusals', { en: { ...refusalsEn.titles, ...refusalsEn.sentences }, zh: { ...refusalsZh.titles, ...refusalsZh.sentences } }],
  ...Object.entries(boards).flatMap(([path, module]) => Object.values(module).filter(isWords).map((words): [string, Book] => [path.replace(/.*catalog/, ''), bookOf(words)])),
]

test.each(books)('in %s both languages have the same words, and none is empty', (_, { en, zh }) => {
  expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort())
  expect([...Object.values(en), ...Object.values(zh)]).not.toContain('')
})

test.each(books)('in %s a sentence names the same facts in both languages', (_, { en, zh }) => {
  for (const [key, text] of Object.entries(en)) expect([key, placeholders(zh[key] ?? '')]).toEqual([key, placeholders(text)])
})

const PLACEHOLDER = /\{([\w.]+)(?::(\w+)|\|([^{}|]*)\|([^{}|]*))?\}/g
/** Nouns that somewhere are told as one and as many; and those of which a number of seconds, seats and the like is told. */
const nouns = new Map<string, string>([['second', 'seconds'], ['token', 'tokens'], ['seed', 'seeds'], ['value', 'values'], ['entry', 'entries'], ['match', 'matches']])
for (const [, { en }] of books)
  for (const text of Object.values(en))
    for (const [, , , one = '', many = ''] of text.matchAll(PLACEHOLDER)) if (/^\w+[^s]$/.test(one) && /^\w+s$/.test(many)) nouns.set(one, many)

/** A sentence in which everything that is counted is so many. */
function told(text: string, n: number): string {
  const facts = Object.fromEntries([...text.matchAll(PLACEHOLDER)].map(([, key = '', kind]) => [key, kind === 'seats' || kind === 'list' ? Array(n).fill(0) : n]))
  return spoken(sentence(text, facts), (seat) => 'ABC'[seat] ?? '?')
}

test.each(books)('in %s one is told as one and many as many', (_, { en }) => {
  const wrong: string[] = []
  for (const text of Object.values(en))
    for (const n of [0, 1, 2]) {
      const said = told(text, n)
      for (const [one, many] of nouns) if (new RegExp(`(?<![\\d.,–-])(?:1 ${many}|[02] ${one})\\b`).test(said)) wrong.push(said)
    }
  expect(wrong).toEqual([])
})

test('the sentences that count are found', () => {
  expect([...nouns.keys()]).toEqual(expect.arrayContaining(['round', 'run', 'seat', 'call', 'plot', 'mil', 'step', 'house']))
  expect(told('{n} {n|plot|plots}', 1)).toBe('1 plot')
  expect(books.length).toBeGreaterThan(8)
})

/** What Chinese is not printed with: half-width signs beside its characters, Latin letters that touch them, dots on end. */
const ILL_SET = /[\u3400-\u9fff][,;:!?](?!\w)|[\u3400-\u9fff] …|[\u3400-\u9fff]…(?!…)|[\u3400-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u3400-\u9fff]|您/

test.each(books)('in %s Chinese is set as it is printed', (_, { zh }) => {
  const set = Object.entries(zh).map(([key, text]) => [key, told(text, 2)])
  expect(set.filter(([, text = '']) => ILL_SET.test(text))).toEqual([])
})

test.each(books)('in %s no sentence tells a code', (_, book) => {
  const bare = Object.values(book).flatMap((words) => Object.entries(words)).map(([key, text]) => [key, text.replaceAll(PLACEHOLDER, '')])
  expect(bare.filter(([key = '', text = '']) => /[a-z]+_[a-z]+/.test(text) && !FILES.has(key))).toEqual([])
})
/** Where a file of that name is meant, or a measure of the field. */
const FILES = new Set(['bad_archive.no_folder', 'expEffect_paired_d'])
