import { choicesOf, entryOf, isFree, isMapping, same, unwrapped, type Schema } from '../jsonschema'
import type { Facts, Json } from '../types'
import type { Key } from '../words'
import { faultsOf, itemOf, type PartFault, type Path, type Refusal } from './check'
import { leaves, type Field } from './schema'

/** Between the texts of inputs and the values that they stand for. Pure: what cannot be read keeps its text. */

/** Characters that are quoted of what cannot be read. */
const QUOTED = 40
const WHOLE = /^[+-]?\d+$/
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Stands for an entry of a list that is empty, which blanks could not tell. */
export const NONE = '–'

export type Reading = { value: Json } | { fault: Refusal; path: Path }

/** A value as it is written in its input. */
export function shown(field: Field, value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (field.kind === 'list' && Array.isArray(value)) return value.map((each) => (each === '' ? NONE : String(each))).join(', ')
  if (field.kind === 'rows' && Array.isArray(value)) return value.map((row) => (Array.isArray(row) ? row.map(String).join(' ') : String(row))).join('\n')
  if (field.kind === 'json' || field.kind === 'parts') return JSON.stringify(value, null, 1)
  return String(value)
}

/** The value that a text stands for; the text itself where it stands for none, which no schema then takes. */
export function meant({ kind, isNullable, schema }: Field, text: string): Json {
  const plain = text.trim()
  if (!plain && isNullable) return null
  switch (kind) {
    case 'boolean':
      return text === 'true'
    case 'choice':
      return choicesOf(schema).find((choice) => String(choice) === text) ?? text
    case 'integer':
    case 'number':
      return numeral(plain, schema)
    case 'text':
      return text
    case 'list':
      return entries(plain).map((entry, i) => plainOf(entry, itemOf(schema, i)))
    case 'rows':
      return plain
        .split(/\n|;/)
        .filter((line) => line.trim())
        .map((line) => entries(line).map((entry, i) => plainOf(entry, itemOf(itemOf(schema), i))))
    default:
      return structured(plain, schema)
  }
}

/** What is written as a value, or the first reason why it is none, and of which part of it. */
export function read(field: Field, text: string): Reading {
  const [first] = wrongIn(field, text)
  return first ? { fault: first.refusal, path: first.path } : { value: meant(field, text) }
}

/** Every reason why what is written is no value: each part of a structure has its own, anything else one. */
export function wrongIn(field: Field, text: string): PartFault[] {
  const { kind, isNullable, schema, root } = field
  if ((kind === 'json' || kind === 'parts') && text.trim()) {
    const fault = notJson(text.trim())
    if (fault) return [{ refusal: fault, path: [] }]
  }
  const value = meant(field, text)
  if (value === null && isNullable) return []
  const found = faultsOf(schema, value, root)
  if (kind === 'parts' || !found[0]) return found
  return [{ refusal: kind === 'choice' ? { key: 'faultChoice', facts: { text, choices: field.choices.map(({ label }) => label) } } : found[0].refusal, path: [] }]
}

/** A whole number one more or one less, within its bounds; as it is where it is none. */
export function stepped(field: Field, text: string, by: number): string {
  const { minimum = -Infinity, maximum = Infinity } = field.schema
  const value = meant(field, text)
  if (typeof value !== 'number') return text
  const next = Math.min(maximum, Math.max(minimum, value + by))
  return Number.isSafeInteger(next) ? String(next) : text
}

export function isJson(text: string): boolean {
  return notJson(text) === null
}

/** The texts of all inputs for these values; a value that is not given is the schema's default. */
export function textsOf(fields: readonly Field[], values: Facts): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const field of leaves(fields)) texts[field.path] = shown(field, at(values, field.path) ?? field.schema.default)
  return texts
}

/** All inputs read: the values, and what is wrong, by the path of the field or of the part of it. */
export function readAll(fields: readonly Field[], texts: Record<string, string>): { values: Facts; faults: Record<string, Refusal> } {
  const values: Facts = {}
  const faults: Record<string, Refusal> = {}
  for (const field of fields) {
    if (field.kind === 'group') {
      const inner = readAll(field.fields, texts)
      values[field.key] = inner.values
      Object.assign(faults, inner.faults)
      continue
    }
    const text = texts[field.path] ?? ''
    const wrong = wrongIn(field, text)
    for (const { path, refusal } of wrong) faults[[field.path, ...path].join('.')] ??= refusal
    if (!wrong.length) values[field.key] = meant(field, text)
  }
  return { values, faults }
}

/** What of `values` is not as in `base`: all that has to be sent. */
export function changedOnly(values: Facts, base: Facts): Facts {
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => !same(value, base[key] ?? null)))
}

/**
 * What of `values` has to be sent, so that the server makes them of `base`, over which it lays what is sent key by key. A
 * name that was taken out of a mapping is sent as null, a part of a structure that was left out as it is by itself.
 */
export function patchOf(fields: readonly Field[], values: Facts, base: Facts): Facts {
  const by = new Map(fields.map((field) => [field.key, field]))
  return Object.fromEntries(
    Object.entries(changedOnly(values, base)).map(([key, value]) => {
      const field = by.get(key)
      return [key, field ? patched(field, value, base[key] ?? null) : value]
    }),
  )
}

/** One value as `patchOf` sends it. */
export const patched = ({ schema, root }: Field, value: Json, base: Json): Json => withGone(schema, root, value, base)

/** One value as `laidOver` makes it. */
export const laid = ({ schema, root }: Field, base: Json, over: Json): Json => overlaid(schema, root, base, over)

function withGone(given: Schema, root: Schema, value: Json, base: Json): Json {
  if (!isMapping(value) || !isMapping(base)) return value
  const { schema } = unwrapped(given, root)
  const part = (key: string): Schema => schema.properties?.[key] ?? entryOf(schema, key) ?? {}
  const kept = Object.entries(value).map(([key, each]): [string, Json] => [key, key in base ? withGone(part(key), root, each, base[key] ?? null) : each])
  const gone = Object.keys(base).filter((key) => !(key in value))
  return Object.fromEntries([...kept, ...gone.map((key): [string, Json] => [key, schema.properties?.[key] ? (unwrapped(part(key), root).schema.default ?? null) : null])])
}

/** What the server makes of `base` when `over` is laid over it; see `patchOf`. */
export function laidOver(fields: readonly Field[], base: Facts, over: Facts): Facts {
  const by = new Map(fields.map((field) => [field.key, field]))
  const all = Object.entries(over).map(([key, value]): [string, Json] => {
    const field = by.get(key)
    return [key, field ? laid(field, base[key] ?? null, value) : value]
  })
  return { ...base, ...Object.fromEntries(all) }
}

function overlaid(given: Schema, root: Schema, base: Json, over: Json): Json {
  if (!isMapping(over)) return over
  const { schema } = unwrapped(given, root)
  const under = isMapping(base) ? base : {}
  const both = { ...under, ...Object.fromEntries(Object.entries(over).map(([key, value]) => [key, overlaid(schema.properties?.[key] ?? entryOf(schema, key) ?? {}, root, under[key] ?? null, value)])) }
  return Object.fromEntries(Object.entries(both).filter(([key, value]) => value !== null || schema.properties?.[key] !== undefined || !isFree(schema)))
}

function numeral(text: string, schema: Schema): Json {
  const value = Number(text)
  return (schema.type === 'integer' ? WHOLE : NUMBER).test(text) && Number.isFinite(value) ? value : text
}

/** Commas, Chinese ones too, and blanks part entries; brackets round the whole are forgiven. */
function entries(text: string): string[] {
  return text.replace(/^\s*\[|\]\s*$/g, '').split(/[\s,，、]+/).filter(Boolean)
}

function plainOf(text: string, item: Schema): Json {
  return item.type === 'integer' || item.type === 'number' ? numeral(text, item) : text === NONE ? '' : text
}

function structured(text: string, { type }: Schema): Json {
  if (!text) return type === 'array' ? [] : type === 'object' ? {} : ''
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function notJson(text: string): Refusal | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return { key: 'faultJson' satisfies Key, facts: { text: from(text, error) } }
  }
}

/** What was written from where it cannot be read, if the browser says so: its own reason is in its own language. */
function from(text: string, error: unknown): string {
  const found = /position (\d+)/.exec(error instanceof Error ? error.message : '')
  const rest = text.slice(found ? Number(found[1]) : 0) || text
  return rest.length > QUOTED ? `${rest.slice(0, QUOTED - 2)} …` : rest
}

function at(values: Facts, path: string): Json | undefined {
  let here: Json | undefined = values
  for (const part of path.split('.')) {
    if (here === undefined || !isMapping(here)) return undefined
    here = here[part]
  }
  return here
}
