import type { Cell } from './server'

/** The runs table as its address says it: `?show=failed&find=noise&sort=-gini&cols=gini,output`. */
export interface TableView {
  /** Group of states; '' for all. */
  show: Group | ''
  find: string
  sort: string
  isDescending: boolean
  /** Measures that have a column; null: those that were declared. */
  columns: string[] | null
}

export const GROUPS = ['live', 'failed', 'finished', 'waiting'] as const
export type Group = (typeof GROUPS)[number]

const UNDER_WAY = new Set(['running', 'queued', 'paused'])

export function groupOf({ status }: Pick<Cell, 'status'>): Group {
  if (status === 'finished') return 'finished'
  if (status === 'failed' || status === 'stopped') return 'failed'
  return UNDER_WAY.has(status) ? 'live' : 'waiting'
}

export function readView(search: string): TableView {
  const query = new URLSearchParams(search)
  const sort = query.get('sort') ?? ''
  const columns = query.get('cols')
  return {
    show: GROUPS.find((known) => known === query.get('show')) ?? '',
    find: query.get('find') ?? '',
    sort: sort.replace(/^-/, ''),
    isDescending: sort.startsWith('-'),
    columns: columns === null ? null : columns.split(',').filter(Boolean),
  }
}

/** The query for a view, keeping whatever else stands in `search`. Defaults are left out. */
export function writeView(view: TableView, search = ''): string {
  const query = new URLSearchParams(search)
  const set = (key: string, value: string | null): void => (value ? query.set(key, value) : query.delete(key))
  set('show', view.show)
  set('find', view.find)
  set('sort', view.sort && (view.isDescending ? `-${view.sort}` : view.sort))
  if (view.columns === null) query.delete('cols')
  else query.set('cols', view.columns.join(','))
  const text = query.toString()
  return text ? `?${text}` : ''
}

/** The cells that are shown, in order; what has no value comes last either way, and equals stand in the order of play. */
export function arranged(cells: readonly Cell[], view: TableView): Cell[] {
  const words = view.find.toLowerCase().split(/\s+/).filter(Boolean)
  const kept = cells.filter((cell) => {
    if (view.show && groupOf(cell) !== view.show) return false
    const text = `${cell.condition} ${cell.seed} ${cell.status} ${cell.run ?? ''} ${cell.error ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  if (!view.sort) return kept
  const sign = view.isDescending ? -1 : 1
  return kept
    .map((cell) => ({ cell, value: valueOf(cell, view.sort) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return a.value === b.value ? 0 : a.value === null ? 1 : -1
      return sign * (typeof a.value === 'number' && typeof b.value === 'number' ? a.value - b.value : String(a.value) < String(b.value) ? -1 : String(a.value) > String(b.value) ? 1 : 0)
    })
    .map(({ cell }) => cell)
}

function valueOf(cell: Cell, name: string): string | number | null {
  switch (name) {
    case 'condition':
      return cell.condition
    case 'replicate':
      return cell.replicate
    case 'seed':
      return Number(cell.seed)
    case 'state':
      return cell.status
    case 'step':
      return cell.run === null ? null : cell.head
    default:
      return measureOf(cell, name)
  }
}

/** A measure of a run as a number; null where it is undefined, or no number. */
export function measureOf(cell: Cell, name: string): number | null {
  const value = cell.metrics?.[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** What of it counts: nothing of a run that the plan leaves out. */
export const countedOf = (cell: Cell, name: string): number | null => (cell.unsound ? null : measureOf(cell, name))

/** The measures that any run has, in the runs' order. */
export function measuresOf(cells: readonly Cell[]): string[] {
  return [...new Set(cells.flatMap((cell) => Object.keys(cell.metrics ?? {})))]
}
