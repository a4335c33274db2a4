import type { Refusal } from '../form/check'
import type { Facts } from '../types'

/** The terms under which people sit in a run, as an operator writes them. */
export interface TermTexts {
  clock: 'deadline' | 'tick' | 'none'
  seconds: string
  default: 'default' | 'substitute'
  grace: string
  room: string
  /** Whether the seats stand in the lobby. */
  listed: boolean
  labelRequired: boolean
  /** One in each line; empty: any. */
  labels: string
  consentEn: string
  consentZh: string
  /** Consent in languages that the form has no field for, as it came. */
  consentMore: Readonly<Record<string, string>>
  code: string
  url: string
  shows: 'move' | 'results' | 'all'
  blind: boolean
  pauseAway: boolean
  /** Empty: never. */
  prompt: string
  outAfter: string
  /** Seconds by stage, for which the form has no field, as they came. */
  stages: Readonly<Record<string, number>>
}

export const USUAL_TERMS: TermTexts = { clock: 'deadline', seconds: '60', default: 'default', grace: '60', room: '600', listed: false, labelRequired: false, labels: '', consentEn: '', consentZh: '', consentMore: {}, code: '', url: '', shows: 'results', blind: false, pauseAway: false, prompt: '', outAfter: '', stages: {} }

/** The terms of a run as the server keeps them; what is not set is null. */
export interface Terms {
  deadline_s: number | null
  tick_s: number | null
  unhurried: boolean
  default: TermTexts['default']
  grace_s: number
  room_s: number | null
  labels: readonly string[] | null
  listed?: boolean
  label_required: boolean
  consent: Readonly<Record<string, string>> | null
  completion_code: string | null
  completion_url: string | null
  shows?: TermTexts['shows']
  blind?: boolean
  pause_away?: boolean
  prompt_s?: number | null
  out_after?: number | null
  stages?: Readonly<Record<string, number>>
}

/** Terms as an operator would have written them; `readTerms` reads them back. */
export function termTexts(terms: Terms): TermTexts {
  const { en = '', zh = '', ...consentMore } = terms.consent ?? {}
  const [clock, seconds] = terms.unhurried ? (['none', null] as const) : terms.tick_s !== null ? (['tick', terms.tick_s] as const) : (['deadline', terms.deadline_s] as const)
  return {
    clock,
    seconds: seconds === null ? USUAL_TERMS.seconds : String(seconds),
    default: terms.default,
    grace: String(terms.grace_s),
    room: terms.room_s === null ? '' : String(terms.room_s),
    listed: terms.listed ?? false,
    labelRequired: terms.label_required,
    labels: (terms.labels ?? []).join('\n'),
    consentEn: en,
    consentZh: zh,
    consentMore,
    code: terms.completion_code ?? '',
    url: terms.completion_url ?? '',
    shows: terms.shows ?? USUAL_TERMS.shows,
    blind: terms.blind ?? false,
    pauseAway: terms.pause_away ?? false,
    prompt: terms.prompt_s == null ? '' : String(terms.prompt_s),
    outAfter: terms.out_after == null ? '' : String(terms.out_after),
    stages: terms.stages ?? {},
  }
}

/** Least and most seconds of a turn, by clock. The server has the last word. */
const TURN: Record<'deadline' | 'tick', readonly [number, number]> = { deadline: [5, 86_400], tick: [0.5, 10] }

/** The terms as they are sent, and what is wrong with them by the server's names. */
export function readTerms(texts: TermTexts): { people: Facts; faults: Record<string, Refusal> } {
  const faults: Record<string, Refusal> = {}
  const seconds = (name: string, text: string, [min, max]: readonly [number, number]): number | null => {
    const value = Number(text.trim())
    if (!text.trim() || !Number.isFinite(value)) faults[`people.${name}`] = { key: 'faultNumber', facts: { text } }
    else if (value < min) faults[`people.${name}`] = { key: 'faultMin', facts: { value, bound: min } }
    else if (value > max) faults[`people.${name}`] = { key: 'faultMax', facts: { value, bound: max } }
    else return value
    return null
  }
  const people: Facts = { default: texts.default, label_required: texts.labelRequired, ...(texts.listed ? { listed: true } : {}) }
  if (texts.clock === 'none') people.unhurried = true
  else people[`${texts.clock}_s`] = seconds(`${texts.clock}_s`, texts.seconds, TURN[texts.clock])
  people.grace_s = seconds('grace_s', texts.grace, [0, 86_400])
  people.room_s = texts.room.trim() ? seconds('room_s', texts.room, [5, 604_800]) : null
  people.shows = texts.shows
  if (texts.blind) people.blind = true
  if (texts.pauseAway) people.pause_away = true
  if (texts.prompt.trim()) people.prompt_s = seconds('prompt_s', texts.prompt, [10, 3600])
  if (texts.outAfter.trim()) people.out_after = seconds('out_after', texts.outAfter, [1, 100])
  if (Object.keys(texts.stages).length) people.stages = texts.stages
  const labels = texts.labels.split('\n').map((each) => each.trim()).filter(Boolean)
  if (labels.length) people.labels = labels
  const consent = { ...texts.consentMore, ...(texts.consentEn.trim() ? { en: texts.consentEn } : {}), ...(texts.consentZh.trim() ? { zh: texts.consentZh } : {}) }
  if (Object.keys(consent).length) people.consent = consent
  if (texts.code.trim()) people.completion_code = texts.code.trim()
  if (texts.url.trim()) people.completion_url = texts.url.trim()
  return { people, faults }
}
