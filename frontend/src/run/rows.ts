import { roundLabel } from '../record/feed'
import type { GameWords } from '../gamewords'
import type { Replay } from '../record/replay'
import { formatted, sentence, spoken } from '../sentences'
import type { RunMeta } from '../types'

/** The label of the clock by which a metric is measured, of those that are not measured at each step. */
export type Cadences = RunMeta['cadences']

/** One metric as the replay bar and the charts draw it. */
export interface ChartRow {
  key: string
  label: string
  unit: string
  values: (number | null)[]
  /** The same of a run that stands at the left of this one. */
  beside?: (number | null)[]
  bars: boolean
  /** Measured at the end of a round (or another part of the run) alone: drawn across the steps between. */
  isSparse: boolean
  format: (value: number | null) => string
}

/** "Round 37" of step `n`; its bare number while nothing is known of it. */
export function stepLabel(replay: Replay, n: number, words: GameWords | null): string {
  const clock = replay.briefs.clock(n)
  return clock && words ? roundLabel({ clock }, words, replay.counting.counted) : String(n)
}

/** The metrics that a game's words put under the replay bar; `keepsEmpty`: those too of which these eyes see nothing. */
export function barRows(replay: Replay, game: GameWords, cadences: Cadences, keepsEmpty = false): ChartRow[] {
  return (game.charts ?? []).map((key) => chartRow(replay, game, cadences, key)).filter((row) => keepsEmpty || row.values.some((v) => v !== null))
}

/** The rows of two runs as one row for each metric: the first run's values beside the second's. */
export function pairedRows(first: readonly ChartRow[], second: readonly ChartRow[]): ChartRow[] {
  const shown = [...second, ...first.filter(({ key }) => !second.some((row) => row.key === key)).map((row) => ({ ...row, values: [] }))]
  return shown.map((row) => ({ ...row, beside: first.find(({ key }) => key === row.key)?.values ?? [] }))
}

/** Every metric that has a number anywhere and a word, the game's choice first; what has none is its own reckoning. */
export function allRows(replay: Replay, game: GameWords, cadences: Cadences): ChartRow[] {
  const keys = new Set([...(game.charts ?? []), ...replay.briefs.metrics(replay.head - 5, replay.head), ...Object.keys(cadences)])
  const told = game.metrics ? [...keys].filter((key) => aboutOf(game, key)) : [...keys]
  return told.map((key) => chartRow(replay, game, cadences, key)).filter((row) => row.values.some((v) => v !== null))
}

/** What a game says of a metric: by its name, or by that of its family, "made_*", in whose label `{name}` is the rest. */
function aboutOf({ metrics = {}, names }: GameWords, key: string): { label: string; unit?: string; format?: string } | undefined {
  if (metrics[key]) return metrics[key]
  const family = Object.keys(metrics).find((one) => one.endsWith('*') && key.startsWith(one.slice(0, -1)))
  if (family === undefined) return undefined
  const about = metrics[family]
  return about && { ...about, label: spoken(sentence(about.label, { name: key.slice(family.length - 1) }, names), String) }
}

function chartRow(replay: Replay, game: GameWords, cadences: Cadences, key: string): ChartRow {
  const about = aboutOf(game, key)
  const format = about?.format ?? ''
  return {
    key,
    label: about?.label ?? key.replaceAll('_', ' '),
    unit: about?.unit ?? '',
    values: replay.series(key),
    // Counts are bars, levels are lines.
    bars: /d$/.test(format),
    isSparse: key in cadences,
    format: (value) => formatted(value, format),
  }
}

/** What a metric is at a step: where it is measured at the end of a round alone, as it was when it was last measured. */
export function valueAt({ isSparse }: Pick<ChartRow, 'isSparse'>, values: readonly (number | null)[], n: number): number | null {
  for (let at = Math.min(n, values.length - 1); at >= 0; at--) {
    const value = values[at] ?? null
    if (value !== null || !isSparse) return value
  }
  return null
}
