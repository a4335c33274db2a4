import type { Shelf } from '../shelves'

/** What somebody at a door has typed and agreed to. */
export interface Entry {
  label: string
  agreed: boolean
}

const nameOf = (code: string): string => `polity.join.${code}`

/** What was kept at this door in this tab; blank where nothing was, or storage is closed. */
export function entryOf(shelf: Shelf, code: string): Entry {
  try {
    const kept = JSON.parse(shelf.getItem(nameOf(code)) ?? '{}') as Partial<Entry>
    return { label: typeof kept.label === 'string' ? kept.label : '', agreed: kept.agreed === true }
  } catch {
    return { label: '', agreed: false }
  }
}

/** Keeps it for this tab; null forgets it, once the seat is taken. */
export function keepEntry(shelf: Shelf, code: string, entry: Entry | null): void {
  try {
    shelf.setItem(nameOf(code), JSON.stringify(entry ?? {}))
  } catch {
    // Without storage a reload begins anew.
  }
}

const KNOWN = 'polity.known'

/** The games that somebody has sat down to in this browser. */
export function knownGames(shelf: Shelf): readonly string[] {
  try {
    const kept: unknown = JSON.parse(shelf.getItem(KNOWN) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

export function keepKnown(shelf: Shelf, game: string): void {
  try {
    shelf.setItem(KNOWN, JSON.stringify([...new Set([...knownGames(shelf), game])]))
  } catch {
    // Without storage nobody is known again.
  }
}
