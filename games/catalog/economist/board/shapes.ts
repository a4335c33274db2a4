/** Made by `just contract` from what games.catalog.economist.rules declares. */

/** How a worker's epoch ended. ``chance`` is that of its audit. */
export interface AccountView {
  readonly gross: number | null
  readonly reported: number
  readonly owed: number | null
  readonly paid: number
  readonly outcome: 'none' | 'caught' | 'missed' | 'cleared'
  readonly chance: number | null
  readonly evaded: number | null
  readonly fined: number
  readonly shared: number
}

export interface ActView {
  readonly do: string
  readonly resource?: 'wood' | 'stone'
  readonly price?: number
}

/** Orders are who, quantity, price and what is left of it; ``price`` and ``qty`` are the last trade's. */
export interface BookView {
  readonly bids: readonly (readonly [number, number, number, number])[]
  readonly asks: readonly (readonly [number, number, number, number])[]
  readonly price: number | null
  readonly qty: number | null
}

export interface BooksView {
  readonly wood: BookView
  readonly stone: BookView
}

/** ``bears`` and ``stock`` by cell, row by row; ``houses`` are (cell, owner); ``before``: the schedule that the planner last replaced, empty for none. ``smoothing`` is the width of edges in coin; ``house_cost``: wood, stone; ``order_lifetime``: steps that an order stands, where they are more than one. */
export interface EconomistView {
  readonly rows: number
  readonly cols: number
  readonly epoch: number
  readonly epochs: number
  readonly step: number
  readonly steps: number
  readonly planning: boolean
  readonly bears: readonly (number | null)[]
  readonly stock: readonly (number | null)[]
  readonly houses: readonly (readonly [number, number])[]
  readonly workers: readonly WorkerView[]
  readonly schedule: readonly (readonly [number, number])[]
  readonly before: readonly (readonly [number, number])[]
  readonly smoothing: number
  readonly damping: number
  readonly falling: boolean
  readonly redistribution: 'none' | 'lump_sum'
  readonly fee: number
  readonly house_cost: readonly [number, number]
  readonly energy: number
  readonly books: BooksView
  readonly order_lifetime?: number
  readonly treasury: number
  readonly report: ReportView | null
}

export interface FlagView {
  readonly pair: readonly [number, number]
  readonly similarity: number
  readonly suspicion: number
  readonly traces: readonly [readonly ActView[], readonly ActView[]] | null
  readonly allied: boolean | null
}

/** The last epoch that ended; ``accounts`` by worker. ``schedule`` is the one that taxed it. */
export interface ReportView {
  readonly epoch: number
  readonly schedule: readonly (readonly [number, number])[]
  readonly statistics: Readonly<Record<string, number>>
  readonly welfare: number
  readonly bunched: number
  readonly flow: Readonly<Record<string, number>>
  readonly built: number
  readonly trades: number
  readonly catches: number
  readonly misses: number | null
  readonly flags: readonly FlagView[]
  readonly accounts: readonly (AccountView | null)[]
}

/** ``frozen`` and ``banned``: the last epoch of it, None where it is not. ``stance``: the share that it hides. */
export interface WorkerView {
  readonly cell: number | null
  readonly frozen: number | null
  readonly banned: number | null
  readonly coalition: string
  readonly coin: number | null
  readonly energy: number | null
  readonly wood: number | null
  readonly stone: number | null
  readonly gross: number | null
  readonly deferred: number | null
  readonly stance: number | null
  readonly fines: number | null
  readonly houses: number | null
  readonly audits: number | null
  readonly catches: number | null
}

export interface Events {
}
