import { seatName, type BoardContext } from '@polity/board'
import type { Seat } from './reading'

/** The seat's agent, or its name where the agent has none. */
function playerName({ seats }: BoardContext, seat: Seat): string {
  const meta = seats.find((one) => one.seat === seat)
  return meta?.agent || seatName(seats, seat)
}

/** Both agents beside their seats' signs; with their letters where they are the same. */
export function agentNames(context: BoardContext): [string, string] {
  const [a, b] = [playerName(context, 0), playerName(context, 1)]
  return a === b ? [`A ${a}`, `B ${b}`] : [a, b]
}

/** Both names in a sentence: the letter by which the feed calls them, and who plays there. */
export function playerNames(context: BoardContext): [string, string] {
  const [a, b] = [playerName(context, 0), playerName(context, 1)]
  return [a === 'A' ? a : `A ${a}`, b === 'B' ? b : `B ${b}`]
}

/** Points as they are written: sums of fractions carry no noise. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
