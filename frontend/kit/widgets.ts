import { html, nothing, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import type { SeatMeta } from '../src/types'

/** Small controls that composers share. Every one can be worked by keyboard and by a finger. */

export interface StepperLook {
  label: string
  value: number
  min: number | undefined
  max: number | undefined
  disabled: boolean
  /** Words for its two buttons. */
  less: string
  more: string
  onset(value: number): void
}

/** A whole number with a button at either side. */
export function stepper({ label, value, min, max, disabled, less, more, onset }: StepperLook): TemplateResult {
  const bounded = (wanted: number): number => Math.min(max ?? Infinity, Math.max(min ?? -Infinity, wanted))
  return html`<span class="c-stepper" role="group" aria-label=${label}>
    <button type="button" aria-label="${less}: ${label}" ?disabled=${disabled || (min !== undefined && value <= min)} @click=${() => onset(bounded(value - 1))}>−</button>
    <input inputmode="numeric" aria-label=${label} .value=${live(String(value))} ?disabled=${disabled}
      @change=${(event: Event) => {
        const field = event.target as HTMLInputElement
        const wanted = Number(field.value)
        if (field.value.trim() && Number.isSafeInteger(wanted)) onset(bounded(wanted))
        else field.value = String(value)
      }} />
    <button type="button" aria-label="${more}: ${label}" ?disabled=${disabled || (max !== undefined && value >= max)} @click=${() => onset(bounded(value + 1))}>+</button>
  </span>`
}

export interface SegmentsLook<T> {
  label: string
  name: string
  value: T | undefined
  choices: readonly { value: T; label: string; title?: string }[]
  disabled: boolean
  onset(value: T): void
}

/** One of a few, side by side. */
export function segments<T extends string | number | boolean | null>(look: SegmentsLook<T>): TemplateResult {
  return html`<div class="c-segments" role="radiogroup" aria-label=${look.label}>
    ${look.choices.map(
      ({ value, label, title }) => html`<label class=${value === look.value ? 'on' : ''} title=${title ?? nothing}>
        <input type="radio" name=${look.name} .checked=${live(value === look.value)} ?disabled=${look.disabled} @change=${() => look.onset(value)} />${label}
      </label>`,
    )}
  </div>`
}

export interface PicksLook<T> {
  label: string
  choices: readonly { value: T; label: string; on: boolean }[]
  disabled: boolean
  ontoggle(value: T): void
}

/** Any of some, as marks that wrap. */
export function picks<T>(look: PicksLook<T>): TemplateResult {
  return html`<div class="c-picks" role="group" aria-label=${look.label}>
    ${look.choices.map(
      ({ value, label, on }) => html`<label class=${on ? 'on' : ''}>
        <input type="checkbox" .checked=${live(on)} ?disabled=${look.disabled} @change=${() => look.ontoggle(value)} />${label}
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

export interface SeatChoiceLook {
  label: string
  seats: readonly SeatMeta[]
  /** Who chooses, and is no choice. */
  own: number
  value: number
  disabled: boolean
  onset(seat: number): void
}

/** One of the other seats. */
export function seatChoice({ label, seats, own, value, disabled, onset }: SeatChoiceLook): TemplateResult {
  const chosen = (event: Event): void => onset(Number((event.target as HTMLSelectElement).value))
  return html`<select class="field" aria-label=${label} ?disabled=${disabled} @change=${chosen}>
    ${seats.filter(({ seat }) => seat !== own).map(({ seat, name }) => html`<option value=${seat} .selected=${seat === value}>${name}</option>`)}
  </select>`
}

/** A line of text; longer than `most` signs nothing can be written. */
export function textField(look: { label: string; value: string; most: number; disabled: boolean; onset(text: string): void }): TemplateResult {
  const written = (event: Event): void => look.onset((event.target as HTMLInputElement).value)
  return html`<input class="field" aria-label=${look.label} maxlength=${look.most} .value=${look.value} ?readonly=${look.disabled} @input=${written} />`
}
