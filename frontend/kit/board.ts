import { inRow } from '../src/sentences'
import type { Facts, Frame, GameEvent, Lang, SeatMeta } from '../src/types'
import type { Theme } from './theme'

export interface Cell {
  row: number
  col: number
}

/** What a board may know besides the frame that it draws. It fetches nothing and keeps no rules. */
export interface BoardContext {
  seats: readonly SeatMeta[]
  config: Facts
  lang: Lang
  theme: Theme
  /** Through whose eyes; null means everyone's. */
  as: number | null
  /** Another step of the same run, where it is here. */
  at(n: number): Frame | undefined
  selected: Cell | null
  /** The cell that the keyboard or the pointer is at. */
  focused: Cell | null
  /** Without axes and small marks, as in the lobby. */
  bare: boolean
  /** Where no further round comes: the number of the last; null while any may. */
  ended?: number | null
  /** Whether whoever looks plays: curves and lines that judge the match are left out. */
  subject?: boolean
  /** Beside the rules, and beside a move that is written on a small screen: what is needed to decide, and no more. */
  brief?: boolean
  /** How long a change between two neighbouring steps may move, in ms; 0 means cut. */
  motion: number
  onselect(cell: Cell): void
  onhover(cell: Cell | null): void
  /** Signs of what is being planned, drawn over the board. */
  marks?: readonly Mark[]
  /** A key on the focused board that the board itself has no use for; true where it was taken. */
  onkey?(key: string, cell: Cell): boolean
}

/** A small sign that the composer puts on a cell of the board. */
export interface Mark {
  cell: Cell
  text: string
  /** `out`: the rules would strike it out. */
  kind: 'plan' | 'out' | 'goal'
}

export interface Mounted {
  update(frame: Frame, context: BoardContext): void
  unmount(): void
  /** Where a cell is drawn, in CSS pixels of the element; null where it is not. */
  box?(cell: Cell): Box | null
  /** A key on the focused board that is not one of its arrows; true where it was taken. */
  key?(key: string): boolean
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** One sentence on the step: what happened, then how things stand. */
export interface Headline {
  strong: string
  quiet: string
}

/** A fact in words, and as data-* attributes that do not depend on the language. */
export interface Told {
  text: string
  data: Readonly<Record<string, string>>
}

/** What a board shows that stands in no cell of its grid, one list for each kind of it. */
export interface FactList {
  key: string
  label: string
  items: readonly Told[]
}

/** A grid as words, one cell at a time: for screen readers, for hovering, and for whoever checks the picture. */
export interface GridFacts {
  rows: number
  cols: number
  label: string
  cell(row: number, col: number): Told
  lists?(): readonly FactList[]
}

/** A small picture with a word after it, as of what a bag holds; `label` is what is read out. */
export interface Sign {
  label: string
  text: string
  paths: readonly SignPath[]
}

/** A shape on a square of sixteen units. A colour is a token's name, or written out. */
export interface SignPath {
  d: string
  fill?: string
  stroke?: string
  width?: number
  dash?: string
  transform?: string
}

export interface Ledger {
  columns: readonly { label: string; numeric: boolean }[]
  /** In the order of the score. */
  rows: readonly { seat: number; values: readonly (string | readonly Sign[])[]; score: number | null }[]
  note: string
}

/** A value of a ledger in words. */
export function ledgerText(value: string | readonly Sign[], lang: Lang): string {
  return typeof value === 'string' ? value : inRow(value.map(({ label }) => label), lang)
}

export interface Detail {
  title: string
  seat: number | null
  rows: readonly (readonly [label: string, value: string])[]
}

export interface LegendItem {
  label: string
  width: number
  height: number
  paths: readonly SignPath[]
}

/** What a game counts that seats do to each other: which of its events it is, and who did each. */
export interface Deeds {
  /** The metric under the replay bar that counts it, by whose name it is called. */
  metric: string
  kinds: readonly string[]
  by(event: Pick<GameEvent, 'kind' | 'data'>): readonly number[]
}

/** A game's picture. All but `mount` are pure. */
export interface BoardModule {
  /** The board shows what its seats have and needs the room: the ledger stands with the seats then, not beside it. */
  isWide?: true
  /** Its table of all seats has no place on a wide board: who is ahead stands in a line above it. */
  ranks?: true
  /** A map that is as high as it is wide: where it stands in a wide frame, who leads stands beside it. */
  isSquare?: true
  /** As high as what it holds: a phone's page scrolls over it, a wider one within it. It tells what a ledger would. */
  flows?: true
  /**
   * Height on a phone in pixels, for a board of that width; the page scrolls there. Where it is not said a board is a
   * square, and to a player what room there is. 0: a player's page shows none while a move is written.
   */
  height?(frame: Frame, context: BoardContext, width: number): number | undefined
  mount(element: HTMLElement, context: BoardContext): Mounted
  headline(frame: Frame, context: BoardContext): Headline
  ledger(frame: Frame, context: BoardContext): Ledger
  /** How things stand for the seat whose eyes these are, in a few words; null: what its row of the ledger says. */
  standing?(frame: Frame, context: BoardContext): string | null
  cells?(frame: Frame, context: BoardContext): GridFacts
  detail?(frame: Frame, cell: Cell, context: BoardContext): Detail
  /** On a screen for a hall it is drawn by who did it. */
  deeds?: Deeds
  legend?(frame: Frame, context: BoardContext): readonly LegendItem[]
  /** Whether there is nothing to see yet, so that a picture beside the rules would show none. */
  isBlank?(frame: Frame, context: BoardContext): boolean
  /** The small picture on the game's card. */
  picture?(canvas: CanvasRenderingContext2D, width: number, height: number, theme: Theme): void
}

export function defineBoard(board: BoardModule): BoardModule {
  return board
}

export function seatName(seats: readonly SeatMeta[], seat: number): string {
  // Seats stand at their number, and only where some are hidden they have to be looked for.
  const meta = seats[seat]?.seat === seat ? seats[seat] : seats.find((one) => one.seat === seat)
  return meta?.name ?? `#${seat}`
}
