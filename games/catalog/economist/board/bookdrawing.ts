import { seatDisc, type BoardContext, type Box, type Canvas } from '@polity/board'
import type { Economy } from './reading'
import type { BookView } from './shapes'
import { text, title } from './strokes'
import { short, speaker, type Word } from './words'

/** Both goods' orders of the last step, best price next to the middle, the own ones marked, and the last price. */
export function drawBooks(canvas: Canvas, box: Box, economy: Economy, context: BoardContext): void {
  const say = speaker(context)
  title(canvas, context.theme, box, say('book'), '')
  const half = (box.width - 16) / 2
  const under = { y: box.y + 24, width: half, height: box.height - 24 }
  const stands = economy.order_lifetime !== undefined
  drawBook(canvas, { ...under, x: box.x }, economy.books.wood, 'wood', stands, context)
  drawBook(canvas, { ...under, x: box.x + half + 16 }, economy.books.stone, 'stone', stands, context)
}

const ROW = 18
const HEAD = 60

/** What all orders of both books would take. */
export function bookHeight(economy: Economy): number {
  const rows = (['wood', 'stone'] as const).map((name) => Math.min(economy.books[name].asks.length, 4) + Math.min(economy.books[name].bids.length, 4))
  return HEAD + 14 + ROW * Math.max(1, ...rows)
}

function drawBook(canvas: Canvas, box: Box, book: BookView, name: 'wood' | 'stone', stands: boolean, context: BoardContext): void {
  const { theme } = context
  const say = speaker(context)
  const right = box.x + box.width
  let y = box.y + 12
  text(canvas, theme, say(name), box.x, y, 'left', theme.text2, 12, 600)
  text(canvas, theme, `${say('lastTrade')} ${short(book.price, 2)}`, right, y, 'right', theme.text2)
  const room = Math.max(1, Math.floor((box.height - 28) / ROW))
  const asks = Math.min(book.asks.length, Math.max(Math.ceil(room / 2), room - book.bids.length))
  const best = book.asks.slice(0, asks).reverse().map((order) => ({ order, word: 'sells' as Word, own: 'youSell' as Word }))
  const rows = [...best, ...book.bids.slice(0, room - asks).map((order) => ({ order, word: 'buys' as Word, own: 'youBuy' as Word }))]
  if (!rows.length) text(canvas, theme, say('noOrders'), box.x, y + 20, 'left', theme.text3)
  else {
    y += 15
    text(canvas, theme, say('quantity'), right - 52, y, 'right', theme.text3)
    text(canvas, theme, say('atPrice'), right, y, 'right', theme.text3)
  }
  for (const { order: [by, quantity, price, left], word, own } of rows) {
    const isOwn = by === context.as
    const colour = left > 0 || !stands ? theme.text : theme.text3
    const weight = isOwn ? 600 : 400
    y += ROW
    seatDisc(canvas, theme, by, box.x + 8, y - 4, 7)
    text(canvas, theme, say(isOwn ? own : word), box.x + 20, y, 'left', colour, 11, weight)
    text(canvas, theme, short(stands && left > 0 ? left : quantity, 1), right - 52, y, 'right', colour, 11, weight)
    text(canvas, theme, price.toFixed(2), right, y, 'right', left > 0 ? theme.text : theme.text3, 11, weight)
  }
}
