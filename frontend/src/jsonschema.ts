import type { Facts, Json } from './types'

/** A JSON Schema as pydantic writes it, with `unit` and `group` beside the standard words. */
export interface Schema {
  type?: string
  title?: string
  description?: string
  unit?: string
  group?: string
  default?: Json
  enum?: Json[]
  const?: Json
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
  required?: string[]
  minLength?: number
  maxLength?: number
  pattern?: string
}

/** The schema that a reference names, with what stands beside the reference. */
export function resolved(schema: Schema, root: Schema): Schema {
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '')?.[1]
  const found = name === undefined ? undefined : root.$defs?.[name]
  return found ? { ...found, ...schema } : schema
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
