import type { components } from './contract'

/** What the server sends, as the browser reads it. Everything here is filtered for the viewer already. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Facts = { [key: string]: Json }

type Shapes = components['schemas']
/** What is any JSON in the API's schema is any JSON here. */
type Plain<T> = unknown extends T ? Json : T extends object ? { [K in keyof T]: Plain<T[K]> } : T
/** A shape of the API by its name there; the schema is generated (`just contract`). */
export type Said<Name extends keyof Shapes> = Plain<Shapes[Name]>

/** A run as the site, a folder's server and a file say it. */
export type RunMeta = Said<'RunSummary'>
/** A run by itself, or an experiment with its newest run. */
export type LatestRow = Said<'LatestRow'>
export type RunStatus = RunMeta['status']
export type SeatMeta = Said<'SeatSummary'>
export type Waiting = Said<'WaitedFor'>

export type GameEvent = Said<'EventOut'>
export type Note = Said<'NoteOut'>

export type BySeat<T> = [number, T][]

/** A resolved step through the viewer's eyes: 0 is the start, 1 the first resolved turn. */
export type Frame = Said<'Frame'>
/** A step's labels in the game's own words, the outermost first; none at the start. */
export type Clock = Frame['clock']

export type Lang = 'en' | 'zh'
export type Localised = { [lang in Lang]?: string }

/** A game that cannot be used, and why, which operators alone are told. */
export interface BrokenGame {
  slug: string
  why: string
}
export interface GameCard {
  slug: string
  name: string | Localised
  tagline: string | Localised
  presets: { name: string; title: string | Localised }[]
  /** Of a game in one file: what is drawn of its theory. */
  classic?: Classic | null
}

/** `scale`: the headline measure's values in equilibria, in the efficient outcome, and of people in a published study. */
export interface Classic {
  seats: number
  table: [number, number][][] | null
  parts: { kind: string }[]
  scale: {
    label: string | Localised
    range: [number, number]
    equilibria: number[]
    efficient: number | null
    people: { value: number; n: string; condition: string; source: string } | null
  } | null
}

export type ServerMessage = Said<'ServerMessage'>
export type ClientMessage = Said<'ClientMessage'>

export const ENDED: ReadonlySet<RunStatus> = new Set<RunStatus>(['finished', 'stopped', 'failed'])

/** Whether this viewer is shown what models were asked, answered and cost. */
export function mayPrompts(meta: RunMeta): boolean {
  return meta.can.control || meta.audience.prompts === true
}

/** A text that may come in both languages: the wanted one, else English, else whatever there is. */
export function localised(text: string | Localised | undefined, lang: Lang): string {
  if (text === undefined) return ''
  if (typeof text === 'string') return text
  return text[lang] ?? text.en ?? Object.values(text)[0] ?? ''
}

export function bySeat<T>(pairs: BySeat<T>, seat: number): T | undefined {
  return pairs.find(([s]) => s === seat)?.[1]
}
