import { choice, html, nothing, seatName, type ComposerContext, type Json, type TemplateResult } from '@polity/board'
import { offersOf } from './answering'
import { valuesOf, waysOf } from './choosing'
import type { Desk } from './desk'
import { bargainOf, groupsOf, mergedShares, type World } from './reading'

/** So many offers are told beside the one on the table. */
const OFFERS = 4

/** Whom to ask for a bargain, and with which offer. */
export function drawInvitations(desk: Desk, context: ComposerContext, world: World): TemplateResult {
  const { turn, seats, readonly } = context
  const way = waysOf(turn).get('invite')
  const { opening } = desk.draft
  const offered = (share: Json): string => (share === null ? desk.say('noOpening') : desk.say('opening', { n: share }))
  const groupOf = (seat: number): string => {
    const [group] = groupsOf(world, seat)
    return group ? desk.say('ofGroup', { n: group.number, size: group.members.length }) : desk.say('isAlone')
  }
  return html`<p class="c-hint">${desk.say('askMeans')}</p>
    <label class="c-row"><span class="c-label">${desk.say('firstOffer')}</span>
      ${choice(context, { label: desk.say('firstOffer'), value: opening, choices: valuesOf(way, 'share').map((share) => ({ value: share as number | null, label: offered(share) })), onset: (opening) => desk.write({ opening }) })}</label>
    <div class="c-buttons">
      ${valuesOf(way, 'seat').map((other) => html`<button type="button" class="btn" ?disabled=${readonly} @click=${() => desk.act({ do: 'invite', seat: other, share: opening })}>${desk.say('ask', { name: seatName(seats, Number(other)) })} <small>· ${groupOf(Number(other))}</small></button>`)}
      ${desk.button(desk.say('askNobody'), { do: 'move', direction: 'stay' })}
    </div>`
}

/** The bargain that is open: what was asked for, and what each answer leads to. */
export function drawBargain(desk: Desk, { turn, seat, seats, frame, at }: ComposerContext, world: World): TemplateResult | typeof nothing {
  const bargain = bargainOf(world, seat)
  if (!bargain) return nothing
  const name = seatName(seats, bargain.partner)
  const until = desk.say('until', { n: world.social_steps })
  const way = waysOf(turn).get('propose')
  if (!way) {
    return html`<p class="strong">${bargain.own === null ? desk.say('theyBegin', { name }) : desk.say('theyAnswer', { name, n: bargain.own, left: 100 - bargain.own })}</p><p class="c-hint">${until}</p>`
  }
  const share = desk.percent('propose', 'share', Math.round(desk.draft.share / 10) * 10)
  const table = { decides: seat, waits: bargain.partner, before: bargain.own }
  const offers = offersOf(frame, seat, at, OFFERS)
  return html`<p class="strong">${bargain.theirs === null ? desk.say('youBegin', { name }) : desk.say('theirs', { name, n: bargain.theirs, left: 100 - bargain.theirs })}</p>
    <p class="c-hint">${desk.say('countsFor')} ${until}</p>
    ${offers.length > 1
      ? html`<ol class="c-offers">${offers.map(({ step: n, by, share: asked }) => html`<li><span class="mut">${desk.say('atStep', { n })}</span><span>${by === seat ? desk.say('youAsked', { n: asked }) : desk.say('theyAsked', { name, n: asked })}</span><b>${desk.say('forYou', { n: by === seat ? asked : 100 - asked })}</b></li>`)}</ol>`
      : nothing}
    <div class="c-bargain">
      ${bargain.theirs === null ? nothing : desk.card({ action: { do: 'accept' }, shares: mergedShares(world, { ...table, asked: bargain.theirs }), means: desk.say('acceptMeans') })}
      ${desk.card({
        action: { do: 'propose', share },
        shares: mergedShares(world, { ...table, asked: 100 - share }),
        more: desk.stepper(share, valuesOf(way, 'share'), (share) => desk.write({ share, choice: { do: 'propose', share } }), desk.say('split', { own: share, other: 100 - share, name }), ['less', 'moreShare']),
        means: desk.say('proposeMeans', { name }),
      })}
      ${bargain.theirs === null && bargain.own === null ? nothing : desk.card({ action: { do: 'end' }, means: desk.say('endMeans') })}
    </div>`
}
