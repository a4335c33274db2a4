import type { Box } from './board'

/** Where the parts of a social graph stand: nodes on an oval, lines between nodes, shapes round groups, words on lines. */
export interface Point {
  x: number
  y: number
}

export interface Line {
  x1: number
  y1: number
  x2: number
  y2: number
}

/** Places on an oval, the first at its top, clockwise. */
export function oval(count: number, middle: Point, reach: Point): Point[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / Math.max(1, count) - Math.PI / 2
    return { x: middle.x + reach.x * Math.cos(angle), y: middle.y + reach.y * Math.sin(angle) }
  })
}

/** The line between two discs, `cut` short of each middle, moved to its right so that both ways lie side by side. */
export function discLine(from: Point, to: Point, cut: number, shift: number): Line | null {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  if (length < 1) return null
  const u = { x: (to.x - from.x) / length, y: (to.y - from.y) / length }
  const side = { x: -u.y * shift, y: u.x * shift }
  return { x1: from.x + u.x * cut + side.x, y1: from.y + u.y * cut + side.y, x2: to.x - u.x * cut + side.x, y2: to.y - u.y * cut + side.y }
}

/** The line between two boxes, from edge to edge, moved to its right so that both ways lie side by side. */
export function boxLine(from: Box, to: Box, shift: number, gap = 4): Line | null {
  const a = middleOf(from)
  const b = middleOf(to)
  const whole = discLine(a, b, 0, shift)
  if (!whole) return null
  const start = edge(from, gap, { x: whole.x1, y: whole.y1 }, { x: whole.x2, y: whole.y2 })
  const end = edge(to, gap, { x: whole.x2, y: whole.y2 }, { x: whole.x1, y: whole.y1 })
  const ahead = (end.x - start.x) * (b.x - a.x) + (end.y - start.y) * (b.y - a.y)
  if (ahead <= 0 || Math.hypot(end.x - start.x, end.y - start.y) < 6) return null
  return { x1: start.x, y1: start.y, x2: end.x, y2: end.y }
}

function middleOf({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 }
}

/** Where the way from a point inside a box to one outside leaves it. */
function edge(box: Box, gap: number, from: Point, to: Point): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const across = dx ? ((dx > 0 ? box.x + box.width + gap : box.x - gap) - from.x) / dx : Infinity
  const down = dy ? ((dy > 0 ? box.y + box.height + gap : box.y - gap) - from.y) / dy : Infinity
  const t = Math.max(0, Math.min(across, down, 1))
  return { x: from.x + dx * t, y: from.y + dy * t }
}

/** Words that belong on a line; `width` as they are written, in pixels. */
export interface Tag {
  line: Line
  width: number
}

const STOPS = [0.5, 0.38, 0.62, 0.28, 0.72, 0.2, 0.8] as const

/**
 * Boxes for the tags, each on its line, clear of one another and of what is `taken`; null for one that finds no clear
 * place: what it would say stands elsewhere too, and over other words nobody could read either.
 */
export function placeTags(tags: readonly Tag[], taken: readonly Box[], within: Box, height = 16): (Box | null)[] {
  const full: Box[] = [...taken]
  return tags.map(({ line, width }) => {
    for (const beside of [0, -height - 1, height + 1]) {
      for (const stop of STOPS) {
        const x = line.x1 + (line.x2 - line.x1) * stop - width / 2
        const y = line.y1 + (line.y2 - line.y1) * stop - height / 2 + beside
        const box = { x, y, width, height }
        if (!isIn(box, within) || full.some((other) => overlaps(box, other))) continue
        full.push(box)
        return box
      }
    }
    return null
  })
}

function isIn(box: Box, within: Box): boolean {
  return box.x >= within.x && box.y >= within.y && box.x + box.width <= within.x + within.width && box.y + box.height <= within.y + within.height
}

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
