import { html, type TemplateResult } from 'lit-html'
import { repeat } from 'lit-html/directives/repeat.js'

/** The list with one entry at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = [...list]
  const [entry] = rest.splice(from, 1)
  if (entry === undefined) return [...list]
  rest.splice(Math.min(Math.max(to, 0), rest.length), 0, entry)
  return rest
}

export interface OrderWords {
  up: string
  down: string
  remove: string
  drag: string
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
  disabled: boolean
  words: OrderWords
  onmove(from: number, to: number): void
  onremove(index: number): void
}

/** A list whose order means something: dragged by its grip, or moved by buttons and by Alt with the arrow keys. */
export function orderList<T>(look: OrderLook<T>): TemplateResult {
  const { rows, words, disabled } = look
  const onkeydown = (event: KeyboardEvent, index: number): void => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (event.altKey && by && !disabled) {
      event.preventDefault()
      event.stopPropagation()
      look.onmove(index, index + by)
    }
  }
  return html`<ol class="c-order" aria-label=${look.label}>
    ${repeat(
      rows,
      (row, index) => look.keyOf(row, index),
      (row, index) => html`<li class=${look.isOut(index) ? 'out' : ''} @keydown=${(event: KeyboardEvent) => onkeydown(event, index)}>
        <span class="grip" aria-hidden="true" title=${words.drag} @pointerdown=${(event: PointerEvent) => !disabled && dragRow(event, index, look.onmove)}>⋮⋮</span>
        <span class="n">${index + 1}</span>
        <div class="what">${look.draw(row, index)}</div>
        <span class="tools">
          <button type="button" aria-label="${words.up}: ${look.nameOf(row)}" ?disabled=${disabled || index === 0} @click=${() => look.onmove(index, index - 1)}>↑</button>
          <button type="button" aria-label="${words.down}: ${look.nameOf(row)}" ?disabled=${disabled || index === rows.length - 1} @click=${() => look.onmove(index, index + 1)}>↓</button>
          <button type="button" aria-label="${words.remove}: ${look.nameOf(row)}" ?disabled=${disabled} @click=${() => look.onremove(index)}>×</button>
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
