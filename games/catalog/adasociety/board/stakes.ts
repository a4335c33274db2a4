import { enumerated, number, seatName, type BoardContext, type Say } from '@polity/board'
import { markOf, unmarked } from './paragraph'
import type { World } from './reading'
import type { Body } from './shapes'
import { plain, speaker, type Word } from './words'

/** More kinds of seats than this would make a list, not a paragraph. */
const MOST_BODIES = 4

/** Why anybody agrees to anything while nobody moves: a question, and what these eyes know that answers it. */
export function stakes(world: World, context: BoardContext): { question: string; answer: string; drawn: string } | null {
  const say = speaker(context)
  const isBargained = world.stage === 'negotiation'
  if (!isBargained && world.stage !== 'contract') return null
  const differing = world.bodies.length > 1 && world.bodies.length <= MOST_BODIES ? world.bodies : []
  const told = [
    ...differing.flatMap((body) => carries(body, world, context, say)),
    ...worths(differing, world, context, say),
    say(isBargained ? 'shareMeans' : 'joinGains'),
    ...(isBargained ? [say('shareStays')] : []),
  ]
  const drawn = told.join(context.lang === 'zh' ? '' : ' ')
  return { question: say(isBargained ? 'whyBargain' : 'whyJoin'), answer: unmarked(drawn), drawn }
}

/** A thing's name, and behind it the mark of its sign. */
function signed(name: string, world: World, { lang }: BoardContext): string {
  return plain(name, lang) + markOf(world.resources.findIndex((each) => each.name === name))
}

/** What not everybody may carry, and this kind of seat may not, or only so much of it. */
function carries(body: Body, world: World, context: BoardContext, say: Say<Word>): string[] {
  const things = body.carries.flatMap(([name, most]) => {
    const thing = signed(name, world, context)
    return most === null ? [] : [most === 0 ? say('carriesNo', { thing }) : say('carriesMost', { thing, n: most })]
  })
  return things.length ? [say('carries', { who: called(body, world.bodies, context, say, 'firstOf'), things: joined(things, context) })] : []
}

/** What is worth more to some than to others. */
function worths(bodies: readonly Body[], world: World, context: BoardContext, say: Say<Word>): string[] {
  const names = bodies[0]?.worth.map(([name]) => name) ?? []
  return names.map((name) => {
    const each = bodies.map((body) => say('worthTo', { who: called(body, bodies, context, say), value: number(body.worth.find(([other]) => other === name)?.[1] ?? 0) }))
    return say('worths', { thing: signed(name, world, context), each: joined(each, context) })
  })
}

/** A kind of seat by its role, or by its seats' names where the role has several kinds. */
function called({ role, seats }: Body, bodies: readonly Body[], context: BoardContext, say: Say<Word>, any: 'anyOf' | 'firstOf' = 'anyOf'): string {
  if (bodies.filter((other) => other.role === role).length > 1) return enumerated(seats.map((seat) => seatName(context.seats, seat)), context.lang)
  return say(any, { role: plain(role, context.lang) })
}

/** Names or things as a sentence lists them. */
export function joined(parts: readonly string[], { lang }: BoardContext, comma = '，'): string {
  if (lang === 'zh') return parts.join(comma)
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
