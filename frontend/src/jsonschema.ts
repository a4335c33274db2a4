import type { Facts, Json } from './types'

/**
 * A JSON Schema as pydantic writes it, with `unit`, `group` and `names` beside the standard words: `names` are the paths of
 * the settings whose entries, or keys, a text or the keys of a mapping are chosen from.
 */
export interface Schema {
  type?: string
  title?: string
  description?: string
  unit?: string
  group?: string
  names?: string[]
  default?: Json
  enum?: Json[]
  const?: Json
  examples?: Json[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  discriminator?: { propertyName: string }
  allOf?: Schema[]
  $ref?: string
  $defs?: Record<string, Schema>
  properties?: Record<string, Schema>
  items?: Schema | false
  prefixItems?: Schema[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  additionalProperties?: Schema | boolean
  patternProperties?: Record<string, Schema>
  propertyNames?: Schema
  minProperties?: number
  maxProperties?: number
  required?: string[]
  minLength?: number
  maxLength?: number
  pattern?: string
  multipleOf?: number
  // Words of an action's schema that a seat's form is drawn from.
  'x-unit'?: string
  'x-money'?: boolean
  /** An integer that names a seat. */
  'x-seat'?: boolean
  /** Oneself is no choice. */
  'x-others'?: boolean
  /** A pair [row, column] of a grid of that size. */
  'x-cell'?: [number, number]
  /** Words for the values of `enum`. */
  'x-choices'?: Record<string, string>
  /** Units given to seats, `{to, units}` each; how many in all, and what one costs who gives it. */
  'x-points'?: boolean
  'x-budget'?: number
  'x-cost'?: number
  'x-text'?: boolean
}

/** The schema that a reference names, with what stands beside the reference. */
export function resolved(schema: Schema, root: Schema): Schema {
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '')?.[1]
  const found = name === undefined ? undefined : root.$defs?.[name]
  return found ? { ...found, ...schema } : schema
}

/** The values to choose from; empty where the value is free. */
export function choicesOf(schema: Schema): Json[] {
  return schema.enum ?? (schema.const === undefined ? [] : [schema.const])
}

/** The ways in which a value may be written, where the schema leaves a choice. */
export function variantsOf(schema: Schema, root: Schema): Schema[] {
  return (schema.oneOf ?? schema.anyOf ?? []).map((each) => resolved(each, root))
}

/** The schema beneath a reference and beneath "or nothing". */
export function unwrapped(given: Schema, root: Schema): { schema: Schema; isNullable: boolean } {
  const direct = resolved(given, root)
  const ways = variantsOf(direct, root)
  const real = ways.filter(({ type }) => type !== 'null')
  const only = real.length === 1 ? real[0] : undefined
  const fallback = direct.default === undefined ? {} : { default: direct.default }
  return { schema: only ? { ...only, ...fallback } : direct, isNullable: real.length < ways.length }
}

/** Whether names of one's own choice can stand in an object, beside those that the schema lists. */
export function isFree({ type, properties, additionalProperties, patternProperties }: Schema): boolean {
  if (type !== 'object') return false
  return !!patternProperties || (additionalProperties === undefined ? !properties : additionalProperties !== false)
}

/** The schema of what stands under a name of one's own choice; undefined where none such may stand. */
export function entryOf({ properties, additionalProperties, patternProperties }: Schema, name: string): Schema | undefined {
  const patterns = Object.entries(patternProperties ?? {})
  const found = patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))
  if (found) return found[1]
  if (typeof additionalProperties === 'object') return additionalProperties
  if (additionalProperties === false || patterns.length) return undefined
  return additionalProperties || !properties ? {} : undefined
}

export const isMapping = (value: Json | undefined): value is Facts => value !== null && typeof value === 'object' && !Array.isArray(value)

/** Whether two values are equal, whatever the order of their keys. */
export function same(a: Json, b: Json): boolean {
  return ordered(a) === ordered(b)
}

function ordered(value: Json): string {
  return JSON.stringify(value, (_key, inner: Json) =>
    isMapping(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
