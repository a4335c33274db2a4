import en from '../../../games/refusals/en.json'
import zh from '../../../games/refusals/zh.json'
import { sentence, spoken } from '../sentences'
import type { Facts, Lang } from '../types'

/** What the server refused: its code, its own line, and the values that it gave with them. */
export interface Refused {
  code: string
  message: string
  facts?: Facts
}

const SENTENCES: Record<Lang, Readonly<Record<string, string>>> = { en: en.sentences, zh: zh.sentences }

/** A refusal in the reader's language, by `CODE.WHY` or its code; one without a sentence in the server's own line. */
export function refusal(lang: Lang, { code, message, facts = {} }: Refused): string {
  const book = SENTENCES[lang]
  const key = [`${code}.${String(facts.why)}`, code].find((each) => Object.hasOwn(book, each))
  return key === undefined ? message : spoken(sentence(book[key] ?? '', { ...facts, message }), String).trim()
}
