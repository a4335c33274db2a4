import type { GameWords } from '../gamewords'
import { same } from '../jsonschema'
import { number } from '../sentences'
import type { Facts, Json, SeatMeta } from '../types'

/** The seats in which another sits than in the other run. */
export function seatsOtherwise(seats: readonly SeatMeta[], other: readonly SeatMeta[]): SeatMeta[] {
  const there = new Map(other.map((seat) => [seat.seat, seat]))
  return seats.filter(({ seat, kind, agent }) => {
    const its = there.get(seat)
    return its !== undefined && (its.kind !== kind || its.agent !== agent)
  })
}

/** The settings that are not as in the other run, in the game's words; what is no single value is named alone. */
export function settingsOtherwise(config: Facts, other: Facts, { config: labels = {}, values = {} }: Pick<GameWords, 'config' | 'values'>): { label: string; value: string }[] {
  return Object.entries(config)
    .filter(([key, value]) => !same(value, other[key] ?? null))
    .map(([key, value]) => ({ label: labels[key]?.label ?? key, value: shown(value, values) }))
}

function shown(value: Json, names: Readonly<Record<string, string>>): string {
  if (value === null) return '–'
  if (typeof value === 'number') return number(value)
  if (typeof value === 'boolean') return value ? '✓' : '✗'
  return typeof value === 'string' ? (names[value] ?? value) : ''
}
