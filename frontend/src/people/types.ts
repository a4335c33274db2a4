import type { Facts, Frame, Json, Localised, RunMeta, RunStatus } from '../types'
import type { Schema } from '../form/schema'

/** What the server says about people in the seats. Durations are seconds. */

/** What is played for one who does not answer: the game's default, the standing plan, or the substitute's move. */
export type Fallback = 'default' | 'plan' | 'substitute'
export type SeatState = 'room' | 'playing' | 'substituted' | 'left' | 'removed' | 'ended'
export type PresenceState = 'connected' | 'idle' | 'gone' | 'substituted' | 'open'

export interface Room {
  ready: number
  of: number
  starts_in_s: number | null
}

/** What whoever has a code may know before joining. */
export interface Invitation {
  code: string
  run: { id: string; game: string; title: Localised; about: Localised; status: RunStatus }
  /** A link for one seat names it. */
  seat: number | null
  seats: { taken: number; of: number }
  room: Room
  consent: Localised
  leaving: { deadline_s: number | null; tick_s: number | null; grace_s: number; substitute: string; default: Fallback }
  label: { required: boolean; limited: boolean; max: number }
  over: boolean
}

export interface Move {
  id: string
  action: Json
  plan: Json
  passed: boolean
}

/** What the seat is asked now. */
export interface Turn {
  step: number
  stage: string
  clock: [string, number][]
  left_s: number | null
  total_s: number | null
  tick: boolean
  default: Fallback
  substitute: string
  schema: Schema
  options: Json[] | null
  plan_schema: Schema | null
  observation: Json
  plan: Json
  moved: Move | null
}

export interface Presence {
  seat: number
  state: PresenceState
  returns_in_s: number | null
}

/** What changes while one sits in a seat, as the socket says it too. */
export interface SeatNews {
  state: SeatState
  /** Whether the holder has pressed Start. */
  ready: boolean
  holds: boolean
  presence: Presence[]
  room: Room
  turn: Turn | null
}

export interface Play extends SeatNews {
  /** The participant's, as in the address of the seat. */
  id: string
  seat: number
  name: string
  label: string
  language: 'en' | 'zh'
  run: RunMeta
  frame: Frame | null
  result: { payoff: number | null; rank: number | null; of: number } | null
  completion: { code: string | null; url: string | null } | null
}

/** What a dry run of an answer says: what would be struck out, and what would stand. */
export interface Tried {
  step: number
  ok: boolean
  notes: string[]
  action: Json
}

/** An answer to a turn. */
export type Answer = { action: Json } | { plan: Json } | { pass: true }

/** What befell the people of a run, for the feed. */
export interface Notice {
  n: number
  step: number
  kind: string
  seat: number | null
  data: Facts
  at: string
}

// --- what operators see -----------------------------------------------------------------------------

export interface Participant {
  id: string
  label: string
  language: string
  state: string
  joined: string
  last_seen_s: number | null
  consent_at: string | null
  moves: number
  passed: number
  timed_out: number
  substituted: number
}

export interface PeopleSeat {
  seat: number
  name: string
  kind: string
  agent: string
  link: string | null
  presence: Presence | null
  participant: Participant | null
}

export interface People {
  settings: Facts | null
  /** Whether the waiting room is over. */
  begun: boolean
  code: { code: string; address: string } | null
  seats: PeopleSeat[]
  open: { step: number; left_s: number | null; missing: number[] } | null
}

export type PeopleOrder =
  | { action: 'start' | 'advance' | 'recode' }
  | { action: 'extend'; seconds: number }
  | { action: 'relink' | 'remove'; seat: number }
  | { action: 'forget'; participant: string }
