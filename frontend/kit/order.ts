import { html, type TemplateResult } from 'lit-html'
import { repeat } from 'lit-html/directives/repeat.js'
import { answerSpeaker } from './answer/words'
import type { Asked } from './widgets'

/** The list with one entry at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = [...list]
  const [entry] = rest.splice(from, 1)
  if (entry === undefined) return [...list]
  rest.splice(Math.min(Math.max(to, 0), rest.length), 0, entry)
  return rest
}

export interface OrderLook<T> {
  label: string
  rows: readonly T[]
  /** Equal for the same row, wherever it stands. */
  keyOf(row: T, index: number): string
  /** What is said of it, for its buttons. */
  nameOf(row: T): string
  draw(row: T, index: number): TemplateResult
  isOut(index: number): boolean
  onset(rows: T[]): void
}

/** A list whose order means something: dragged by its grip, or moved by buttons and by Alt with the arrow keys. */
export function orderList<T>(context: Asked, look: OrderLook<T>): TemplateResult {
  const { rows } = look
  const { readonly } = context
  const say = answerSpeaker(context)
  // While a row is dragged these are the rows of when it was taken up, so that it moves from its place among them.
  const move = (from: number, to: number): void => look.onset(moved(rows, from, to))
  const onkeydown = (event: KeyboardEvent, index: number): void => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (event.altKey && by && !readonly) {
      event.preventDefault()
      event.stopPropagation()
      move(index, index + by)
    }
  }
  return html`<ol class="c-order" aria-label=${look.label}>
    ${repeat(
      rows,
      (row, index) => look.keyOf(row, index),
      (row, index) => html`<li class=${look.isOut(index) ? 'out' : ''} @keydown=${(event: KeyboardEvent) => onkeydown(event, index)}>
        <span class="grip" aria-hidden="true" title=${say('drag')} @pointerdown=${(event: PointerEvent) => !readonly && dragRow(event, index, (_, to) => move(index, to))}>⋮⋮</span>
        <span class="n">${index + 1}</span>
        <div class="what">${look.draw(row, index)}</div>
        <span class="tools">
          <button type="button" aria-label="${say('earlier')}: ${look.nameOf(row)}" ?disabled=${readonly || index === 0} @click=${() => move(index, index - 1)}>↑</button>
          <button type="button" aria-label="${say('later')}: ${look.nameOf(row)}" ?disabled=${readonly || index === rows.length - 1} @click=${() => move(index, index + 1)}>↓</button>
          <button type="button" aria-label="${say('remove')}: ${look.nameOf(row)}" ?disabled=${readonly} @click=${() => look.onset(rows.filter((_, i) => i !== index))}>×</button>
        </span>
      </li>`,
    )}
  </ol>`
}

/** Follows the pointer and moves the row of its list whenever it passes the edge of another. */
export function dragRow(event: PointerEvent, from: number, onmove: (from: number, to: number) => void): void {
  const list = (event.currentTarget as HTMLElement).closest('ol')
  if (!list || event.button !== 0) return
  event.preventDefault()
  let at = from
  const follow = (now: PointerEvent): void => {
    const rows = [...list.children].map((row) => row.getBoundingClientRect())
    const to = rows.findIndex((row) => now.clientY < row.bottom)
    const target = to < 0 ? rows.length - 1 : to
    if (target === at) return
    onmove(at, target)
    at = target
  }
  followPointer(event, follow)
}

/** Tells every move of the pointer that was pressed, until it is let go; then `onend`. */
export function followPointer({ pointerId }: PointerEvent, onmove: (now: PointerEvent) => void, onend?: (now: PointerEvent) => void): void {
  const until = new AbortController()
  const told = (heard: (now: PointerEvent) => void) => (now: PointerEvent): void => {
    if (now.pointerId === pointerId) heard(now)
  }
  const stop = told((now) => {
    until.abort()
    onend?.(now)
  })
  addEventListener('pointermove', told(onmove), until)
  addEventListener('pointerup', stop, until)
  addEventListener('pointercancel', stop, until)
}
