import { seatName, type BoardContext, type Say } from '@polity/board'
import { bargainOf, groupsOf, onTurn, readWorld, shareOf, type World } from './reading'
import type { Group } from './shapes'
import { speaker, type Word } from './words'

/** Whether groups and shares are agreed on, and nobody moves. */
export function isSocial({ stage }: World): boolean {
  return stage === 'contract' || stage === 'negotiation'
}

/** What a seat is at while nobody moves, whether it has to decide now, its group, and its share of what that earns. */
export interface Standing {
  seat: number
  doing: string
  /** The same for a narrow column. */
  brief: string
  decides: boolean
  group: number | null
  percent: number
}

/** The seats by what they are at: those who decide now come first. */
export function standings(world: World, context: BoardContext): Standing[] {
  const say = speaker(context)
  const all = context.seats.map(({ seat }) => {
    const [own] = groupsOf(world, seat)
    return { seat, ...doing(world, seat, context, say), group: own?.number ?? null, percent: Math.round((own ? shareOf(own, seat) : 1) * 100) }
  })
  return all.sort((a, b) => Number(b.decides) - Number(a.decides) || a.seat - b.seat)
}

function doing(world: World, seat: number, context: BoardContext, say: Say<Word>): Pick<Standing, 'doing' | 'brief' | 'decides'> {
  const all = (told: string, decides: boolean, brief = told) => ({ doing: told, brief, decides })
  if (world.stage === 'contract') {
    const decides = onTurn(world) === seat
    const turns = world.order.length
    const wait = (world.order.indexOf(seat) - (world.step % turns) + turns) % turns
    const isOver = world.step + wait >= world.social_steps
    return all(decides ? say('choosesNow') : isOver ? say('hasChosen') : say('choosesIn', { n: wait }), decides)
  }
  const bargain = bargainOf(world, seat)
  if (!bargain) return all(say('free'), false)
  const { decides, own, theirs } = bargain
  const other = seatName(context.seats, bargain.partner)
  if (seat === decides) return all(say(theirs === null ? 'mustBegin' : 'mustReply', { other }), true)
  if (own === null) return all(say(theirs === null ? 'waitsFirst' : 'waits', { other }), false)
  return all(say('askedWaits', { n: own, other }), false, say('askedBrief', { n: own }))
}

const found = new WeakMap<World, Map<string, number>>()

/** The step from which on a group has had the members and shares that it has; null where the steps before are not here. */
export function since(world: World, group: Group, { at }: BoardContext): number | null {
  const key = `${group.layer} ${group.number}`
  const known = found.get(world)?.get(key)
  if (known !== undefined) return known
  for (let n = world.step; ; n--) {
    const before = n > 0 ? at(n - 1) : null
    if (before === undefined) return null
    if (before && isThere(readWorld(before), group)) continue
    found.set(world, (found.get(world) ?? new Map<string, number>()).set(key, n))
    return n
  }
}

function isThere({ groups }: World, { layer, number, members }: Group): boolean {
  const one = groups.find((other) => other.layer === layer && other.number === number)
  return one?.members.length === members.length && members.every(([node, share], i) => one.members[i]?.[0] === node && one.members[i]?.[1] === share)
}
