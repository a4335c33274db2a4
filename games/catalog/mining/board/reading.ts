import type { Facts, Frame, Json } from '@polity/board'

export type Plot = number
export const NOBODY = -1

export interface Raid {
  plot: Plot
  owner: number | null
  raiders: number[]
  /** For each raider the plot that it came from, null if it had none. */
  from: (Plot | null)[]
  outcome: 'taken' | 'repelled' | 'void'
  winner: number | null
}

/** A step of the mining game as the board needs it: how the land stands, and what was done to which plot. */
export interface Land {
  rows: number
  cols: number
  round: number
  mineCap: number
  owners: readonly number[]
  /** How many plots have an owner. */
  held: number
  since: readonly number[]
  first: readonly number[]
  alpha: readonly number[]
  immune: (plot: Plot) => boolean
  defended: ReadonlySet<Plot>
  claimed: ReadonlySet<Plot>
  /** Owner before this round, of plots that changed hands. */
  before: ReadonlyMap<Plot, number>
  raids: readonly Raid[]
  /** A plot may have a void raid beside a settled one. */
  raidsOn: (plot: Plot) => readonly Raid[]
  /** Gold that these eyes saw mined, by plot; 0 where none was. */
  mined: Int32Array
  /** Sum of what was mined by all, if the round says so. */
  output: number | null
  gold: readonly (number | null)[]
  plots: readonly number[]
  treasury: number
}

const RAIDS: Readonly<Record<string, Raid['outcome']>> = {
  plot_taken: 'taken',
  raid_drawn: 'taken',
  raid_repelled: 'repelled',
  raid_void: 'void',
}

const NO_RAIDS: readonly Raid[] = []
const read = new WeakMap<Frame, Land>()

export function readLand(frame: Frame): Land {
  const known = read.get(frame)
  if (known) return known
  const land = interpret(frame)
  read.set(frame, land)
  return land
}

function interpret({ view, events }: Frame): Land {
  const rows = integer(view.rows)
  const cols = integer(view.cols)
  const plotOf = (cell: Json | undefined): Plot | null => {
    const [row, col] = Array.isArray(cell) ? cell : []
    return typeof row === 'number' && typeof col === 'number' ? row * cols + col : null
  }
  const raids: Raid[] = []
  const mined = new Int32Array(rows * cols)
  let output: number | null = null
  for (const { kind, data } of events) {
    const outcome = RAIDS[kind]
    const plot = plotOf(data.plot)
    if (outcome && plot !== null) {
      raids.push({
        plot,
        owner: optional(data.owner),
        raiders: integers(data.raiders),
        from: Array.isArray(data.from) ? data.from.map(plotOf) : [],
        outcome,
        winner: optional(data.by),
      })
    } else if (kind === 'gold_mined' && Array.isArray(data.plots)) {
      const gold = integers(data.mined)
      data.plots.forEach((cell, i) => {
        const at = plotOf(cell)
        if (at !== null) mined[at] = (mined[at] ?? 0) + (gold[i] ?? 0)
      })
    } else if (kind === 'round_closed') output = optional(data.output)
  }
  const byPlot = new Map<Plot, Raid[]>()
  for (const raid of raids) byPlot.set(raid.plot, [...(byPlot.get(raid.plot) ?? []), raid])
  const round = integer(view.round)
  const owners = integers(view.owners)
  const immuneUntil = integers(view.immune_until)
  const seats = Array.isArray(view.seats) ? (view.seats as Facts[]) : []
  const taken = Array.isArray(view.taken) ? view.taken.map(integers) : []
  return {
    rows,
    cols,
    round,
    mineCap: integer(view.mine_cap),
    owners,
    held: owners.reduce((n, owner) => n + (owner === NOBODY ? 0 : 1), 0),
    since: integers(view.since),
    first: integers(view.first),
    alpha: integers(view.alpha),
    immune: (plot) => (immuneUntil[plot] ?? 0) >= round && (immuneUntil[plot] ?? 0) > 0,
    defended: new Set(integers(view.defended)),
    claimed: new Set(integers(view.claimed)),
    before: new Map(taken.map(([plot, owner]) => [plot ?? NOBODY, owner ?? NOBODY])),
    raids,
    raidsOn: (plot) => byPlot.get(plot) ?? NO_RAIDS,
    mined,
    output,
    gold: seats.map((seat) => optional(seat.gold)),
    plots: seats.map((seat) => integer(seat.plots)),
    treasury: integer(view.treasury),
  }
}

function integer(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0
}

function optional(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null
}

function integers(value: Json | undefined): number[] {
  return Array.isArray(value) ? (value as number[]) : []
}
