import { lettered, seatName, type BoardContext, type Say } from '@polity/board'
import { bySeats, type Match } from './reading'
import { called, speaker, words, type Saying, type Word } from './words'

/** How a match is told: who plays, what the two moves are called, and sentences that know both names of the moves. */
export interface Telling {
  /** The agents, or the seats' names where they have none. */
  agents: readonly [string, string]
  /** The letters by which the feed calls them, and who plays there. */
  names: readonly [string, string]
  called(move: string): string
  say: Say<Saying>
}

export function tellingOf(match: Match, context: BoardContext): Telling {
  const { seats, lang } = context
  const agents = bySeats((seat) => seats.find((each) => each.seat === seat)?.agent || seatName(seats, seat))
  const name = (move: string): string => called(match.labels, lang, move)
  const [say, moves] = [speaker(context), { c: name('C'), d: name('D') }]
  return {
    agents,
    names: bySeats((seat) => lettered(seat, agents[seat])),
    called: name,
    // Where the labels judge nothing, the sentences judge nothing either.
    say: (word, facts) => {
      const neutral = `${word}Neutral`
      return say(match.labels === 'neutral' && neutral in words ? (neutral as Word) : word, { ...moves, ...facts })
    },
  }
}

/** Points as they are written: sums of fractions carry no noise. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
