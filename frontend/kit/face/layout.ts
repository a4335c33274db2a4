/** Where the parts of a derived board stand, in CSS pixels. Pure. */

/** A seat's column is at least so wide; in less room the seats are rows. */
export const COLUMN = 62
export const GUTTER = 108
/** The page is a phone's. */
export const NARROW = 560
/** Columns leave room for long words before them. */
export const WORDED = 470
/** From here on charts and matrices stand beside the seats. */
export const WIDE = 840

/** Whether seats stand side by side, each with a column of its own, beside a gutter of that width. */
export function hasColumns(width: number, gutter: number, seats: number): boolean {
  return seats <= 12 && (width - gutter) / Math.max(1, seats) >= COLUMN
}

/** Columns no wider than this: two seats stand near one another. */
export const COLUMN_MOST = 180

/** How high the bars are: what is left of the height once everything else has its place, within bounds. */
export function barHeight(width: number, height: number, { bars, rest }: { bars: number; rest: number }): number {
  if (!bars) return 0
  if (width < NARROW) return 92
  return Math.round(Math.min(210, Math.max(92, (height - rest) / bars - 22)))
}

/** Marks pushed apart until they are `gap` from one another, as near to where they belong as they can be; in the given order. */
export function spread(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b)
  const placed = order.map((i) => Math.min(high, Math.max(low, wanted[i] ?? 0)))
  for (let i = 1; i < placed.length; i++) placed[i] = Math.max(placed[i] ?? 0, (placed[i - 1] ?? 0) + gap)
  let over = (placed.at(-1) ?? 0) - high
  for (let i = placed.length - 1; i >= 0 && over > 0; i--) {
    placed[i] = Math.min(placed[i] ?? 0, high - (placed.length - 1 - i) * gap)
    over = i > 0 ? (placed[i - 1] ?? 0) + gap - (placed[i] ?? 0) : 0
  }
  const places = new Array<number>(wanted.length).fill(0)
  for (const [at, i] of order.entries()) places[i] = placed[at] ?? 0
  return places
}

/** About four round numbers from the floor to the first that reaches the ceiling. */
export function ticksOf(floor: number, ceiling: number): number[] {
  const raw = (ceiling - floor) / 4
  if (!(raw > 0)) return [floor]
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = ([1, 2, 2.5, 5, 10].find((times) => times * power >= raw - 1e-9) ?? 10) * power
  const found: number[] = []
  for (let tick = Math.ceil(floor / step - 1e-9) * step; tick < ceiling + step * (1 - 1e-6); tick += step) found.push(Math.round(tick * 1e6) / 1e6 || 0)
  return found
}

/** Rounds that an axis of this width names: the first, the last and some between. */
export function roundsNamed(last: number, width: number): number[] {
  const step = [1, 2, 3, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((each) => (width * each) / Math.max(1, last) >= 34) ?? 5000
  const named = [1]
  for (let round = step === 1 ? 2 : step; round < last; round += step) if (round > 1 && ((last - round) / last) * width >= 26 && (round / last) * width >= 26) named.push(round)
  return last > 1 ? [...named, last] : named
}

export interface Arc {
  from: number
  to: number
  amount: number
  /** Ends and bend of a curve, and where its label stands. */
  d: string
  head: string
  label: { x: number; y: number }
  width: number
}

const HEAD = 7

/**
 * Arrows between seats that stand side by side in the middle of a strip: those to the right bow upwards, those to the left
 * downwards, longer ones more. `at` gives the middle of a seat's column. Arrows that arrive at one seat part at its edge.
 */
export function arcsOf(cells: readonly (readonly (number | null)[])[], at: (seat: number) => number, middle: number, reach: number): Arc[] {
  const pairs = cells.flatMap((row, from) => row.flatMap((amount, to) => (from !== to && amount ? [{ from, to, amount, far: Math.abs(from - to) }] : [])))
  const most = Math.max(1, ...pairs.map(({ amount }) => Math.abs(amount)))
  const longest = Math.max(1, ...pairs.map(({ far }) => far))
  return pairs
    .sort((a, b) => b.far - a.far || a.from - b.from || a.to - b.to)
    .map(({ from, to, amount, far }) => {
      const [way, side] = to > from ? [1, -1] : [-1, 1]
      const bend = reach * (longest === 1 ? 0.62 : 0.3 + (0.7 * far) / longest)
      const x1 = at(from) + way * 8
      // Those that come from farther arrive steeper, so that each is seen to arrive.
      const angle = Math.min(1.25, 0.2 + 0.5 * (far - 1))
      const [x2, y2] = [at(to) - way * Math.cos(angle) * (HEAD + 12), middle + side * Math.sin(angle) * (HEAD + 12)]
      const [mx, my] = [(x1 + x2) / 2, middle + side * bend * 2]
      const length = Math.hypot(x2 - mx, y2 - my)
      const [ux, uy] = [(x2 - mx) / length, (y2 - my) / length]
      const [hx, hy] = [x2 + ux * (HEAD + 1), y2 + uy * (HEAD + 1)]
      const k = far === 1 ? 0.5 : 0.32
      const on = (a: number, b: number, c: number): number => (1 - k) ** 2 * a + 2 * k * (1 - k) * b + k ** 2 * c
      const y1 = middle + side * 6
      return {
        from, to, amount,
        width: 1.4 + 2.6 * (Math.abs(amount) / most),
        d: `M${x1} ${y1}Q${mx} ${my} ${x2} ${y2}`,
        head: `M${hx} ${hy}L${x2 - ux * 2 - uy * 5} ${y2 - uy * 2 + ux * 5}L${x2 - ux * 2 + uy * 5} ${y2 - uy * 2 - ux * 5}z`,
        label: { x: on(x1, mx, x2), y: on(y1, my, y2) },
      }
    })
}
