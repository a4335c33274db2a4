import type { Facts, Frame, Json } from '@polity/board'

export interface Thing {
  block: boolean
  /** The event that can be done here, as far as these eyes know it. */
  event: string | null
  stack: readonly (readonly [resource: string, units: number])[]
}

export interface Group {
  layer: number
  number: number
  /** Nodes of the layer below, with their shares of the group's pot. */
  members: readonly (readonly [node: number, share: number])[]
  /** The sum of its weights; who joins comes in with one. */
  total: number
}

export interface Link {
  from: number
  to: number
  showsMap: boolean
  reward: number
  /** 0 or 1 where the two bargain. */
  parity: number | null
  proposal: number | null
}

export interface Recipe {
  name: string
  inputs: readonly (readonly [string, number])[]
  outputs: readonly (readonly [string, number])[]
  /** What must be held and is not used up. */
  requires: readonly (readonly [string, number])[]
}

/** Seats that are alike, by what not all seats have alike. */
export interface Body {
  role: string
  seats: readonly number[]
  /** The most that they may carry of it; null means any number. */
  carries: readonly (readonly [resource: string, most: number | null])[]
  worth: readonly (readonly [resource: string, value: number])[]
}

/** A step of the game as the board needs it. Cells are numbered row by row. */
export interface World {
  miniGame: string
  socialSteps: number
  rows: number
  cols: number
  sight: number
  step: number
  horizon: number
  stage: string
  order: readonly number[]
  things: ReadonlyMap<number, Thing>
  /** Cells that these eyes see; null means all. */
  seen: ReadonlySet<number> | null
  agents: ReadonlyMap<number, number>
  bags: ReadonlyMap<number, readonly (readonly [string, number])[]>
  returns: ReadonlyMap<number, number>
  /** What the step brought to each seat, as far as these eyes know it. */
  gains: ReadonlyMap<number, number>
  made: ReadonlyMap<string, number>
  groups: readonly Group[]
  links: readonly Link[]
  messages: readonly { from: number; to: number; text: string }[]
  resources: readonly { name: string; value: number; capacity: number }[]
  recipes: readonly Recipe[]
  /** While nobody moves: how seats differ. */
  bodies: readonly Body[]
}

const known = new WeakMap<Frame, World>()

export function readWorld(frame: Frame): World {
  let world = known.get(frame)
  if (!world) {
    world = interpret(frame)
    known.set(frame, world)
  }
  return world
}

function interpret({ view, payoffs }: Frame): World {
  const cols = integer(view.width)
  const graph = record(view.graph)
  const tree = record(view.tree)
  const at = (place: Json | undefined): number => {
    const [row, col] = list(place)
    return integer(row) * cols + integer(col)
  }
  return {
    miniGame: text(view.mini_game),
    socialSteps: integer(view.social_steps),
    rows: integer(view.height),
    cols,
    sight: integer(view.sight),
    step: integer(view.step),
    horizon: integer(view.horizon),
    stage: text(view.stage),
    order: list(view.order).map(integer),
    things: new Map(
      records(view.cells).map((cell) => [
        at(cell.cell),
        { block: cell.block === true, event: typeof cell.event === 'string' ? cell.event : null, stack: amounts(cell.stack) },
      ]),
    ),
    seen: Array.isArray(view.seen) ? new Set(view.seen.map(integer)) : null,
    agents: new Map(records(view.agents).map((agent) => [integer(agent.seat), at(agent.cell)])),
    bags: new Map(records(view.bags).map((bag) => [integer(bag.seat), amounts(bag.units)])),
    returns: new Map(list(view.returns).map((pair) => [integer(list(pair)[0]), integer(list(pair)[1])])),
    gains: new Map(payoffs),
    made: new Map(amounts(view.made)),
    groups: records(graph.groups).map((group) => ({
      layer: integer(group.layer),
      number: integer(group.number),
      members: list(group.members).map((member) => [integer(list(member)[0]), integer(list(member)[1])] as const),
      total: optional(group.total) ?? list(group.members).length,
    })),
    links: records(graph.edges).map((edge) => ({
      from: integer(edge.from),
      to: integer(edge.to),
      showsMap: edge.shows_map === true,
      reward: integer(edge.reward),
      parity: optional(edge.parity),
      proposal: optional(edge.proposal),
    })),
    messages: records(graph.messages).map((message) => ({
      from: integer(message.from),
      to: integer(message.to),
      text: text(message.text),
    })),
    resources: records(tree.resources).map((each) => ({
      name: text(each.name),
      value: integer(each.value),
      capacity: integer(each.capacity),
    })),
    recipes: records(tree.events).map((each) => ({
      name: text(each.name),
      inputs: amounts(each.inputs),
      outputs: amounts(each.outputs),
      requires: amounts(each.requires),
    })),
    bodies: records(view.bodies).map((each) => ({
      role: text(each.role),
      seats: list(each.seats).map(integer),
      carries: list(each.carries).map((pair) => [text(list(pair)[0]), optional(list(pair)[1])] as const),
      worth: amounts(each.worth),
    })),
  }
}

/** Two who bargain: who has to answer, and what lies on the table. */
export interface Bargaining {
  /** Who is on turn. */
  decides: number
  waits: number
  /** What the one who waits asks for its own side, in percent; null where it has asked nothing. */
  asked: number | null
  /** What the one who decides asked before. */
  before: number | null
}

/** The bargains that are open, by the lower seat of each. */
export function bargains(world: World): Bargaining[] {
  return world.links.flatMap((link) => {
    if (link.parity === null || link.from > link.to) return []
    const back = world.links.find((other) => other.from === link.to && other.to === link.from)
    const [decides, waits] = link.parity === world.step % 2 ? [link, back] : [back, link]
    return decides ? [{ decides: decides.from, waits: decides.to, asked: waits?.proposal ?? null, before: decides.proposal }] : []
  })
}

/** Who chooses a group now, while groups are chosen in turn. */
export function onTurn(world: World): number[] {
  const seat = world.stage === 'contract' && world.order.length ? world.order[world.step % world.order.length] : undefined
  return seat === undefined ? [] : [seat]
}

/** What one of these seats could do at once on a grid of the event, with what it holds. */
export function canDo(world: World, recipe: Recipe, seat: number): boolean {
  const bag = new Map(world.bags.get(seat) ?? [])
  const has = ([name, units]: readonly [string, number]): boolean => (bag.get(name) ?? 0) >= units
  return world.bags.has(seat) && recipe.inputs.every(has) && recipe.requires.every(has)
}

/** What merging two sides by agreement would give each seat of them, in percent of all that they earn. */
export function mergedShares(world: World, { decides, waits, asked }: Bargaining): [seat: number, percent: number][] {
  const side = (seat: number, percent: number): [number, number][] => {
    const group = peopled(world).find(({ members }) => members.some(([member]) => member === seat))
    return (group?.members ?? [[seat, 1] as const]).map(([member, share]) => [member, share * percent])
  }
  const part = asked ?? 50
  return [...side(waits, part), ...side(decides, 100 - part)]
}

/** The groups of seats that somebody is in. */
export function peopled(world: World): Group[] {
  return world.groups.filter((group) => group.layer === 1 && group.members.length > 0)
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

function record(value: Json | undefined): Facts {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}
}

function records(value: Json | undefined): Facts[] {
  return list(value).map(record)
}

function amounts(value: Json | undefined): [string, number][] {
  return list(value).map((pair) => [text(list(pair)[0]), integer(list(pair)[1])])
}

function integer(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0
}

function optional(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
