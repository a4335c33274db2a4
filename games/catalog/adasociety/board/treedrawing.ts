import { roundedBox, type BoardContext } from '@polity/board'
import { depths, type Box } from './layout'
import { title } from './lettering'
import type { World } from './reading'
import { plain, speaker } from './words'

type Canvas = CanvasRenderingContext2D

/** What can be made of what, in columns by depth, as far as it is known; filled where some was made. */
export function drawTree(canvas: Canvas, whole: Box, world: World, context: BoardContext): void {
  const { theme } = context
  const say = speaker(context)
  const box = title(canvas, theme, whole, say('tree'), say('treeNote'))
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
    const told = done ? say('madeCount', { n: count ?? 0 }) : say('worth', { value })
    canvas.fillText(told, at.x + wide / 2, at.y + tall / 2 + 7, wide - 6)
  }
}
