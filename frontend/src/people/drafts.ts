import type { Json } from '../types'

/** What is written and not yet sent, kept in the browser for one seat and step, so that a reload loses nothing. */

const PREFIX = 'polity.draft'
const keyOf = (run: string, seat: number): string => `${PREFIX}.${run}.${seat}`

/** What of a `Storage` is used; a browser may refuse any of it. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The draft of a step; null where none is kept or it is of another step. */
export function draftRead(shelf: Shelf, run: string, seat: number, step: number): Json {
  try {
    const kept = JSON.parse(shelf.getItem(keyOf(run, seat)) ?? 'null') as { step: number; draft: Json } | null
    return kept?.step === step ? kept.draft : null
  } catch {
    return null
  }
}

/** Keeps a draft; that of an earlier step goes. A browser that keeps nothing is no reason to stop. */
export function draftWrite(shelf: Shelf, run: string, seat: number, step: number, draft: Json): void {
  try {
    if (draft === null) shelf.removeItem(keyOf(run, seat))
    else shelf.setItem(keyOf(run, seat), JSON.stringify({ step, draft }))
  } catch {
    // Private windows and full disks: the draft lives as long as the page.
  }
}
