/** Where a label could stand: its left end and its middle, in CSS pixels. */
export interface LabelPlace {
  left: number
  y: number
}

/** So far a label keeps from a curve, and from a level line. */
const FROM_CURVE = 10
const FROM_LEVEL = 7

/** The first place at which a label of this width covers neither a curve nor a level; none where each does. */
export function clearest(places: readonly LabelPlace[], wide: number, curves: readonly (readonly [number, number][])[], levels: readonly number[]): LabelPlace | undefined {
  const room = ({ left, y }: LabelPlace): number => {
    const off = curves.flatMap((curve) => heights(curve, left - 4, left + wide + 4).map((height) => Math.abs(height - y) / FROM_CURVE))
    return Math.min(...off, ...levels.map((level) => Math.abs(level - y) / FROM_LEVEL), Infinity)
  }
  return places.find((place) => room(place) >= 1)
}

/** The heights of a curve over a stretch: at its points in it, and every few pixels between them. */
function heights(curve: readonly [number, number][], from: number, to: number): number[] {
  const found: number[] = []
  for (let i = 1; i < curve.length; i++) {
    const [[x0, y0], [x1, y1]] = [curve[i - 1] as [number, number], curve[i] as [number, number]]
    const [a, b] = [Math.max(from, x0), Math.min(to, x1)]
    for (let x = a; x <= b; x += Math.max(4, (b - a) / 8)) found.push(y0 + ((y1 - y0) * (x - x0)) / (x1 - x0 || 1))
  }
  return found
}
