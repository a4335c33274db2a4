import { choicesOf, isMapping, resolved, variantsOf, type Schema } from '../jsonschema'
import type { Facts, Json } from '../types'
import { itemOf, type PartFault } from './check'
import type { Field } from './schema'

/** Values that are written part by part. Pure. */

/** One entry of a list or mapping, as it is drawn. */
export interface Entry {
  field: Field
  value: Json
  faults: readonly PartFault[]
  id: string
  /** Parts side by side. */
  isClose: boolean
  onset: (value: Json) => void
}

/** The least that a schema allows, to begin with. */
export function blank(given: Schema, root: Schema): Json {
  const schema = resolved(given, root)
  if (schema.default !== undefined) return schema.default
  const [first] = choicesOf(schema)
  if (first !== undefined) return first
  const [way] = variantsOf(schema, root)
  if (way) return blank(way, root)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, each]) => [key, blank(each, root)]))
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, (_, i) => blank(itemOf(schema, i), root))
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

/** As `blank`, with the first of the names that each text is chosen from, where there are any. */
export function begun(given: Schema, root: Schema, namesOf: (schema: Schema) => readonly string[]): Json {
  const value = blank(given, root)
  const schema = resolved(given, root)
  if (value === '') return namesOf(schema)[0] ?? ''
  if (!isMapping(value) || schema.default !== undefined) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, schema.properties?.[key] ? begun(schema.properties[key], root, namesOf) : each]))
}

/** A name that does not stand there yet: two alike differ by blanks at the end, until one of them is changed. */
export function freeName(name: string, among: readonly string[]): string {
  let free = name
  while (among.includes(free)) free += ' '
  return free
}

/** A mapping with one of its names changed in its place. */
export function renamed(value: Facts, from: string, to: string): Facts {
  const others = Object.keys(value).filter((name) => name !== from)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name === from ? freeName(to, others) : name, each]))
}

/** What a way of writing a value is called: its title, its constants, or its type. */
export function nameOf(way: Schema): string {
  if (way.title) return way.title
  const [only] = choicesOf(way)
  if (only !== undefined) return String(only)
  const constant = Object.values(way.properties ?? {}).find((each) => each.const !== undefined)?.const
  return constant === undefined ? (way.type ?? '') : String(constant)
}

/** A value in a few words, where it has to be named: "claim · (3,7)". */
export function brief(value: Json): string {
  if (Array.isArray(value)) return `(${value.map(brief).join(',')})`
  if (isMapping(value)) return Object.values(value).filter((each) => each !== null && each !== '' && !(Array.isArray(each) && !each.length)).map(brief).join(' · ')
  return value === null ? '–' : String(value)
}
