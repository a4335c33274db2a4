import { reader, type Shaped } from '@polity/board'
import type { DilemmaView, Events } from './shapes'

export type Seat = 0 | 1
export const SEATS: readonly Seat[] = [0, 1]

/** A value for A and one for B. */
export function bySeats<T>(of: (seat: Seat) => T): [T, T] {
  return [of(0), of(1)]
}

/** A step of a match as the board needs it. */
export interface Match extends DilemmaView {
  labels: Labels
  played: number
  /** What a player gets, by own move and the other's. */
  pays(own: string, other: string): number
  reward: number
  /** The most that a round can pay both together. */
  joint: number
  /** Rounds in which both cooperated. */
  both: number
  /** Slips of this round that these eyes may know: seat and what was meant. */
  slips: ReadonlyMap<number, string>
}

export type Labels = NonNullable<DilemmaView['labels']>

export function matchOf({ view, events }: Pick<Shaped<DilemmaView, Events>, 'view' | 'events'>): Match {
  const pays = (own: string, other: string): number => view.payoffs[own + other]?.[0] ?? 0
  return {
    ...view,
    labels: view.labels ?? 'letters',
    played: view.moves[0].length,
    pays,
    reward: pays('C', 'C'),
    joint: Math.max(2 * pays('C', 'C'), pays('C', 'D') + pays('D', 'C'), 2 * pays('D', 'D')),
    both: [...view.moves[0]].filter((move, round) => move === 'C' && view.moves[1][round] === 'C').length,
    slips: new Map(events.flatMap(({ kind, data }) => (kind === 'hand_slipped' ? [[data.by, data.meant]] : []))),
  }
}

export const readMatch = reader(matchOf)

export function paid(match: Match, seat: Seat, round: number): number {
  return match.pays(match.moves[seat][round] ?? 'C', match.moves[seat === 0 ? 1 : 0][round] ?? 'C')
}

/** Both totals after each round, from the first. */
export function runningTotals(match: Match): [number[], number[]] {
  const totals: [number[], number[]] = [[], []]
  const sums: [number, number] = [0, 0]
  for (let round = 0; round < match.played; round++) {
    for (const seat of SEATS) {
      sums[seat] = Math.round((sums[seat] + paid(match, seat, round)) * 1000) / 1000
      totals[seat].push(sums[seat])
    }
  }
  return totals
}

/** How often a seat cooperated after the other's defection; null where there was no occasion. */
export function forgiveness(match: Match, seat: Seat): number | null {
  const own = match.moves[seat]
  const other = match.moves[seat === 0 ? 1 : 0]
  let asked = 0
  let forgiven = 0
  for (let round = 1; round < own.length; round++) {
    if (other[round - 1] !== 'D') continue
    asked++
    if (own[round] === 'C') forgiven++
  }
  return asked ? forgiven / asked : null
}
