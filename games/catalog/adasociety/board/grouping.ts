import { enumerated, html, nothing, seatName, type ComposerContext, type TemplateResult } from '@polity/board'
import { isChoice } from './answering'
import { allows, isEven, valuesOf, waysOf, withJoined, withWeight } from './choosing'
import type { Desk } from './desk'
import { groupsOf, peopled, type World } from './reading'
import type { Group } from './shapes'

/** The groups to be in, each with the shares that it leads to. */
export function drawGroups(desk: Desk, { turn, seat, seats }: ComposerContext, world: World): TemplateResult {
  const numbers = valuesOf(waysOf(turn).get('join'), 'group').map(Number)
  const [own] = groupsOf(world, seat)
  const empty = numbers.find((n) => !peopled(world).some(({ number }) => number === n))
  const passes = allows(turn, { do: 'move', direction: 'stay' })
  const names = (members: readonly number[]): string => enumerated(members.map((member) => seatName(seats, member)), desk.now().lang)
  return html`<p class="c-hint">${desk.say(passes ? 'groupsMean' : 'groupsMeanTurn')}</p>
    ${own
      ? desk.card({
          title: desk.say('stayIn', { n: own.number }), on: true, action: passes ? null : { do: 'join', group: own.number },
          shares: own.members.map(([member, share]) => [member, share * 100]),
          means: own.members.length > 1 ? desk.say('stayMeans', { others: names(own.members.map(([member]) => member).filter((member) => member !== seat)) }) : desk.say('ownMeans'),
        })
      : html`<p class="mut">${desk.say('ownNone')}</p>`}
    ${own && waysOf(turn).has('leave') ? desk.card({ action: { do: 'leave' }, means: desk.say('leaveMeans') }) : nothing}
    ${own && waysOf(turn).has('ballot') ? drawBallot(desk, own, seat) : nothing}
    ${own && waysOf(turn).has('weigh') ? drawWeighing(desk, own, seat) : nothing}
    ${peopled(world)
      .filter((group) => group !== own && numbers.includes(group.number))
      .map((group) =>
        desk.card({
          action: { do: 'join', group: group.number },
          shares: withJoined(group, seat),
          means: `${desk.say(isEven(withJoined(group, seat)) ? 'joinMeans' : 'joinUneven', { others: names(group.members.map(([member]) => member)), n: group.members.length + 1 })} ${own ? desk.say('leavesOwn') : ''}`,
        }),
      )}
    ${empty === undefined || (own && own.members.length === 1) ? nothing : desk.card({ action: { do: 'join', group: empty }, means: desk.say('openMeans') })}`
}

/** What the group is asked to decide, and where it delegates, who decides for it. */
function drawBallot(desk: Desk, own: Group, seat: number): TemplateResult {
  const { seats, lang, turn } = desk.now()
  const ways = waysOf(turn)
  const keep = desk.percent('ballot', 'keep', desk.draft.keep)
  const said = (own.ballots ?? []).map(([member, part]) => `${seatName(seats, member)} ${part}%`)
  const vote = desk.card({
    action: { do: 'ballot', keep },
    more: desk.stepper(keep, valuesOf(ways.get('ballot'), 'keep'), (keep) => desk.write({ keep })),
    means: desk.say('ballotMeans', { now: own.keep ?? 0, said: ways.has('trust') || !said.length ? '' : desk.say('ballotSaid', { all: enumerated(said, lang) }) }),
  })
  if (!ways.has('trust')) return vote
  const trusts = own.members.map(([member]) =>
    desk.card({ title: desk.say('trust', { name: seatName(seats, member) }), action: { do: 'trust', seat: member }, means: desk.say('trustMeans', { name: seatName(seats, own.trusted ?? member) }) }),
  )
  return html`${own.trusted === seat ? vote : nothing} ${trusts}`
}

/** The own weight in a group, and what shares it would lead to. */
function drawWeighing(desk: Desk, own: Group, seat: number): TemplateResult {
  const weight = desk.percent('weigh', 'weight', desk.draft.weight)
  return desk.card({
    action: { do: 'weigh', group: own.number, weight },
    shares: withWeight(own, seat, weight / 100),
    more: desk.stepper(weight, valuesOf(waysOf(desk.now().turn).get('weigh'), 'weight'), (weight) => desk.write({ weight, ...(isChoice(desk.now().turn) ? { choice: { do: 'weigh', group: own.number, weight } } : {}) })),
    means: desk.say('weighMeans'),
  })
}
