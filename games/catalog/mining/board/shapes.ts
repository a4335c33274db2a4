/** Made by `just contract` from what games.catalog.mining.rules declares. */

/** ``mined`` is gold by plot; ``lost`` are plots that were taken before they were mined. */
export interface MinedData {
  readonly by: number
  readonly gold: number
  readonly plots: readonly (readonly [number, number])[]
  readonly mined: readonly number[]
  readonly lost: readonly (readonly [number, number])[]
}

/** ``gold`` is None where those eyes may not see it. */
export interface MinerView {
  readonly plots: number
  readonly stamina: number
  readonly gold: number | null
}

/** The world after the last round. What goes by plot stands in the order of the plots' numbers, row by row. ``owners`` and ``first`` are seats, -1 for nobody; ``taken`` holds (plot, owner before) of plots that changed hands. */
export interface MiningView {
  readonly rows: number
  readonly cols: number
  readonly round: number
  readonly rounds: number
  readonly mine_cap: number
  readonly defence: 'block_all' | 'per_point'
  readonly immunity_window: number
  readonly owners: readonly number[]
  readonly since: readonly number[]
  readonly first: readonly number[]
  readonly immune_until: readonly number[]
  readonly alpha: readonly number[]
  readonly defended: readonly number[]
  readonly claimed: readonly number[]
  readonly taken: readonly (readonly [number, number])[]
  readonly treasury: number
  readonly seats: readonly MinerView[]
}

export interface RaidData {
  readonly plot: readonly [number, number]
  readonly raiders: readonly number[]
  readonly from: readonly (readonly [number, number] | null)[]
  readonly owner: number | null
  readonly by?: number
}

export interface TotalsData {
  readonly round: number
  readonly output: number
  readonly held: number
  readonly plots: number
  readonly claims: number
  readonly raids: number
  readonly captures: number
  readonly repelled: number
  readonly defences: number
  readonly treasury: number
}

export interface Events {
  readonly plot_taken: RaidData
  readonly raid_drawn: RaidData
  readonly raid_repelled: RaidData
  readonly raid_void: RaidData
  readonly gold_mined: MinedData
  readonly round_closed: TotalsData
}
