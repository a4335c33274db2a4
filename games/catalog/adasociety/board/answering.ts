import { draftRecord, same, type ComposerTurn, type Facts, type Frame, type Json } from '@polity/board'
import { allows, waysOf } from './choosing'
import type { composerSpeaker } from './composerwords'
import { bargainOf, groupsOf, peopled, readWorld, type World } from './reading'

/** An answer that is chosen first and sent by the page's button, since it cannot be taken back. Pure. */

/** Whether this turn is such a choice: over a share, or of a group in turn. */
export function isChoice(turn: ComposerTurn): boolean {
  return waysOf(turn).has('propose') || turn.stage === 'contract'
}

/** What is chosen, where this turn allows it. */
export function chosenOf(draft: Json, turn: ComposerTurn): Facts | undefined {
  const { choice } = draftRecord(draft)
  const action = choice !== null && typeof choice === 'object' && !Array.isArray(choice) ? choice : undefined
  return action && allows(turn, action) ? action : undefined
}

/** Whether a card stands for what is chosen. */
export function isChosen(draft: Json, turn: ComposerTurn, action: Json): boolean {
  return same(chosenOf(draft, turn) ?? null, action)
}

/** An answer in the words of the card that it stands on. */
export function titleOf(say: ReturnType<typeof composerSpeaker>, action: Facts, world: World, seat: number): string {
  const [own] = groupsOf(world, seat)
  switch (action.do) {
    case 'accept':
      return say('accept', { n: 100 - (bargainOf(world, seat)?.theirs ?? 0) })
    case 'propose':
      return say('propose', { n: action.share ?? 0 })
    case 'join': {
      const n = action.group ?? 0
      if (own?.number === n) return say('stayIn', { n })
      return say(peopled(world).some(({ number }) => number === n) ? 'joinGroup' : own ? 'openLeave' : 'openGroup', { n })
    }
    case 'leave':
      return say('leaveGroups')
    case 'ballot':
      return say('ballot', { n: action.keep ?? 0 })
    case 'weigh':
      return say('weigh', { n: action.weight ?? 0 })
    default:
      return say('end')
  }
}

/** A share that was asked for in a bargain. */
export interface Offer {
  step: number
  by: number
  /** Percent of what both sides earn, for the side of who asked. */
  share: number
}

/** The last shares that a seat and its partner asked for since they began, the oldest first. */
export function offersOf(frame: Frame, seat: number, at: (n: number) => Frame | undefined, most: number): Offer[] {
  const partner = bargainOf(readWorld(frame), seat)?.partner
  const offers: Offer[] = []
  for (let n = frame.n; offers.length < most; n--) {
    const one = n === frame.n ? frame : at(n)
    const open = one && bargainOf(readWorld(one), seat)
    if (!open || open.partner !== partner) break
    if (open.asked !== null) offers.unshift({ step: n, by: open.waits, share: open.asked })
  }
  return offers
}
