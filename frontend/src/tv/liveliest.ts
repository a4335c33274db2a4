import type { Brief } from '../record/briefs'

/** How much happens in a match: kinds of events a step, of its last steps. */
export function liveliness(briefs: readonly Brief[]): number {
  return briefs.length ? briefs.reduce((sum, { kinds }) => sum + kinds.length, 0) / briefs.length : 0
}

/** What may be shown to a hall: not what is its players' alone, though whoever has signed in may see it. */
export function forHall<Run extends { audience: { kind?: string } }>(runs: readonly Run[]): Run[] {
  return runs.filter(({ audience }) => audience.kind !== 'private')
}

export interface Shown {
  id: string
  lively: number
}

/** Another match has to be so much livelier before the one that is shown gives way. */
const MARGIN = 1.5

/** Which match to show: the one that is shown, until it is over or another is much livelier; null where there is none. */
export function chosen(now: string | null, live: readonly Shown[]): string | null {
  const best = live.toSorted((a, b) => b.lively - a.lively || a.id.localeCompare(b.id))[0]
  const shown = live.find(({ id }) => id === now)
  if (!best) return null
  if (!shown) return best.id
  return best.lively > Math.max(shown.lively, 0.01) * MARGIN ? best.id : shown.id
}
