import { seatName, type BoardContext } from '@polity/board'
import type { Seat } from './reading'

/** The seat's agent, or its name where the agent has none. */
function playerName({ seats }: BoardContext, seat: Seat): string {
  const meta = seats.find((one) => one.seat === seat)
  return meta?.agent || seatName(seats, seat)
}

/** Both names, told apart by the seat where they are the same. */
export function playerNames(context: BoardContext): [string, string] {
  const [a, b] = [playerName(context, 0), playerName(context, 1)]
  return a === b ? [`A ${a}`, `B ${b}`] : [a, b]
}

/** Points as they are written: sums of fractions carry no noise. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
