import { reader } from '@polity/board'
import type { Body, Events, Group, Link, MessageView, Recipe, ResourceView, SocietyView, Thing } from './shapes'

/** Units of things by name, '' for what these eyes do not know. */
export type Amounts = Thing['stack']

/** A step of the game as the board needs it. Cells are numbered row by row. */
export interface World extends Pick<SocietyView, 'step' | 'horizon' | 'social_steps' | 'sight' | 'stage' | 'mini_game' | 'order'> {
  rows: number
  cols: number
  things: ReadonlyMap<number, Omit<Thing, 'cell'>>
  /** Cells that these eyes see; null means all. */
  seen: ReadonlySet<number> | null
  agents: ReadonlyMap<number, number>
  /** Cells on which creatures are seen. */
  creatures: readonly number[]
  bags: ReadonlyMap<number, Amounts>
  returns: ReadonlyMap<number, number>
  /** What the step brought to each seat, as far as these eyes know it. */
  gains: ReadonlyMap<number, number>
  made: ReadonlyMap<string, number>
  groups: readonly Group[]
  links: readonly Link[]
  messages: readonly Omit<MessageView, 'vector'>[]
  resources: readonly ResourceView[]
  recipes: readonly Recipe[]
  bodies: readonly Body[]
}

export const readWorld = reader<SocietyView, Events, World>(({ view, payoffs }) => {
  const at = ([row, col]: Thing['cell']): number => row * view.width + col
  return {
    ...view,
    rows: view.height,
    cols: view.width,
    things: new Map(view.cells.map((thing) => [at(thing.cell), thing])),
    seen: view.seen ? new Set(view.seen) : null,
    agents: new Map(view.agents.map(({ seat, cell }) => [seat, at(cell)])),
    creatures: (view.creatures ?? []).map(at),
    bags: new Map(view.bags.map(({ seat, units }) => [seat, units])),
    returns: new Map(view.returns),
    gains: new Map(payoffs),
    made: new Map(view.made),
    groups: view.graph.groups,
    links: view.graph.edges,
    messages: view.graph.messages,
    resources: view.tree.resources,
    recipes: view.tree.events,
    bodies: view.bodies ?? [],
  }
})

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
export function bargains({ links, step }: World): Bargaining[] {
  return links.flatMap((link) => {
    if (link.parity === null || link.from > link.to) return []
    const back = links.find((other) => other.from === link.to && other.to === link.from)
    const [decides, waits] = link.parity === step % 2 ? [link, back] : [back, link]
    return decides ? [{ decides: decides.from, waits: decides.to, asked: waits?.proposal ?? null, before: decides.proposal }] : []
  })
}

/** The bargain of a seat, and in it what each side asks. */
export function bargainOf(world: World, seat: number): (Bargaining & { partner: number; own: number | null; theirs: number | null }) | null {
  const open = bargains(world).find(({ decides, waits }) => decides === seat || waits === seat)
  if (!open) return null
  const { decides, waits, asked, before } = open
  return { ...open, ...(decides === seat ? { partner: waits, own: before, theirs: asked } : { partner: decides, own: asked, theirs: before }) }
}

/** Who chooses a group now, while groups are chosen in turn. */
export function onTurn({ stage, order, step }: World): number | undefined {
  return stage === 'contract' ? order[step % order.length] : undefined
}

/** What a seat lacks of what an event takes and requires. */
export function lacking(world: World, seat: number, { inputs, requires }: Recipe): [name: string, units: number][] {
  const bag = new Map(world.bags.get(seat))
  return [...inputs, ...requires].flatMap(([name, units]) => ((bag.get(name) ?? 0) < units ? [[name, units - (bag.get(name) ?? 0)] as [string, number]] : []))
}

/** What merging two sides by agreement would give each seat of them, in percent of all that they earn. */
export function mergedShares(world: World, { decides, waits, asked }: Bargaining): [seat: number, percent: number][] {
  const side = (seat: number, percent: number): [number, number][] =>
    (groupsOf(world, seat)[0]?.members ?? [[seat, 1] as const]).map(([member, share]) => [member, share * percent])
  const part = asked ?? 50
  return [...side(waits, part), ...side(decides, 100 - part)]
}

/** The groups of seats that somebody is in. */
export function peopled(world: World): Group[] {
  return world.groups.filter((group) => group.layer === 1 && group.members.length > 0)
}

/** The groups that a seat is in. */
export function groupsOf(world: World, seat: number): Group[] {
  return peopled(world).filter(({ members }) => members.some(([member]) => member === seat))
}

/** A seat's share of a group's pot; 0 where it is not in it. */
export function shareOf({ members }: Group, seat: number): number {
  return members.find(([member]) => member === seat)?.[1] ?? 0
}
