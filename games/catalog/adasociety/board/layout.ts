import type { Group, Recipe, World } from './reading'
import { peopled } from './reading'

export interface Point {
  x: number
  y: number
}

export interface Box extends Point {
  width: number
  height: number
}

/**
 * Where the three views stand: the map left, graph over tree right; on a narrower board the map over both, and on a
 * telephone over the graph alone.
 */
export function panels(width: number, height: number, bare: boolean): { map: Box; graph: Box | null; tree: Box | null } {
  if (bare || width < 360) return { map: { x: 0, y: 0, width, height }, graph: null, tree: null }
  if (width < 760) {
    const small = width < 440
    const split = Math.round(height * (small ? 0.58 : 0.6))
    const lower = { y: split, height: height - split }
    const part = small ? width : Math.round(width * 0.55)
    return {
      map: { x: 0, y: 0, width, height: split },
      graph: { x: 0, width: part, ...lower },
      tree: small ? null : { x: part, width: width - part, ...lower },
    }
  }
  const left = Math.round(Math.min(width * 0.56, height + 24))
  const upper = Math.round(height * 0.54)
  return {
    map: { x: 0, y: 0, width: left, height },
    graph: { x: left, y: 0, width: width - left, height: upper },
    tree: { x: left, y: upper, width: width - left, height: height - upper },
  }
}

export interface GraphPlaces {
  seats: ReadonlyMap<number, Point>
  groups: ReadonlyMap<number, Point>
  /** Whether some seat is in several groups, so that hulls would hide one another. */
  overlapping: boolean
  /** Whether a seat stands above the middle of its group: then what is said of it stands over it, and not among the others. */
  isUpper(seat: number): boolean
  /** Whether there is room between the seats for words about each. */
  roomy: boolean
}

/**
 * Groups and loners on an oval, members round their group's middle. Where seats are in several groups all seats stand on
 * the oval, and groups between their members. The same graph always gives the same picture.
 */
export function placeGraph(world: World, seats: readonly number[], box: Box, radius: number): GraphPlaces {
  const groups = peopled(world)
  const inGroup = new Set(groups.flatMap((group) => group.members.map(([seat]) => seat)))
  const loners = seats.filter((seat) => !inGroup.has(seat))
  const overlapping = [...inGroup].some((seat) => groups.filter((group) => holds(group, seat)).length > 1)
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const reach = { x: Math.max(10, box.width / 2 - radius - 26), y: Math.max(10, box.height / 2 - radius - 20) }
  if (overlapping) return placeOverlapping(groups, seats, middle, reach)
  // Every group takes as much of the oval as it has members, the first one at its left end.
  const sizes = [...groups.map((group) => group.members.length), ...loners.map(() => 1)]
  const all = sizes.reduce((sum, size) => sum + size, 0)
  let passed = 0
  const stops = sizes.map((size, index): Point => {
    const angle = (2 * Math.PI * (passed + (size - (sizes[0] ?? 0)) / 2)) / all - Math.PI
    passed += size
    if (sizes.length === 1) return middle
    const inner = index < groups.length ? 0.66 : 0.94
    return { x: middle.x + reach.x * inner * Math.cos(angle), y: middle.y + reach.y * inner * Math.sin(angle) }
  })
  const centres = new Map(groups.map((group, index) => [group.number, stops[index] ?? middle]))
  const places = new Map<number, Point>()
  loners.forEach((seat, index) => places.set(seat, stops[groups.length + index] ?? middle))
  const upper = new Set<number>()
  let roomy = true
  const room = Math.min(reach.x, reach.y) * (groups.length > 1 ? 0.55 : 0.85)
  for (const group of groups) {
    const centre = centres.get(group.number) ?? middle
    const n = group.members.length
    const wanted = n === 1 ? 0 : Math.max(radius * 1.5, (n * (radius * 2 + 28)) / (2 * Math.PI))
    const spread = Math.min(wanted, Math.max(room, radius * 1.2))
    if (spread < wanted * 0.9) roomy = false
    group.members.forEach(([seat], order) => {
      const angle = (2 * Math.PI * order) / n - (n === 2 ? Math.PI : Math.PI / 2)
      places.set(seat, { x: centre.x + spread * Math.cos(angle), y: centre.y + spread * Math.sin(angle) })
      if (Math.sin(angle) < -0.1) upper.add(seat)
    })
  }
  return { seats: places, groups: centres, overlapping, isUpper: (seat) => upper.has(seat), roomy }
}

function placeOverlapping(groups: readonly Group[], seats: readonly number[], middle: Point, reach: Point): GraphPlaces {
  // Beside each other those who share most groups: from the first seat on, always the closest that is left.
  const common = (a: number, b: number): number => groups.filter((group) => holds(group, a) && holds(group, b)).length
  const order = [...seats]
  for (let i = 1; i < order.length; i++) {
    const before = order[i - 1] ?? 0
    const rest = order.splice(i).sort((a, b) => common(before, b) - common(before, a) || a - b)
    order.push(...rest)
  }
  const places = new Map(
    order.map((seat, index) => {
      const angle = (2 * Math.PI * index) / order.length - Math.PI / 2
      return [seat, { x: middle.x + reach.x * Math.cos(angle), y: middle.y + reach.y * Math.sin(angle) }] as const
    }),
  )
  const centres = groups.map((group) => {
    const centre = average(group.members.map(([seat]) => places.get(seat) ?? middle))
    return [group.number, { x: middle.x + (centre.x - middle.x) * 0.75, y: middle.y + (centre.y - middle.y) * 0.75 }] as const
  })
  return { seats: places, groups: new Map(centres), overlapping: true, isUpper: (seat) => (places.get(seat)?.y ?? middle.y) < middle.y - 1, roomy: reach.y > 60 }
}

function holds(group: Group, seat: number): boolean {
  return group.members.some(([member]) => member === seat)
}

function average(points: readonly Point[]): Point {
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }), { x: 0, y: 0 })
  return { x: sum.x / points.length, y: sum.y / points.length }
}

/** The corners of the smallest convex shape round some points, in order. */
export function hull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y)
  if (sorted.length < 3) return sorted
  const half = (ordered: readonly Point[]): Point[] => {
    const kept: Point[] = []
    for (const point of ordered) {
      while (kept.length > 1 && turn(kept.at(-2) ?? point, kept.at(-1) ?? point, point) <= 0) kept.pop()
      kept.push(point)
    }
    kept.pop()
    return kept
  }
  return [...half(sorted), ...half([...sorted].reverse())]
}

function turn(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
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
