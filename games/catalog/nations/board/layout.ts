import { oval, type Box, type Cell } from '@polity/board'
import type { Nation } from './reading'

/** Where the nations stand, in CSS pixels: a card each on an ellipse, or discs where cards would not fit. */
export interface WorldLayout {
  cards: readonly Box[]
  /** Side of a territory's square, and how many stand in a row. */
  side: number
  perRow: number
  /** Whether there is room for names, armies and numbers. */
  isRoomy: boolean
  hit(x: number, y: number): Cell | null
  box(cell: Cell): Box | null
}

/** Above the territories stands the name, below them the army and the bar of welfare. */
export const HEAD = 22
const FOOT = 30
/** No card is narrower, so that a name fits. */
const NARROWEST = 100
/** Widths between cards and sizes of squares, the first that fit: with a number in each square, if there is room for it. */
const GAPS = [
  { x: 90, y: 56, least: 21 },
  { x: 60, y: 36, least: 21 },
  { x: 60, y: 36, least: 14 },
  { x: 40, y: 28, least: 14 },
  { x: 12, y: 12, least: 14 },
] as const
const LARGEST = 40

export function layoutWorld(width: number, height: number, nations: readonly Nation[], bare: boolean): WorldLayout {
  const most = Math.max(1, ...nations.map(({ territories }) => territories.length))
  // A picture without words needs the cards all the same: they say who is who. On a game's card there is no room for them.
  const roomy = (bare && height < 200) || nations.length > 12 ? null : roomyCards(width, height, nations.length, most)
  const { cards, side, perRow } = roomy ?? discs(width, height, Math.max(1, nations.length), most)
  const isRoomy = roomy !== null
  return {
    cards, side, perRow, isRoomy,
    hit(x, y) {
      const col = cards.findIndex((card) => x >= card.x && x <= card.x + card.width && y >= card.y && y <= card.y + card.height)
      return col < 0 ? null : { row: 0, col }
    },
    box: ({ col }) => cards[col] ?? null,
  }
}

interface Cards {
  cards: Box[]
  side: number
  perRow: number
}

/** The cards with the largest squares with which they stand apart; null where no size lets them. */
function roomyCards(width: number, height: number, count: number, most: number): Cards | null {
  for (const gap of GAPS) {
    for (let side = LARGEST; side >= gap.least; side--) {
      for (const perRow of [5, 4, 3]) {
        const rows = Math.ceil(most / perRow)
        const size = { width: Math.max(NARROWEST, Math.min(perRow, most) * side + 14), height: HEAD + FOOT + rows * side }
        const cards = placed(width, height, count, size)
        if (standApart(cards, gap) && size.width + 16 <= width && size.height + 20 <= height) return { cards, side, perRow }
      }
    }
  }
  return null
}

/** Squares of land alone, where words would find no room. */
function discs(width: number, height: number, count: number, most: number): Cards {
  const perRow = Math.ceil(Math.sqrt(most))
  const rows = Math.ceil(most / perRow)
  const room = Math.min((width - 24) / Math.min(count, 5) - 14, 170)
  const side = Math.max(4, Math.min(14, (room - 14) / perRow, (height / (count > 4 ? 3.4 : 2.8) - 6) / rows))
  return { cards: placed(width, height, count, { width: Math.max(16, perRow * side + 14), height: 6 + rows * side }), side, perRow }
}

/** Cards of one size on an oval; two nations face each other across the width. */
function placed(width: number, height: number, count: number, size: { width: number; height: number }): Box[] {
  const reach = { x: Math.max(0, (width - size.width) / 2 - 8), y: Math.max(0, (height - size.height) / 2 - 10) }
  const middle = { x: width / 2, y: height / 2 }
  const places = count === 2 ? [-0.7, 0.7].map((part) => ({ x: middle.x + reach.x * part, y: middle.y })) : oval(count, middle, reach)
  return places.map(({ x, y }) => ({ x: x - size.width / 2, y: y - size.height / 2, ...size }))
}

function standApart(cards: readonly Box[], gap: { x: number; y: number }): boolean {
  return cards.every((one, i) =>
    cards.slice(i + 1).every((other) => Math.abs(one.x - other.x) >= one.width + gap.x || Math.abs(one.y - other.y) >= one.height + gap.y),
  )
}
