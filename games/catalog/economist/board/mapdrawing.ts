import { drawAxes, hatch, drawHatch, ink, layoutGrid, line, plate, rect, seatColour, seatDisc, seatLetter, type BoardContext, type GridLayout, type Theme, type Canvas } from '@polity/board'
import { layoutPart, seenPart } from './window'
import { STONE, WOOD, type Economy, type Worker } from './reading'
import { shapeAt } from './strokes'

/** Where cells would be smaller than this, eyes that see a part of the map are shown that part. */
const READABLE = 26

/** The map: what lies, what stands, who works; selection and marks above. */
export function drawMap(canvas: Canvas, width: number, height: number, economy: Economy, earlier: Economy | null, context: BoardContext, progress: number): GridLayout {
  const { theme } = context
  const gutter = context.bare ? 1 : 20
  const whole = layoutGrid(width, height, economy.rows, economy.cols, gutter)
  const part = whole.size < READABLE && context.as !== null ? seenPart(economy) : null
  const shown = part ? layoutGrid(width, height, part.rows, part.cols, gutter) : whole
  const layout = part ? layoutPart(shown, economy, part) : whole
  if (!context.bare) drawAxes(canvas, shown, theme, (axis, index) => index + (part?.[axis] ?? 0))
  canvas.save()
  if (part) {
    canvas.beginPath()
    canvas.rect(layout.x, layout.y, part.cols * layout.size + 1, part.rows * layout.size + 1)
    canvas.clip()
  }
  const most = Math.max(1, ...economy.stock.map((amount) => amount ?? 0))
  economy.bears.forEach((kind, cell) => drawCell(canvas, layout, theme, economy, cell, kind, most))
  for (const [cell, owner] of economy.houses) drawHouse(canvas, layout, theme, cell, owner, economy.cols)
  if (!context.bare) drawFlags(canvas, layout, theme, economy)
  for (const worker of economy.workers) drawWorker(canvas, layout, theme, economy, earlier, worker, progress)
  for (const cell of [context.selected, context.focused]) {
    if (!cell) continue
    plate(canvas, { x: layout.left(cell.col) + 0.5, y: layout.top(cell.row) + 0.5, width: layout.size - 1, height: layout.size - 1 }, 3, undefined, theme.accent, 2.5)
  }
  canvas.restore()
  return layout
}

function drawCell(canvas: Canvas, layout: GridLayout, theme: Theme, economy: Economy, cell: number, kind: number | null, most: number): void {
  const { size } = layout
  const row = Math.floor(cell / economy.cols)
  const col = cell % economy.cols
  const x = layout.left(col)
  const y = layout.top(row)
  rect(canvas, x, y, size, size, { fill: kind === null ? theme.grid : theme.void })
  if (kind === null) return
  if (size > 5) rect(canvas, x + 0.5, y + 0.5, size, size, { edge: theme.line })
  const amount = economy.stock[cell] ?? 0
  if (amount <= 0.05) return
  const middle = layout.middle({ row, col })
  const radius = size * (0.1 + 0.24 * Math.sqrt(amount / most))
  if (kind === WOOD) ink(canvas, { edge: theme.text2, thick: Math.max(1, size * 0.05) }, shapeAt('wood', middle.x, middle.y, radius / 5))
  else if (kind === STONE) ink(canvas, { fill: theme.inkSoft }, shapeAt('stone', middle.x, middle.y, radius / 5))
}

function drawHouse(canvas: Canvas, layout: GridLayout, theme: Theme, cell: number, owner: number, cols: number): void {
  const { size } = layout
  const { x, y } = layout.middle({ row: Math.floor(cell / cols), col: cell % cols })
  const half = size * 0.36
  const house = shapeAt('house', x, y, half / 6)
  ink(canvas, { fill: seatColour(theme, owner) }, house)
  if (hatch(owner)) {
    canvas.save()
    canvas.clip(house)
    drawHatch(canvas, theme, hatch(owner), x - half, y - half, half * 2, half * 2)
    canvas.restore()
  }
  if (size >= 16) seatLetter(canvas, theme, owner, x, y + half * 0.4, Math.min(14, Math.max(9, size * 0.32)))
}

/** Where a worker stands; several on a cell stand beside each other. */
function placeOf(layout: GridLayout, economy: Economy, worker: Worker): { x: number; y: number; radius: number } | null {
  if (worker.cell === null) return null
  const middle = layout.middle({ row: Math.floor(worker.cell / economy.cols), col: worker.cell % economy.cols })
  const beside = economy.at.get(worker.cell) ?? [worker]
  const radius = layout.size * (beside.length > 1 ? 0.26 : 0.36)
  if (beside.length === 1) return { ...middle, radius }
  const angle = (beside.indexOf(worker) / beside.length) * Math.PI * 2 - Math.PI / 2
  const out = layout.size * 0.22
  return { x: middle.x + Math.cos(angle) * out, y: middle.y + Math.sin(angle) * out, radius }
}

function drawWorker(canvas: Canvas, layout: GridLayout, theme: Theme, economy: Economy, earlier: Economy | null, worker: Worker, progress: number): void {
  const to = placeOf(layout, economy, worker)
  if (!to) return
  const before = earlier?.workers[worker.seat]
  const from = earlier && before ? placeOf(layout, earlier, before) : null
  const x = from ? from.x + (to.x - from.x) * progress : to.x
  const y = from ? from.y + (to.y - from.y) * progress : to.y
  seatDisc(canvas, theme, worker.seat, x, y, Math.max(2.5, to.radius))
  if (layout.size < 12) return
  if (worker.frozen !== null) {
    const flake = shapeAt('frozen', x, y, to.radius * 0.21)
    for (const [thick, edge] of [[3.5, theme.surface], [1.6, theme.text]] as const) ink(canvas, { edge, thick }, flake)
  }
  if (economy.report?.accounts[worker.seat]?.outcome === 'caught') {
    const sign = shapeAt('caught', x + to.radius * 0.7, y - to.radius * 0.8, to.radius * 0.09)
    ink(canvas, { edge: theme.surface, thick: 1.5 }, sign)
    ink(canvas, { fill: theme.warnMark }, sign)
  }
}

/** A dashed line between the two of each flag of the last epoch. */
function drawFlags(canvas: Canvas, layout: GridLayout, theme: Theme, economy: Economy): void {
  for (const { pair } of economy.report?.flags ?? []) {
    const [from, to] = pair.map((seat) => economy.workers[seat]).map((worker) => worker && placeOf(layout, economy, worker))
    if (from && to) line(canvas, [[from.x, from.y], [to.x, to.y]], { edge: theme.warnMark, thick: 1.6, dash: [4, 3], alpha: 0.8 })
  }
}
