import type { FolderIndex } from './folder/index'
import type { Agent } from './form/seats'
import type { GameWords } from './games'
import type { Invitation, Notice } from './people/types'

/** What the server sends, as the browser reads it. Everything here is filtered for the viewer already. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Facts = { [key: string]: Json }

export type RunStatus = 'queued' | 'running' | 'paused' | 'waiting' | 'finished' | 'stopped' | 'failed'
export type SeatKind = 'policy' | 'model' | 'person' | 'recording'

export interface SeatMeta {
  seat: number
  name: string
  role: string
  kind: SeatKind
  agent: string
}

export interface Waiting {
  seat: number
  since_s: number
  /** Until the seat's deadline, where it has one. */
  left_s?: number | null
}

export interface RunMeta {
  id: string
  game: string
  scenario: { name: string; title: string | Localised }
  condition?: string
  replicate?: number
  /** As text where JavaScript could not hold it. */
  seed: number | string
  status: RunStatus
  head: number
  horizon: number | null
  /** Rounds per second that the run is held to; 0 or null means as fast as it goes. */
  pace: number | null
  seats: SeatMeta[]
  /** null where these eyes may not know the settings. */
  config: Facts | null
  rules_version: number
  audience: Facts
  error: string | null
  can: { control: boolean }
  waiting_for: Waiting[]
  created: string
  ended?: string | null
  cost_usd: number | null
  /** The run that it was forked from, and the last step that both share. */
  parent?: string | null
  fork_at?: number | null
  /** Of the seats for people: how many there are, are ready, can still be taken; null where there is none. */
  people?: { of: number; ready: number; open: number } | null
  /** The latest of what befell its people. */
  notices?: Notice[]
}

export interface GameEvent {
  kind: string
  data: Facts
  /** Seats that may know it; absent means everyone. */
  to?: number[] | null
}

export type BySeat<T> = [number, T][]

export interface Frame {
  /** Address of the step: 0 is the start, 1 the first resolved turn. */
  n: number
  clock: [string, number][]
  stage: string
  seats: number[]
  view: Facts
  events: GameEvent[]
  payoffs: BySeat<number>
  actions: BySeat<Json>
  notes: BySeat<string[]>
  flags: BySeat<string[]>
  metrics: Facts | null
  hash: string
}

export type Lang = 'en' | 'zh'
export type Localised = { [lang in Lang]?: string }

export interface GameCard {
  slug: string
  name: string | Localised
  tagline: string | Localised
  presets: { name: string; title: string | Localised }[]
}

export const PAGES = ['lobby', 'run', 'embed', 'new', 'folder', 'file', 'join', 'play', 'plain'] as const
export type Page = (typeof PAGES)[number]

/** What a run was made of. */
export interface LikeRun {
  id: string
  /** Name of its preset. */
  scenario: string
  config: Facts
  seats: Agent[]
  seat_names: string[]
  /** As text: a seed may be more than JavaScript can hold. */
  seed: string
  pace: number
  audience: { kind: string; delay?: number }
}

export interface Boot {
  lang: Lang
  page: Page
  run_id?: string
  /** Of the run whose seat is played. */
  id?: string
  /** What one joins by, and what it leads to. */
  code?: string
  join?: Invitation
  /** Slug of the game that a new run is of. */
  game?: string
  /** A run that the form is filled in from. */
  like?: LikeRun | null
  user?: { operator: boolean }
  csrf?: string
  featured?: string | null
  runs?: RunMeta[]
  /** Of all runs that are kept, not only of those listed. */
  counts?: { live: number; finished: number }
  games?: GameCard[]
  /** A run folder, where the page is on one. */
  folder?: FolderIndex
  /** A run that the page holds itself, through whose eyes, and its game's words. */
  run?: RunMeta
  as?: number | null
  words?: { [lang in Lang]?: GameWords }
}

export type ServerMessage =
  | { type: 'frame'; frame: Frame }
  | { type: 'snapshot'; run: RunMeta; frame: Frame }
  | { type: 'ping'; head: number; status: RunStatus; run?: Partial<RunMeta> }
  | { type: 'error'; code: string; message: string }

export type ClientMessage = { type: 'ack'; n: number } | { type: 'want'; after: number }

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
