import { html, nothing, seatChoice, seatName, textField, type ComposerContext, type TemplateResult } from '@polity/board'
import { valuesOf, waysOf } from './choosing'
import type { Desk } from './desk'
import type { World } from './reading'

/** What one is told, and what one may say, show and give. */
export function drawOthers(desk: Desk, context: ComposerContext, world: World): TemplateResult {
  const { turn, seat, seats, readonly } = context
  const ways = waysOf(turn)
  const { to, text } = desk.draft
  const chosen = to ?? seats.find((each) => each.seat !== seat)?.seat ?? 0
  const shows = world.links.some((link) => link.from === seat && link.to === chosen && link.shows_map)
  const heard = world.messages.filter((message) => message.to === seat && message.from !== seat && message.text)
  return html`${heard.map((message) => html`<p><b class="strong">${seatName(seats, message.from)}</b> “${message.text}”</p>`)}
    <div class="c-message">
      ${seatChoice(context, { label: desk.say('to'), value: chosen, onset: (seat) => desk.write({ to: seat }) })}
      ${ways.has('send') ? html`${textField(context, { label: desk.say('message'), value: text, most: ways.get('send')?.properties?.text?.maxLength ?? 200, onset: (text) => desk.write({ text }) })}
        <button type="button" class="btn" ?disabled=${readonly || !text.trim()} @click=${() => desk.send(chosen, text)}>${desk.say('send')}</button>` : nothing}
      ${ways.has('pass_on') ? drawPassing(desk, world, seat, chosen) : nothing}
      ${ways.has('show_map') ? desk.button(desk.say(shows ? 'hideMap' : 'showMap'), { do: 'show_map', seat: chosen }) : nothing}
    </div>`
}

/** A part of the own reward for somebody, from now on. */
function drawPassing(desk: Desk, world: World, seat: number, to: number): TemplateResult {
  const given = desk.percent('pass_on', 'share', desk.draft.given)
  const name = seatName(desk.now().seats, to)
  const now = Math.round((world.links.find((link) => link.from === seat && link.to === to)?.reward ?? 0) * 100)
  return desk.card({
    title: desk.say(given ? 'passOn' : 'passNothing', { n: given, name }), action: { do: 'pass_on', seat: to, share: given }, on: now > 0,
    more: desk.stepper(given, valuesOf(waysOf(desk.now().turn).get('pass_on'), 'share'), (given) => desk.write({ given })),
    means: `${desk.say('passMeans')} ${now > 0 ? desk.say('passesNow', { n: now, name }) : ''}`,
  })
}
