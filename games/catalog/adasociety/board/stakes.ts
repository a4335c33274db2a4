import { enumerated, number, seatName, type BoardContext, type Say } from '@polity/board'
import type { Body, World } from './reading'
import { plain, speaker, type Word } from './words'

/** More kinds of seats than this would make a list, not a paragraph. */
const MOST_BODIES = 4

/** Why anybody agrees to anything while nobody moves: a question, and what these eyes know that answers it. */
export function stakes(world: World, context: BoardContext): { question: string; answer: string } | null {
  const say = speaker(context)
  const isBargained = world.stage === 'negotiation'
  if (!isBargained && world.stage !== 'contract') return null
  const differing = world.bodies.length > 1 && world.bodies.length <= MOST_BODIES ? world.bodies : []
  const told = [
    ...differing.flatMap((body) => carries(body, world, context, say)),
    ...worths(differing, context, say),
    say(isBargained ? 'shareMeans' : 'joinGains'),
    ...(isBargained ? [say('shareStays')] : []),
  ]
  return { question: say(isBargained ? 'whyBargain' : 'whyJoin'), answer: told.join(context.lang === 'zh' ? '' : ' ') }
}

/** What not everybody may carry, and this kind of seat may not, or only so much of it. */
function carries(body: Body, world: World, context: BoardContext, say: Say<Word>): string[] {
  const things = body.carries.flatMap(([name, most]) => {
    const thing = plain(name, context.lang)
    return most === null ? [] : [most === 0 ? say('carriesNo', { thing }) : say('carriesMost', { thing, n: most })]
  })
  return things.length ? [say('carries', { who: called(body, world.bodies, context, say, 'firstOf'), things: joined(things, context) })] : []
}

/** What is worth more to some than to others. */
function worths(bodies: readonly Body[], context: BoardContext, say: Say<Word>): string[] {
  const names = bodies[0]?.worth.map(([name]) => name) ?? []
  return names.map((name) => {
    const each = bodies.map((body) => say('worthTo', { who: called(body, bodies, context, say), value: number(body.worth.find(([other]) => other === name)?.[1] ?? 0) }))
    return say('worths', { thing: plain(name, context.lang), each: joined(each, context) })
  })
}

/** A kind of seat by its role, or by its seats' names where the role has several kinds. */
function called({ role, seats }: Body, bodies: readonly Body[], context: BoardContext, say: Say<Word>, any: 'anyOf' | 'firstOf' = 'anyOf'): string {
  if (bodies.filter((other) => other.role === role).length > 1) return enumerated(seats.map((seat) => seatName(context.seats, seat)), context.lang)
  return say(any, { role: plain(role, context.lang) })
}

function joined(parts: readonly string[], { lang }: BoardContext): string {
  if (lang === 'zh') return parts.join('，')
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
