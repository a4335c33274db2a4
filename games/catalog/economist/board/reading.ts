import { reader } from '@polity/board'
import type { EconomistView, Events, WorkerView } from './shapes'

export const NONE = 0
export const WOOD = 1
export const STONE = 2

/** (threshold, rate) of each bracket, in coin and as a share. */
export type Schedule = EconomistView['schedule']

export interface Worker extends WorkerView {
  seat: number
}

/** A step of the economist as the board needs it: the view, whose house stands on a cell, and who is there. */
export interface Economy extends Omit<EconomistView, 'workers'> {
  workers: readonly Worker[]
  ownerOf: ReadonlyMap<number, number>
  at: ReadonlyMap<number, readonly Worker[]>
}

export const readEconomy = reader<EconomistView, Events, Economy>(({ view }) => {
  const workers = view.workers.map((worker, seat) => ({ ...worker, seat }))
  const at = new Map<number, Worker[]>()
  for (const worker of workers) if (worker.cell !== null) at.set(worker.cell, [...(at.get(worker.cell) ?? []), worker])
  return { ...view, workers, ownerOf: new Map(view.houses), at }
})

/** A seat's orders that still stand: of what, which way, how much is left and at which limit. */
export function ownOrders(books: EconomistView['books'], seat: number): { good: 'wood' | 'stone'; verb: 'buy' | 'sell'; left: number; price: number }[] {
  return (['wood', 'stone'] as const).flatMap((good) =>
    (['buy', 'sell'] as const).flatMap((verb) =>
      books[good][verb === 'buy' ? 'bids' : 'asks'].filter(([by, , , left]) => by === seat && left > 0).map(([, , price, left]) => ({ good, verb, left, price }))))
}
