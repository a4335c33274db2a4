import { reader, type Frame } from '@polity/board'
import type { Events, GrantView, NationsView, NationView } from './shapes'

export interface Nation extends NationView {
  seat: number
  /** Numbered from 1. */
  territories: readonly number[]
  /** Mils that were lost or left in the turn, as far as that is known. */
  gone: number
}

/** Who spoke to whom in the turn; null: to all. */
export interface Spoken {
  by: number
  to: readonly number[] | null
}

/** A step as the board needs it. */
export interface World extends NationsView {
  nations: readonly Nation[]
  words: readonly Spoken[]
}

/** What of a step is drawn. */
export type Scenery = Pick<World, 'first' | 'nations' | 'attacks' | 'grants' | 'cessions' | 'words'>

export const readWorld: (frame: Frame) => World = reader<NationsView, Events, World>(({ view, events }) => ({
  ...view,
  nations: view.seats.map((nation, seat) => {
    const { lost, deserted, disbanded } = nation.budget ?? { lost: 0, deserted: 0, disbanded: 0 }
    return { ...nation, seat, territories: landOf(view.owners, seat), gone: lost + deserted + disbanded }
  }),
  words: events.flatMap(({ kind, data: { by, to = null } }) => (kind === 'message_announced' || kind === 'message_sent' ? [{ by, to }] : [])),
}))

const UNKNOWN = { gone: 0, army: null, welfare: null, banked: null, held: null, goal: null, budget: null }
const PEACE: Omit<Scenery, 'first' | 'nations'> = { attacks: [], grants: [], cessions: [], words: [] }

/** A scene that no match has played: who owns what, what is known of each nation, and what they do. */
export function staged(owners: readonly number[], known: Partial<Nation> = {}, done: Partial<Scenery> = {}): Scenery {
  const seats = [...new Set(owners)]
  return { ...PEACE, first: owners, nations: seats.map((seat) => ({ ...UNKNOWN, ...known, seat, territories: landOf(owners, seat) })), ...done }
}

function landOf(owners: readonly number[], seat: number): number[] {
  return owners.flatMap((owner, at) => (owner === seat ? [at + 1] : []))
}


/** Grants of one turn between the same two, as one. */
export function flows(grants: readonly GrantView[]): GrantView[] {
  const sums = new Map<string, GrantView>()
  for (const grant of grants) {
    const key = `${grant.by}-${grant.to}`
    const sum = sums.get(key) ?? { ...grant, wanted: grant.wanted === null ? null : 0, paid: 0, arrived: 0 }
    const wanted = sum.wanted === null || grant.wanted === null ? null : sum.wanted + grant.wanted
    sums.set(key, { ...sum, wanted, paid: sum.paid + grant.paid, arrived: sum.arrived + grant.arrived })
  }
  return [...sums.values()]
}
