import { sentence, spoken } from '../sentences'
import type { Facts, Lang } from '../types'
import { en, type Key as PageKey } from './en'
import { peopleEn, peopleZh, type PeopleKey } from './people'
import { zh } from './zh'

export type Key = PageKey | PeopleKey
export const PAGE_WORDS: Record<Lang, Record<Key, string>> = { en: { ...en, ...peopleEn }, zh: { ...zh, ...peopleZh } }

/** Whether the page has words of that name. */
export function isKey(name: string): name is Key {
  return Object.hasOwn(PAGE_WORDS.en, name)
}

/** A page's string with its placeholders filled. */
export function word(lang: Lang, key: Key, facts?: Facts): string {
  const text = PAGE_WORDS[lang][key]
  return facts ? spoken(sentence(text, facts), String) : text
}
