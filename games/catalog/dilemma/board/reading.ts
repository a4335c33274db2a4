import type { Frame, Json } from '@polity/board'

export type Seat = 0 | 1
export const SEATS: readonly Seat[] = [0, 1]

/** A value for A and one for B. */
export function bySeats<T>(of: (seat: Seat) => T): [T, T] {
  return [of(0), of(1)]
}

/** A step of a match as the board needs it. */
export interface Match {
  /** What A and B carried out, a letter a round. */
  moves: readonly [string, string]
  played: number
  /** null where these eyes may not know it, or where chance ends the match. */
  rounds: number | null
  stopProb: number | null
  /** What a player gets, by own move and the other's. */
  pays(own: string, other: string): number
  reward: number
  /** The most that a round can pay both together. */
  joint: number
  /** null where these eyes may not know them. */
  totals: readonly [number, number] | null
  said: readonly [string, string] | null
  ending: string
  /** Rounds in which both cooperated. */
  both: number
  /** Slips of this round that these eyes may know: seat and what was meant. */
  slips: ReadonlyMap<number, string>
  /** What the players call the two moves. */
  labels: Labels
}

export type Labels = 'letters' | 'neutral' | 'framed'

const read = new WeakMap<Frame, Match>()

export function readMatch(frame: Frame): Match {
  const known = read.get(frame)
  if (known) return known
  const match = interpret(frame)
  read.set(frame, match)
  return match
}

function interpret({ view, events }: Frame): Match {
  const moves = texts(view.moves)
  const table = (view.payoffs ?? {}) as Record<string, Json>
  const pays = (own: string, other: string): number => numbers(table[own + other])?.[0] ?? 0
  const slips = new Map<number, string>()
  for (const { kind, data } of events) {
    if (kind === 'hand_slipped' && typeof data.by === 'number') slips.set(data.by, String(data.meant))
  }
  let both = 0
  for (let i = 0; i < moves[0].length; i++) if (moves[0][i] === 'C' && moves[1][i] === 'C') both++
  return {
    moves,
    played: moves[0].length,
    rounds: typeof view.rounds === 'number' ? view.rounds : null,
    stopProb: typeof view.stop_prob === 'number' ? view.stop_prob : null,
    pays,
    reward: pays('C', 'C'),
    joint: Math.max(2 * pays('C', 'C'), pays('C', 'D') + pays('D', 'C'), 2 * pays('D', 'D')),
    totals: numbers(view.totals),
    said: Array.isArray(view.said) ? texts(view.said) : null,
    ending: typeof view.ending === 'string' ? view.ending : '',
    both,
    slips,
    labels: view.labels === 'neutral' || view.labels === 'framed' ? view.labels : 'letters',
  }
}

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

function texts(value: Json | undefined): [string, string] {
  const [a, b] = Array.isArray(value) ? value : []
  return [typeof a === 'string' ? a : '', typeof b === 'string' ? b : '']
}

function numbers(value: Json | undefined): [number, number] | null {
  const [a, b] = Array.isArray(value) ? value : []
  return typeof a === 'number' && typeof b === 'number' ? [a, b] : null
}
