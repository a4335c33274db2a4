import { disc, onSeat, rect, seatBox, seatColour, seatLetter, shape, write, type Look, type Theme, type Canvas } from '@polity/board'
import { cellOf, NOBODY, type Land, type Plot } from './reading'
import { ROOMY, type Scene } from './scene'

/** All that the look of a plot depends on; see drawPlot. */
export function lookOf(land: Land, plot: Plot): Look {
  const owner = land.owners[plot] ?? NOBODY
  const before = land.before.get(plot) ?? owner
  const flags = (land.defended.has(plot) ? 1 : 0) + (land.immune(plot) ? 2 : 0) + ((land.alpha[plot] ?? 0) > poorest(land) ? 4 : 0)
  return `${owner} ${before} ${land.mined[plot] ?? 0} ${flags}`
}

export function tinyLook(land: Land, plot: Plot): Look {
  return (land.owners[plot] ?? NOBODY) * 2 + (land.defended.has(plot) ? 1 : 0)
}

export function drawTinyPlot(canvas: Canvas, { land, context, layout }: Scene, plot: Plot): void {
  const { theme } = context
  const box = layout.box(cellOf(land, plot))
  if (!box) return
  const owner = land.owners[plot] ?? NOBODY
  const gap = layout.size > 4 ? 1 : 0
  rect(canvas, box.x, box.y, box.width - gap, box.height - gap, { fill: owner === NOBODY ? theme.void : seatColour(theme, owner) })
  // Defence is the one shape that still fits: a point in the middle.
  if (layout.size < 4 || !land.defended.has(plot)) return
  const dot = Math.max(2, Math.round(layout.size * 0.3))
  rect(canvas, box.x + Math.floor((box.width - gap - dot) / 2), box.y + Math.floor((box.height - gap - dot) / 2), dot, dot, { fill: onSeat(theme, Math.max(owner, 0)) })
}

export function drawPlot(canvas: Canvas, scene: Scene, plot: Plot): void {
  const { land, earlier, context, layout, progress } = scene
  const { theme } = context
  const { row, col } = cellOf(land, plot)
  const owner = land.owners[plot] ?? NOBODY
  const size = layout.size
  const gap = size > 14 ? 1 : size > 5 ? 0.5 : 0
  const x = layout.left(col) + gap
  const y = layout.top(row) + gap
  const side = size - 2 * gap
  const radius = size > 14 ? 2 : 0

  if (owner === NOBODY) {
    rect(canvas, x, y, side, side, { fill: theme.void })
    if (size > 5) rect(canvas, x + 0.5, y + 0.5, side - 1, side - 1, { edge: theme.line })
    drawRichness(canvas, scene, plot, x, y, side, theme.text3)
    return
  }
  const was = earlier?.owners[plot] ?? owner
  if (was !== owner && progress < 1) {
    if (was === NOBODY) rect(canvas, x, y, side, side, { fill: theme.void })
    else seatBox(canvas, theme, was, x, y, side, side, radius)
    canvas.globalAlpha = progress
    seatBox(canvas, theme, owner, x, y, side, side, radius)
    canvas.globalAlpha = 1
  } else seatBox(canvas, theme, owner, x, y, side, side, radius)

  const before = land.before.get(plot)
  if (before !== undefined && before !== NOBODY && before !== owner && size >= 8) {
    const corner = Math.max(5, size * 0.34)
    shape(canvas, [[x + side, y], [x + side, y + corner], [x + side - corner, y]], { fill: seatColour(theme, before), edge: theme.surface, thick: size > 20 ? 1.5 : 1 })
  }
  const on = onSeat(theme, owner)
  if (!layout.small) {
    drawLetter(canvas, theme, owner, x, y, size)
    if (size >= ROOMY) drawPips(canvas, theme, land.mined[plot] ?? 0, x, y, side, on)
  }
  drawRichness(canvas, scene, plot, x, y, side, on)
  const held = (before ?? owner) === owner
  if (land.defended.has(plot) && held) {
    const inset = size > 20 ? 3.5 : size > 8 ? 1.5 : 0.5
    rect(canvas, x + inset, y + inset, side - 2 * inset, side - 2 * inset, { edge: on, thick: size > 20 ? Math.min(3, size * 0.055) : size > 8 ? 1.5 : 1 })
  }
  if (land.immune(plot) && size > 8) {
    const inset = size > 20 ? 4.5 : 1.5
    rect(canvas, x + inset, y + inset, side - 2 * inset, side - 2 * inset, { edge: on, thick: size > 20 ? 1.8 : 1, dash: size > 20 ? [3, 3.5] : [2, 2] }, size > 20 ? 7 : 2)
  }
}

export function drawLetter(canvas: Canvas, theme: Theme, owner: number, x: number, y: number, size: number): void {
  const text = Math.min(18, Math.max(11, Math.round(size * 0.27)))
  seatLetter(canvas, theme, owner, x + text * 0.95, y + text * 0.95, text)
}

/** One pip for each gold mined; a number where there is no room for the pips. */
function drawPips(canvas: Canvas, theme: Theme, gold: number, x: number, y: number, side: number, colour: string): void {
  if (gold <= 0) return
  const pip = Math.max(3, Math.round(side * 0.105))
  const step = pip * 1.45
  const left = x + side * 0.14
  const top = y + side - side * 0.14 - pip
  canvas.globalAlpha = 0.85
  if (gold * step > side * 0.8) write(canvas, theme, String(gold), left, y + side - side * 0.1, { size: 11, weight: 600, colour, base: 'alphabetic' })
  else for (let i = 0; i < gold; i++) rect(canvas, Math.round(left + i * step), Math.round(top), pip, pip, { fill: colour })
  canvas.globalAlpha = 1
}

/** A dot at the lower right of plots that yield more than the poorest. */
function drawRichness(canvas: Canvas, { land, layout }: Scene, plot: number, x: number, y: number, side: number, colour: string): void {
  if (layout.size < 12 || (land.alpha[plot] ?? 0) <= poorest(land)) return
  disc(canvas, x + side - side * 0.16, y + side - side * 0.16, Math.max(2, side * 0.06), { fill: colour })
}

const poorestOf = new WeakMap<Land, number>()
function poorest(land: Land): number {
  let least = poorestOf.get(land)
  if (least === undefined) {
    least = land.alpha.reduce((a, b) => Math.min(a, b), Infinity)
    poorestOf.set(land, least)
  }
  return least
}
