import { entryOf, isFree, isMapping, same, variantsOf } from '../jsonschema'
import { inRow } from '../sentences'
import type { Json, Lang } from '../types'
import type { Key } from '../words'
import { itemOf, likelyEntry, variantOf } from './check'
import { wordOf } from './names'
import { fieldOf, fieldsOf, type Field, type FormWords } from './schema'
import { blank } from './value'

/** A structure in a line, so that it can be folded: "2 entries: clay, brick" · "wood 2, stone 1" · "Inputs: clay 2; Outputs: brick 1". */

export interface Telling {
  lang: Lang
  words: FormWords
  t: (key: Key, facts?: Record<string, Json>) => string
}

/** So many plain values are told one by one. */
const FEW = 8
/** So many names are told of those that stand in a mapping or list. */
const NAMED = 12

export function summed(field: Field, value: Json, telling: Telling): string {
  const { schema, root } = field
  const { t, words } = telling
  if (value === null) return t('unset')
  const ways = variantsOf(schema, root)
  if (ways.length) return summed(within(field, ways[variantOf(schema, value, root)] ?? {}, telling), value, telling)
  if (Array.isArray(value)) return ofList(field, value, telling)
  if (isMapping(value)) return isFree(schema) && !schema.properties ? ofMapping(field, value, telling) : ofObject(field, value, telling)
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  return typeof value === 'number' ? signed(value) : wordOf(words, value)
}

/** What an entry of a list is known by: the name that it begins with, else all of it. */
export function headOf(field: Field, value: Json, telling: Telling): string {
  const [first] = isMapping(value) ? Object.keys(field.schema.properties ?? {}) : []
  const head = first !== undefined && isMapping(value) ? value[first] : undefined
  return typeof head === 'string' && head ? wordOf(telling.words, head) : summed(field, value, telling)
}

/** A number with a real minus sign. */
export const signed = (value: number): string => String(value).replace('-', '−')

export interface Differing {
  path: string
  label: string
  values: string[]
}

/** Where structures differ, each place with its way there; the whole, where they do not, or not by name. */
export function differing(field: Field, values: readonly (Json | undefined)[], telling: Telling, path = field.path, label = field.label): Differing[] {
  const maps = values.filter((value) => isMapping(value))
  const keys = [...new Set(maps.flatMap((value) => Object.keys(value)))]
  const isWhole = maps.length < values.length
  if (isWhole || values.every((value) => same(value ?? null, values[0] ?? null))) return [{ path, label, values: values.map((value) => (value === undefined || value === null ? '–' : summed(field, value, telling))) }]
  return keys.flatMap((key) => {
    const inner = values.map((value) => (isMapping(value) ? value[key] : undefined))
    if (inner.every((value) => same(value ?? null, inner[0] ?? null))) return []
    const given = field.schema.properties?.[key]
    const part = given ? fieldOf(given, key, telling.words, field.root, `${field.path}.`) : within(field, entryOf(field.schema, key) ?? {}, telling)
    return differing(part, inner, telling, `${path}.${key}`, `${label} · ${given ? part.label : wordOf(telling.words, key)}`)
  })
}

const within = (field: Field, schema: Field['schema'], { words }: Telling): Field => fieldOf(schema, '*', words, field.root, `${field.path}.`)
const listed = ({ lang }: Telling, parts: readonly string[], mark: 'comma' | 'semicolon' = 'comma'): string =>
  mark === 'comma' ? inRow(parts, lang) : parts.join(lang === 'zh' ? '；' : '; ')

function ofList(field: Field, value: readonly Json[], telling: Telling): string {
  if (!value.length) return telling.t('partsNone')
  const parts = value.map((each, i) => {
    const item = within(field, itemOf(field.schema, i), telling)
    return Array.isArray(each) ? `(${each.map((one) => summed(item, one, telling)).join(', ')})` : isMapping(each) ? headOf(item, each, telling) : summed(item, each, telling)
  })
  const isPlain = !value.some(isMapping)
  if (isPlain && value.length <= FEW) return listed(telling, parts)
  return counted(parts, telling)
}

function ofMapping(field: Field, value: Readonly<Record<string, Json>>, telling: Telling): string {
  const entries = Object.entries(value)
  if (!entries.length) return telling.t('partsNone')
  const names = entries.map(([name]) => wordOf(telling.words, name.trim()) || '…')
  if (entries.some(([, each]) => isMapping(each) || Array.isArray(each))) return counted(names, telling)
  const item = within(field, likelyEntry(field.schema), telling)
  return listed(telling, entries.map(([, each], i) => `${names[i]} ${summed(item, each, telling)}`))
}

function ofObject({ schema, root, path }: Field, value: Readonly<Record<string, Json>>, telling: Telling): string {
  const parts = fieldsOf(schema, telling.words, root, `${path}.`).flatMap((part) => {
    const each = value[part.key] ?? null
    const given = schema.properties?.[part.key] ?? {}
    const isLeftOut = each === null || each === '' || (same(each, blank(given, root)) && (typeof each === 'object' || !schema.required?.includes(part.key)))
    if (isLeftOut || (isMapping(each) && !Object.keys(each).length)) return []
    return [telling.lang === 'zh' ? `${part.label}：${summed(part, each, telling)}` : `${part.label}: ${summed(part, each, telling)}`]
  })
  return parts.length ? listed(telling, parts, 'semicolon') : telling.t('partsUsual')
}

function counted(names: readonly string[], telling: Telling): string {
  const told = listed(telling, names.slice(0, NAMED)) + (names.length > NAMED ? ' …' : '')
  return telling.t('partsSum', { n: names.length, names: told })
}
