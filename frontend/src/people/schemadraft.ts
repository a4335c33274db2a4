import type { Refusal } from '../form/schema'
import { isMapping, resolved, same, type Schema } from '../jsonschema'
import type { Facts, Json } from '../types'

/** An answer written by its JSON Schema alone, as plain values. Pure, so that it is tested without a browser. */

/** The ways in which a value may be written, where the schema leaves a choice. */
export function variants(schema: Schema, root: Schema): Schema[] {
  return (schema.oneOf ?? schema.anyOf ?? []).map((each) => resolved(each, root))
}

/** The values to choose from; empty where the value is free. */
export function choices(schema: Schema): Json[] {
  return schema.enum ?? (schema.const === undefined ? [] : [schema.const])
}

/** The least that the schema allows, to begin with. */
export function blank(given: Schema, root: Schema): Json {
  const schema = resolved(given, root)
  if (schema.default !== undefined) return schema.default
  const [first] = choices(schema)
  if (first !== undefined) return first
  const [way] = variants(schema, root)
  if (way) return blank(way, root)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, each]) => [key, blank(each, root)]))
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, (_, i) => blank(schema.prefixItems?.[i] ?? (schema.items || {}), root))
    case 'integer':
    case 'number':
      return Math.min(schema.maximum ?? Infinity, Math.max(schema.minimum ?? 0, 0))
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return ''
  }
}

/** Which of the ways a value is written in: by the discriminator, else by its constants, else by its shape. */
export function variantOf(schema: Schema, value: Json, root: Schema): number {
  const ways = variants(schema, root)
  const told = ways.findIndex((way) => {
    if (!isMapping(value) || !way.properties) return false
    const fixed = Object.entries(way.properties).flatMap(([key, each]) => (each.const === undefined ? [] : [[key, each.const] as const]))
    return fixed.length > 0 && fixed.every(([key, constant]) => same(value[key] ?? null, constant))
  })
  if (told >= 0) return told
  return Math.max(0, ways.findIndex((way) => !faults(way, value, root).length))
}

/** What a way is called: its title, its constants, or its type. */
export function nameOf(way: Schema): string {
  if (way.title) return way.title
  const [only] = choices(way)
  if (only !== undefined) return String(only)
  const constant = Object.values(way.properties ?? {}).find((each) => each.const !== undefined)?.const
  return constant === undefined ? (way.type ?? '') : String(constant)
}

export type Path = readonly (string | number)[]

/** The value with another one at a place within it. */
export function put(value: Json, path: Path, part: Json): Json {
  const [key, ...rest] = path
  if (key === undefined) return part
  if (Array.isArray(value)) return value.map((each, i) => (i === key ? put(each, rest, part) : each))
  const whole = isMapping(value) ? value : {}
  return { ...whole, [key]: put(whole[key] ?? null, rest, part) }
}

export interface DraftFault {
  path: Path
  refusal: Refusal
}

/** What keeps a value from being sent; the server checks all of it again. */
export function faults(given: Schema, value: Json, root: Schema, path: Path = []): DraftFault[] {
  const schema = resolved(given, root)
  const no = (key: Refusal['key'], facts: Facts = {}): DraftFault[] => [{ path, refusal: { key, facts } }]
  const allowed = choices(schema)
  if (allowed.length) return allowed.some((each) => same(each, value)) ? [] : no('faultChoice', { text: String(value), choices: allowed.map(String).join(', ') })
  const ways = variants(schema, root)
  if (ways.length) {
    const found = ways.map((way) => faults(way, value, root, path))
    return found.some((each) => !each.length) ? [] : (found[isMapping(value) ? variantOf(schema, value, root) : 0] ?? [])
  }
  switch (schema.type) {
    case 'object': {
      if (!isMapping(value)) return no('faultObject')
      return Object.entries(schema.properties ?? {}).flatMap(([key, each]) =>
        value[key] === undefined ? (schema.required?.includes(key) ? [{ path: [...path, key], refusal: { key: 'faultEmpty' as const, facts: {} } }] : []) : faults(each, value[key] ?? null, root, [...path, key]),
      )
    }
    case 'array': {
      if (!Array.isArray(value)) return no('faultList')
      if (schema.minItems !== undefined && value.length < schema.minItems) return no('faultFew', { value: value.length, bound: schema.minItems })
      if (schema.maxItems !== undefined && value.length > schema.maxItems) return no('faultMany', { value: value.length, bound: schema.maxItems })
      return value.flatMap((each, i) => faults(schema.prefixItems?.[i] ?? (schema.items || {}), each, root, [...path, i]))
    }
    case 'integer':
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return no('faultNumber', { text: String(value ?? '') })
      if (schema.type === 'integer' && !Number.isSafeInteger(value)) return no('faultWhole', { text: String(value) })
      if (schema.minimum !== undefined && value < schema.minimum) return no('faultMin', { value, bound: schema.minimum })
      if (schema.maximum !== undefined && value > schema.maximum) return no('faultMax', { value, bound: schema.maximum })
      if (schema.exclusiveMinimum !== undefined && value <= schema.exclusiveMinimum) return no('faultAbove', { value, bound: schema.exclusiveMinimum })
      if (schema.exclusiveMaximum !== undefined && value >= schema.exclusiveMaximum) return no('faultBelow', { value, bound: schema.exclusiveMaximum })
      return []
    case 'string':
      if (typeof value !== 'string') return no('faultEmpty')
      if (schema.minLength !== undefined && value.length < schema.minLength) return no('faultShort', { bound: schema.minLength })
      if (schema.maxLength !== undefined && value.length > schema.maxLength) return no('faultLong', { value: value.length, bound: schema.maxLength })
      return []
    case 'boolean':
      return typeof value === 'boolean' ? [] : no('faultEmpty')
    case 'null':
      return value === null ? [] : no('faultEmpty')
    default:
      return []
  }
}

/** An action in a few words, where it has to be named: "Claim · 3 · 7". */
export function brief(value: Json): string {
  if (Array.isArray(value)) return `(${value.map(brief).join(',')})`
  if (isMapping(value)) return Object.values(value).filter((each) => each !== null && each !== '').map(brief).join(' · ')
  return value === null ? '–' : String(value)
}
