import { html, nothing, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import { answerSpeaker } from './answer/words'
import type { ComposerContext } from './composer'

/** Small controls that composers share. Every one can be worked by keyboard and by a finger, and rests while the composer does. */

/** What the controls need of a composer's context: whether it may be written, who writes, and in which language. */
export type Asked = Pick<ComposerContext, 'lang' | 'readonly' | 'seat' | 'seats'>

export interface StepperLook {
  label: string
  value: number
  min: number
  max: number
  onset(value: number): void
}

/** A whole number with a button at either side. */
export function stepper(context: Asked, { label, value, min, max, onset }: StepperLook): TemplateResult {
  const say = answerSpeaker(context)
  const bounded = (wanted: number): number => Math.min(max, Math.max(min, wanted))
  return html`<span class="c-stepper" role="group" aria-label=${label}>
    <button type="button" aria-label="${say('less')}: ${label}" ?disabled=${context.readonly || value <= min} @click=${() => onset(bounded(value - 1))}>−</button>
    <input inputmode="numeric" aria-label=${label} .value=${live(String(value))} ?disabled=${context.readonly}
      @change=${(event: Event) => {
        const field = event.target as HTMLInputElement
        const wanted = Number(field.value)
        if (field.value.trim() && Number.isSafeInteger(wanted)) onset(bounded(wanted))
        else field.value = String(value)
      }} />
    <button type="button" aria-label="${say('more')}: ${label}" ?disabled=${context.readonly || value >= max} @click=${() => onset(bounded(value + 1))}>+</button>
  </span>`
}

export interface ChoiceLook<T> {
  label: string
  value: T | undefined
  choices: readonly { value: T; label: string }[]
  onset(value: T): void
}

/** One of a few, side by side; `name` is that of the choice on its page. */
export function segments<T extends string>({ readonly }: Asked, name: string, look: ChoiceLook<T>): TemplateResult {
  return html`<div class="c-segments" role="radiogroup" aria-label=${look.label}>
    ${look.choices.map(
      ({ value, label }) => html`<label class=${value === look.value ? 'on' : ''}>
        <input type="radio" name=${name} .checked=${live(value === look.value)} ?disabled=${readonly} @change=${() => look.onset(value)} />${label}
      </label>`,
    )}
  </div>`
}

/** One of some, in a list that opens. */
export function choice<T extends string | number | null>({ readonly }: Asked, { label, value, choices, onset }: ChoiceLook<T>): TemplateResult {
  const chosen = (event: Event): void => {
    const one = choices[(event.target as HTMLSelectElement).selectedIndex]
    if (one) onset(one.value)
  }
  return html`<select class="field" aria-label=${label} ?disabled=${readonly} @change=${chosen}>
    ${choices.map((one) => html`<option value=${one.value ?? ''} .selected=${one.value === value}>${one.label}</option>`)}
  </select>`
}

/** One of the other seats. */
export function seatChoice(context: Asked, look: Omit<ChoiceLook<number>, 'choices'>): TemplateResult {
  const others = context.seats.filter(({ seat }) => seat !== context.seat)
  return choice(context, { ...look, choices: others.map(({ seat, name }) => ({ value: seat, label: name })) })
}

/** Any of some, as marks that wrap. */
export function picks<T>({ readonly }: Asked, label: string, choices: readonly { value: T; label: string; on: boolean }[], ontoggle: (value: T) => void): TemplateResult {
  return html`<div class="c-picks" role="group" aria-label=${label}>
    ${choices.map(
      ({ value, label, on }) => html`<label class=${on ? 'on' : ''}>
        <input type="checkbox" .checked=${live(on)} ?disabled=${readonly} @change=${() => ontoggle(value)} />${label}
      </label>`,
    )}
  </div>`
}

/** Wide buttons in a row, each with a word under it; one that cannot be pressed says why. */
export function actionButton(look: { label: string; note: string; key?: string; on?: boolean; disabled: boolean; onpress(): void }): TemplateResult {
  return html`<button type="button" class="c-action ${look.on ? 'on' : ''}" ?disabled=${look.disabled} aria-keyshortcuts=${look.key ?? nothing} @click=${look.onpress}>
    <span>${look.label}${look.key ? html` <kbd aria-hidden="true">${look.key}</kbd>` : nothing}</span><small>${look.note}</small>
  </button>`
}

/** A line of text; longer than `most` signs nothing can be written. */
export function textField({ readonly }: Asked, look: { label: string; value: string; most: number; onset(text: string): void }): TemplateResult {
  const written = (event: Event): void => look.onset((event.target as HTMLInputElement).value)
  return html`<input class="field" aria-label=${look.label} maxlength=${look.most} .value=${look.value} ?readonly=${readonly} @input=${written} />`
}

/** A small cross that takes away what it names. */
export function remover(context: Asked, what: string, onpress: () => void): TemplateResult {
  return html`<button type="button" class="btn bare ico" aria-label="${answerSpeaker(context)('remove')}: ${what}" ?disabled=${context.readonly} @click=${onpress}>×</button>`
}
