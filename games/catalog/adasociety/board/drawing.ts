import { drawAxes, outline, plate, rect, seatDisc, write, type BoardContext, type Box, type Cell, type CellLayer, type Look, type Theme, type Canvas } from '@polity/board'
import { CREATURE, drawEvent, drawThing } from './glyphs'
import { isSocial } from './agreeing'
import { drawGraph, graphHeight, steadyHeight } from './graphdrawing'
import { panels, PHONE } from './layout'
import { ringed, title, TITLE } from './lettering'
import { drawParagraph, paragraphHeight } from './paragraph'
import type { World } from './reading'
import { stakes } from './stakes'
import { drawTable } from './tabledrawing'
import { drawTalk, talkHeight } from './talkdrawing'
import { drawTree, treeHeight } from './treedrawing'
import { speaker } from './words'
import { fieldOf, type Field, type Viewport } from './viewport'

export interface Scene {
  world: World
  /** The world a step earlier, where a change is to be shown moving. */
  earlier: World | null
  context: BoardContext
  progress: number
}

/** A map of so few cells each way needs no zooming. */
export const SMALL_MAP = 9
/** Under this many pixels a cell has a spot in place of a sign. */
const SPOT = 11
/** From here on a pile has its number beside its sign. */
const COUNTED = 19

/** From these widths on a map has its buttons beside it: any, and one with nothing under it. */
const ROOMY = 440
const NARROW = 250

/** Draws everything, and tells where the map's cells are and where the map is. */
export function drawScene(canvas: Canvas, width: number, height: number, scene: Scene, cells: CellLayer, view: Viewport): { field: Field; zoom: Zoom | null } {
  const { world, context } = scene
  const plays = context.subject !== undefined
  const social = isSocial(world)
  const why = stakes(world, context)
  const tall = (wide: number): number => (why ? paragraphHeight(canvas, context.theme, why.question, why.drawn, wide) : 0)
  const isPhone = width < PHONE && !context.bare && !plays
  const needs = isPhone ? needsOf(world) : { isSocial: social, graph: graphHeight(world, social), talk: talkHeight(world) }
  const port = view.port(world, context.as, context.as !== null && world.seen !== null)
  const how = { bare: context.bare, plays, seats: context.seats.length, stakes: tall, side: Math.max(port.rows, port.cols), ...needs }
  const { map: whole, table, graph, tree, talk, stakes: reasons } = panels(width, height, how)
  // Who looks at a map on which nobody moves is told until when.
  const isTitled = social && graph !== undefined
  const map = whole && isTitled ? under(whole) : (whole ?? NOWHERE)
  const gutter = context.bare || map.width < 440 ? 1 : 20
  // The buttons that zoom stand beside the map where it has the room, and hide no cell.
  const besides = map.width < ROOMY ? 46 : 34
  const isFree = map.width >= ROOMY || (map.width >= NARROW && (map.height === height || map.width - besides >= map.height))
  const isBeside = !context.bare && isFree && Math.max(world.rows, world.cols) > SMALL_MAP
  const field = fieldOf(world, port, isBeside ? { ...map, width: map.width - besides } : map, gutter)
  view.field = field
  if (whole) cells.draw(
    canvas,
    width,
    height,
    field.grid,
    [context.theme, context.lang, context.bare, port.row, port.col],
    (place) => lookOf(world, field.cellAt(place)),
    (onto, place) => drawCell(onto, field, world, place, context),
    (onto) => gutter > 1 && drawAxes(onto, field.grid, context.theme, (axis, index) => (axis === 'row' ? (port.row + index) % world.rows : (port.col + index) % world.cols)),
  )
  if (whole) drawMap(canvas, field, scene)
  if (table) drawTable(canvas, table, world, context)
  const zoom = whole ? zoomAt(field, map, world, context, isBeside, graph !== undefined) : null
  if (whole && isTitled) title(canvas, context.theme, table ? { ...whole, x: whole.x - 8 } : whole, speaker(context)('map'), speaker(context)('mapRests', { n: world.social_steps }))
  const isClose = zoom && graph && !zoom.isColumn && Math.abs(graph.y - zoom.y) < BUTTON
  if (graph) drawGraph(canvas, graph, world, context, isClose ? zoom.x : undefined)
  if (tree) drawTree(canvas, tree, world, context)
  if (talk) drawTalk(canvas, talk, world, context)
  if (reasons && why) drawParagraph(canvas, context.theme, reasons, why.question, why.drawn, (thing, x, y, size) => drawThing(canvas, context.theme, world.resources[thing]?.name ?? '', x, y, size))
  return { field, zoom }
}

/** Where a map stands that is not drawn: nothing there can be pointed at. */
const NOWHERE: Box = { x: 0, y: -1e6, width: 1, height: 1 }

/** What is left of a box under its title. */
function under({ x, y, width, height }: Box): Box {
  return { x, y: y + TITLE, width, height: height - TITLE }
}

/** How high the views of a step would be on a telephone, where they stand under each other. */
export function needsOf(world: World): { isSocial: boolean; graph: number; talk: number; tree: number } {
  const social = isSocial(world)
  return { isSocial: social, graph: steadyHeight(world, social), talk: talkHeight(world), tree: treeHeight(world) }
}

/** Where the buttons that zoom stand; null where none do. */
export interface Zoom {
  x: number
  y: number
  isColumn: boolean
}

const BUTTON = 40

function zoomAt({ grid, port }: Field, map: Box, world: World, context: BoardContext, isBeside: boolean, isUnder: boolean): Zoom | null {
  if (context.bare || Math.max(world.rows, world.cols) <= SMALL_MAP) return null
  const right = grid.x + grid.size * port.cols
  if (isBeside) return { x: right + 4, y: grid.y, isColumn: true }
  // On a telephone they stand in the line under the map, or over its corner where there is none.
  return { x: Math.min(right, map.x + map.width) - 3 * BUTTON - 6, y: isUnder ? map.y + map.height - 2 : grid.y + 2, isColumn: false }
}

function drawMap(canvas: Canvas, field: Field, { world, earlier, context, progress }: Scene): void {
  const { theme } = context
  const { grid, port } = field
  canvas.save()
  canvas.beginPath()
  canvas.rect(grid.x - 3, grid.y - 3, grid.size * port.cols + 6, grid.size * port.rows + 6)
  canvas.clip()
  if (context.as !== null) drawWindow(canvas, field, world, context.as, theme)
  for (const cell of world.creatures) {
    if (!field.isDrawn(cell)) continue
    const { x, y } = grid.middle(field.placeOf(cell))
    drawThing(canvas, theme, CREATURE, x, y, Math.max(8, grid.size * 0.7))
  }
  for (const [seat, cell] of world.agents) {
    if (!field.isDrawn(cell)) continue
    const to = grid.middle(field.placeOf(cell))
    const before = earlier?.agents.get(seat)
    const from = before === undefined || !field.isDrawn(before) ? to : grid.middle(field.placeOf(before))
    // Over the edge of the torus a step is cut, not drawn across the whole map.
    const near = Math.hypot(to.x - from.x, to.y - from.y) < grid.size * 1.5
    const part = near ? progress : 1
    const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part]
    const radius = Math.max(3, Math.min(grid.size * 0.4, 20))
    if (seat === context.as) ringed(canvas, theme, x, y, radius + 2.5, 2.5)
    seatDisc(canvas, theme, seat, x, y, radius)
    // What lies or is made under somebody's feet still shows at the edge of the cell.
    const thing = world.things.get(cell)
    const under = thing?.stack.at(-1)?.[0] ?? thing?.event
    if (grid.size >= 24 && under && part === 1) {
      const size = Math.min(16, grid.size * 0.38)
      const [cx, cy] = [x + grid.size / 2 - size / 2 - 1, y + grid.size / 2 - size / 2 - 1]
      plate(canvas, { x: cx - size / 2 - 1, y: cy - size / 2 - 1, width: size + 2, height: size + 2 }, 3, theme.surface)
      if (thing?.stack.length) drawThing(canvas, theme, under, cx, cy, size)
      else drawEvent(canvas, theme, under, cx, cy, size, theme.text2)
    }
  }
  canvas.restore()
  if (context.selected) ring(canvas, field, context.selected, theme.accent, 3)
  if (context.focused) ring(canvas, field, context.focused, theme.accent, 2)
}

/** All that the look of a cell depends on; see drawCell. */
function lookOf(world: World, cell: number): Look {
  const hidden = world.seen !== null && !world.seen.has(cell)
  const thing = world.things.get(cell)
  if (!thing) return hidden ? 1 : 0
  return `${hidden} ${thing.block} ${thing.event ?? ''} ${thing.stack.join(' ')}`
}

function drawCell(canvas: Canvas, field: Field, world: World, place: number, { theme }: BoardContext): void {
  const { grid, port } = field
  const { size } = grid
  const cell = field.cellAt(place)
  const gap = size > 14 ? 1 : size > 6 ? 0.5 : 0
  const x = grid.left(place % port.cols) + gap
  const y = grid.top(Math.floor(place / port.cols)) + gap
  const side = size - 2 * gap
  const hidden = world.seen !== null && !world.seen.has(cell)
  const thing = world.things.get(cell)
  rect(canvas, x, y, side, side, { fill: thing?.block ? theme.text3 : hidden ? theme.line : theme.void })
  if (!thing || thing.block) return
  const top = thing.stack.at(-1)
  const middle = { x: x + side / 2, y: y + side / 2 }
  if (!top) {
    if (!thing.event) return
    if (size < SPOT) rect(canvas, middle.x - side * 0.14, middle.y - side * 0.14, side * 0.28, side * 0.28, { fill: theme.line2 })
    else drawEvent(canvas, theme, thing.event, middle.x, middle.y, Math.min(side * 0.66, 26), theme.inkSoft)
    return
  }
  const units = thing.stack.reduce((sum, [, n]) => sum + n, 0)
  if (size < SPOT) {
    drawThing(canvas, theme, top[0], middle.x, middle.y, Math.max(4, side - 1))
    return
  }
  const counted = size >= COUNTED
  const wide = Math.min(side * (counted ? 0.62 : 0.82), 30)
  // A pile on a grid stands on the grid's bench, so that neither hides the other.
  if (thing.event) rect(canvas, x + 2, y + side - 3, side - 4, 2, { fill: theme.inkSoft })
  drawThing(canvas, theme, top[0], middle.x - (counted ? side * 0.14 : 0), middle.y - (counted ? side * 0.08 : 0), wide)
  if (thing.stack.length > 1 && size >= 28) drawThing(canvas, theme, thing.stack.at(-2)?.[0] ?? '', x + side - 7, y + 7, 10)
  if (!counted) return
  write(canvas, theme, String(units), x + side - 1.5, y + side - (thing.event ? 4 : 2), { size: size >= 30 ? 12 : 10, weight: 600, align: 'right', base: 'alphabetic', halo: { colour: theme.void, thick: 2.5 } })
}

/** A line round what the seat sees by itself; it goes over the edges of the map as the window does. */
function drawWindow(canvas: Canvas, field: Field, world: World, seat: number, theme: Theme): void {
  const cell = world.agents.get(seat)
  const reach = 2 * world.sight + 1
  if (cell === undefined || (reach >= world.rows && reach >= world.cols)) return
  const { grid } = field
  const side = reach * grid.size
  const at = field.placeOf(cell)
  for (const down of [-world.rows, 0, world.rows]) {
    for (const right of [-world.cols, 0, world.cols]) {
      rect(canvas, grid.left(at.col - world.sight + right), grid.top(at.row - world.sight + down), side, side, { edge: theme.accent, thick: 2 })
    }
  }
}

function ring(canvas: Canvas, field: Field, cell: Cell, colour: string, width: number): void {
  const box = field.box(cell)
  if (box) plate(canvas, { x: box.x - width / 2, y: box.y - width / 2, width: box.width + width, height: box.height + width }, 3, undefined, colour, width)
}

/** The card in the lobby: two groups on a small map, always the same. */
export function drawPicture(canvas: Canvas, width: number, height: number, theme: Theme): void {
  const cell = Math.min((height - 8) / 5, 18)
  const x0 = (width - cell * 12) / 2
  const y0 = (height - cell * 5) / 2
  const middle = (col: number, row: number): [number, number] => [x0 + (col + 0.5) * cell, y0 + (row + 0.5) * cell]
  for (let row = 0; row < 5; row++) for (let col = 0; col < 5; col++) rect(canvas, x0 + col * cell, y0 + row * cell, cell, cell, { edge: theme.line })
  for (const [name, col, row] of [['wood', 4, 0], ['stone', 0, 1], ['wood', 2, 2], ['coal', 4, 3], ['iron', 0, 4]] as const) drawThing(canvas, theme, name, ...middle(col, row), cell * 0.72)
  for (const [name, col, row] of [['hammer_craft', 2, 0], ['torch_craft', 1, 2], ['hammer_craft', 2, 4]] as const) drawEvent(canvas, theme, name, ...middle(col, row), cell * 0.72, theme.inkSoft)
  const places: readonly (readonly [number, number, number])[] = [[0, 0, 0], [1, 3, 1], [2, 1, 3], [3, 4, 4]]
  for (const [seat, col, row] of places) seatDisc(canvas, theme, seat, ...middle(col, row), cell * 0.4)
  const points = [[0, 7, 0.8], [1, 7, 4.2], [2, 9.5, 2.5], [3, 11.5, 2.5]] as const
  outline(canvas, theme, points.slice(0, 3).map(([, col, row]) => ({ x: x0 + col * cell, y: y0 + row * cell })), cell * 0.6)
  for (const [seat, col, row] of points) seatDisc(canvas, theme, seat, x0 + col * cell, y0 + row * cell, cell * 0.4)
}
