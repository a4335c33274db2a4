import { html, nothing, type TemplateResult } from 'lit-html'
import type { Json } from '../src/types'
import { draftRecord, type ComposerContext } from './composer'
import type { Say } from './speaking'
import { picks, textField } from './widgets'

/** Messages as a composer writes them: to everyone, or to the seats that are named. */

export interface Letter {
  to: 'all' | number[]
  text: string
}

export type LetterWord = 'messages' | 'to' | 'everyone' | 'text' | 'remove' | 'toNobody' | 'addMessage'

export interface LettersLook<L extends Letter> {
  letters: readonly L[]
  /** So many at the most, each of so many characters. */
  most: number
  length: number
  blank: L
  say: Say<LetterWord>
  onset(letters: L[]): void
  /** What belongs to a letter beside its text. */
  beside?(letter: L, i: number, put: (change: Partial<L>) => void): TemplateResult
}

export function isToNobody({ to }: Letter): boolean {
  return to !== 'all' && !to.length
}

/** The receivers with one added or taken away. Whoever is named takes the place of everyone; nobody is no everyone. */
export function toggled(to: Letter['to'], seat: number | 'all'): Letter['to'] {
  if (seat === 'all') return to === 'all' ? [] : 'all'
  if (to === 'all') return [seat]
  return to.includes(seat) ? to.filter((each) => each !== seat) : [...to, seat].sort((a, b) => a - b)
}

/** The letters of a draft in which somebody wrote, as `ComposerModule.kept` gives them; null where there are none. */
export function keptLetters(draft: Json): Json {
  const { messages } = draftRecord(draft)
  const written = Array.isArray(messages) ? messages.filter((each) => String(draftRecord(each).text ?? '').trim()) : []
  return written.length ? { messages: written } : null
}

/** A field for each letter, its receivers above it, and a button for one more. */
export function letterList<L extends Letter>({ seats, seat, readonly }: ComposerContext, { letters, most, length, blank, say, onset, beside }: LettersLook<L>): TemplateResult {
  const others = seats.filter((each) => each.seat !== seat)
  const drawn = letters.map((letter, i) => {
    const put = (change: Partial<L>): void => onset(letters.map((each, j) => (j === i ? { ...each, ...change } : each)))
    return html`<div class="c-letter">
      ${picks<number | 'all'>({
        label: `${say('to')} ${i + 1}`,
        choices: [
          { value: 'all', label: say('everyone'), on: letter.to === 'all' },
          ...others.map((each) => ({ value: each.seat, label: each.name, on: letter.to !== 'all' && letter.to.includes(each.seat) })),
        ],
        disabled: readonly,
        ontoggle: (one) => put({ to: toggled(letter.to, one) } as Partial<L>),
      })}
      <div class="c-message">
        ${textField({ label: `${say('text')} ${i + 1}`, value: letter.text, most: length, disabled: readonly, onset: (text) => put({ text } as Partial<L>) })}
        <button type="button" class="btn bare ico" aria-label="${say('remove')}: ${say('messages')} ${i + 1}" ?disabled=${readonly} @click=${() => onset(letters.filter((_, j) => j !== i))}>×</button>
      </div>
      ${beside?.(letter, i, put) ?? nothing}
      ${isToNobody(letter) ? html`<p class="down c-note" role="status">▼ ${say('toNobody')}</p>` : nothing}
    </div>`
  })
  return html`${drawn}
    <button type="button" class="btn" ?disabled=${readonly || letters.length >= most} @click=${() => onset([...letters, { ...blank }])}>${say('addMessage')}</button>`
}
