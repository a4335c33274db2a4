import { answerOf, ApiError, post, read, readTagged, request, type Heard, type Tagged } from '../api'
import type { Facts, Said } from '../types'
import type { Refused } from '../words/refusals'
import type { Result } from './result'

/** What the site knows of experiments, and what it can be asked to do with them. */

export type Experiment = Said<'ExperimentOut'>
export type ExperimentDetail = Said<'ExperimentDetailOut'>
export type Cell = Said<'CellOut'>
export type Checked = Said<'CheckOut'>
export type Expected = Checked['expected'][number]
export type Forecast = Checked['power'][number]
export type Prompt = Said<'PromptOut'>
export type Condition = Said<'ConditionOut'>
export type PowerPoint = Said<'PowerPoint'>
export type Power = Said<'PowerOut'>
export type Act = 'start' | 'pause' | 'cancel'

export type NewExperiment = Omit<Said<'ExperimentIn'>, 'freeze'>

const at = (slug: string): string => `experiments/${encodeURIComponent(slug)}`

export const fetchExperiments = (limit = 200): Promise<Experiment[]> => read<Experiment[]>(`experiments?limit=${limit}`)
export const fetchExperiment = (slug: string): Promise<ExperimentDetail> => read<ExperimentDetail>(at(slug))
/** With the tag that a change of it is held against. */
export const openExperiment = (slug: string): Promise<Tagged<ExperimentDetail>> => readTagged<ExperimentDetail>(at(slug))
export const fetchResult = (slug: string, heard: Heard): Promise<Result> => read<Result>(`${at(slug)}/result`, heard)
export const fetchConditions = (slug: string): Promise<Condition[]> => read<Condition[]>(`${at(slug)}/conditions`)
export const fetchPower = (slug: string, seeds: number): Promise<Power[]> => read<Power[]>(`${at(slug)}/power?seeds=${seeds}`)
/** The report as a file, once it is made. */
export async function fetchReport(address: string, heard: Heard): Promise<Blob> {
  const answer = await answerOf(address, {}, heard)
  if (!answer.ok) throw new ApiError(`http_${answer.status}`, `HTTP ${answer.status}`, answer.status)
  return answer.blob()
}
/** What publishing takes out, and what looks private and stays. */
export const fetchPrivate = async (slug: string, heard: Heard): Promise<string[]> => (await read<Said<'PublicationOut'>>(`${at(slug)}/publication`, heard)).private
export const publicationAddress = (slug: string, language: string, licence: string, authors: readonly string[]): string => `/api/v1/${at(slug)}/publication.zip?${new URLSearchParams([['language', language], ['licence', licence], ...authors.map((one) => ['author', one])]).toString()}`
export const tableAddress = (slug: string): string => `/api/v1/${at(slug)}/runs.csv`

export async function act(slug: string, csrf: string, what: Act): Promise<ExperimentDetail> {
  return (await post<ExperimentDetail>(`${at(slug)}/${what}`, csrf, {})).body
}

export async function rerun(slug: string, csrf: string, which: 'failed' | 'unsound'): Promise<number> {
  return (await post<{ runs: number }>(`${at(slug)}/rerun`, csrf, { which })).body.runs
}

export async function clone(slug: string, csrf: string, name: string): Promise<ExperimentDetail> {
  return (await post<ExperimentDetail>(`${at(slug)}/clone`, csrf, { slug: name })).body
}

export async function remove(slug: string, csrf: string): Promise<void> {
  await request(at(slug), csrf, 'DELETE')
}

/** `spread`: standard deviations that are assumed, by measure. */
export async function check(document: Facts, csrf: string, spread: Record<string, number> = {}, heard?: Heard): Promise<Checked> {
  return (await post<Checked>('experiments/check', csrf, { document, spread }, heard)).body
}

/** The prompt of a model's seat in a condition of a document; `seat` null: the first of a model's. */
export async function prompt(document: Facts, condition: string, seat: number | null, step: number, csrf: string): Promise<Prompt> {
  return (await post<Prompt>('experiments/prompt', csrf, { document, condition, seat, step })).body
}

export async function create(wanted: NewExperiment, csrf: string): Promise<ExperimentDetail> {
  return (await post<ExperimentDetail>('experiments', csrf, wanted)).body
}

export async function change(wanted: NewExperiment, csrf: string, tag: string): Promise<ExperimentDetail> {
  const { slug, document, pace, at_once, limits, stop, audience, start } = wanted
  const changed = await request<ExperimentDetail>(at(slug), csrf, 'PATCH', { document, pace, at_once: at_once ?? 0, limits, stop, audience }, tag)
  return start ? act(slug, csrf, 'start') : changed.body
}

/** A run folder as a zip file, which becomes an experiment. */
export async function bringIn(archive: string, slug: string, csrf: string, heard: Heard): Promise<ExperimentDetail> {
  return (await post<ExperimentDetail>('experiments/import', csrf, { slug, archive }, heard)).body
}

/** A refusal as the pages word it. */
export function refusalOf(error: unknown): Refused {
  if (error instanceof ApiError) return { code: error.code, message: error.message, facts: error.body }
  return { code: 'page', message: String(error) }
}
