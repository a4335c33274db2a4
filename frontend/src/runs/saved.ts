import { browserShelf } from '../shelves'

/** Views of the table that this browser keeps by name: each is what stands in the address. */
export interface Saved {
  name: string
  address: string
}

const KEY = 'polity-runs-views'
const MOST = 50

export function readSaved(store: Pick<Storage, 'getItem'> = browserShelf): Saved[] {
  try {
    const kept: unknown = JSON.parse(store.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one): one is Saved => typeof one?.name === 'string' && typeof one?.address === 'string' && /^(\?|$)/.test(one.address)) : []
  } catch {
    return []
  }
}

/** Under a name that is taken the new one replaces the old; the latest comes first. False where nothing can be kept. */
export function save(view: Saved, store: Pick<Storage, 'getItem' | 'setItem'> = browserShelf): boolean {
  return write([view, ...readSaved(store).filter(({ name }) => name !== view.name)].slice(0, MOST), store)
}

export function forget(name: string, store: Pick<Storage, 'getItem' | 'setItem'> = browserShelf): boolean {
  return write(readSaved(store).filter((one) => one.name !== name), store)
}

function write(views: Saved[], store: Pick<Storage, 'setItem'>): boolean {
  try {
    store.setItem(KEY, JSON.stringify(views))
    return true
  } catch {
    return false
  }
}
