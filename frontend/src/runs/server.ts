import { post, read } from '../api'
import type { Said } from '../types'
import { filterOf, type RunsView } from './address'

export type RunRow = Said<'RunRow'>
export type RunsPage = Said<'RunsPage'>
export type Done = Said<'ManyOut'>
export type Action = Said<'ManyIn'>['action']

export const fetchPage = (view: RunsView): Promise<RunsPage> =>
  read<RunsPage>(`runs/table?${new URLSearchParams({ ...filterOf(view), page: String(view.page), size: String(view.size) })}`)

/** The runs that were found as a table, or of them those named. */
export function csvAddress(view: RunsView, ids: readonly string[] | null): string {
  const query = new URLSearchParams(filterOf(view))
  if (ids) query.set('ids', ids.join(','))
  return `/api/v1/runs/table.csv?${query}`
}

/** Change those named, or (`ids` null) all that the view's filter finds. */
export async function change(csrf: string, action: Action, view: RunsView, ids: readonly string[] | null, tag = ''): Promise<Done> {
  const { not_own, ...rest } = filterOf(view)
  const where = { ...rest, ...(not_own === undefined ? {} : { not_own: Number(not_own) }) }
  return (await post<Done>('runs/many', csrf, ids ? { action, ids, tag } : { action, where, tag })).body
}
