/** Two texts line by line, side by side. */
export interface Pair {
  left: string | null
  right: string | null
}
const LINES_MAX = 1500

/** The lines of both in order; equal ones stand beside each other, and so do changed ones, as far as there are both. */
export function sideBySide(one: string, two: string): Pair[] {
  const [a, b] = [one.split('\n').slice(0, LINES_MAX), two.split('\n').slice(0, LINES_MAX)]
  const width = b.length + 1
  // Lengths of the longest common runs of lines from each place on.
  const common = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] = a[i] === b[j] ? common[(i + 1) * width + j + 1]! + 1 : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const pairs: Pair[] = []
  let [left, right]: [string[], string[]] = [[], []]
  const flush = (): void => {
    for (let n = 0; n < Math.max(left.length, right.length); n++) pairs.push({ left: left[n] ?? null, right: right[n] ?? null })
    ;[left, right] = [[], []]
  }
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      flush()
      pairs.push({ left: a[i++]!, right: b[j++]! })
    } else if (j >= b.length || (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) left.push(a[i++]!)
    else right.push(b[j++]!)
  }
  flush()
  return pairs
}

/** The pairs with stretches of equal lines told by their number, where they are hidden. */
export type Row = Pair | { equal: number }
export function rowsOf(pairs: readonly Pair[], hidden: boolean): Row[] {
  if (!hidden) return [...pairs]
  const rows: Row[] = []
  for (const pair of pairs) {
    const last = rows.at(-1)
    if (pair.left !== pair.right) rows.push(pair)
    else if (last && 'equal' in last) last.equal += 1
    else rows.push({ equal: 1 })
  }
  return rows
}
