import { ask, post } from '../api'
import type { Said } from '../types'

export type Plan = Said<'ExportPlanOut'>
export type Level = Plan['level']
export const LEVELS: readonly Level[] = ['runs', 'rounds', 'events', 'decisions', 'calls', 'asides', 'messages', 'metrics', 'participants']
export const FORMS = ['csv', 'parquet', 'jsonl', 'zip'] as const
/** Before the name of an exporter that a package brings. */
export const BY = 'as '
export type Form = (typeof FORMS)[number] | `${typeof BY}${string}`
export type Exporter = Said<'PluginOut'>

/** The forms that packages bring. */
export async function exporters(): Promise<Exporter[]> {
  return (await ask<Exporter[]>('plugins')).body.filter((one) => one.kind === 'exporters' && !one.why)
}

/** What is exported: one run, or all runs of an experiment. */
export type Chosen = { run: string } | { experiment: string }

export async function planOf(chosen: Chosen, level: Level, csrf: string): Promise<Plan> {
  const which = 'run' in chosen ? { runs: [chosen.run] } : { filter: chosen }
  return (await post<Plan>('exports/plan', csrf, { ...which, level })).body
}

/** Where the data come from; a link, so that the browser saves them while they are made. */
export function addressOf(chosen: Chosen, level: Level, form: Form, bom: boolean, labels: boolean): string {
  if (form.startsWith(BY)) return `/api/v1/exports/as/${encodeURIComponent(form.slice(BY.length))}?${new URLSearchParams(chosen).toString()}`
  const query = new URLSearchParams({ ...chosen, format: form })
  if (form !== 'zip') query.set('level', level)
  if (form === 'csv' && bom) query.set('bom', 'true')
  if (form !== 'zip' && level === 'participants' && labels) query.set('labels', 'true')
  return `/api/v1/exports?${query.toString()}`
}
