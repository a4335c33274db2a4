import {
  arrow,
  drawAxes,
  layoutGrid,
  roundedBox,
  seatDisc,
  sentence,
  spoken,
  type BoardContext,
  type Cell,
  type Facts,
  type GridLayout,
  type Theme,
} from '@polity/board'
import { depths, hull, panels, placeGraph, type Box } from './layout'
import { peopled, type World } from './reading'
import { plain, short, words, type Word } from './words'

type Canvas = CanvasRenderingContext2D

export interface Scene {
  world: World
  /** The world a step earlier, where a change is to be shown moving. */
  earlier: World | null
  context: BoardContext
  progress: number
}

/** Draws everything and tells where the map's cells are. */
export function drawScene(canvas: Canvas, width: number, height: number, scene: Scene): GridLayout {
  const { world, context } = scene
  const { map, graph, tree } = panels(width, height, context.bare)
  const layout = layoutGrid(map.width, map.height, world.rows, world.cols, context.bare ? 1 : 22)
  drawMap(canvas, layout, scene)
  if (graph) drawGraph(canvas, graph, scene)
  if (tree) drawTree(canvas, tree, scene)
  return layout
}

function say(context: BoardContext, word: Word, facts: Facts = {}): string {
  return spoken(sentence(words[context.lang][word], facts), (seat) => `#${seat}`)
}

// --- the map --------------------------------------------------------------------------------------

function drawMap(canvas: Canvas, layout: GridLayout, { world, earlier, context, progress }: Scene): void {
  const { theme } = context
  const { size } = layout
  if (!context.bare) drawAxes(canvas, layout, theme.text3, theme.font)
  for (let cell = 0; cell < world.rows * world.cols; cell++) drawCell(canvas, layout, world, cell, theme)
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

function middle(layout: GridLayout, world: World, cell: number): { x: number; y: number } {
  return layout.middle({ row: Math.floor(cell / world.cols), col: cell % world.cols })
}

function drawCell(canvas: Canvas, layout: GridLayout, world: World, cell: number, theme: Theme): void {
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
  if (thing.event) {
    canvas.strokeStyle = theme.line2
    canvas.lineWidth = 1
    roundedBox(canvas, x + side * 0.14, y + side * 0.14, side * 0.72, side * 0.72, 3)
    canvas.stroke()
    if (!layout.small && !top) {
      canvas.fillStyle = theme.text3
      canvas.font = `11px ${theme.font}`
      canvas.fillText(short(thing.event), x + side / 2, y + side / 2 + 0.5)
    }
  }
  if (!top) return
  canvas.beginPath()
  canvas.arc(x + side / 2, y + side / 2, side * 0.36, 0, Math.PI * 2)
  canvas.fillStyle = theme.surface
  canvas.fill()
  canvas.strokeStyle = theme.text
  canvas.lineWidth = size > 20 ? 1.5 : 1
  canvas.stroke()
  if (layout.small) return
  canvas.fillStyle = theme.text
  canvas.font = `600 11px ${theme.font}`
  const units = thing.stack.reduce((sum, [, n]) => sum + n, 0)
  const tall = side >= 34
  canvas.fillText(short(top[0]), x + side / 2, y + side / 2 + (tall ? -4 : 0.5))
  if (tall) {
    canvas.font = `11px ${theme.font}`
    canvas.fillStyle = theme.text2
    canvas.fillText(String(units), x + side / 2, y + side / 2 + 8)
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

// --- the social graph -----------------------------------------------------------------------------

function title(canvas: Canvas, theme: Theme, box: Box, strong: string, quiet: string): Box {
  canvas.textAlign = 'left'
  canvas.textBaseline = 'alphabetic'
  canvas.font = `600 13px ${theme.font}`
  canvas.fillStyle = theme.text
  canvas.fillText(strong, box.x + 16, box.y + 20)
  const after = canvas.measureText(strong).width
  canvas.font = `12px ${theme.font}`
  canvas.fillStyle = theme.text2
  if (after + canvas.measureText(quiet).width + 40 < box.width) canvas.fillText(quiet, box.x + 26 + after, box.y + 20)
  return { x: box.x, y: box.y + 26, width: box.width, height: box.height - 26 }
}

function drawGraph(canvas: Canvas, whole: Box, { world, context }: Scene): void {
  const { theme } = context
  const box = title(canvas, theme, whole, say(context, 'social'), say(context, 'socialNote'))
  const seats = context.seats.map(({ seat }) => seat)
  const places = placeGraph(world, seats, box)
  const radius = Math.max(6, Math.min(14, 120 / Math.sqrt(Math.max(1, seats.length)) / 3))
  for (const group of places.overlapping ? [] : peopled(world)) {
    const corners = hull(group.members.flatMap(([seat]) => places.seats.get(seat) ?? []))
    outline(canvas, theme, corners, radius + 9)
  }
  for (const link of world.links) {
    const from = places.seats.get(link.from)
    const to = places.seats.get(link.to)
    if (!from || !to || link.from === link.to) continue
    const length = Math.hypot(to.x - from.x, to.y - from.y)
    if (length < 1) continue
    // Both ways lie side by side, each a little to its right.
    const side = { x: (-(to.y - from.y) / length) * 3, y: ((to.x - from.x) / length) * 3 }
    const cut = (radius + 3) / length
    const x1 = from.x + (to.x - from.x) * cut + side.x
    const y1 = from.y + (to.y - from.y) * cut + side.y
    const x2 = to.x - (to.x - from.x) * cut + side.x
    const y2 = to.y - (to.y - from.y) * cut + side.y
    if (link.showsMap || link.reward > 0) {
      arrow(canvas, x1, y1, x2, y2, { end: 'head', colour: theme.text3, casing: theme.surface, width: 1.2 })
    }
    if (link.parity !== null) bargain(canvas, context, x1, y1, x2, y2, link.proposal, link.from < link.to)
  }
  for (const group of peopled(world)) {
    const centre = places.groups.get(group.number)
    if (!centre) continue
    const equal = new Set(group.members.map(([, share]) => share.toFixed(3))).size === 1
    for (const [seat, share] of group.members) {
      const at = places.seats.get(seat)
      if (!at) continue
      canvas.beginPath()
      canvas.moveTo(centre.x, centre.y)
      canvas.lineTo(at.x, at.y)
      canvas.strokeStyle = theme.text2
      canvas.lineWidth = 0.8 + 4 * share
      canvas.stroke()
      if (!equal) label(canvas, theme, share.toFixed(2), (centre.x + 2 * at.x) / 3, (centre.y + 2 * at.y) / 3, theme.text)
    }
    const name = say(context, 'group', { n: group.number })
    const told = equal && group.members.length > 1 ? say(context, 'equal', { name, n: group.members.length }) : name
    label(canvas, theme, told, centre.x, centre.y, theme.text)
  }
  for (const [seat, at] of places.seats) {
    seatDisc(canvas, theme, seat, at.x, at.y, radius)
    const earned = world.returns.get(seat)
    if (earned !== undefined) label(canvas, theme, earned.toFixed(earned % 1 ? 1 : 0), at.x, at.y + radius + 9, theme.text2)
  }
}

function outline(canvas: Canvas, theme: Theme, corners: readonly { x: number; y: number }[], reach: number): void {
  const first = corners[0]
  if (!first) return
  const trace = (): void => {
    canvas.beginPath()
    canvas.moveTo(first.x, first.y)
    for (const corner of corners) canvas.lineTo(corner.x, corner.y)
    canvas.closePath()
  }
  canvas.lineJoin = 'round'
  canvas.lineCap = 'round'
  for (const [colour, width] of [[theme.line2, reach * 2 + 2], [theme.void, reach * 2]] as const) {
    trace()
    canvas.strokeStyle = colour
    canvas.fillStyle = colour
    canvas.lineWidth = width
    canvas.stroke()
    canvas.fill()
  }
}

function bargain(
  canvas: Canvas, context: BoardContext, x1: number, y1: number, x2: number, y2: number, share: number | null, lower: boolean,
): void {
  const { theme } = context
  canvas.beginPath()
  canvas.setLineDash([4, 4])
  canvas.moveTo(x1, y1)
  canvas.lineTo(x2, y2)
  canvas.strokeStyle = theme.text
  canvas.lineWidth = 1.5
  canvas.stroke()
  canvas.setLineDash([])
  if (share !== null) label(canvas, theme, say(context, 'offer', { share }), (x1 * 2 + x2) / 3, (y1 * 2 + y2) / 3, theme.text)
  else if (lower) label(canvas, theme, say(context, 'bargains'), (x1 + x2) / 2, (y1 + y2) / 2, theme.text2)
}

function label(canvas: Canvas, theme: Theme, text: string, x: number, y: number, colour: string): void {
  canvas.font = `11px ${theme.font}`
  canvas.textAlign = 'center'
  canvas.textBaseline = 'middle'
  const width = canvas.measureText(text).width + 6
  canvas.fillStyle = theme.surface
  roundedBox(canvas, x - width / 2, y - 7.5, width, 15, 3)
  canvas.fill()
  canvas.fillStyle = colour
  canvas.fillText(text, x, y + 0.5)
}

// --- the synthesis tree ---------------------------------------------------------------------------

function drawTree(canvas: Canvas, whole: Box, { world, context }: Scene): void {
  const { theme } = context
  const box = title(canvas, theme, whole, say(context, 'tree'), say(context, 'treeNote'))
  const names = world.resources.map(({ name }) => name)
  if (!names.length) return
  const depth = depths(names, world.recipes)
  const columns: string[][] = []
  for (const name of names) (columns[depth.get(name) ?? 0] ??= []).push(name)
  const filled = columns.filter((column) => column?.length)
  const wide = Math.min(84, (box.width - 32) / filled.length - 14)
  const tall = Math.min(30, (box.height - 16) / Math.max(...filled.map((column) => column.length)) - 5)
  const places = new Map<string, { x: number; y: number }>()
  filled.forEach((column, c) =>
    column.forEach((name, r) =>
      places.set(name, {
        x: box.x + 16 + (c * (box.width - 32 - wide)) / Math.max(1, filled.length - 1),
        y: box.y + 8 + ((r + 0.5) * (box.height - 16)) / column.length - tall / 2,
      }),
    ),
  )
  canvas.strokeStyle = theme.line2
  canvas.lineWidth = 1
  for (const recipe of world.recipes) {
    for (const [output] of recipe.outputs) {
      for (const [input] of recipe.inputs) {
        const from = places.get(input)
        const to = places.get(output)
        if (!from || !to) continue
        const reach = Math.max(16, (to.x - from.x - wide) / 2)
        canvas.beginPath()
        canvas.moveTo(from.x + wide, from.y + tall / 2)
        canvas.bezierCurveTo(from.x + wide + reach, from.y + tall / 2, to.x - reach, to.y + tall / 2, to.x, to.y + tall / 2)
        canvas.stroke()
      }
    }
  }
  const made = new Map<string, number>()
  for (const recipe of world.recipes) {
    for (const [output] of recipe.outputs) made.set(output, (made.get(output) ?? 0) + (world.made.get(recipe.name) ?? 0))
  }
  for (const { name, value } of world.resources) {
    const at = places.get(name)
    if (!at) continue
    const count = made.get(name)
    const done = (count ?? 0) > 0
    roundedBox(canvas, at.x, at.y, wide, tall, count === undefined ? tall / 2 : 3)
    canvas.fillStyle = done ? theme.text : theme.surface
    canvas.fill()
    canvas.strokeStyle = theme.text3
    canvas.stroke()
    canvas.fillStyle = done ? theme.surface : theme.text
    canvas.textAlign = 'center'
    canvas.textBaseline = 'middle'
    canvas.font = `600 11px ${theme.font}`
    const both = tall >= 26
    canvas.fillText(plain(name, context.lang), at.x + wide / 2, at.y + tall / 2 - (both ? 6 : 0), wide - 6)
    if (!both) continue
    canvas.font = `11px ${theme.font}`
    const told = done ? say(context, 'madeCount', { n: count ?? 0 }) : say(context, 'worth', { value })
    canvas.fillText(told, at.x + wide / 2, at.y + tall / 2 + 7, wide - 6)
  }
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
