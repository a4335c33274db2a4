/** A moment of a run as its address says it: `?r=37&as=3&tab=feed`. */
/** `people` is there for operators alone, `results` only where several runs lie together. */
export const TABS = ['story', 'feed', 'seats', 'inspector', 'charts', 'people', 'results'] as const
export type Tab = (typeof TABS)[number]

export interface Moment {
  /** The step; null means the live edge. */
  r: number | null
  /** Through whose eyes; null means everyone's. */
  as: number | null
  /** null: the usual one, the story of a run that is over and the feed of one that goes on. */
  tab: Tab | null
}

export function readMoment(search: string): Moment {
  const query = new URLSearchParams(search)
  const tab = query.get('tab')
  return {
    r: natural(query.get('r')),
    as: natural(query.get('as')),
    tab: TABS.find((known) => known === tab) ?? null,
  }
}

/** The query for a moment, keeping whatever else stands in `search`. What is usual is left out. */
export function writeMoment(moment: Moment, search = ''): string {
  const query = new URLSearchParams(search)
  const set = (key: string, value: string | null): void => {
    if (value === null) query.delete(key)
    else query.set(key, value)
  }
  set('r', moment.r === null ? null : String(moment.r))
  set('as', moment.as === null ? null : String(moment.as))
  set('tab', moment.tab)
  const text = query.toString()
  return text ? `?${text}` : ''
}

function natural(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null
}
