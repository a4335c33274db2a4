import { sentence, spoken } from '../sentences'
import type { Facts, Lang } from '../types'

/** A word in each language, the same facts in both. */
export type Words<Word extends string = string> = Readonly<Record<Word, readonly [en: string, zh: string]>>

export const COLUMN: Readonly<Record<Lang, 0 | 1>> = { en: 0, zh: 1 }

/** Says one of these words in a language, with its placeholders filled. */
export function tellerOf<Word extends string>(words: Words<Word>): (lang: Lang, word: Word, facts?: Facts) => string {
  return (lang, word, facts) => {
    const text = words[word][COLUMN[lang]]
    return facts ? spoken(sentence(text, facts), String) : text
  }
}

/** These words in one language. */
export function column<Word extends string>(words: Words<Word>, lang: Lang): Readonly<Record<Word, string>> {
  return Object.fromEntries(Object.entries<Words[string]>(words).map(([key, row]) => [key, row[COLUMN[lang]]])) as Record<Word, string>
}

/** Whether these words have one of that name. */
export function has<Word extends string>(words: Words<Word>, name: string): name is Word {
  return Object.hasOwn(words, name)
}
