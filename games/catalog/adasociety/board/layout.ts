import type { Box } from '@polity/board'
import { peopled, type World } from './reading'
import type { Group, Recipe } from './shapes'

/** Where the views of a step stand; null for one that has no room. */
export interface Panels {
  map: Box | null
  table: Box | null
  graph: Box | null
  tree: Box | null
  talk: Box | null
  /** Why anybody agrees to anything. */
  stakes: Box | null
}

const ALONE = { table: null, graph: null, tree: null, talk: null, stakes: null }
export const PHONE = 440
const WIDE = 720
const HEAD = 26
const ROW = 22
/** In a table that has little room. */
const TIGHT_ROW = 17
/** Less than that shows no tree. */
const TREE = 150
const LEAST_TREE = 130
/** The map gives way to words down to this height. */
const LEAST_MAP = 150
const LEAST_GRAPH = 190
/** What is left of a map's width for the buttons that zoom, when its title is taken from its height. */
const BESIDE = 20
/** A map on which nobody moves is not drawn with smaller cells: what is agreed has its room. */
const READABLE = 15
/** So many seats lead on a telephone, over the map. */
const LEADERS = 5

/** What a page is for, and how high its views would be if each had the room that it has use for. */
interface Needs {
  bare: boolean
  plays: boolean
  isSocial: boolean
  seats: number
  /** Rows or columns of the map that are drawn, whichever are more. */
  side?: number
  graph?: number
  talk?: number
  tree?: number
  stakes?: (width: number) => number
}

/**
 * The map left, and who has what, who is with whom and what is made of what at its right; while nobody moves, who is with
 * whom stands left, what hangs on the answers under it, what could be made where room is left, at the right why, and the map is small. A narrow board has who leads and the map over the rest, and while nobody moves the map under it; who plays on a telephone has the map alone, and while nobody moves who is with whom.
 */
export function panels(width: number, height: number, how: Needs): Panels {
  if (how.plays && how.isSocial && !how.bare && (width < PHONE || height < LEAST_MAP + LEAST_GRAPH)) return overMap(width, height, how.graph ?? Infinity)
  if (how.bare || (how.plays && width < PHONE) || width < 300) return { map: { x: 0, y: 0, width, height }, ...ALONE }
  if (width < WIDE && width >= PHONE && width > height * 1.6) {
    const left = Math.round(Math.min(width * 0.58, height + 10))
    // While nobody moves what is offered comes first.
    const [map, graph] = how.isSocial ? [width - left, 0] : [0, left + 8]
    const beside = { x: graph, width: width - left - 8 }
    const high = Math.round(Math.min(height, how.graph ?? Infinity))
    const rest = Math.min(HEAD + how.seats * ROW, height - high - 8)
    // Who leads, as far as there is room under who is with whom.
    const table = how.isSocial || rest < HEAD + 3 * TIGHT_ROW ? null : { ...beside, y: 0, height: rest }
    return { ...ALONE, map: { x: map, y: 0, width: left, height }, table, graph: { ...beside, y: table ? rest + 8 : 0, height: high } }
  }
  if (width < WIDE && how.isSocial && height > width) {
    const upper = Math.min(height - LEAST_MAP, (how.graph ?? Infinity) + (how.talk ?? Infinity))
    const graph = Math.round(Math.min(how.graph ?? Infinity, Math.max(upper - (how.talk ?? Infinity), Math.min(LEAST_GRAPH, upper * 0.55))))
    const talk = Math.round(upper - graph)
    const map = { x: 0, y: graph + talk, width, height: Math.min(height - graph - talk, width - BESIDE) }
    return { ...ALONE, map, graph: { x: 0, y: 0, width, height: graph }, talk: { x: 0, y: graph, width, height: talk } }
  }
  if (width < WIDE) {
    const leading = leadersRoom(how.seats)
    const leads = width < PHONE && height >= leading + width + (how.graph ?? LEAST_GRAPH) + (how.tree ?? 0) ? leading : 0
    const top = Math.round(width < PHONE ? leads + Math.min(width, (height - leads) * 0.72) : Math.max(height * 0.5, Math.min(height * 0.66, width)))
    const lower = { y: top, height: height - top }
    if (lower.height < 90) return { map: { x: 0, y: 0, width, height }, ...ALONE }
    const map = { x: 0, y: leads, width, height: top - leads }
    const table = leads ? { x: 0, y: 0, width, height: leads - 8 } : null
    if (width < PHONE || lower.height < 150) {
      const isRoomy = lower.height >= (how.graph ?? Infinity) + (how.tree ?? Infinity)
      const graph = Math.round(isRoomy ? (how.graph ?? 0) : Math.max(lower.height / 2, Math.min(how.graph ?? 0, lower.height * 0.62)))
      if (lower.height < 210) return { ...ALONE, map, table, graph: { x: 0, width, ...lower } }
      return { ...ALONE, map, table, graph: { x: 0, width, y: top, height: graph }, tree: { x: 0, width, y: top + graph, height: lower.height - graph } }
    }
    const part = Math.round(width * 0.5)
    return { ...ALONE, map, graph: { x: 0, width: part, ...lower }, tree: { x: part, width: width - part, ...lower } }
  }
  // Beside a player's board stand all seats already.
  const needed = how.plays ? 0 : HEAD + how.seats * ROW + 6
  if (how.isSocial) {
    const left = Math.round(width * 0.58)
    // Arcs give way to what hangs on the answers, down to a size.
    const upper = Math.round(Math.min(height * 0.55, how.graph ?? Infinity, Math.max(height - (how.talk ?? Infinity), LEAST_GRAPH)))
    const right = { x: left, width: width - left }
    const table = Math.round(Math.min(needed, Math.max(height * 0.36, HEAD + how.seats * TIGHT_ROW + 6), height * 0.45))
    const told = Math.ceil(how.stakes?.(right.width) ?? 0)
    const stakes = height - table - told < LEAST_MAP ? 0 : told
    const rest = height - upper - (how.talk ?? Infinity)
    const tree = rest < TREE ? 0 : rest
    const map = { ...right, y: table + stakes, height: height - table - stakes }
    if (cellOf(map, how.side ?? 1) < READABLE) return unmapped(height, how, { needed, told, left, upper, tree, right })
    return {
      map,
      table: table ? { ...right, y: 0, height: table } : null,
      stakes: stakes ? { ...right, y: table, height: stakes } : null,
      graph: { x: 0, y: 0, width: left, height: upper },
      talk: { x: 0, y: upper, width: left, height: height - upper - tree },
      tree: tree ? { x: 0, y: height - tree, width: left, height: tree } : null,
    }
  }
  const left = Math.round(Math.min(width * 0.58, height + 10))
  const right = { x: left + 8, width: width - left - 8 }
  const table = Math.round(Math.min(needed, Math.max(height * 0.36, Math.min(HEAD + how.seats * TIGHT_ROW + 6, height * 0.4))))
  const graph = Math.round(Math.min((height - table) * 0.5, how.graph ?? Infinity))
  const views = { ...ALONE, map: { x: 0, y: 0, width: left, height }, table: table ? { ...right, y: 0, height: table } : null }
  // In a low frame how things are made would be lines over one another.
  if (height - table - graph < LEAST_TREE) return { ...views, graph: { ...right, y: table, height: height - table } }
  return { ...views, graph: { ...right, y: table, height: graph }, tree: { ...right, y: table + graph, height: height - table - graph } }
}

/** While nobody moves and the map has no room: the seats' table has its whole height, and what could be made stands under the reasons. */
function unmapped(height: number, how: Needs, at: { needed: number; told: number; left: number; upper: number; tree: number; right: { x: number; width: number } }): Panels {
  const { needed, told, left, upper, tree, right } = at
  const table = Math.min(needed, Math.max(height - told, HEAD + how.seats * TIGHT_ROW + 6), height)
  const stakes = height - table < told ? 0 : told
  const rest = height - table - stakes
  const isRight = !tree && rest >= LEAST_TREE
  return {
    map: null,
    table: table ? { ...right, y: 0, height: table } : null,
    stakes: stakes ? { ...right, y: table, height: stakes } : null,
    graph: { x: 0, y: 0, width: left, height: upper },
    talk: { x: 0, y: upper, width: left, height: height - upper - tree },
    tree: tree ? { x: 0, y: height - tree, width: left, height: tree } : isRight ? { x: right.x - 8, width: right.width, y: table + stakes, height: rest } : null,
  }
}

/** While nobody moves, for who plays on a telephone: who is with whom, and the map under it where there is room. */
function overMap(width: number, height: number, needed: number): Panels {
  const graph = height - needed < LEAST_MAP ? height : needed
  const map = graph < height ? { x: 0, y: graph, width, height: height - graph } : null
  return { ...ALONE, map, graph: { x: 0, y: 0, width, height: graph } }
}

/** The side of a cell on a map under its title, with its numbers, and the buttons beside it. */
function cellOf({ width, height }: Box, side: number): number {
  return Math.min((width - 54) / side, (height - HEAD - 24) / side)
}

/** The room of who leads on a telephone. */
function leadersRoom(seats: number): number {
  return HEAD + Math.min(seats, LEADERS) * ROW + 12
}

/** The height on a telephone in which no view is squeezed. */
export function roomFor(width: number, how: Required<Pick<Needs, 'isSocial' | 'graph' | 'talk' | 'tree' | 'seats'>>): number {
  return how.isSocial ? how.graph + how.talk + Math.round(width * 0.9) : leadersRoom(how.seats) + Math.round(width) + how.graph + how.tree
}

/** Seats in a row: members of a group side by side, beside each other those who share most groups, loners last. */
export function rowOfSeats(world: World, seats: readonly number[]): number[] {
  const groups = peopled(world)
  const own = new Map(seats.map((seat) => [seat, groups.flatMap((group, index) => (holds(group, seat) ? [index] : []))] as const))
  const place = (seat: number): number => own.get(seat)?.[0] ?? groups.length
  const order = [...seats].sort((a, b) => place(a) - place(b) || a - b)
  if (![...own.values()].some((each) => each.length > 1) || order.length > 100) return order
  const common = (a: number, b: number): number => (own.get(a) ?? []).filter((group) => own.get(b)?.includes(group)).length
  for (let i = 1; i < order.length; i++) {
    const before = order[i - 1] ?? 0
    order.push(...order.splice(i).sort((a, b) => common(before, b) - common(before, a) || a - b))
  }
  return order
}

function holds(group: Group, seat: number): boolean {
  return group.members.some(([member]) => member === seat)
}

/** How many events lie before each resource: 0 for what is found, else one more than the deepest input. */
export function depths(names: readonly string[], recipes: readonly Recipe[]): Map<string, number> {
  const found = new Map<string, number>()
  const depth = (name: string, trail: readonly string[]): number => {
    const before = found.get(name)
    if (before !== undefined) return before
    if (trail.includes(name)) return 0
    const inputs = recipes.filter((each) => each.outputs.some(([made]) => made === name)).flatMap((each) => each.inputs)
    const own = inputs.length ? 1 + Math.max(...inputs.map(([input]) => (input ? depth(input, [...trail, name]) : 0))) : 0
    found.set(name, own)
    return own
  }
  for (const name of names) depth(name, [])
  return found
}
