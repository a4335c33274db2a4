import {
  arrow,
  drawAxes,
  hue,
  roundedBox,
  seatBox,
  seatDisc,
  seatLetter,
  type BoardContext,
  type Cell,
  type CellLayer,
  type GridLayout,
  type Look,
  type Theme,
} from '@polity/board'
import { NOBODY, type Land, type Plot } from './reading'

type Canvas = CanvasRenderingContext2D

export interface Scene {
  land: Land
  /** The land a step earlier, where a change is to be shown moving. */
  earlier: Land | null
  context: BoardContext
  layout: GridLayout
  /** How far the change has come, 0 to 1. */
  progress: number
}

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
    (onto) => context.bare || drawAxes(onto, layout, theme.text3, theme.font),
  )
  if (!isTiny) {
    if (earlier && progress < 1) land.owners.forEach((owner, plot) => earlier.owners[plot] !== owner && drawPlot(canvas, scene, plot))
    if (layout.size > JOINED) drawJoins(canvas, scene)
  }
  if (context.selected) ring(canvas, layout, context.selected, theme.accent, 3)
  drawRaids(canvas, scene)
  if (context.focused) ring(canvas, layout, context.focused, theme.accent, 2)
}

/** All that the look of a plot depends on; see drawPlot. */
function lookOf(land: Land, plot: Plot): Look {
  const owner = land.owners[plot] ?? NOBODY
  const before = land.before.get(plot) ?? owner
  const flags = (land.defended.has(plot) ? 1 : 0) + (land.immune(plot) ? 2 : 0) + ((land.alpha[plot] ?? 0) > poorest(land) ? 4 : 0)
  return `${owner} ${before} ${land.mined[plot] ?? 0} ${flags}`
}

/** Below this many pixels a plot is its colour alone; above, neighbours of one owner are joined from JOINED on. */
const TINY = 8
const JOINED = 14
/** Below this many a plot has room for its letter alone: what goes beside it stands in the lower right corner or is left out. */
const ROOMY = 27

function tinyLook(land: Land, plot: Plot): Look {
  return (land.owners[plot] ?? NOBODY) * 2 + (land.defended.has(plot) ? 1 : 0)
}

function drawTinyPlot(canvas: Canvas, { land, context, layout }: Scene, plot: Plot): void {
  const { theme } = context
  const box = layout.box(cellOf(land, plot))
  if (!box) return
  const owner = land.owners[plot] ?? NOBODY
  const gap = layout.size > 4 ? 1 : 0
  canvas.fillStyle = owner === NOBODY ? theme.void : (theme.seats[hue(owner)] ?? theme.ink)
  canvas.fillRect(box.x, box.y, box.width - gap, box.height - gap)
  // Defence is the one shape that still fits: a point in the middle.
  if (layout.size < 4 || !land.defended.has(plot)) return
  const dot = Math.max(2, Math.round(layout.size * 0.3))
  canvas.fillStyle = theme.onSeats[hue(Math.max(owner, 0))] ?? theme.surface
  canvas.fillRect(box.x + Math.floor((box.width - gap - dot) / 2), box.y + Math.floor((box.height - gap - dot) / 2), dot, dot)
}

function cellOf(land: Land, plot: Plot): Cell {
  return { row: Math.floor(plot / land.cols), col: plot % land.cols }
}

/** Where plots are tiny a raid is one line, and all of a kind are one stroke. */
function drawTinyRaids(canvas: Canvas, { land, context, layout }: Scene): void {
  const place = (plot: Plot) => layout.middle(cellOf(land, plot))
  for (const outcome of ['repelled', 'taken'] as const) {
    canvas.beginPath()
    for (const raid of land.raids) {
      if (raid.outcome !== outcome) continue
      const to = place(raid.plot)
      for (const start of raid.from) {
        if (start === null) continue
        const from = place(start)
        canvas.moveTo(from.x, from.y)
        canvas.lineTo(to.x, to.y)
      }
    }
    canvas.setLineDash(outcome === 'repelled' ? [2, 2] : [])
    canvas.lineWidth = 1
    canvas.strokeStyle = context.theme.text
    canvas.stroke()
  }
  canvas.setLineDash([])
}

function drawPlot(canvas: Canvas, scene: Scene, plot: Plot): void {
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
    canvas.fillStyle = theme.void
    canvas.fillRect(x, y, side, side)
    if (size > 5) {
      canvas.strokeStyle = theme.line
      canvas.lineWidth = 1
      canvas.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1)
    }
    drawRichness(canvas, scene, plot, x, y, side, theme.text3)
    return
  }
  const was = earlier?.owners[plot] ?? owner
  if (was !== owner && progress < 1) {
    if (was === NOBODY) {
      canvas.fillStyle = theme.void
      canvas.fillRect(x, y, side, side)
    } else seatBox(canvas, theme, was, x, y, side, side, radius)
    canvas.globalAlpha = progress
    seatBox(canvas, theme, owner, x, y, side, side, radius)
    canvas.globalAlpha = 1
  } else seatBox(canvas, theme, owner, x, y, side, side, radius)

  const before = land.before.get(plot)
  if (before !== undefined && before !== NOBODY && before !== owner && size >= 8) {
    const corner = Math.max(5, size * 0.34)
    canvas.beginPath()
    canvas.moveTo(x + side, y)
    canvas.lineTo(x + side, y + corner)
    canvas.lineTo(x + side - corner, y)
    canvas.closePath()
    canvas.fillStyle = theme.seats[hue(before)] ?? theme.ink
    canvas.fill()
    canvas.strokeStyle = theme.surface
    canvas.lineWidth = size > 20 ? 1.5 : 1
    canvas.stroke()
  }
  const on = theme.onSeats[hue(owner)] ?? theme.surface
  if (!layout.small) {
    drawLetter(canvas, theme, owner, x, y, size)
    if (size >= ROOMY) drawPips(canvas, land.mined[plot] ?? 0, x, y, side, on)
  }
  drawRichness(canvas, scene, plot, x, y, side, on)
  const held = (before ?? owner) === owner
  if (land.defended.has(plot) && held) {
    const inset = size > 20 ? 3.5 : size > 8 ? 1.5 : 0.5
    canvas.strokeStyle = on
    canvas.lineWidth = size > 20 ? Math.min(3, size * 0.055) : size > 8 ? 1.5 : 1
    canvas.strokeRect(x + inset, y + inset, side - 2 * inset, side - 2 * inset)
  }
  if (land.immune(plot) && size > 8) {
    const inset = size > 20 ? 4.5 : 1.5
    canvas.strokeStyle = on
    canvas.lineWidth = size > 20 ? 1.8 : 1
    canvas.setLineDash(size > 20 ? [3, 3.5] : [2, 2])
    roundedBox(canvas, x + inset, y + inset, side - 2 * inset, side - 2 * inset, size > 20 ? 7 : 2)
    canvas.stroke()
    canvas.setLineDash([])
  }
}

function drawLetter(canvas: Canvas, theme: Theme, owner: number, x: number, y: number, size: number): void {
  const text = Math.min(18, Math.max(11, Math.round(size * 0.27)))
  seatLetter(canvas, theme, owner, x + text * 0.95, y + text * 0.95, text)
}

/** The letters of the plots that arrows cross, above the arrows: who holds a plot is read first. */
function drawCrossed(canvas: Canvas, { land, context, layout }: Scene, crossed: ReadonlySet<Plot>): void {
  if (layout.small) return
  const { theme } = context
  const { size } = layout
  for (const plot of crossed) {
    const owner = land.owners[plot] ?? NOBODY
    if (owner === NOBODY) continue
    const { row, col } = cellOf(land, plot)
    const [x, y] = [layout.left(col) + 1, layout.top(row) + 1]
    const plate = Math.min(18, Math.max(11, Math.round(size * 0.27))) * 1.5
    canvas.fillStyle = theme.seats[hue(owner)] ?? theme.ink
    canvas.fillRect(x + 1, y + 1, plate, plate)
    drawLetter(canvas, theme, owner, x, y, size)
  }
}

/** The seam between neighbouring plots of one owner is filled, so that a holding reads as one shape. */
function drawJoins(canvas: Canvas, { land, context, layout }: Scene): void {
  const { theme } = context
  const { size } = layout
  canvas.globalAlpha = 0.72
  land.owners.forEach((owner, plot) => {
    if (owner === NOBODY) return
    const { row, col } = cellOf(land, plot)
    canvas.fillStyle = theme.seats[hue(owner)] ?? theme.ink
    if (col + 1 < land.cols && land.owners[plot + 1] === owner) canvas.fillRect(layout.left(col) + size - 1, layout.top(row) + 2, 2, size - 4)
    if (row + 1 < land.rows && land.owners[plot + land.cols] === owner) canvas.fillRect(layout.left(col) + 2, layout.top(row) + size - 1, size - 4, 2)
  })
  canvas.globalAlpha = 1
}

/** One pip for each gold mined; a number where there is no room for the pips. */
function drawPips(canvas: Canvas, gold: number, x: number, y: number, side: number, colour: string): void {
  if (gold <= 0) return
  const pip = Math.max(3, Math.round(side * 0.105))
  const step = pip * 1.45
  const left = x + side * 0.14
  const top = y + side - side * 0.14 - pip
  canvas.fillStyle = colour
  canvas.globalAlpha = 0.85
  if (gold * step > side * 0.8) {
    canvas.font = `600 11px sans-serif`
    canvas.textAlign = 'left'
    canvas.textBaseline = 'alphabetic'
    canvas.fillText(String(gold), left, y + side - side * 0.1)
  } else for (let i = 0; i < gold; i++) canvas.fillRect(Math.round(left + i * step), Math.round(top), pip, pip)
  canvas.globalAlpha = 1
}

/** A dot at the lower right of plots that yield more than the poorest. */
function drawRichness(canvas: Canvas, { land, layout }: Scene, plot: number, x: number, y: number, side: number, colour: string): void {
  if (layout.size < 12 || (land.alpha[plot] ?? 0) <= poorest(land)) return
  canvas.beginPath()
  canvas.arc(x + side - side * 0.16, y + side - side * 0.16, Math.max(2, side * 0.06), 0, Math.PI * 2)
  canvas.fillStyle = colour
  canvas.fill()
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

function ring(canvas: Canvas, layout: GridLayout, { row, col }: Cell, colour: string, width: number): void {
  const half = width / 2
  canvas.strokeStyle = colour
  canvas.lineWidth = width
  roundedBox(canvas, layout.left(col) - half + 0.5, layout.top(row) - half + 0.5, layout.size + width - 1, layout.size + width - 1, 3)
  canvas.stroke()
}

/** Of more raids than this in a round the arrows are cut to so many plots. */
const CROWD = 6
const SHORT = 1.1

/** An arrow from where each raider came; the drawn winner's has the head, all others end at a bar. */
function drawRaids(canvas: Canvas, scene: Scene): void {
  const { land, context, layout, progress } = scene
  if (layout.size < TINY) {
    drawTinyRaids(canvas, { land, earlier: null, context, layout, progress })
    return
  }
  const { theme } = context
  const size = layout.size
  const width = Math.max(1.2, Math.min(3.6, size * 0.065))
  const discs: { seat: number; x: number; y: number }[] = []
  const crossed = new Set<Plot>()
  const isCrowded = land.raids.length > CROWD
  for (const raid of land.raids) {
    if (raid.outcome === 'void') continue
    const { row, col } = cellOf(land, raid.plot)
    const to = layout.middle({ row, col })
    raid.raiders.forEach((seat, i) => {
      const start = raid.from[i]
      const won = raid.outcome === 'taken' && raid.winner === seat
      // A raider without land comes from just beside the plot, on the side where there is land.
      const origin =
        start === null || start === undefined
          ? { x: to.x + size * (col > 0 ? -0.75 : 0.75), y: to.y + size * (row > 0 ? -0.75 : 0.75) }
          : layout.middle(cellOf(land, start))
      const far = Math.hypot(to.x - origin.x, to.y - origin.y)
      // In a crowd an arrow is as long as says where it comes from; else the lines hide the land.
      const cut = isCrowded && far > SHORT * size ? (SHORT * size) / far : 1
      const from = besideLetter(layout, { x: to.x + (origin.x - to.x) * cut, y: to.y + (origin.y - to.y) * cut })
      const length = Math.hypot(to.x - from.x, to.y - from.y)
      if (length > 1) {
        for (let t = 0; t <= length; t += size / 3) {
          const [row, col] = [to.y + ((from.y - to.y) * t) / length, to.x + ((from.x - to.x) * t) / length].map((at, i) => Math.floor((at - (i ? layout.left(0) : layout.top(0))) / size)) as [number, number]
          if (row >= 0 && row < land.rows && col >= 0 && col < land.cols) crossed.add(row * land.cols + col)
        }
        // From the upper left the end would lie under the letter: it goes past it.
        const pastLetter = origin.x < to.x && origin.y < to.y ? 0.44 : 0
        const short = ((won ? 0.22 : 0.44) - pastLetter) * size
        const reach = ((length - short) / length) * progress
        arrow(canvas, from.x, from.y, from.x + (to.x - from.x) * reach, from.y + (to.y - from.y) * reach, {
          end: won ? 'head' : 'bar',
          colour: theme.text,
          casing: theme.surface,
          width,
        })
      }
      discs.push({ seat, ...from })
    })
  }
  drawCrossed(canvas, scene, crossed)
  // Above all arrows, or one raid's line would hide another's raider.
  for (const { seat, x, y } of discs) seatDisc(canvas, theme, seat, x, y, Math.max(2.5, Math.min(12, size * 0.2)))
}

/** Where plots are small, the lower right corner of the plot in which a point lies, so that its disc leaves the letter free. */
function besideLetter({ size, left, top }: GridLayout, at: { x: number; y: number }): { x: number; y: number } {
  if (size >= ROOMY) return at
  const corner = (place: number, first: number): number => first + (Math.floor((place - first) / size) + 0.76) * size
  return { x: corner(at.x, left(0)), y: corner(at.y, top(0)) }
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
      if (mark === '.') {
        canvas.strokeStyle = theme.line
        canvas.lineWidth = 1
        canvas.strokeRect(x + 0.5, y + 0.5, cell - 2, cell - 2)
      } else seatBox(canvas, theme, mark.charCodeAt(0) - 65, x, y, cell - 1, cell - 1, 1.5)
    }),
  )
}
