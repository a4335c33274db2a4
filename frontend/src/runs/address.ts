/** The table of runs as its address says it: `/runs?game=mining,nations&state=live&since=7d&sort=-started&page=2`. */
export const MANY = ['game', 'state', 'model', 'experiment', 'tag'] as const
export type Many = (typeof MANY)[number]
export const ONE = ['since', 'people', 'not_own'] as const
export type One = (typeof ONE)[number]
export const STATES = ['live', 'queued', 'paused', 'finished', 'stopped', 'failed'] as const
export const SINCE = ['1h', '1d', '7d', '30d'] as const
export const SIZES = [20, 50, 100, 200] as const
/** Columns that can be chosen, in their order; what a run is always comes first. */
export const COLUMNS = ['outcome', 'condition', 'experiment', 'seed', 'seats', 'state', 'rounds', 'not_own', 'cost', 'tags', 'created', 'started', 'ended', 'id'] as const
export type Column = (typeof COLUMNS)[number]
export const USUAL: readonly Column[] = ['outcome', 'condition', 'seed', 'seats', 'state', 'rounds', 'not_own', 'cost', 'tags', 'created']
export const SORTED: ReadonlySet<string> = new Set(['game', 'outcome', 'condition', 'seed', 'state', 'rounds', 'not_own', 'cost', 'started', 'ended', 'created'])
/** What visitors may sort by too: the others are refused to them. */
export const OPEN_SORTS: ReadonlySet<string> = new Set(['game', 'condition', 'state', 'started', 'ended', 'created'])

export interface RunsView {
  find: string
  many: Record<Many, string[]>
  one: Record<One, string>
  sort: string
  page: number
  size: number
  /** Fixed columns and measures (by their names); null: the usual ones. */
  columns: string[] | null
}

const values = (text: string | null): string[] => (text ?? '').split(',').map((one) => one.trim()).filter(Boolean)
const counted = (text: string | null, least: number): number => (text !== null && /^\d{1,6}$/.test(text) ? Math.max(least, Number(text)) : least)

export function readRuns(search: string): RunsView {
  const query = new URLSearchParams(search)
  const columns = query.get('cols')
  const size = counted(query.get('size'), 0)
  return {
    find: query.get('find') ?? '',
    many: Object.fromEntries(MANY.map((name) => [name, values(query.get(name))])) as Record<Many, string[]>,
    one: Object.fromEntries(ONE.map((name) => [name, query.get(name) ?? ''])) as Record<One, string>,
    sort: query.get('sort') || '-created',
    page: counted(query.get('page'), 1),
    size: SIZES.find((one) => one === size) ?? SIZES[0],
    columns: columns === null ? null : values(columns),
  }
}

/** What is asked of the server: which runs, in which order; defaults are left out. */
export function filterOf(view: RunsView): Record<string, string> {
  const told: Record<string, string> = {}
  const set = (name: string, value: string): void => {
    if (value) told[name] = value
  }
  set('find', view.find.trim())
  for (const name of MANY) set(name, view.many[name].join(','))
  for (const name of ONE) set(name, view.one[name])
  if (view.sort !== '-created') set('sort', view.sort)
  return told
}

/** The query for a view, `` where it is the usual one. */
export function writeRuns(view: RunsView): string {
  const query = new URLSearchParams(filterOf(view))
  if (view.page > 1) query.set('page', String(view.page))
  if (view.size !== SIZES[0]) query.set('size', String(view.size))
  if (view.columns !== null) query.set('cols', view.columns.join(','))
  const text = query.toString().replaceAll('%2C', ',')
  return text ? `?${text}` : ''
}

/** How many filters are set. */
export const filters = (view: RunsView): number => MANY.filter((name) => view.many[name].length).length + ONE.filter((name) => view.one[name]).length

/** Sort by a column: downwards first, then upwards, then as they came. */
export function sortedBy(view: RunsView, name: string): RunsView {
  const next = view.sort === `-${name}` ? name : view.sort === name ? '-created' : `-${name}`
  return { ...view, sort: next, page: 1 }
}
