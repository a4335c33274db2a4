import type { Schema } from '../jsonschema'
import type { Frame, Json, RunMeta, Said } from '../types'

/** What the server says about people in the seats. Durations are seconds. */

/** What is played for one who does not answer: the game's default, the standing plan, or the substitute's move. */
export type Fallback = Turn['default']
export type SeatState = SeatNews['state']
export type PresenceState = Presence['state']
export type Room = Omit<Said<'WaitingRoom'>, 'begun'> & { begun?: boolean }
/** What whoever has a code may know before joining. */
export type Invitation = Omit<Said<'JoinOut'>, 'room' | 'free' | 'board'> & { room: Room; board: Board; free?: boolean }
export type Move = Omit<Said<'StoredMove'>, 'step' | 'stored'> & { step?: number; stored?: boolean }
/** What the seat is asked now. */
export type Turn = Omit<Said<'OpenTurn'>, 'schema' | 'plan_schema' | 'moved' | 'deadline'> & {
  schema: Schema
  plan_schema: Schema | null
  moved: Move | null
  deadline?: string | null
}
/** An example that was worked, as a table in words. */
export type Example = Said<'RuleExample'>
export type Rules = Said<'Rules'>
/** The board as a match begins, or as it stands, through a seat's eyes. */
export type Board = Omit<Said<'FirstBoard'>, 'frame'> & { frame: Frame }
export type Presence = Said<'SeatPresence'>
/** What changes while one sits in a seat, as the socket says it too. */
export type SeatNews = Omit<Said<'SeatMessage'>, 'room' | 'turn'> & { room: Room; turn: Turn | null }
export type Play = Omit<Said<'SeatPage'>, 'room' | 'turn' | 'run' | 'frame'> &
  SeatNews & { run: RunMeta; frame: Frame | null }
/** What a dry run of an answer says: what would be struck out, and what would stand. */
export type Tried = Said<'TriedOut'>

/** An answer to a turn. */
export type Answer = { action: Json } | { plan: Json } | { pass: true }

/** What befell the people of a run, for the feed. */
export type Notice = Said<'RunNotice'>

// --- what operators see -----------------------------------------------------------------------------

export type PeopleSeat = Said<'PersonSeatOut'>
export type People = Said<'RunPeopleOut'>

export type PeopleOrder =
  | { action: 'start' | 'advance' | 'recode' }
  | { action: 'extend'; seconds: number }
  | { action: 'relink' | 'remove'; seat: number }
  | { action: 'forget'; participant: string }
