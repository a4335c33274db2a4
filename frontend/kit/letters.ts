import { html, nothing, type TemplateResult } from 'lit-html'
import type { Json } from '../src/types'
import { answerSpeaker } from './answer/words'
import { draftRecord, type ComposerContext } from './composer'
import { picks, remover, textField } from './widgets'

/** Messages as a composer writes them: to everyone, or to the seats that are named. */

export interface Letter {
  to: 'all' | number[]
  text: string
}

export interface LettersLook<L extends Letter> {
  letters: readonly L[]
  /** So many at the most, each of so many characters. */
  most: number
  length: number
  blank: L
  /** What is said of all of them, beside how many there are. */
  note?: string
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
export function letterList<L extends Letter>(context: ComposerContext, { letters, most, length, blank, note, onset, beside }: LettersLook<L>): TemplateResult {
  const { seats, seat, readonly } = context
  const say = answerSpeaker(context)
  const others = seats.filter((each) => each.seat !== seat)
  const drawn = letters.map((letter, i) => {
    const put = (change: Partial<L>): void => onset(letters.map((each, j) => (j === i ? { ...each, ...change } : each)))
    const receivers = [
      { value: 'all' as const, label: say('everyone'), on: letter.to === 'all' },
      ...others.map((each) => ({ value: each.seat, label: each.name, on: letter.to !== 'all' && letter.to.includes(each.seat) })),
    ]
    return html`<div class="c-letter">
      ${picks<number | 'all'>(context, `${say('receiver')} ${i + 1}`, receivers, (one) => put({ to: toggled(letter.to, one) } as Partial<L>))}
      <div class="c-message">
        ${textField(context, { label: `${say('text')} ${i + 1}`, value: letter.text, most: length, onset: (text) => put({ text } as Partial<L>) })}
        ${remover(context, `${say('messages')} ${i + 1}`, () => onset(letters.filter((_, j) => j !== i)))}
      </div>
      ${beside?.(letter, i, put) ?? nothing}
      ${isToNobody(letter) ? html`<p class="down c-note" role="status">▼ ${say('toNobody')}</p>` : nothing}
    </div>`
  })
  return html`<div class="c-head"><h3>${say('messages')}</h3>${note ? html`<span class="grow"></span>` : nothing}<small class="faint">${note ? `${note} · ` : ''}${letters.length} / ${most}</small></div>
    ${drawn}
    <button type="button" class="btn" ?disabled=${readonly || letters.length >= most} @click=${() => onset([...letters, { ...blank }])}>${say('addMessage')}</button>`
}
