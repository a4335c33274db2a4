import { drawAxes, layoutGrid, roundedBox, seatDisc, type BoardContext, type Cell, type CellLayer, type GridLayout, type Look, type Theme } from '@polity/board'
import { drawGraph, outline } from './graphdrawing'
import { panels } from './layout'
import type { World } from './reading'
import { drawTree } from './treedrawing'
import { short } from './words'

type Canvas = CanvasRenderingContext2D

export interface Scene {
  world: World
  /** The world a step earlier, where a change is to be shown moving. */
  earlier: World | null
  context: BoardContext
  progress: number
}

/** Draws everything and tells where the map's cells are. */
export function drawScene(canvas: Canvas, width: number, height: number, scene: Scene, cells: CellLayer): GridLayout {
  const { world, context } = scene
  const { map, graph, tree } = panels(width, height, context.bare)
  const layout = layoutGrid(map.width, map.height, world.rows, world.cols, context.bare ? 1 : 22)
  cells.draw(
    canvas,
    width,
    height,
    layout,
    [context.theme, context.lang, context.bare],
    (cell) => lookOf(world, cell),
    (onto, cell) => drawCell(onto, layout, world, cell, context),
    (onto) => context.bare || drawAxes(onto, layout, context.theme.text3, context.theme.font),
  )
  drawMap(canvas, layout, scene)
  if (graph) drawGraph(canvas, graph, world, context)
  if (tree) drawTree(canvas, tree, world, context)
  return layout
}

function drawMap(canvas: Canvas, layout: GridLayout, { world, earlier, context, progress }: Scene): void {
  const { theme } = context
  const { size } = layout
  if (context.as !== null) drawWindow(canvas, layout, world, context.as, theme)
  for (const [seat, cell] of world.agents) {
    const to = middle(layout, world, cell)
    const before = earlier?.agents.get(seat)
    const from = before === undefined ? to : middle(layout, world, before)
    // Over the edge of the torus a step is cut, not drawn across the whole map.
    const near = Math.hypot(to.x - from.x, to.y - from.y) < size * 1.5
    const part = near ? progress : 1
    seatDisc(canvas, theme, seat, from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part, Math.max(3, size * 0.4))
  }
  if (context.selected) ring(canvas, layout, context.selected, theme.accent, 3)
  if (context.focused) ring(canvas, layout, context.focused, theme.accent, 2)
}

/** All that the look of a cell depends on; see drawCell. */
function lookOf(world: World, cell: number): Look {
  const hidden = world.seen !== null && !world.seen.has(cell)
  const thing = world.things.get(cell)
  if (!thing) return hidden ? 1 : 0
  return `${hidden} ${thing.block} ${thing.event ?? ''} ${thing.stack.join(' ')}`
}

function middle(layout: GridLayout, world: World, cell: number): { x: number; y: number } {
  return layout.middle({ row: Math.floor(cell / world.cols), col: cell % world.cols })
}

function drawCell(canvas: Canvas, layout: GridLayout, world: World, cell: number, context: BoardContext): void {
  const { theme, lang } = context
  const { size } = layout
  const gap = size > 14 ? 1 : 0.5
  const x = layout.left(cell % world.cols) + gap
  const y = layout.top(Math.floor(cell / world.cols)) + gap
  const side = size - 2 * gap
  const hidden = world.seen !== null && !world.seen.has(cell)
  const thing = world.things.get(cell)
  canvas.fillStyle = thing?.block ? theme.text2 : theme.void
  canvas.globalAlpha = hidden ? 0.35 : 1
  canvas.fillRect(x, y, side, side)
  canvas.globalAlpha = 1
  if (!thing || thing.block) return
  canvas.textAlign = 'center'
  canvas.textBaseline = 'middle'
  const top = thing.stack.at(-1)
  if (!top) {
    if (!thing.event) return
    if (layout.small) {
      canvas.fillStyle = theme.line2
      canvas.fillRect(x + side * 0.36, y + side * 0.36, side * 0.28, side * 0.28)
      return
    }
    canvas.fillStyle = theme.text3
    canvas.font = `11px ${theme.font}`
    canvas.fillText(short(thing.event, lang), x + side / 2, y + side / 2 + 0.5)
    return
  }
  roundedBox(canvas, x + 0.5, y + 0.5, side - 1, side - 1, Math.min(5, side * 0.3))
  canvas.fillStyle = theme.surface
  canvas.fill()
  canvas.strokeStyle = theme.text
  canvas.lineWidth = size > 20 ? 1.5 : 1
  canvas.stroke()
  if (layout.small) return
  canvas.fillStyle = theme.text
  canvas.font = `600 11px ${theme.font}`
  const units = thing.stack.reduce((sum, [, n]) => sum + n, 0)
  const tall = side >= 32
  canvas.fillText(short(top[0], lang), x + side / 2, y + side / 2 + (tall ? -5 : 0.5))
  if (tall) {
    canvas.font = `11px ${theme.font}`
    canvas.fillStyle = theme.text2
    canvas.fillText(String(units), x + side / 2, y + side / 2 + 7)
  }
}

/** A broken line round what the seat sees by itself; it goes over the edges of the map as the window does. */
function drawWindow(canvas: Canvas, layout: GridLayout, world: World, seat: number, theme: Theme): void {
  const cell = world.agents.get(seat)
  if (cell === undefined) return
  const side = (2 * world.sight + 1) * layout.size
  canvas.save()
  canvas.beginPath()
  canvas.rect(layout.x - 1, layout.y - 1, layout.size * world.cols + 2, layout.size * world.rows + 2)
  canvas.clip()
  canvas.strokeStyle = theme.accent
  canvas.lineWidth = 2
  canvas.setLineDash([5, 4])
  for (const down of [-world.rows, 0, world.rows]) {
    for (const right of [-world.cols, 0, world.cols]) {
      const row = Math.floor(cell / world.cols) - world.sight + down
      const col = (cell % world.cols) - world.sight + right
      canvas.strokeRect(layout.left(col), layout.top(row), side, side)
    }
  }
  canvas.restore()
}

function ring(canvas: Canvas, layout: GridLayout, { row, col }: Cell, colour: string, width: number): void {
  canvas.strokeStyle = colour
  canvas.lineWidth = width
  roundedBox(canvas, layout.left(col) - width / 2, layout.top(row) - width / 2, layout.size + width, layout.size + width, 3)
  canvas.stroke()
}

/** The card in the lobby: two groups on a small map, always the same. */
export function drawPicture(canvas: Canvas, width: number, height: number, theme: Theme): void {
  const cell = Math.min((height - 8) / 5, 18)
  const x0 = (width - cell * 12) / 2
  const y0 = (height - cell * 5) / 2
  canvas.strokeStyle = theme.line
  canvas.lineWidth = 1
  for (let row = 0; row < 5; row++) for (let col = 0; col < 5; col++) canvas.strokeRect(x0 + col * cell, y0 + row * cell, cell, cell)
  const places: readonly (readonly [number, number, number])[] = [[0, 0.5, 0.5], [1, 3.5, 1.5], [2, 1.5, 3.5], [3, 4.5, 4.5]]
  for (const [seat, col, row] of places) seatDisc(canvas, theme, seat, x0 + col * cell, y0 + row * cell, cell * 0.4)
  const points = [[0, 7, 0.8], [1, 7, 4.2], [2, 9.5, 2.5], [3, 11.5, 2.5]] as const
  outline(canvas, theme, points.slice(0, 3).map(([, col, row]) => ({ x: x0 + col * cell, y: y0 + row * cell })), cell * 0.6)
  for (const [seat, col, row] of points) seatDisc(canvas, theme, seat, x0 + col * cell, y0 + row * cell, cell * 0.4)
}
