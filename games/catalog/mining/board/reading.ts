import { reader, type Cell } from '@polity/board'
import type { Events, MiningView, RaidData } from './shapes'

export type Plot = number
export const NOBODY = -1

/** What became of the raids on a plot: `RaidData` by plots, with who took it under `by`. */
export interface Raid extends Omit<RaidData, 'plot' | 'from'> {
  plot: Plot
  from: readonly (Plot | null)[]
  outcome: 'taken' | 'repelled' | 'void'
}

/** A step of the mining game as the board needs it: how the land stands, and what was done to which plot. */
export interface Land extends Omit<MiningView, 'defended' | 'claimed' | 'taken'> {
  /** How many plots have an owner. */
  held: number
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
}

export const OUTCOMES = { plot_taken: 'taken', raid_drawn: 'taken', raid_repelled: 'repelled', raid_void: 'void' } as const

export function plotAt({ cols }: Pick<Land, 'cols'>, [row, col]: readonly [number, number]): Plot {
  return row * cols + col
}

export function cellOf({ cols }: Pick<Land, 'cols'>, plot: Plot): Cell {
  return { row: Math.floor(plot / cols), col: plot % cols }
}

export const readLand = reader<MiningView, Events, Land>(({ view, events }) => {
  const raids: Raid[] = []
  const mined = new Int32Array(view.rows * view.cols)
  let output: number | null = null
  for (const { kind, data } of events) {
    switch (kind) {
      case 'plot_taken':
      case 'raid_drawn':
      case 'raid_repelled':
      case 'raid_void':
        raids.push({ ...data, plot: plotAt(view, data.plot), from: data.from.map((cell) => cell && plotAt(view, cell)), outcome: OUTCOMES[kind] })
        break
      case 'gold_mined':
        data.plots.forEach((cell, i) => (mined[plotAt(view, cell)] = data.mined[i] ?? 0))
        break
      case 'round_closed':
        output = data.output
    }
  }
  const byPlot = new Map<Plot, Raid[]>()
  for (const raid of raids) byPlot.set(raid.plot, [...(byPlot.get(raid.plot) ?? []), raid])
  const noRaids: readonly Raid[] = []
  return {
    ...view,
    held: view.owners.filter((owner) => owner !== NOBODY).length,
    immune: (plot) => (view.immune_until[plot] ?? 0) >= Math.max(view.round, 1),
    defended: new Set(view.defended),
    claimed: new Set(view.claimed),
    before: new Map(view.taken),
    raids,
    raidsOn: (plot) => byPlot.get(plot) ?? noRaids,
    mined,
    output,
  }
})
