import { drawAxes, plate, rect, seatBox, seatColour, type Cell, type CellLayer, type GridLayout, type Theme, type Canvas } from '@polity/board'
import { drawPlot, drawTinyPlot, lookOf, tinyLook } from './plotdrawing'
import { drawRaids } from './raiddrawing'
import { cellOf, NOBODY } from './reading'
import { TINY, type Scene } from './scene'

/** From this many pixels on neighbours of one owner are joined. */
const JOINED = 14

/** Plots, joins, selection, arrows: in this order, so that nothing hides what says more. */
export function drawScene(canvas: Canvas, width: number, height: number, scene: Scene, plots: CellLayer): void {
  const { land, earlier, context, layout, progress } = scene
  const { theme } = context
  const isTiny = layout.size < TINY
  const still: Scene = { ...scene, earlier: null, progress: 1 }
  plots.draw(
    canvas,
    width,
    height,
    layout,
    [theme, context.bare],
    (plot) => (isTiny ? tinyLook(land, plot) : lookOf(land, plot)),
    (onto, plot) => (isTiny ? drawTinyPlot(onto, scene, plot) : drawPlot(onto, still, plot)),
    (onto) => context.bare || drawAxes(onto, layout, theme),
  )
  if (!isTiny) {
    if (earlier && progress < 1) land.owners.forEach((owner, plot) => earlier.owners[plot] !== owner && drawPlot(canvas, scene, plot))
    if (layout.size > JOINED) drawJoins(canvas, scene)
  }
  if (context.selected) ring(canvas, layout, context.selected, theme.accent, 3)
  drawRaids(canvas, scene)
  if (context.focused) ring(canvas, layout, context.focused, theme.accent, 2)
}

/** The seam between neighbouring plots of one owner is filled, so that a holding reads as one shape. */
function drawJoins(canvas: Canvas, { land, context, layout }: Scene): void {
  const { theme } = context
  const { size } = layout
  land.owners.forEach((owner, plot) => {
    if (owner === NOBODY) return
    const { row, col } = cellOf(land, plot)
    const how = { fill: seatColour(theme, owner), alpha: 0.72 }
    if (col + 1 < land.cols && land.owners[plot + 1] === owner) rect(canvas, layout.left(col) + size - 1, layout.top(row) + 2, 2, size - 4, how)
    if (row + 1 < land.rows && land.owners[plot + land.cols] === owner) rect(canvas, layout.left(col) + 2, layout.top(row) + size - 1, size - 4, 2, how)
  })
}

function ring(canvas: Canvas, layout: GridLayout, { row, col }: Cell, colour: string, width: number): void {
  const half = width / 2
  const side = layout.size + width - 1
  plate(canvas, { x: layout.left(col) - half + 0.5, y: layout.top(row) - half + 0.5, width: side, height: side }, 3, undefined, colour, width)
}

/** The card in the lobby: a small land, always the same. */
export function drawPicture(canvas: Canvas, width: number, height: number, theme: Theme): void {
  const rows = ['AAB.CCJJ.HH', 'ADBBCC.JHH.', 'EDBBFF.GGHE', 'EDDGFF.G.II']
  const cell = Math.min((height - 10) / rows.length, 20)
  const x0 = (width - cell * 11) / 2
  const y0 = (height - cell * rows.length) / 2
  rows.forEach((line, row) =>
    [...line].forEach((mark, col) => {
      const x = x0 + col * cell
      const y = y0 + row * cell
      if (mark === '.') rect(canvas, x + 0.5, y + 0.5, cell - 2, cell - 2, { edge: theme.line })
      else seatBox(canvas, theme, mark.charCodeAt(0) - 65, x, y, cell - 1, cell - 1, 1.5)
    }),
  )
}
