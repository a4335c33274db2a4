import { arrow, ink, rect, seatColour, seatDisc, type GridLayout, type Canvas } from '@polity/board'
import { drawLetter } from './plotdrawing'
import { cellOf, NOBODY, type Plot } from './reading'
import { ROOMY, TINY, type Scene } from './scene'

/** Of more raids than this in a round the arrows are cut to so many plots. */
const CROWD = 6
const SHORT = 1.1

/** An arrow from where each raider came; the drawn winner's has the head, all others end at a bar. */
export function drawRaids(canvas: Canvas, scene: Scene): void {
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
      const won = raid.outcome === 'taken' && raid.by === seat
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
    ink(canvas, { edge: context.theme.text, dash: outcome === 'repelled' ? [2, 2] : [] })
  }
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
    rect(canvas, x + 1, y + 1, plate, plate, { fill: seatColour(theme, owner) })
    drawLetter(canvas, theme, owner, x, y, size)
  }
}

/** Where plots are small, the lower right corner of the plot in which a point lies, so that its disc leaves the letter free. */
function besideLetter({ size, left, top }: GridLayout, at: { x: number; y: number }): { x: number; y: number } {
  if (size >= ROOMY) return at
  const corner = (place: number, first: number): number => first + (Math.floor((place - first) / size) + 0.76) * size
  return { x: corner(at.x, left(0)), y: corner(at.y, top(0)) }
}
