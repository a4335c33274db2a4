import { EDGE } from './places'

/** Marks of one look that stand so close that they are drawn as one. */
export interface Cluster {
  from: number
  to: number
  count: number
}

/** A mark is 8 pixels wide: nearer ones than this run into each other. */
const NEAR_PX = 9

/** Neighbours joined, in rising order, on an axis that gives each round `perRound` pixels. */
export function clustersOf(places: Iterable<number>, perRound: number): Cluster[] {
  const clusters: Cluster[] = []
  for (const n of [...places].sort((a, b) => a - b)) {
    const last = clusters.at(-1)
    if (last && (n - last.to) * perRound < NEAR_PX) {
      last.to = n
      last.count++
    } else clusters.push({ from: n, to: n, count: 1 })
  }
  return clusters
}

const LOOKS = ['down', 'up', 'flag'] as const
export type Look = (typeof LOOKS)[number]
const lookOf = (kind: string): Look =>
  kind === 'conflict' || kind === 'down' ? 'down' : kind === 'up' || kind === 'peace' ? 'up' : 'flag'

const SINGLE: Record<Look, (x: string) => string> = {
  down: (x) => `M${x} 15l4 -7h-8z`,
  up: (x) => `M${x} 25l4 7h-8z`,
  flag: (x) => `M${x} 7m-3 0h6v6h-6z`,
}
/** Top and height of the band that stands for a cluster. */
const BAND: Record<Look, [number, number]> = { down: [9, 4], up: [27, 4], flag: [8, 4] }

/** All marks of one look as one path: there may be thousands. A mark by itself is a sign, a crowd of them a band. */
export function markPaths(marks: ReadonlyMap<number, readonly string[]>, place: (n: number) => number, last: number, width: number): Record<Look, string> {
  const places: Record<Look, number[]> = { down: [], up: [], flag: [] }
  for (const [n, kinds] of marks) for (const look of new Set(kinds.map(lookOf))) places[look].push(place(n))
  const perRound = Math.max(0, width - 2 * EDGE) / Math.max(1, last)
  const x = (n: number): number => EDGE + n * perRound
  const paths: Record<Look, string> = { down: '', up: '', flag: '' }
  for (const look of LOOKS) {
    for (const { from, to, count } of clustersOf(places[look], perRound)) {
      if (count === 1) paths[look] += SINGLE[look](x(from).toFixed(1))
      else {
        const [top, height] = BAND[look]
        paths[look] += `M${(x(from) - 3).toFixed(1)} ${top}H${(x(to) + 3).toFixed(1)}v${height}H${(x(from) - 3).toFixed(1)}z`
      }
    }
  }
  return paths
}
