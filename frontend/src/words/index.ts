import { sentence, spoken } from '../sentences'
import type { Facts, Lang } from '../types'
import type { WORDS } from './all'

export type Key = keyof typeof WORDS
type Spoken = Readonly<Record<Key, string>>

const LOADED: { readonly [lang in Lang]: () => Promise<{ default: Spoken }> } = { en: () => import('./en'), zh: () => import('./zh') }
const known: { [lang in Lang]?: Spoken } = {}

/** Fetches the pages' words in a language; to be awaited before anything is said in it. */
export async function learn(lang: Lang): Promise<void> {
  known[lang] ??= (await LOADED[lang]()).default
}

/** Whether the pages have words of that name. */
export const isKey = (name: string): name is Key => Object.hasOwn(known.en ?? known.zh ?? {}, name)

/** A page's string with its placeholders filled. */
export function word(lang: Lang, key: Key, facts?: Facts): string {
  const text = known[lang]![key]
  return facts ? spoken(sentence(text, facts), String) : text
}
