import { choicesOf, entryOf, isMapping, resolved, same, variantsOf, type Schema } from '../jsonschema'
import type { Facts, Json } from '../types'
import type { Key } from '../words'

/** Why a value cannot be sent; worded when it is shown, so that it follows the language. */
export interface Refusal {
  key: Key
  facts: Facts
}

/** Where a part stands within a value. */
export type Path = readonly (string | number)[]

export interface PartFault {
  path: Path
  refusal: Refusal
}

/** Last in the path of a fault that is of a name in a mapping, and not of what stands under it; pydantic writes it so. */
export const NAME = '[key]'

/** What keeps a value from being sent, by its JSON Schema. The server checks all of it again. */
export function faultsOf(given: Schema, value: Json, root: Schema, path: Path = []): PartFault[] {
  const schema = resolved(given, root)
  const no = (key: Key, facts: Facts = {}): PartFault[] => [{ path, refusal: { key, facts } }]
  const allowed = choicesOf(schema)
  if (allowed.length) return allowed.some((each) => same(each, value)) ? [] : no('faultChoice', { text: text(value), choices: allowed.map(String) })
  const ways = variantsOf(schema, root)
  if (ways.length) {
    if (ways.some((way) => !faultsOf(way, value, root).length)) return []
    return faultsOf(ways[variantOf(schema, value, root)] ?? {}, value, root, path)
  }
  switch (schema.type) {
    case 'object':
      return isMapping(value) ? inObject(schema, value, root, path) : no('faultObject')
    case 'array':
      return Array.isArray(value) ? inArray(schema, value, root, path) : no('faultList')
    case 'integer':
    case 'number':
      return ofNumber(schema, value).flatMap(({ key, facts }) => no(key, facts))
    case 'string':
      return ofText(schema, value).flatMap(({ key, facts }) => no(key, facts))
    case 'boolean':
      return typeof value === 'boolean' ? [] : no('faultEmpty')
    case 'null':
      return value === null ? [] : no('faultEmpty')
    default:
      return []
  }
}

/** Which of the ways a value is written in: by its constants, else by its shape; the first that is something where none fits. */
export function variantOf(schema: Schema, value: Json, root: Schema): number {
  const ways = variantsOf(schema, root)
  const named = ways.findIndex((way) => {
    if (!isMapping(value) || !way.properties) return false
    const fixed = Object.entries(way.properties).flatMap(([key, each]) => (each.const === undefined ? [] : [[key, each.const] as const]))
    return fixed.length > 0 && fixed.every(([key, constant]) => same(value[key] ?? null, constant))
  })
  if (named >= 0) return named
  const fits = ways.findIndex((way) => !faultsOf(way, value, root).length)
  if (fits >= 0) return fits
  const alike = ways.findIndex((way) => way.type === (isMapping(value) ? 'object' : Array.isArray(value) ? 'array' : typeof value))
  return alike >= 0 ? alike : Math.max(0, ways.findIndex(({ type }) => type !== 'null'))
}

function inObject(schema: Schema, value: Facts, root: Schema, path: Path): PartFault[] {
  const listed = schema.properties ?? {}
  const within = Object.entries(listed).flatMap(([key, each]) => {
    const part = value[key]
    if (part !== undefined) return faultsOf(each, part, root, [...path, key])
    return schema.required?.includes(key) ? [{ path: [...path, key], refusal: { key: 'faultEmpty' as const, facts: {} } }] : []
  })
  const free = Object.keys(value).filter((name) => !Object.hasOwn(listed, name))
  for (const name of free) {
    const wrong = ofName(schema, name, value)
    if (wrong) within.push({ path: [...path, name, NAME], refusal: wrong })
    within.push(...faultsOf(entryOf(schema, name) ?? likelyEntry(schema), value[name] ?? null, root, [...path, name]))
  }
  if (within.length) return within
  const counted = (key: Key, bound: number): PartFault[] => [{ path, refusal: { key, facts: { value: Object.keys(value).length, bound } } }]
  if (schema.minProperties !== undefined && Object.keys(value).length < schema.minProperties) return counted('faultFew', schema.minProperties)
  if (schema.maxProperties !== undefined && Object.keys(value).length > schema.maxProperties) return counted('faultMany', schema.maxProperties)
  return []
}

/** Of an entry whose name is wrong: what it would be under a right one. */
export function likelyEntry({ patternProperties, additionalProperties }: Schema): Schema {
  return Object.values(patternProperties ?? {})[0] ?? (typeof additionalProperties === 'object' ? additionalProperties : {})
}

/** What is wrong with a name of one's own choice. Two alike differ by blanks at the end: an object cannot hold both. */
function ofName(schema: Schema, name: string, among: Facts): Refusal | undefined {
  const plain = name.trim()
  if (!plain) return { key: 'faultNameEmpty', facts: {} }
  if (plain !== name && Object.hasOwn(among, plain)) return { key: 'faultNameTwice', facts: { name: plain } }
  if (entryOf(schema, name) && !schema.propertyNames) return undefined
  const patterns = Object.keys(schema.patternProperties ?? {})
  if (schema.propertyNames) return ofText({ ...schema.propertyNames, type: 'string' }, name)[0]
  return patterns[0] === undefined ? { key: 'faultUnknown', facts: { name } } : unlike(name, patterns[0])
}

function inArray(schema: Schema, value: readonly Json[], root: Schema, path: Path): PartFault[] {
  const within = value.flatMap((each, i) => faultsOf(itemOf(schema, i), each, root, [...path, i]))
  if (within.length) return within
  const counted = (key: Key, bound: number): PartFault[] => [{ path, refusal: { key, facts: { value: value.length, bound } } }]
  if (schema.minItems !== undefined && value.length < schema.minItems) return counted('faultFew', schema.minItems)
  if (schema.maxItems !== undefined && value.length > schema.maxItems) return counted('faultMany', schema.maxItems)
  return []
}

/** The schema of an entry of a list. */
export const itemOf = (schema: Schema, i = 0): Schema => schema.prefixItems?.[i] ?? (schema.items || {})

function ofNumber(schema: Schema, value: Json): Refusal[] {
  const no = (key: Key, facts: Facts): Refusal[] => [{ key, facts }]
  const isWhole = schema.type === 'integer'
  if (value === null || value === '') return no('faultEmpty', {})
  if (typeof value !== 'number' || !Number.isFinite(value)) return no(isWhole ? 'faultWhole' : 'faultNumber', { text: text(value) })
  if (isWhole && !Number.isInteger(value)) return no('faultWhole', { text: text(value) })
  if (isWhole && !Number.isSafeInteger(value)) return no('faultMax', { value, bound: Number.MAX_SAFE_INTEGER })
  if (schema.minimum !== undefined && value < schema.minimum) return no('faultMin', { value, bound: schema.minimum })
  if (schema.maximum !== undefined && value > schema.maximum) return no('faultMax', { value, bound: schema.maximum })
  if (schema.exclusiveMinimum !== undefined && value <= schema.exclusiveMinimum) return no('faultAbove', { value, bound: schema.exclusiveMinimum })
  if (schema.exclusiveMaximum !== undefined && value >= schema.exclusiveMaximum) return no('faultBelow', { value, bound: schema.exclusiveMaximum })
  return []
}

function ofText(schema: Schema, value: Json): Refusal[] {
  const no = (key: Key, facts: Facts): Refusal[] => [{ key, facts }]
  if (typeof value !== 'string') return no('faultEmpty', {})
  if (schema.minLength !== undefined && value.length < schema.minLength) return no('faultShort', { bound: schema.minLength })
  if (schema.maxLength !== undefined && value.length > schema.maxLength) return no('faultLong', { value: value.length, bound: schema.maxLength })
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) return [unlike(value, schema.pattern)]
  return []
}

/** Patterns that can be told in words, with how many characters they allow. */
const SAID: readonly (readonly [RegExp, Key])[] = [
  [/^\^\[a-z]\[a-z0-9_]\{0,(\d+)}\$$/, 'faultIdentifier'],
  [/^\^\[A-Za-z0-9]\[A-Za-z0-9._-]\{0,(\d+)}\$$/, 'faultFileName'],
  [/^\^\[\\w-]\*\$$/, 'faultPlainWord'],
]

function unlike(text: string, pattern: string): Refusal {
  for (const [form, key] of SAID) {
    const found = form.exec(pattern)
    if (found) return { key, facts: { text, most: Number(found[1] ?? 0) + 1 } }
  }
  return { key: 'faultPattern', facts: { text, pattern } }
}

const text = (value: Json): string => (value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value))
