import { layoutGrid, type Box, type Cell, type GridLayout, type Mounted } from '@polity/board'
import type { World } from './reading'

/** What part of the torus is drawn: so many cells from a first one on, over the edges where it comes to that. */
export interface Port {
  row: number
  col: number
  rows: number
  cols: number
}

/** Cells around a seat's window that are drawn with it. */
const MARGIN = 2
const LEAST = 5

type Size = Pick<World, 'rows' | 'cols'>

/** A part of the map of about so many cells each way, around a cell; the whole of it where it has no more. */
export function portAround({ rows, cols }: Size, cell: number, side: number): Port {
  const [high, wide] = [Math.min(rows, side), Math.min(cols, side)]
  const [row, col] = [Math.floor(cell / cols), cell % cols]
  return {
    row: high === rows ? 0 : modulo(row - Math.floor(high / 2), rows),
    col: wide === cols ? 0 : modulo(col - Math.floor(wide / 2), cols),
    rows: high,
    cols: wide,
  }
}

/** How far a cell lies down and right of the first one drawn. */
function within(port: Port, world: Size, cell: number): Cell {
  return { row: modulo(Math.floor(cell / world.cols) - port.row, world.rows), col: modulo((cell % world.cols) - port.col, world.cols) }
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

/** Where the cells of the map stand that are drawn. */
export interface Field {
  port: Port
  grid: GridLayout
  /** The number of the cell that is drawn at a place of the grid. */
  cellAt(place: number): number
  /** The place of a cell in rows and columns of what is drawn; it may lie outside. */
  placeOf(cell: number): Cell
  isDrawn(cell: number): boolean
  hit(x: number, y: number): Cell | null
  box(cell: Cell): Box | null
}

export function fieldOf(world: Size, port: Port, box: Box, gutter: number): Field {
  const grid = layoutGrid(box.width, box.height, port.rows, port.cols, gutter, box)
  const cellAt = (place: number): number =>
    modulo(port.row + Math.floor(place / port.cols), world.rows) * world.cols + modulo(port.col + (place % port.cols), world.cols)
  const placeOf = (cell: number): Cell => within(port, world, cell)
  const isDrawn = (cell: number): boolean => {
    const { row, col } = placeOf(cell)
    return row < port.rows && col < port.cols
  }
  return {
    port,
    grid,
    cellAt,
    placeOf,
    isDrawn,
    hit: (x, y) => {
      const place = grid.hit(x, y)
      if (!place) return null
      const cell = cellAt(place.row * port.cols + place.col)
      return { row: Math.floor(cell / world.cols), col: cell % world.cols }
    },
    box: ({ row, col }) => (row >= 0 && row < world.rows && col >= 0 && col < world.cols ? grid.box(placeOf(row * world.cols + col)) : null),
  }
}

/** Which part of the map is looked at: the whole, until somebody zooms; a seat's own eyes begin at their window. */
export class Viewport {
  /** Cells each way; null: as it comes by itself. */
  #side: number | null = null
  /** What was drawn last, so that it moves only when what is looked at would leave it. */
  #port: Port | null = null
  #whose: number | null = null
  #held = false
  world: World | null = null
  field: Field | null = null

  /** The part to draw now; `zooms`: whether these eyes begin at their window. */
  port(world: World, seat: number | null, zooms: boolean): Port {
    if (this.world && (this.world.rows !== world.rows || this.world.cols !== world.cols)) this.#side = this.#port = null
    if (seat !== this.#whose) {
      this.#whose = seat
      this.#port = null
      this.#held = false
    }
    this.world = world
    const own = seat === null ? undefined : world.agents.get(seat)
    const most = Math.max(world.rows, world.cols)
    const natural = zooms && own !== undefined ? 2 * (world.sight + MARGIN) + 1 : most
    const side = Math.min(most, this.#side ?? natural)
    const before = this.#port
    const isKept = side < most && before !== null && before.rows === Math.min(side, world.rows) && before.cols === Math.min(side, world.cols)
    if (isKept && (this.#held || own === undefined || isInside(before, world, own, Math.min(world.sight, Math.floor(side / 2) - 1)))) return before
    const middle = own !== undefined && !this.#held ? own : middleOf(before ?? { row: 0, col: 0, ...world }, world)
    return (this.#port = portAround(world, middle, side))
  }

  get isZoomed(): boolean {
    return this.#port !== null && this.world !== null && (this.#port.rows < this.world.rows || this.#port.cols < this.world.cols)
  }

  /** Nearer or further, by a factor of the cells each way. */
  zoom(by: number): void {
    const { world } = this
    if (!world || !this.#port) return
    const most = Math.max(world.rows, world.cols)
    const now = Math.max(this.#port.rows, this.#port.cols)
    const wanted = by < 1 ? Math.floor(now * by) : Math.ceil(now * by)
    this.#side = Math.min(most, Math.max(LEAST, wanted))
  }

  /** Moves what is drawn by whole cells; from then on it stays where it was put. */
  pan(rows: number, cols: number): void {
    if (!this.#port || !this.world || !this.isZoomed) return
    this.#held = true
    this.#port = {
      ...this.#port,
      row: modulo(this.#port.row + rows, this.world.rows),
      col: modulo(this.#port.col + cols, this.world.cols),
    }
  }

  /** As it comes by itself; again where it was so: the whole map, or the part that was left. */
  reset(): void {
    const whole = this.world ? Math.max(this.world.rows, this.world.cols) : null
    this.#side = this.#side === null && this.isZoomed ? whole : null
    this.#held = false
    this.#port = null
  }
}

/** Whether a seat's window lies in what is drawn, as the crow flies. */
function isInside(port: Port, world: Size, cell: number, reach: number): boolean {
  const { row, col } = within(port, world, cell)
  return (port.rows >= world.rows || (row >= reach && row < port.rows - reach)) && (port.cols >= world.cols || (col >= reach && col < port.cols - reach))
}

function middleOf(port: Port, world: Size): number {
  return modulo(port.row + Math.floor(port.rows / 2), world.rows) * world.cols + modulo(port.col + Math.floor(port.cols / 2), world.cols)
}

/** The words on the map's own buttons. */
export interface ZoomWords {
  nearer: string
  further: string
  whole: string
}

/** Lets a mounted board be zoomed by wheel, by two fingers, by its buttons and by + and −, and be dragged while it is. */
export function zoomable(element: HTMLElement, mounted: Mounted, port: Viewport, words: () => ZoomWords, redraw: () => void): Mounted & { place(at: { x: number; y: number; isColumn: boolean } | null): void } {
  const bar = document.createElement('div')
  // For pointers alone: who comes by key has + and −, and the cells in words need neither.
  bar.setAttribute('aria-hidden', 'true')
  bar.style.cssText = 'position:absolute;display:none;gap:2px;z-index:1'
  const act = (change: () => void): void => {
    change()
    redraw()
  }
  const buttons = ([['−', 'further', () => port.zoom(1.4)], ['+', 'nearer', () => port.zoom(0.7)], ['⤢', 'whole', () => port.reset()]] as const).map(([sign, word, change]) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.tabIndex = -1
    button.className = 'btn ico'
    button.textContent = sign
    button.addEventListener('click', (event) => {
      event.stopPropagation()
      act(change)
    })
    bar.append(button)
    return { button, word }
  })
  element.append(bar)

  const held = new Map<number, { x: number; y: number }>()
  let apart = 0
  let from: { x: number; y: number } | null = null
  let hasDragged = false
  const canvas = element.querySelector('canvas')
  const spread = (): number => {
    const [a, b] = [...held.values()]
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0
  }
  element.addEventListener('pointerdown', (event) => {
    if (bar.contains(event.target as Node)) return
    held.set(event.pointerId, { x: event.clientX, y: event.clientY })
    apart = spread()
    from = { x: event.clientX, y: event.clientY }
    hasDragged = false
  })
  element.addEventListener('pointermove', (event) => {
    if (!held.has(event.pointerId)) return
    held.set(event.pointerId, { x: event.clientX, y: event.clientY })
    const size = port.field?.grid.size ?? 20
    if (held.size === 2) {
      const now = spread()
      const by = apart > 0 ? apart / now : 1
      if (by < 0.83 || by > 1.2) {
        apart = now
        hasDragged = true
        act(() => port.zoom(by))
      }
    } else if (from && port.isZoomed) {
      const [down, right] = [Math.trunc((from.y - event.clientY) / size), Math.trunc((from.x - event.clientX) / size)]
      if (!down && !right) return
      from = { x: from.x - right * size, y: from.y - down * size }
      hasDragged = true
      act(() => port.pan(down, right))
    }
  })
  const release = (event: PointerEvent): void => {
    held.delete(event.pointerId)
    if (!held.size) from = null
  }
  for (const kind of ['pointerup', 'pointercancel', 'pointerleave'] as const) element.addEventListener(kind, release)
  // What was dragged was not chosen.
  element.addEventListener('click', (event) => {
    if (hasDragged && event.target === canvas) event.stopPropagation()
    hasDragged = false
  }, true)
  element.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    act(() => port.zoom(event.deltaY > 0 ? 1.2 : 0.83))
  }, { passive: false })

  return {
    ...mounted,
    key: (key) => {
      if (key === '+' || key === '=') act(() => port.zoom(0.7))
      else if (key === '-') act(() => port.zoom(1.4))
      else return false
      return true
    },
    /** Puts the buttons there; null hides them. */
    place(at) {
      if (canvas) canvas.style.touchAction = at ? (port.isZoomed ? 'none' : 'pan-x pan-y') : 'manipulation'
      bar.style.display = at ? 'flex' : 'none'
      if (!at) return
      const said = words()
      for (const { button, word } of buttons) button.title = said[word]
      bar.style.flexDirection = at.isColumn ? 'column' : 'row'
      bar.style.left = `${at.x}px`
      bar.style.top = `${at.y}px`
    },
  }
}
