import type { Shelf } from '../shelves'

const NAME = 'polity.tab'

/**
 * The name of this tab: the same after a reload, another in a copy of the tab, which inherits the storage while the
 * first still lives. A tab gives its name back when it is left.
 */
export function tabName(shelf: Shelf, random: () => string = randomId): string {
  try {
    const [name, isFree] = (shelf.getItem(NAME) ?? '').split(' ')
    const own = name && isFree === 'free' ? name : random()
    shelf.setItem(NAME, own)
    return own
  } catch {
    return random()
  }
}

export function tabFree(shelf: Shelf, name: string): void {
  try {
    shelf.setItem(NAME, `${name} free`)
  } catch {
    // Without storage a reload is another tab, and asks to take over.
  }
}

/** A page that comes back from the browser's cache has its name again. */
export function tabKeep(shelf: Shelf, name: string): void {
  try {
    shelf.setItem(NAME, name)
  } catch {
    // As above.
  }
}

/** 32 hexadecimal digits that nobody guesses; works on plain http as well. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
