import type { Cell, FactList, GridFacts, Told } from '../../kit/board'

/** The rows and columns of a grid that are in the document, from first to last. */
export interface Span {
  top: number
  bottom: number
  left: number
  right: number
}

/** Up to this many cells all are in the document; else a window of rows and columns around the focus. */
const WHOLE = 900
const REACH = 6

export function spanOf({ rows, cols }: GridFacts, { row, col }: Cell): Span {
  if (rows * cols <= WHOLE) return { top: 0, bottom: rows - 1, left: 0, right: cols - 1 }
  return {
    top: Math.max(0, row - REACH),
    bottom: Math.min(rows - 1, row + REACH),
    left: Math.max(0, col - REACH),
    right: Math.min(cols - 1, col + REACH),
  }
}

/** An element that says a fact, in words and as data-*; only what changed is written. */
class Teller {
  readonly element: HTMLElement
  #text = ''
  #data: Readonly<Record<string, string>> = {}

  constructor(tag: string, role: string) {
    this.element = document.createElement(tag)
    this.element.setAttribute('role', role)
  }

  tell({ text, data }: Told): void {
    if (text !== this.#text) this.element.textContent = this.#text = text
    for (const key in this.#data) if (!(key in data)) this.element.removeAttribute(`data-${key}`)
    for (const key in data) {
      const value = data[key] as string
      if (value !== this.#data[key]) this.element.setAttribute(`data-${key}`, value)
    }
    this.#data = data
  }
}

/**
 * A board's facts in the document, for those who do not see the picture: its cells as rows of an ARIA grid, and lists of
 * what stands in no cell. Written by hand, because a replay asks for thousands of cells a second.
 */
export class Spelling {
  #span: Span | null = null
  #cells: Teller[] = []
  #lists = new Map<string, { host: HTMLElement; items: Teller[] }>()
  #chosen: Element | null = null

  /** `uid` makes the ids of the cells: `{uid}-{row}-{col}`. */
  constructor(
    private readonly grid: HTMLElement,
    private readonly aside: HTMLElement,
    private readonly uid: string,
  ) {}

  spell(facts: GridFacts, span: Span): void {
    const known = this.#span
    if (!known || known.top !== span.top || known.bottom !== span.bottom || known.left !== span.left || known.right !== span.right) this.#lay(span)
    let next = 0
    for (let row = span.top; row <= span.bottom; row++) {
      for (let col = span.left; col <= span.right; col++) this.#cells[next++]?.tell(facts.cell(row, col))
    }
    this.#list(facts.lists?.() ?? [])
  }

  /** The cell that the keys are at; null where they are elsewhere. */
  choose(cell: Cell | null): void {
    this.#chosen?.setAttribute('aria-selected', 'false')
    this.#chosen = cell && document.getElementById(`${this.uid}-${cell.row}-${cell.col}`)
    this.#chosen?.setAttribute('aria-selected', 'true')
  }

  #lay(span: Span): void {
    this.#span = span
    this.#cells = []
    this.#chosen = null
    const rows: HTMLElement[] = []
    for (let row = span.top; row <= span.bottom; row++) {
      const line = document.createElement('div')
      line.setAttribute('role', 'row')
      line.setAttribute('aria-rowindex', String(row + 1))
      for (let col = span.left; col <= span.right; col++) {
        const teller = new Teller('span', 'gridcell')
        const { element } = teller
        element.id = `${this.uid}-${row}-${col}`
        element.setAttribute('aria-colindex', String(col + 1))
        element.setAttribute('aria-selected', 'false')
        element.setAttribute('data-row', String(row))
        element.setAttribute('data-col', String(col))
        this.#cells.push(teller)
        line.append(element)
      }
      rows.push(line)
    }
    this.grid.replaceChildren(...rows)
  }

  #list(lists: readonly FactList[]): void {
    for (const { key, label, items } of lists) {
      let list = this.#lists.get(key)
      if (!list) {
        const host = document.createElement('ul')
        host.dataset.facts = key
        this.aside.append(host)
        this.#lists.set(key, (list = { host, items: [] }))
      }
      const { host, items: tellers } = list
      if (host.getAttribute('aria-label') !== label) host.setAttribute('aria-label', label)
      while (tellers.length > items.length) tellers.pop()?.element.remove()
      items.forEach((item, i) => {
        if (!tellers[i]) {
          tellers[i] = new Teller('li', 'listitem')
          host.append(tellers[i].element)
        }
        tellers[i].tell(item)
      })
    }
    for (const [key, { host }] of this.#lists) {
      if (lists.some((list) => list.key === key)) continue
      host.remove()
      this.#lists.delete(key)
    }
  }
}
