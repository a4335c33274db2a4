import { ink, plate, type BoardContext, type Box, type Canvas } from '@polity/board'
import { drawThing, inkOf } from './glyphs'
import { depths } from './layout'
import { letters, title } from './lettering'
import { lacking, type World } from './reading'
import { plain, speaker } from './words'

/** A row with a thing's name over its numbers, and what stands around all rows. */
const ROW = 37
const AROUND = 36

/** The height in which every row has both its lines. */
export function treeHeight(world: World): number {
  return AROUND + ROW * Math.max(1, ...columnsOf(world).map((column) => column.length))
}

/** The things that are known, in columns by depth. */
export function columnsOf(world: World): string[][] {
  const names = world.resources.map(({ name }) => name).filter(Boolean)
  const depth = depths(names, world.recipes)
  const columns: string[][] = []
  for (const name of names) (columns[depth.get(name) ?? 0] ??= []).push(name)
  return columns.filter((column) => column?.length)
}

/** What is made of what, in columns by depth, as far as it is known: filled what was made, ringed what somebody could make now. */
export function drawTree(canvas: Canvas, whole: Box, world: World, context: BoardContext): void {
  const { theme } = context
  const say = speaker(context)
  const box = title(canvas, theme, whole, say('tree'), say('treeNote'))
  const filled = columnsOf(world)
  if (!filled.length) {
    letters(canvas, theme, say('treeUnknown'), box.x + 12, box.y + 12, theme.text2, 'left', 12, 400, box.width - 24)
    return
  }
  const wide = Math.min(104, (box.width - 24) / filled.length - 16)
  const tall = Math.min(32, (box.height - 8) / Math.max(...filled.map((column) => column.length)) - 4)
  const places = new Map<string, { x: number; y: number }>()
  filled.forEach((column, c) =>
    column.forEach((name, r) =>
      places.set(name, {
        x: box.x + 12 + (c * (box.width - 24 - wide)) / Math.max(1, filled.length - 1),
        y: box.y + 2 + ((r + 0.5) * (box.height - 8)) / column.length - tall / 2,
      }),
    ),
  )
  const left = leftOf(world)
  const { made, makeable } = standOf(world, context.seats.map(({ seat }) => seat))
  for (const recipe of world.recipes) {
    for (const [output] of recipe.outputs) {
      for (const [input] of [...recipe.inputs, ...recipe.requires]) {
        const from = places.get(input)
        const to = places.get(output)
        if (!from || !to || from.x >= to.x) continue
        const reach = Math.max(12, (to.x - from.x - wide) / 2)
        canvas.beginPath()
        canvas.moveTo(from.x + wide, from.y + tall / 2)
        canvas.bezierCurveTo(from.x + wide + reach, from.y + tall / 2, to.x - reach, to.y + tall / 2, to.x, to.y + tall / 2)
        ink(canvas, (made.get(output) ?? 0) > 0 ? { edge: theme.inkSoft } : { edge: theme.line2, dash: [3, 3] })
      }
    }
  }
  for (const { name, value } of world.resources) {
    const at = places.get(name)
    if (!at) continue
    const count = made.get(name)
    // Through a seat's eyes it is not known what others made; what one holds there is.
    const known = world.made.size > 0
    const done = known ? (count ?? 0) > 0 : count !== undefined && [...world.bags.values()].some((bag) => bag.some(([held]) => held === name))
    const possible = makeable.has(name)
    const edge = possible ? theme.accent : count === undefined ? theme.line2 : theme.text3
    plate(canvas, { ...at, width: wide, height: tall }, count === undefined ? Math.min(10, tall / 2) : 4, done ? theme.ink : theme.surface, edge, possible ? 2 : 1, count === undefined || done || possible || !known ? [] : [3, 3])
    const size = Math.min(16, tall - 4)
    drawThing(canvas, theme, name, at.x + 5 + size / 2, at.y + tall / 2, size, done ? theme.surface : inkOf(name, theme))
    const text = at.x + size + 9
    const room = wide - size - 13
    const both = tall >= 26
    if (room > 14) letters(canvas, theme, plain(name, context.lang), text, at.y + tall / 2 - (both ? 6.5 : 0), done ? theme.surface : theme.text, 'left', 11, 600, room)
    if (!both || room <= 14) continue
    const told = count === undefined ? say('leftCount', { n: left.get(name) ?? 0, value }) : done && known ? say('madeWorth', { n: count, value }) : say('worth', { value })
    letters(canvas, theme, told, text, at.y + tall / 2 + 6.5, done ? theme.surface : theme.text2, 'left', 11, 400, room)
  }
}

/** Units of each resource that lie on the map, as far as it is seen. */
function leftOf(world: World): Map<string, number> {
  const left = new Map<string, number>()
  for (const { stack } of world.things.values()) for (const [name, units] of stack) left.set(name, (left.get(name) ?? 0) + units)
  return left
}

/** How often each thing was made, of those that can be, and which of them somebody has the means for. */
export function standOf(world: World, seats: readonly number[]): { made: Map<string, number>; makeable: Set<string> } {
  const made = new Map<string, number>()
  const makeable = new Set<string>()
  for (const recipe of world.recipes) {
    const isOpen = seats.some((seat) => world.bags.has(seat) && !lacking(world, seat, recipe).length)
    for (const [output] of recipe.outputs) {
      made.set(output, (made.get(output) ?? 0) + (world.made.get(recipe.name) ?? 0))
      if (isOpen) makeable.add(output)
    }
  }
  return { made, makeable }
}
