import { same, type Cell, type ComposerTurn, type Facts, type Json, type Schema } from '@polity/board'
import type { World } from './reading'
import type { Group, Thing } from './shapes'

/** What a person may do at a moment, read from what the seat is asked and what it sees. Pure. */

/** Most that one plan gathers. */
const GATHER_MAX = 10

/** The ways in which an action may be written: "move", "pick" and so on, with the schema of each. */
export function waysOf(turn: ComposerTurn): ReadonlyMap<string, Schema> {
  const ways = turn.schema.oneOf ?? []
  return new Map(ways.flatMap((way) => (typeof way.properties?.do?.const === 'string' ? [[way.properties.do.const, way] as const] : [])))
}

/** Whether an action is legal, where the legal ones are listed; else whether it may be written at all. */
export function allows(turn: ComposerTurn, action: Facts): boolean {
  if (turn.options) return turn.options.some((option) => same(option, action))
  return waysOf(turn).has(String(action.do))
}

export interface Under {
  cell: number
  stack: Thing['stack']
  event: string | null
}

/** What lies under the own feet, as far as it is seen. */
export function under(world: World, seat: number): Under | null {
  const cell = world.agents.get(seat)
  if (cell === undefined) return null
  const thing = world.things.get(cell)
  return { cell, stack: (thing?.stack ?? []).filter(([name, units]) => name && units > 0), event: thing?.event ?? null }
}

/** What a click on a cell of the map means: gather what lies there, else walk there; null where neither can be. */
export function planFor(world: World, seat: number, { row, col }: Cell): Facts | null {
  const cell = row * world.cols + col
  const thing = world.things.get(cell)
  if (thing?.block) return null
  const pile = thing?.stack.find(([name, units]) => name && units > 0)
  if (pile) {
    const [resource, units] = pile
    const held = world.bags.get(seat)?.find(([name]) => name === resource)?.[1] ?? 0
    const room = (world.resources.find(({ name }) => name === resource)?.capacity ?? GATHER_MAX) - held
    const n = Math.min(units, GATHER_MAX, room)
    if (n > 0) return { plan: 'gather', resource, n, to: cell }
  }
  return cell === world.agents.get(seat) ? null : { plan: 'go', row, column: col }
}

/** The cell that a standing plan leads to, where it names one. */
export function goalOf(plan: Json, cols: number): Cell | null {
  if (plan === null || typeof plan !== 'object' || Array.isArray(plan)) return null
  if (plan.plan === 'go' && typeof plan.row === 'number' && typeof plan.column === 'number') return { row: plan.row, col: plan.column }
  return typeof plan.to === 'number' && cols > 0 ? { row: Math.floor(plan.to / cols), col: plan.to % cols } : null
}

/** The values that a part of an action may have. */
export function valuesOf(way: Schema | undefined, part: string): Json[] {
  const schema = way?.properties?.[part]
  if (!schema) return []
  if (schema.enum) return schema.enum
  if (schema.minimum === undefined || schema.maximum === undefined) return []
  const { minimum, maximum } = schema
  return Array.from({ length: maximum - minimum + 1 }, (_, i) => minimum + i)
}

/** Shares of a group once a seat has joined it, with the weight of one as the rules have it for whoever joins. */
export function withJoined({ members, total = members.length }: Group, seat: number): [seat: number, percent: number][] {
  const whole = total + 1
  return [...members.map(([member, share]): [number, number] => [member, (100 * share * total) / whole]), [seat, 100 / whole]]
}

/** Shares of a group once a member has set its weight. */
export function withWeight({ members, total = members.length }: Group, seat: number, weight: number): [seat: number, percent: number][] {
  const weights = members.map(([member, share]): [number, number] => [member, member === seat ? weight : share * total])
  const whole = weights.reduce((sum, [, each]) => sum + each, 0)
  return weights.map(([member, each]) => [member, (100 * each) / whole])
}

/** Whether all get alike. */
export function isEven(shares: readonly (readonly [seat: number, percent: number])[]): boolean {
  return shares.every(([, percent]) => Math.abs(percent - 100 / shares.length) < 0.01)
}
