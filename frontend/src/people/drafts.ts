import type { Shelf } from '../shelves'
import type { Json } from '../types'

/** What is written and not yet sent, kept in the browser for one seat and step, so that a reload loses nothing. */

const PREFIX = 'polity.draft'
const keyOf = (run: string, seat: number): string => `${PREFIX}.${run}.${seat}`

/** A draft as it was kept: of this step, or of an earlier one at which it was not sent. */
export interface Kept {
  draft: Json
  isOld: boolean
}

/** What is kept of a seat's draft at a step; null where nothing is. */
export function draftRead(shelf: Shelf, run: string, seat: number, step: number): Kept | null {
  try {
    const kept = JSON.parse(shelf.getItem(keyOf(run, seat)) ?? 'null') as { step: number; draft: Json; sent?: boolean } | null
    if (!kept || (kept.step !== step && kept.sent)) return null
    return { draft: kept.draft, isOld: kept.step !== step }
  } catch {
    return null
  }
}

/** Keeps a draft; that of an earlier step goes. A browser that keeps nothing is no reason to stop. */
export function draftWrite(shelf: Shelf, run: string, seat: number, step: number, draft: Json, sent = false): void {
  try {
    if (draft === null) shelf.removeItem(keyOf(run, seat))
    else shelf.setItem(keyOf(run, seat), JSON.stringify({ step, draft, ...(sent ? { sent } : {}) }))
  } catch {
    // Private windows and full disks: the draft lives as long as the page.
  }
}
