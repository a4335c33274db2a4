import type { Box } from '@polity/board'
import { peopled, type World } from './reading'
import type { Group, Recipe } from './shapes'

type View = 'map' | 'table' | 'graph' | 'tree' | 'talk' | 'stakes'

/** Where the views of a step stand that have room; `stakes`: why anybody agrees to anything. */
export type Panels = { readonly [V in View]?: Box }

/** Views under one another with their heights, from `y` on; null is a gap, and what has no height is no view. */
function stacked({ x, width }: Pick<Box, 'x' | 'width'>, views: readonly (readonly [View | null, number])[], y = 0): Panels {
  const boxes = views.map(([view, height], i) => [view, { x, y: views.slice(0, i).reduce((top, [, each]) => top + each, y), width, height }] as const)
  return Object.fromEntries(boxes.filter(([view, { height }]) => view && height > 0))
}

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
  const whole = { x: 0, width }
  if (how.plays && how.isSocial && !how.bare && (width < PHONE || height < LEAST_MAP + LEAST_GRAPH)) {
    const needed = how.graph ?? Infinity
    const graph = height - needed < LEAST_MAP ? height : needed
    return stacked(whole, [['graph', graph], ['map', height - graph]])
  }
  if (how.bare || (how.plays && width < PHONE) || width < 300) return stacked(whole, [['map', height]])
  if (width < WIDE) return width >= PHONE && width > height * 1.6 ? beside(width, height, how) : narrow(width, height, how)
  return how.isSocial ? agreeing(width, height, how) : moving(width, height, how)
}

/** Low and not wide: the map, and beside it who is with whom, under who leads as far as there is room. */
function beside(width: number, height: number, how: Needs): Panels {
  const left = Math.round(Math.min(width * 0.58, height + 10))
  // While nobody moves what is offered comes first.
  const [map, graph] = how.isSocial ? [width - left, 0] : [0, left + 8]
  const high = Math.round(Math.min(height, how.graph ?? Infinity))
  const rest = Math.min(HEAD + how.seats * ROW, height - high - 8)
  const table = how.isSocial || rest < HEAD + 3 * TIGHT_ROW ? 0 : rest
  return { ...stacked({ x: map, width: left }, [['map', height]]), ...stacked({ x: graph, width: width - left - 8 }, [['table', table], [null, table ? 8 : 0], ['graph', high]]) }
}

/** All under one another; while nobody moves the map comes last. */
function narrow(width: number, height: number, how: Needs): Panels {
  const whole = { x: 0, width }
  const { graph: wanted = Infinity, talk = Infinity, tree = Infinity } = how
  if (how.isSocial && height > width) {
    const upper = Math.min(height - LEAST_MAP, wanted + talk)
    const graph = Math.round(Math.min(wanted, Math.max(upper - talk, Math.min(LEAST_GRAPH, upper * 0.55))))
    const talks = Math.round(upper - graph)
    return stacked(whole, [['graph', graph], ['talk', talks], ['map', Math.min(height - graph - talks, width - BESIDE)]])
  }
  const leading = leadersRoom(how.seats)
  const leads = width < PHONE && height >= leading + width + (how.graph ?? LEAST_GRAPH) + (how.tree ?? 0) ? leading : 0
  const top = Math.round(width < PHONE ? leads + Math.min(width, (height - leads) * 0.72) : Math.max(height * 0.5, Math.min(height * 0.66, width)))
  const rest = height - top
  if (rest < 90) return stacked(whole, [['map', height]])
  const upper = [['table', leads && leads - 8], [null, leads && 8], ['map', top - leads]] as const
  if (width < PHONE || rest < 150) {
    const part = rest >= wanted + tree ? wanted : Math.max(rest / 2, Math.min(how.graph ?? 0, rest * 0.62))
    const graph = rest < 210 ? rest : Math.round(part)
    return stacked(whole, [...upper, ['graph', graph], ['tree', rest - graph]])
  }
  const part = Math.round(width * 0.5)
  return { ...stacked(whole, upper), ...stacked({ x: 0, width: part }, [['graph', rest]], top), ...stacked({ x: part, width: width - part }, [['tree', rest]], top) }
}

/** Beside a player's board stand all seats already. */
const tableRoom = ({ plays, seats }: Needs): number => (plays ? 0 : HEAD + seats * ROW + 6)

function agreeing(width: number, height: number, how: Needs): Panels {
  const left = Math.round(width * 0.58)
  const right = { x: left, width: width - left }
  const tight = HEAD + how.seats * TIGHT_ROW + 6
  // Arcs give way to what hangs on the answers, down to a size.
  const upper = Math.round(Math.min(height * 0.55, how.graph ?? Infinity, Math.max(height - (how.talk ?? Infinity), LEAST_GRAPH)))
  const room = height - upper - (how.talk ?? Infinity)
  const tree = room < TREE ? 0 : room
  const talking = stacked({ x: 0, width: left }, [['graph', upper], ['talk', height - upper - tree], ['tree', tree]])
  const told = Math.ceil(how.stakes?.(right.width) ?? 0)
  const table = Math.round(Math.min(tableRoom(how), Math.max(height * 0.36, tight), height * 0.45))
  const stakes = height - table - told < LEAST_MAP ? 0 : told
  const map = height - table - stakes
  if (cellOf({ width: right.width, height: map }, how.side ?? 1) >= READABLE) return { ...talking, ...stacked(right, [['table', table], ['stakes', stakes], ['map', map]]) }
  // The map has no room: the seats' table has its whole height, and what could be made stands under the reasons.
  const seats = Math.min(tableRoom(how), Math.max(height - told, tight), height)
  const reasons = height - seats < told ? 0 : told
  const rest = height - seats - reasons
  const under = tree || rest < LEAST_TREE ? {} : stacked({ x: right.x - 8, width: right.width }, [['tree', rest]], seats + reasons)
  return { ...talking, ...stacked(right, [['table', seats], ['stakes', reasons]]), ...under }
}

function moving(width: number, height: number, how: Needs): Panels {
  const left = Math.round(Math.min(width * 0.58, height + 10))
  const table = Math.round(Math.min(tableRoom(how), Math.max(height * 0.36, Math.min(HEAD + how.seats * TIGHT_ROW + 6, height * 0.4))))
  const graph = Math.round(Math.min((height - table) * 0.5, how.graph ?? Infinity))
  // In a low frame how things are made would be lines over one another.
  const tree = height - table - graph < LEAST_TREE ? 0 : height - table - graph
  return { ...stacked({ x: 0, width: left }, [['map', height]]), ...stacked({ x: left + 8, width: width - left - 8 }, [['table', table], ['graph', height - table - tree], ['tree', tree]]) }
}

/** The side of a cell on a map under its title, with its numbers, and the buttons beside it. */
function cellOf({ width, height }: Pick<Box, 'width' | 'height'>, side: number): number {
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
