import { defineBoard, mountCanvas, seatDisc, type Theme } from '@polity/board'
import * as facts from './facts'
import { drawMap } from './mapdrawing'
import { readEconomy } from './reading'
import { bookHeight, drawBooks } from './bookdrawing'
import { drawFlow, flowHeight } from './flowdrawing'
import { drawSteps, drawTaxes } from './taxdrawing'

const MOVING_WORKERS = 100
/** From this width on the brackets stand beside the map, below it under it. */
const BESIDE = 720
/** From this width on they do so too where the board is low. */
const LOW = 480
/** What the brackets and the books need at least. */
const TAXES_LEAST = 184
const BOOK_LEAST = 76
/** Two books side by side need so much. */
const BOOKS_WIDE = 320
/** On a telephone, all of it under one another: so many widths. */
const TALL = 2.2

export default defineBoard({
  isWide: true,
  ranks: true,
  height(frame, { subject, as }, width) {
    if (subject === undefined) return Math.round(width * TALL)
    const { planning, workers } = readEconomy(frame)
    return planning && as !== null && as >= workers.length ? 0 : undefined
  },
  mount(element, first) {
    return mountCanvas(element, first, {
      read: readEconomy,
      moves: (economy) => economy.workers.length <= MOVING_WORKERS,
      draw(canvas, width, height, { state: economy, earlier, context, progress }) {
        if (context.bare) return drawMap(canvas, width, height, economy, earlier, context, progress)
        if (width >= BESIDE || (width >= LOW && width > height * 1.6)) {
          const map = Math.min(Math.round(width * 0.56), height)
          const layout = drawMap(canvas, map, height, economy, earlier, context, progress)
          const x = map + 20
          const wide = width - x - 4
          const flow = flowHeight(economy, wide)
          const book = Math.min(bookHeight(economy), Math.max(BOOK_LEAST, height - TAXES_LEAST - flow))
          const taxes = Math.min(Math.max(TAXES_LEAST, height - flow - book), Math.round(height * 0.62))
          drawTaxes(canvas, { x, y: 4, width: wide, height: taxes - 12 }, economy, context)
          drawBooks(canvas, { x, y: taxes + 4, width: wide, height: book - 12 }, economy, context)
          if (taxes + book + flow <= height) drawFlow(canvas, { x, y: taxes + book, width: wide, height: height - taxes - book }, economy, context)
          return layout
        }
        const map = Math.min(width, Math.round(height * (height > width * TALL * 0.9 ? 0.45 : 0.58)))
        const under = height - map
        // The brackets would be a line: the map alone says more.
        if (under < TAXES_LEAST * 0.75) return drawMap(canvas, width, height, economy, earlier, context, progress)
        const layout = drawMap(canvas, width, map, economy, earlier, context, progress)
        const flow = flowHeight(economy, width - 8)
        const book = bookHeight(economy)
        const room = width < BOOKS_WIDE ? 0 : under - TAXES_LEAST
        const rest = room > book + flow ? book + flow : room > book ? book : 0
        const taxes = Math.min(under - rest, Math.max(TAXES_LEAST, width * 0.66))
        const box = { x: 4, width: width - 8 }
        if (taxes > 110) drawTaxes(canvas, { ...box, y: map + 10, height: taxes - 22 }, economy, context)
        if (rest) drawBooks(canvas, { ...box, y: map + taxes, height: book - 12 }, economy, context)
        if (rest > book) drawFlow(canvas, { ...box, y: map + taxes + book, height: flow }, economy, context)
        return layout
      },
    })
  },
  ...facts,
  picture: drawPicture,
})

/** The card in the lobby: some brackets over a small map. */
function drawPicture(canvas: CanvasRenderingContext2D, width: number, height: number, theme: Theme): void {
  const wide = Math.min(width * 0.8, 220)
  const base = height - 8
  const x = (income: number): number => (width - wide) / 2 + (income / 4) * wide
  drawSteps(canvas, [[0, 0.15], [1, 0.35], [2, 0.6], [3, 0.9]], x, (rate) => base - rate * (height - 24), 4, theme.ink, 2, [])
  for (let seat = 0; seat < 8; seat++) seatDisc(canvas, theme, seat, x((seat + 0.7) / 2.1), base - ((seat * 7) % 5) * 3 - 6, 5)
}
