import { entryOf, isMapping, resolved, variantsOf, type Schema } from '../jsonschema'
import type { Json } from '../types'
import { itemOf, variantOf } from './check'
import { wordOf } from './names'
import { fieldOf, leaves, type Field, type FormWords } from './schema'

/**
 * The settings that stand inside a structure, each with the dotted way to it: `piles.wood.count`, `roles.miner.capacity.stone`.
 * The server takes such a way wherever it takes a setting: an entry of a list by a text that it alone holds, else by its number.
 */
export interface Inside {
  /** The structure. */
  of: Field
  fields: Field[]
}

/** So many are offered of one structure: of what is longer, its first entries. */
const MOST = 200

/** What can be set inside each structure, as the settings stand. */
export function insides(fields: readonly Field[], at: (path: string) => Json, words: FormWords = {}): Inside[] {
  return leaves(fields)
    .filter(({ kind }) => kind === 'parts')
    .map((of) => ({ of, fields: within(of.schema, at(of.path), { root: of.root, words, path: of.path, named: of.path, label: '' }).slice(0, MOST) }))
    .filter((one) => one.fields.length)
}

/** All settings that a way leads to: those of the form, and those inside its structures. */
export function settingsOf(fields: readonly Field[], at: (path: string) => Json, words: FormWords = {}): Field[] {
  return [...leaves(fields), ...insides(fields, at, words).flatMap((one) => one.fields)]
}

/** What stands at a dotted way inside settings, lists included. */
export function valueAt(value: Json, path: string): Json {
  return path.split('.').reduce<Json>((here, part) => {
    if (isMapping(here)) return here[part] ?? null
    if (!Array.isArray(here)) return null
    const place = placeOf(here, part)
    return place === null ? null : (here[place] ?? null)
  }, value)
}

/** As the server finds it: by number, or by a text that one entry alone holds. */
function placeOf(entries: readonly Json[], name: string): number | null {
  if (/^\d+$/.test(name)) return Number(name) < entries.length ? Number(name) : null
  const found = entries.flatMap((one, place) => (isMapping(one) && Object.values(one).includes(name) ? [place] : []))
  return found.length === 1 ? (found[0] ?? null) : null
}

interface Way {
  root: Schema
  words: FormWords
  /** The way itself, and as the game's words name it: `*` for whatever is of one's own choice. */
  path: string
  named: string
  label: string
}

function within(given: Schema, value: Json, way: Way): Field[] {
  const whole = resolved(given, way.root)
  const ways = variantsOf(whole, way.root)
  const schema = ways.length ? (ways[variantOf({ anyOf: ways }, value, way.root)] ?? {}) : whole
  if (Array.isArray(value)) return value.flatMap((each, place) => (isMapping(each) ? entered(itemOf(schema, place), nameOf(value, place), each, way, '*') : []))
  if (!isMapping(value)) return []
  return Object.entries(value).flatMap(([key, each]) => {
    const listed = schema.properties?.[key]
    const part = listed ?? entryOf(schema, key)
    return part === undefined || key.includes('.') ? [] : entered(part, key, each, way, listed ? key : '*')
  })
}

/** One part: itself where it holds a value of its own, else what stands in it. */
function entered(given: Schema, key: string, value: Json, { root, words, path, named, label }: Way, word: string): Field[] {
  const field = fieldOf(given, word, words, root, `${named}.`)
  const own = word === '*' ? wordOf(words, key) : field.label
  const told = label ? `${label} · ${own}` : own
  const inner = { root, words, path: `${path}.${key}`, named: `${named}.${word}`, label: told }
  if (field.kind === 'parts' || field.kind === 'group') return within(given, value, inner)
  return [{ ...field, path: inner.path, key, label: told }]
}

function nameOf(entries: readonly Json[], place: number): string {
  const one = entries[place]
  const texts = isMapping(one) ? Object.values(one).filter((each) => typeof each === 'string') : []
  return texts.find((text) => text && !/[.\d\s]/.test(text) && placeOf(entries, text) === place) ?? String(place)
}
