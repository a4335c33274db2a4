import { choicesOf, isFree, resolved, unwrapped, variantsOf, type Schema } from '../jsonschema'

/**
 * How a value is written: `list` is entries in a line, `rows` a line for each list, `group` fields that stand on their own,
 * `parts` a structure that the schema describes, drawn part by part, and `json` whatever else there is.
 */
export type Kind = 'integer' | 'number' | 'boolean' | 'choice' | 'text' | 'list' | 'rows' | 'group' | 'parts' | 'json'

export interface Field {
  /** Dotted way from the root of the settings; `*` stands for any place in a list or mapping. */
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
  /** Parts of a `group`. */
  fields: Field[]
  schema: Schema
  /** Where references lead. */
  root: Schema
}

/** What a game calls its settings; see docs/adding-a-game.md. */
export interface FormWords {
  config?: Record<string, { label: string; help: string }>
  /** Choices, by the value. */
  values?: Record<string, string>
  /** Units of the settings, by their name there. */
  units?: Record<string, string>
  /** Things of the game, by the name that settings have for them. */
  names?: Record<string, string>
  roles?: Record<string, string>
}

/** The fields of an object schema in its own order, worded by the game where it has words. */
export function fieldsOf(schema: Schema, words: FormWords = {}, root: Schema = schema, prefix = ''): Field[] {
  return Object.entries(resolved(schema, root).properties ?? {}).map(([key, given]) => fieldOf(given, key, words, root, prefix))
}

/** One part of a structure as a field. */
export function fieldOf(given: Schema, key: string, words: FormWords, root: Schema, prefix = ''): Field {
  const { schema: inner, isNullable } = unwrapped(given, root)
  const path = prefix + key
  const named = words.config?.[path]
  const kind = kindOf(inner, isNullable, root)
  return {
    path,
    key,
    kind,
    label: named?.label ?? given.title ?? inner.title ?? key,
    help: named?.help ?? given.description ?? inner.description ?? '',
    unit: words.units?.[given.unit ?? ''] ?? given.unit ?? '',
    group: given.group ?? '',
    isNullable,
    choices: choicesOf(inner).map((value) => ({ value: String(value), label: words.values?.[String(value)] ?? String(value) })),
    fields: kind === 'group' ? fieldsOf(inner, words, root, `${path}.`) : [],
    schema: inner,
    root,
  }
}

/** All fields that hold a value of their own, nested ones among them. */
export function leaves(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => (field.kind === 'group' ? leaves(field.fields) : [field]))
}

/** The bounds of a number or of a list in signs: "0 – 40,000", "≥ 1", "> 0". */
export function boundsOf({ kind, schema }: Field): string {
  if (kind !== 'integer' && kind !== 'number') return ''
  const low = schema.minimum ?? schema.exclusiveMinimum
  const high = schema.maximum ?? schema.exclusiveMaximum
  if (schema.minimum !== undefined && schema.maximum !== undefined) return `${numeral(schema.minimum)} – ${numeral(schema.maximum)}`
  const above = low === undefined ? '' : `${schema.minimum === undefined ? '>' : '≥'} ${numeral(low)}`
  const below = high === undefined ? '' : `${schema.maximum === undefined ? '<' : '≤'} ${numeral(high)}`
  return [above, below].filter(Boolean).join(', ')
}

/** With a real minus sign, and a comma after thousands where there are many. */
const numeral = (value: number): string => (Math.abs(value) < 10_000 ? String(value) : value.toLocaleString('en', { maximumFractionDigits: 6 })).replace('-', '−')

function kindOf(schema: Schema, isNullable: boolean, root: Schema): Kind {
  if (choicesOf(schema).length) return 'choice'
  if (variantsOf(schema, root).length) return 'parts'
  if (schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean') return schema.type
  if (schema.type === 'string') return 'text'
  if (isFree(schema)) return 'parts'
  // "None of it" has to be told from "all as by default".
  if (schema.type === 'object' && schema.properties) return isNullable ? 'parts' : 'group'
  return schema.type === 'array' ? kindOfList(schema, root) : 'json'
}

function kindOfList(schema: Schema, root: Schema): Kind {
  const item = schema.items && resolved(schema.items, root)
  if (isPlain(item)) return 'list'
  if (item && item.type === 'array' && !schema.prefixItems) {
    const inner = item.prefixItems ?? (item.items ? [item.items] : [])
    if (inner.length && inner.every((each) => isPlain(resolved(each, root)))) return 'rows'
  }
  return item || schema.prefixItems ? 'parts' : 'json'
}

/** Whether values of it can stand in a line, parted by blanks. */
function isPlain(schema: Schema | false | undefined): boolean {
  if (!schema || schema.anyOf) return false
  return schema.type === 'integer' || schema.type === 'number' || (schema.type === 'string' && !!(schema.enum ?? schema.pattern))
}
