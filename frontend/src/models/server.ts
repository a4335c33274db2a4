import { post, read, readTagged, request, type Tagged } from '../api'
import type { Facts, Said } from '../types'

/** What the site knows of named models, and what it can be asked to do with them. */

export type Model = Said<'ModelOut'>
export type Trial = Said<'TrialOut'>
export type Preview = Said<'PreviewOut'>
export type Finding = Said<'FindingOut'>
export type Ability = Finding['ability']
export type ProbeCost = Said<'ProbeCostOut'>
export type WholeRun = Said<'RunOfThemOut'>
export type CallLine = Said<'CallLineOut'>

/** A seat at a round of a preset. */
export type Moment = Omit<Said<'MomentIn'>, 'profile'>

export type Rerun = Said<'VerdictOut'>

export const fetchModels = (): Promise<Model[]> => read<Model[]>('models')
export const fetchPersonas = (): Promise<Record<string, string[]>> => read<Record<string, string[]>>('models/personas')
export const fetchLines = (id: string, text: string): Promise<CallLine[]> =>
  read<CallLine[]>(`runs/${encodeURIComponent(id)}/calls/lines${text ? `?text=${encodeURIComponent(text)}` : ''}`)

export const fetchModel = (name: string): Promise<Tagged<Model>> => readTagged<Model>(`models/${encodeURIComponent(name)}`)

/** `tag`: of the model as it was read, where there was one of that name. */
export async function save(name: string, about: string, profile: Facts, csrf: string, tag: string): Promise<Model> {
  return (await request<Model>(`models/${encodeURIComponent(name)}`, csrf, 'PUT', { about, profile }, tag)).body
}

export async function forget(name: string, csrf: string, tag: string): Promise<void> {
  await request(`models/${encodeURIComponent(name)}`, csrf, 'DELETE', null, tag)
}

export async function tryOut(profile: Facts, moment: Moment, csrf: string): Promise<Trial> {
  return (await post<Trial>('models/try', csrf, { profile, ...moment })).body
}

/** What a run of the preset with such a model in every seat would take, by what one call was measured to take. */
export async function estimateRun(profile: Facts, scenario: string, measured: Trial['measured'], csrf: string): Promise<WholeRun> {
  return (await post<WholeRun>('models/estimate', csrf, { profile, scenario, measured: measured ?? null })).body
}

export async function probeCost(profile: Facts, csrf: string): Promise<ProbeCost> {
  return (await post<ProbeCost>('models/probe/cost', csrf, { profile })).body
}

/** One ability at a time, so that each is shown when it is known, and whoever leaves asks for no more. */
export async function probe(profile: Facts, ability: Ability, csrf: string): Promise<Finding> {
  const { body } = await post<Finding[]>('models/probe', csrf, { profile, abilities: [ability] })
  return body[0] as Finding
}

export async function preview(profile: Facts, moment: Moment, csrf: string): Promise<Preview> {
  return (await post<Preview>('models/preview', csrf, { profile, ...moment })).body
}

export async function rerun(id: string, csrf: string): Promise<Rerun> {
  return (await post<Rerun>(`runs/${encodeURIComponent(id)}/rerun`, csrf, {})).body
}
