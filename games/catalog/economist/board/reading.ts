import type { Facts, Frame, Json } from '@polity/board'

export const NONE = 0
export const WOOD = 1
export const STONE = 2

/** (threshold, rate) of each bracket, in coin and as a share. */
export type Schedule = readonly (readonly [number, number])[]

export interface Worker {
  seat: number
  cell: number | null
  /** The last epoch in which it is frozen; null where it is not. */
  frozen: number | null
  banned: number | null
  coalition: string
  coin: number | null
  energy: number | null
  wood: number | null
  stone: number | null
  houses: number | null
  gross: number | null
  deferred: number | null
  /** The share of its income that it hides. */
  stance: number | null
  fines: number | null
  audits: number | null
  catches: number | null
}

export interface Order {
  by: number
  quantity: number
  price: number
  left: number
}

export interface Book {
  bids: readonly Order[]
  asks: readonly Order[]
  price: number | null
  quantity: number | null
}

export interface Account {
  gross: number | null
  reported: number
  owed: number | null
  paid: number
  outcome: string
  chance: number | null
  fined: number
  shared: number
}

export interface Act {
  do: string
  resource?: string
  price?: number
}

export interface Flag {
  pair: readonly [number, number]
  similarity: number
  suspicion: number
  traces: readonly [readonly Act[], readonly Act[]] | null
}

export interface Report {
  epoch: number
  schedule: Schedule
  statistics: Readonly<Record<string, number>>
  welfare: number
  bunched: number
  trades: number
  catches: number
  flow: Readonly<Record<string, number>>
  flags: readonly Flag[]
  accounts: readonly (Account | null)[]
}

/** A step of the economist as the board needs it. Amounts are in coin and units; null is not known to these eyes. */
export interface Economy {
  rows: number
  cols: number
  epoch: number
  epochs: number
  step: number
  steps: number
  planning: boolean
  bears: readonly (number | null)[]
  stock: readonly (number | null)[]
  houses: readonly { cell: number; owner: number }[]
  ownerOf: ReadonlyMap<number, number>
  workers: readonly Worker[]
  at: ReadonlyMap<number, readonly Worker[]>
  schedule: Schedule
  before: Schedule
  damping: number
  /** How wide the edges of the brackets are smoothed, in coin; 0: not at all. */
  smoothing: number
  falling: boolean
  redistribution: string
  treasury: number
  fee: number
  houseCost: readonly number[]
  books: { wood: Book; stone: Book }
  report: Report | null
}

const read = new WeakMap<Frame, Economy>()

export function readEconomy(frame: Frame): Economy {
  const known = read.get(frame)
  if (known) return known
  const made = interpret(frame.view as Facts)
  read.set(frame, made)
  return made
}

function interpret(view: Facts): Economy {
  const workers = list(view.workers).map((each, seat) => workerOf(facts(each), seat))
  const houses = list(view.houses).map((pair) => ({ cell: Number(list(pair)[0]), owner: Number(list(pair)[1]) }))
  const at = new Map<number, Worker[]>()
  for (const worker of workers) if (worker.cell !== null) at.set(worker.cell, [...(at.get(worker.cell) ?? []), worker])
  const books = facts(view.books)
  return {
    rows: number(view.rows),
    cols: number(view.cols),
    epoch: number(view.epoch),
    epochs: number(view.epochs),
    step: number(view.step),
    steps: number(view.steps),
    planning: view.planning === true,
    bears: list(view.bears).map(optional),
    stock: list(view.stock).map(optional),
    houses,
    ownerOf: new Map(houses.map(({ cell, owner }) => [cell, owner])),
    workers,
    at,
    schedule: scheduleOf(view.schedule),
    before: scheduleOf(view.before),
    damping: number(view.damping),
    smoothing: number(view.smoothing),
    falling: view.falling === true,
    redistribution: String(view.redistribution ?? 'none'),
    treasury: number(view.treasury),
    fee: number(view.fee),
    houseCost: list(view.house_cost).map(number),
    books: { wood: bookOf(facts(books.wood)), stone: bookOf(facts(books.stone)) },
    report: view.report === null || view.report === undefined ? null : reportOf(facts(view.report)),
  }
}

function workerOf(one: Facts, seat: number): Worker {
  const amounts = ['cell', 'frozen', 'banned', 'coin', 'energy', 'wood', 'stone', 'houses', 'gross', 'deferred', 'stance', 'fines', 'audits', 'catches']
  const known = Object.fromEntries(amounts.map((name) => [name, optional(one[name])]))
  return { seat, coalition: String(one.coalition ?? ''), ...known } as unknown as Worker
}

function bookOf(book: Facts): Book {
  const orders = (given: Json | undefined): Order[] =>
    list(given).map((order) => {
      const [by, quantity, price, left] = list(order).map(number)
      return { by: by ?? 0, quantity: quantity ?? 0, price: price ?? 0, left: left ?? 0 }
    })
  return { bids: orders(book.bids), asks: orders(book.asks), price: optional(book.price), quantity: optional(book.qty) }
}

function reportOf(report: Facts): Report {
  const numbers = (given: Json | undefined): Record<string, number> => Object.fromEntries(Object.entries(facts(given)).map(([key, value]) => [key, number(value)]))
  return {
    epoch: number(report.epoch),
    schedule: scheduleOf(report.schedule),
    statistics: numbers(report.statistics),
    welfare: number(report.welfare),
    bunched: number(report.bunched),
    trades: number(report.trades),
    catches: number(report.catches),
    flow: numbers(report.flow),
    flags: list(report.flags).map((flag) => flag as unknown as Flag),
    accounts: list(report.accounts).map((account) => (account === null ? null : (account as unknown as Account))),
  }
}

function scheduleOf(given: Json | undefined): Schedule {
  return list(given).map((pair) => [number(list(pair)[0]), number(list(pair)[1])] as const)
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}

function facts(value: Json | undefined): Facts {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Facts) : {}
}

function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0
}

function optional(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null
}
