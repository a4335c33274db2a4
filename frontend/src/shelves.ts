/** What of a `Storage` is used; a browser may refuse any of it. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const shut = (): never => {
  throw new Error('this browser keeps nothing for this site')
}
const SHUT: Shelf = { getItem: shut, setItem: shut, removeItem: shut }

/** A storage; where even its name may not be said, since cookies are blocked, one that refuses each thing by itself. */
export function shelfOf(storage: () => Storage): Shelf {
  try {
    return storage()
  } catch {
    return SHUT
  }
}

export const tabShelf = shelfOf(() => sessionStorage)
export const browserShelf = shelfOf(() => localStorage)

/** What this browser keeps under a name; null where it keeps nothing. */
export function kept(name: string): string | null {
  try {
    return browserShelf.getItem(name)
  } catch {
    return null
  }
}

/** Keep this under a name, or with null no longer; where nothing is kept it lasts as long as the page. */
export function keep(name: string, value: string | null): void {
  try {
    if (value === null) browserShelf.removeItem(name)
    else browserShelf.setItem(name, value)
  } catch {
    // The page goes on with what it holds.
  }
}
