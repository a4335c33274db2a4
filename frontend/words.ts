import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { runnerImport, type Plugin } from 'vite'
import { parse } from 'yaml'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Book = { [part: string]: Json }

/** As in `games/core/books.py`; both read `tests/core/words` alike. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  events: ['text', 'glyph', 'mark', 'group'],
  metrics: ['label', 'unit', 'format'],
  config: ['label', 'help', 'full'],
  params: ['label', 'help'],
}
const SEPARATOR = /\s+\|(?=\s|$)/
const FILE = /[\\/]words[\\/]\w+\.yaml$/
const ENGLISH = 'en.yaml'
/** The pages' own words in one language. */
const PAGES = /[\\/]src[\\/]words[\\/](en|zh)\.ts$/

const isMapping = (value: Json | undefined): value is Book => typeof value === 'object' && value !== null && !Array.isArray(value)

function mapped(book: Book, change: (value: Json, key: string) => Json): Book {
  return Object.fromEntries(Object.entries(book).map(([key, value]) => [key, change(value, key)]))
}

function row(columns: readonly string[], entry: Json): Json {
  if (typeof entry !== 'string') return entry
  return Object.fromEntries(entry.split(SEPARATOR).slice(0, columns.length).map((text, i) => [columns[i]!, text.trim()]))
}

function over(below: Json, above: Json): Json {
  if (!isMapping(below) || !isMapping(above)) return above
  return { ...below, ...mapped(above, (value, key) => (key in below ? over(below[key]!, value) : value)) }
}

function whole(path: string): Book {
  const rows = (entries: Json, part: string): Json => {
    const columns = COLUMNS[part]
    return columns && isMapping(entries) ? mapped(entries, (entry) => row(columns, entry)) : entries
  }
  const words = mapped(parse(readFileSync(path, 'utf-8')) as Book, rows)
  return basename(path) === ENGLISH ? words : (over(whole(join(dirname(path), ENGLISH)), words) as Book)
}

/** A game's words in the language of the file: what it leaves out is English. */
export function bookOf(path: string): Book {
  const words = whole(path)
  if (!isMapping(words.config)) return words
  return { ...words, config: mapped(words.config, (entry) => (isMapping(entry) ? Object.fromEntries(Object.entries(entry).filter(([key]) => key !== 'full')) : entry)) }
}

const said = (words: unknown): { code: string; map: null; moduleType: 'js' } => ({ code: `export default JSON.parse(${JSON.stringify(JSON.stringify(words))})`, map: null, moduleType: 'js' })

/** Files of words as modules: they are read when the pages are built, and the pages bring no reader of YAML. */
export function words(): Plugin {
  return {
    name: 'polity-words',
    enforce: 'pre',
    async load(id) {
      if (PAGES.test(id)) return said((await runnerImport<{ default: unknown }>(id, { configFile: false })).module.default)
      const path = id.split('?', 1)[0]!
      if (!FILE.test(path)) return null
      this.addWatchFile(join(dirname(path), ENGLISH))
      return said(bookOf(path))
    },
  }
}
