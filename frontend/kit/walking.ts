import { html, nothing, type TemplateResult } from 'lit-html'
import type { Facts } from '../src/types'
import { answerSpeaker } from './answer/words'
import type { Cell } from './board'
import type { ComposerContext } from './composer'

/** What composers share whose seats walk: keys and buttons for the directions, the plan that stands, moves that wait. */

/** The direction of each key. */
export const STEPS: Readonly<Record<string, string>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right', '.': 'stay' }
const ARROWS = [['up', '↑', 'ArrowUp'], ['left', '←', 'ArrowLeft'], ['stay', '·', '.'], ['right', '→', 'ArrowRight'], ['down', '↓', 'ArrowDown']] as const

/** A button for each direction; `isOpen` says which can be gone now. */
export function directionPad(context: ComposerContext, label: string, isOpen: (direction: string) => boolean, onstep: (direction: string) => void): TemplateResult {
  const say = answerSpeaker(context)
  return html`<div class="c-pad" role="group" aria-label=${label}>
    ${ARROWS.map(([direction, sign, key]) => html`<button type="button" class="at-${direction}" aria-label=${say(direction)} aria-keyshortcuts=${key} ?disabled=${context.readonly || !isOpen(direction)} @click=${() => onstep(direction)}>${sign}</button>`)}
  </div>`
}

/** The plan that stands, in words, and how many moves wait, each with a button that ends it. */
export function standingPlan(context: ComposerContext, inWords: (plan: Facts) => string): TemplateResult {
  const { turn: { plan }, queue, readonly, onclear, onhalt } = context
  const say = answerSpeaker(context)
  return html`${plan !== null && typeof plan === 'object' && !Array.isArray(plan)
      ? html`<div class="c-plan" role="status"><span>${say('plan')}: <b class="strong">${inWords(plan)}</b></span><button type="button" class="btn" aria-keyshortcuts="Escape" ?disabled=${readonly} @click=${onhalt}>${say('stop')} <kbd aria-hidden="true">Esc</kbd></button></div>`
      : nothing}
    ${queue ? html`<div class="c-plan" role="status"><span>${say('waiting', { n: queue })}</span><button type="button" class="btn" @click=${onclear}>${say('drop')}</button></div>` : nothing}`
}

/** Escape drops the moves that wait, and with none ends the plan; whether it did. On a cell of the board it leaves the plan. */
export function isHalted(key: string, at: Cell | null, { queue, turn, readonly, onclear, onhalt }: ComposerContext): boolean {
  if (key !== 'Escape') return false
  if (queue) onclear()
  else if (turn.plan !== null && !readonly && !at) onhalt()
  else return false
  return true
}
