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
}

/** A step of the game as the board needs it. Cells are numbered row by row. */
export interface World {
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
  made: ReadonlyMap<string, number>
  groups: readonly Group[]
  links: readonly Link[]
  messages: readonly { from: number; to: number; text: string }[]
  resources: readonly { name: string; value: number; capacity: number }[]
  recipes: readonly Recipe[]
}

const known = new WeakMap<Frame, World>()

export function readWorld(frame: Frame): World {
  let world = known.get(frame)
  if (!world) {
    world = interpret(frame.view)
    known.set(frame, world)
  }
  return world
}

function interpret(view: Facts): World {
  const cols = integer(view.width)
  const graph = record(view.graph)
  const tree = record(view.tree)
  const at = (place: Json | undefined): number => {
    const [row, col] = list(place)
    return integer(row) * cols + integer(col)
  }
  return {
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
    made: new Map(amounts(view.made)),
    groups: records(graph.groups).map((group) => ({
      layer: integer(group.layer),
      number: integer(group.number),
      members: list(group.members).map((member) => [integer(list(member)[0]), integer(list(member)[1])] as const),
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
    })),
  }
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
