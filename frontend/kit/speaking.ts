import { sentence, spoken } from '../src/sentences'
import type { Facts, Lang, SeatMeta } from '../src/types'
import { COLUMN, type Words } from '../src/words/rows'
import { seatName } from './board'

/** Says one of a game's words, filled with facts. */
export type Say<Word extends string> = (word: Word, facts?: Facts) => string

/** What is needed to speak: a language, and the names of the seats. */
export interface Speaking {
  lang: Lang
  seats: readonly SeatMeta[]
}

/** Whether a finger points here: hints then speak of no keys. */
export function isTouched(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches
}

/**
 * A board's or a composer's own words, said in the language of whoever looks. A word may have another saying for
 * whoever points with a finger, under its name with `Touch` after it.
 */
export function speakerOf<Word extends string>(words: Words<Word>): (who: Speaking) => Say<Word> {
  const rows: Words = words
  return ({ lang, seats }) =>
    (word, facts = {}) => {
      const touch = rows[`${word}Touch`]
      const row = touch && isTouched() ? touch : words[word]
      return spoken(sentence(row[COLUMN[lang]], facts), (seat) => seatName(seats, seat))
    }
}

/** Sentences one after the other: Chinese ones stand without a blank between them. */
export function paragraph(sentences: readonly string[], lang: Lang): string {
  return sentences.filter(Boolean).join(lang === 'zh' ? '' : ' ')
}

/** "name: what is said of it", with the colon of the language. */
export function colon(name: string, said: string, lang: Lang): string {
  return `${name}${lang === 'zh' ? '：' : ': '}${said}`
}
