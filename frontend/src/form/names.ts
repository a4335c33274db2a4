import { getContext, setContext } from 'svelte'
import { choicesOf, isMapping, type Schema } from '../jsonschema'
import type { Json } from '../types'
import { leaves, type Field, type FormWords } from './schema'
import { meant } from './written'

/** Names that a value, or the keys of a mapping, are chosen from: those that the schema knows and those that the settings give. */

export interface Known {
  /** What stands at these paths of the settings as they are written. */
  at: (path: string) => Json
  words: FormWords
}

const KEY = Symbol('names')
const NOTHING: Known = { at: () => null, words: {} }

export const provideNames = (known: Known): Known => setContext(KEY, known)
export const useNames = (): Known => getContext<Known | undefined>(KEY) ?? NOTHING

/** What a game calls a thing of its settings; the name itself where it is one of their own. */
export function wordOf({ names, roles, values }: FormWords, name: string): string {
  return names?.[name] ?? roles?.[name] ?? values?.[name] ?? name
}

/** Each name once, in the order in which they stand; none where any may be written. */
export function namesFor(schema: Schema, known: Known): string[] {
  const given = [...choicesOf(schema), ...(schema.examples ?? []), ...(schema.names ?? []).flatMap((path) => listed(known.at(path)))]
  return [...new Set(given.map(String))].filter((name) => name.trim())
}

function listed(value: Json): Json[] {
  return Array.isArray(value) ? value : isMapping(value) ? Object.keys(value) : []
}

/** The values as they are written, by the path of their field. */
export function valuesAt(fields: readonly Field[], texts: Readonly<Record<string, string>>): (path: string) => Json {
  return (path) => {
    const field = leaves(fields).find((one) => one.path === path)
    return field ? meant(field, texts[path] ?? '') : null
  }
}

