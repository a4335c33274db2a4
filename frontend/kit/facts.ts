import type { Told } from './board'
import type { Say } from './speaking'

/** What boards share that say what they show: facts with their data, and seats by score. */

/** A fact in words, with those of its data that are known: what is null, undefined or false is left out. */
export function fact(text: string, facts: object): Told {
  const known = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== false)
  return { text, data: Object.fromEntries(known.map(([key, value]) => [key, String(value)])) }
}

/** Rows in the order of their score; those whose score is not known stand last, equals by seat. */
export function ranked<Row extends { seat: number; score: number | null }>(rows: readonly Row[]): Row[] {
  const by = ({ score }: Row): number => score ?? -Number.MAX_VALUE
  return [...rows].sort((a, b) => by(b) - by(a) || a.seat - b.seat)
}

/** Columns of numbers, each under its word. */
export function columnsOf<Word extends string>(say: Say<Word>, ...words: readonly Word[]): { label: string; numeric: true }[] {
  return words.map((word) => ({ label: say(word), numeric: true }))
}
