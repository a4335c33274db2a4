import type { GameWords } from './gamewords'
import { sentence, type Part } from './sentences'
import type { Json, Note } from './types'

/** A note that is a sentence already: `text`. So are those of records from before notes had kinds. */
export const SENTENCE = 'sentence'

export type NoteWords = Pick<GameWords, 'notes' | 'actions' | 'names' | 'config' | 'values'>

/** Why a part of an answer was struck out or changed, in a game's words. A kind without words is told as it came. */
export function noteParts({ kind, data }: Note, words: NoteWords): Part[] {
  if (kind === SENTENCE) return [{ type: 'text', text: String(data.text) }]
  const known = words.notes?.[kind]
  if (known !== undefined) return sentence(known, data, { ...settings(words), ...words.actions, ...words.names })
  return sentence(`${kind.replaceAll('_', ' ')}${Object.keys(data).length ? ' {data}' : ''}`, { data })
}

/** What its settings and their values are called, for `{word:term}`. */
function settings({ config = {}, values = {} }: NoteWords): Record<string, string> {
  const labels = Object.entries(config).map(([name, { label }]) => [name, label] as const)
  return Object.fromEntries([...Object.entries(values), ...labels].map(([name, label]) => [`setting ${name}`, label]))
}

export function asNote(text: string): Note {
  return { kind: SENTENCE, data: { text } }
}

export function sameNotes(a: readonly Note[], b: readonly Note[]): boolean {
  const written = (notes: readonly Note[]): Json => notes.map(({ kind, data }) => [kind, data])
  return JSON.stringify(written(a)) === JSON.stringify(written(b))
}
