import { isMapping, resolved, same, type Schema } from '../jsonschema'
import type { Facts, Json } from '../types'
import type { Key } from '../words'

/** How a value is written: `list` is entries in a line, `rows` a line for each list, `json` whatever else there is. */
export type Kind = 'integer' | 'number' | 'boolean' | 'choice' | 'text' | 'list' | 'rows' | 'json' | 'group'

export interface Field {
  /** Dotted way from the root of the settings. */
  path: string
  key: string
  kind: Kind
  label: string
  help: string
  unit: string
  /** Section that it stands in; '' for none. */
  group: string
  /** May be left empty. */
  isNullable: boolean
  choices: { value: string; label: string }[]
  /** Parts of a nested object. */
  fields: Field[]
  schema: Schema
}

/** What a game calls its settings; see docs/adding-a-game.md. */
export interface FormWords {
  config?: Record<string, { label: string; help: string }>
  /** Choices, by the value. */
  values?: Record<string, string>
  /** Units of the settings, by their name there. */
  units?: Record<string, string>
}

/** Characters that are quoted of what cannot be read. */
const QUOTED = 40

export interface Refusal {
  key: Key
  facts: Facts
}
export type Reading = { value: Json } | { fault: Refusal }

/** The fields of an object schema in its own order, worded by the game where it has words. */
export function fieldsOf(schema: Schema, words: FormWords = {}, root: Schema = schema, prefix = ''): Field[] {
  return Object.entries(resolved(schema, root).properties ?? {}).map(([key, given]) => {
    const { schema: inner, isNullable } = unwrapped(given, root)
    const path = prefix + key
    const said = words.config?.[path]
    const kind = kindOf(inner, root)
    return {
      path,
      key,
      kind,
      label: said?.label ?? given.title ?? inner.title ?? key,
      help: said?.help ?? given.description ?? inner.description ?? '',
      unit: words.units?.[given.unit ?? ''] ?? given.unit ?? '',
      group: given.group ?? '',
      isNullable,
      choices: choicesOf(inner).map((value) => ({ value: String(value), label: words.values?.[String(value)] ?? String(value) })),
      fields: kind === 'group' ? fieldsOf(inner, words, root, `${path}.`) : [],
      schema: kind === 'list' || kind === 'rows' ? { ...inner, ...itemsOf(inner, root) } : inner,
    }
  })
}

/** All fields that hold a value of their own, nested ones among them. */
export function leaves(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => (field.kind === 'group' ? leaves(field.fields) : [field]))
}

/** A value as it is written in its input. */
export function shown(field: Field, value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (field.kind === 'list' && Array.isArray(value)) return value.map(String).join(', ')
  if (field.kind === 'rows' && Array.isArray(value)) return value.map((row) => (Array.isArray(row) ? row.map(String).join(' ') : String(row))).join('\n')
  if (field.kind === 'json') return JSON.stringify(value, null, 1)
  return String(value)
}

/** The texts of all inputs for these values; a value that is not given is the schema's default. */
export function textsOf(fields: readonly Field[], values: Facts): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const field of leaves(fields)) texts[field.path] = shown(field, at(values, field.path) ?? field.schema.default)
  return texts
}

/** What is written as a value, or why it is none. The bounds are those that the server checks again. */
export function read(field: Field, text: string): Reading {
  const plain = text.trim()
  if (!plain && field.isNullable) return { value: null }
  const { schema } = field
  switch (field.kind) {
    case 'boolean':
      return { value: text === 'true' }
    case 'choice': {
      const value = choicesOf(schema).find((choice) => String(choice) === text)
      return value === undefined ? no('faultChoice', { text, choices: field.choices.map(({ label }) => label).join(', ') }) : { value }
    }
    case 'integer':
    case 'number':
      return plain ? numeral(plain, field.kind, schema) : no('faultEmpty')
    case 'text':
      return worded(text, schema)
    case 'list':
      return counted(entries(plain), schema, (entry) => entryOf(entry, itemOf(schema)))
    case 'rows':
      return counted(plain ? plain.split(/\n|;/).filter((line) => line.trim()) : [], schema, (line) => {
        const row = itemOf(schema)
        return counted(entries(line), row, (entry, i) => entryOf(entry, row.prefixItems?.[i] ?? itemOf(row)))
      })
    default:
      return structured(plain, schema)
  }
}

/** All inputs read: the values, and the first fault of each field by its path. */
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
    const reading = read(field, texts[field.path] ?? '')
    if ('fault' in reading) faults[field.path] = reading.fault
    else values[field.key] = reading.value
  }
  return { values, faults }
}

/** What of `values` is not as in `base`: all that has to be sent. */
export function changedOnly(values: Facts, base: Facts): Facts {
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => !same(value, base[key] ?? null)))
}

/**
 * Names that stand in a mapping of `base` and were taken out of it, by the field. The server merges mappings key by key,
 * so that such a name would stay.
 */
export function takenOut(values: Facts, base: Facts): Record<string, Refusal> {
  const faults: Record<string, Refusal> = {}
  for (const [key, value] of Object.entries(values)) {
    const gone = missing(value, base[key] ?? null)
    if (gone !== undefined) faults[key] = { key: 'faultRemoved', facts: { name: gone } }
  }
  return faults
}

function missing(value: Json, base: Json): string | undefined {
  if (!isMapping(value) || !isMapping(base)) return undefined
  for (const [key, inner] of Object.entries(base)) {
    const found = key in value ? missing(value[key] ?? null, inner) : ''
    if (found !== undefined) return found ? `${key}.${found}` : key
  }
  return undefined
}

/** The bounds of a number or of a list in signs: "0 – 40000", "≥ 1", "> 0". */
export function boundsOf({ kind, schema }: Field): string {
  if (kind !== 'integer' && kind !== 'number') return ''
  const low = schema.minimum ?? schema.exclusiveMinimum
  const high = schema.maximum ?? schema.exclusiveMaximum
  if (schema.minimum !== undefined && schema.maximum !== undefined) return `${low} – ${high}`
  const above = low === undefined ? '' : `${schema.minimum === undefined ? '>' : '≥'} ${low}`
  const below = high === undefined ? '' : `${schema.maximum === undefined ? '<' : '≤'} ${high}`
  return [above, below].filter(Boolean).join(', ')
}

function kindOf(schema: Schema, root: Schema): Kind {
  if (choicesOf(schema).length) return 'choice'
  if (schema.anyOf) return 'json'
  if (schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean') return schema.type
  if (schema.type === 'string') return 'text'
  if (schema.type === 'object' && schema.properties) return 'group'
  if (schema.type === 'array') {
    const item = itemsOf(schema, root).items
    if (isPlain(item)) return 'list'
    if (item && item.type === 'array' && (isPlain(item.items) || item.prefixItems?.every(isPlain))) return 'rows'
  }
  return 'json'
}

const PLAIN = new Set(['integer', 'number', 'string'])
const isPlain = (schema: Schema | false | undefined): boolean => !!schema && !schema.anyOf && PLAIN.has(schema.type ?? '')
const itemOf = (schema: Schema): Schema => schema.items || {}

function choicesOf(schema: Schema): Json[] {
  return schema.enum ?? (schema.const === undefined ? [] : [schema.const])
}

function itemsOf(schema: Schema, root: Schema): { items?: Schema } {
  return schema.items ? { items: resolved(schema.items, root) } : {}
}

/** The schema beneath a reference and beneath "or nothing". */
function unwrapped(given: Schema, root: Schema): { schema: Schema; isNullable: boolean } {
  const direct = resolved(given, root)
  if (!direct.anyOf) return { schema: direct, isNullable: false }
  const options = direct.anyOf.map((option) => resolved(option, root))
  const real = options.filter(({ type }) => type !== 'null')
  const only = real.length === 1 ? real[0] : undefined
  const fallback = direct.default === undefined ? {} : { default: direct.default }
  return { schema: only ? { ...only, ...fallback } : direct, isNullable: real.length < options.length }
}

function no(key: Key, facts: Facts = {}): { fault: Refusal } {
  return { fault: { key, facts } }
}

function numeral(text: string, kind: 'integer' | 'number', schema: Schema): Reading {
  const form = kind === 'integer' ? /^[+-]?\d+$/ : /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
  const value = Number(text)
  if (!form.test(text) || !Number.isFinite(value)) return no(kind === 'integer' ? 'faultWhole' : 'faultNumber', { text })
  if (kind === 'integer' && !Number.isSafeInteger(value)) return no('faultMax', { value: text, bound: Number.MAX_SAFE_INTEGER })
  if (schema.minimum !== undefined && value < schema.minimum) return no('faultMin', { value, bound: schema.minimum })
  if (schema.maximum !== undefined && value > schema.maximum) return no('faultMax', { value, bound: schema.maximum })
  if (schema.exclusiveMinimum !== undefined && value <= schema.exclusiveMinimum) return no('faultAbove', { value, bound: schema.exclusiveMinimum })
  if (schema.exclusiveMaximum !== undefined && value >= schema.exclusiveMaximum) return no('faultBelow', { value, bound: schema.exclusiveMaximum })
  return { value }
}

function worded(text: string, schema: Schema): Reading {
  if (schema.minLength !== undefined && text.length < schema.minLength) return no('faultShort', { bound: schema.minLength })
  if (schema.maxLength !== undefined && text.length > schema.maxLength) return no('faultLong', { value: text.length, bound: schema.maxLength })
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(text)) return no('faultPattern', { text, pattern: schema.pattern })
  return { value: text }
}

/** Commas, Chinese ones too, and blanks part entries; brackets round the whole are forgiven. */
function entries(text: string): string[] {
  return text.replace(/^\s*\[|\]\s*$/g, '').split(/[\s,，、]+/).filter(Boolean)
}

function entryOf(text: string, item: Schema): Reading {
  if (item.type === 'integer' || item.type === 'number') return numeral(text, item.type, item)
  const choices = choicesOf(item)
  if (choices.length && !choices.includes(text)) return no('faultChoice', { text, choices: choices.map(String).join(', ') })
  return worded(text, item)
}

function counted(parts: string[], schema: Schema, one: (part: string, i: number) => Reading): Reading {
  const value: Json[] = []
  for (const [i, part] of parts.entries()) {
    const reading = one(part, i)
    if ('fault' in reading) return reading
    value.push(reading.value)
  }
  if (schema.minItems !== undefined && value.length < schema.minItems) return no('faultFew', { value: value.length, bound: schema.minItems })
  if (schema.maxItems !== undefined && value.length > schema.maxItems) return no('faultMany', { value: value.length, bound: schema.maxItems })
  return { value }
}

function structured(text: string, schema: Schema): Reading {
  if (!text) return schema.type === 'array' ? { value: [] } : schema.type === 'object' ? { value: {} } : no('faultEmpty')
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    return no('faultJson', { text: from(text, error) })
  }
  if (schema.type === 'array' && !Array.isArray(value)) return no('faultList')
  if (schema.type === 'object' && !isMapping(value)) return no('faultObject')
  return { value }
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
