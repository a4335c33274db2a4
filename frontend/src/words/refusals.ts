import en from '../../../games/errors/refusals/en.json'
import zh from '../../../games/errors/refusals/zh.json'
import { sentence, spoken } from '../sentences'
import type { Facts, Lang } from '../types'

/** What the server refused: its code, its own line, and the values that it gave with them. */
export interface Refused {
  code: string
  message: string
  facts?: Facts
}

/** The same by language. */
export type Says = { [lang in Lang]?: string }

const NAMES: Record<Lang, Readonly<Record<string, string>>> = { en: en.names, zh: zh.names }
const SENTENCES: Record<Lang, Readonly<Record<string, string>>> = { en: en.sentences, zh: zh.sentences }

/**
 * A refusal in the reader's language, by `CODE.WHY` or its code; one without a sentence in the server's own line. `says`
 * among the facts is the detail by language.
 */
export function refusal(lang: Lang, { code, message, facts = {} }: Refused): string {
  const book = SENTENCES[lang]
  const detail = (facts.says as Says | undefined)?.[lang] ?? message
  const key = [`${code}.${String(facts.why)}`, code].find((each) => Object.hasOwn(book, each))
  return key === undefined ? detail : spoken(sentence(book[key] ?? '', { ...facts, message: detail }, NAMES[lang]), String).trim()
}
