import { directionPad, html, inRow, nothing, type ComposerContext, type TemplateResult } from '@polity/board'
import { allows, under } from './choosing'
import type { Desk } from './desk'
import { lacking, type World } from './reading'
import { one } from './words'

/** The arrows, what lies underfoot and what can be made of it, the bag. */
export function drawWalk(desk: Desk, context: ComposerContext, world: World): TemplateResult {
  const { turn, seat, readonly, onsubmit } = context
  const here = under(world, seat)
  const bag = (world.bags.get(seat) ?? []).filter(([name]) => name)
  const piles = here?.stack ?? []
  return html`<div class="c-walk">
      ${directionPad(context, desk.say('walkOnly'), (direction) => allows(turn, { do: 'move', direction }), (direction) => desk.act({ do: 'move', direction }))}
      <div class="c-here">
        ${piles.map(([resource, units]) => html`<div class="c-do">${desk.sign(resource)}${desk.button(desk.say('pick', { name: desk.thing(resource) }), { do: 'pick', resource })}<small>${whyNotPick(desk, world, seat, resource, units)}</small></div>`)}
        ${here !== null && here.event !== null ? drawMaking(desk, world, seat, here.event) : nothing}
        ${piles.length || (here !== null && here.event !== null) ? nothing : html`<p class="mut">${desk.say('nothingHere')}</p>`}
        ${turn.plan_schema ? html`<div class="c-buttons"><button type="button" class="btn" ?disabled=${readonly} @click=${() => onsubmit({ plan: { plan: 'explore' } })}>${desk.say('exploreNow')}</button></div>` : nothing}
      </div>
    </div>
    <p class="c-bag"><span class="mut">${desk.say('bag')}</span> ${bag.length ? bag.map(([name, units]) => html`<span class="c-held">${desk.sign(name)} ${units} ${desk.thing(name)}</span>`) : desk.say('nothingHeld')}</p>
    ${bag.length ? html`<div class="c-buttons">${bag.map(([resource]) => desk.button(desk.say('put', { name: desk.thing(resource) }), { do: 'dump', resource }))}</div>` : nothing}
    <p class="c-hint">${desk.say(turn.plan_schema ? 'walk' : 'walkOnly')}</p>`
}

function whyNotPick(desk: Desk, world: World, seat: number, resource: string, units: number): string {
  const { turn } = desk.now()
  const held = world.bags.get(seat)?.find(([name]) => name === resource)?.[1] ?? 0
  const full = held >= (world.resources.find(({ name }) => name === resource)?.capacity ?? Infinity)
  return full && turn.options && !allows(turn, { do: 'pick', resource }) ? desk.say('bagFull', { n: held }) : desk.say('liesHere', { n: units })
}

/** What this place makes, of what; and what is missing for it. */
function drawMaking(desk: Desk, world: World, seat: number, event: string): TemplateResult {
  const recipe = world.recipes.find(({ name }) => name === event)
  const amounts = (stack: readonly (readonly [string, number])[]): string => inRow(stack.map(([name, units]) => desk.say('liesOf', { n: units, name: desk.thing(name) })), desk.now().lang)
  const missing = recipe ? lacking(world, seat, recipe) : []
  const output = recipe?.outputs[0]?.[0] ?? event
  const note = !recipe ? '' : missing.length ? desk.say('missing', { things: amounts(recipe.inputs), short: amounts(missing) }) : desk.say('takes', { things: amounts(recipe.inputs) })
  return html`<div class="c-do">${desk.sign(event, true)}${desk.button(event ? desk.say('make', { name: one(output, desk.now().lang) }) : desk.say('makeUnknown'), { do: 'synthesize' })}<small>${note}</small></div>`
}
