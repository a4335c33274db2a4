import { roundLabel } from '../feed'
import type { GameWords } from '../gamewords'
import type { Replay } from '../replay'
import { formatted } from '../sentences'

/** One metric as the replay bar and the charts draw it. */
export interface ChartRow {
  key: string
  label: string
  unit: string
  values: (number | null)[]
  /** The same of a run that stands at the left of this one. */
  beside?: (number | null)[]
  bars: boolean
  format: (value: number | null) => string
}

/** The last step of the time axis. Where nobody may know the end there is some room, so that the axis does not jump. */
export function axisEnd(horizon: number | null, head: number): number {
  return Math.max(horizon ?? 20, head, 1)
}

/** "Round 37" of step `n`; its bare number while nothing is known of it. */
export function stepLabel(replay: Replay, n: number, words: GameWords | null): string {
  const clock = replay.briefs.clock(n)
  return clock && words ? roundLabel({ clock, n }, words) : String(n)
}

/** The metrics that a game's words put under the replay bar. */
export function barRows(replay: Replay, game: GameWords): ChartRow[] {
  return (game.charts ?? []).map((key) => chartRow(replay, game, key)).filter((row) => row.values.some((v) => v !== null))
}

/** The rows of two runs as one row for each metric: the first run's values beside the second's. */
export function pairedRows(first: readonly ChartRow[], second: readonly ChartRow[]): ChartRow[] {
  const shown = [...second, ...first.filter(({ key }) => !second.some((row) => row.key === key)).map((row) => ({ ...row, values: [] }))]
  return shown.map((row) => ({ ...row, beside: first.find(({ key }) => key === row.key)?.values ?? [] }))
}

/** Every metric that has a number anywhere, the game's choice first. */
export function allRows(replay: Replay, game: GameWords): ChartRow[] {
  const keys = new Set([...(game.charts ?? []), ...replay.briefs.metrics(replay.head - 5, replay.head)])
  return [...keys].map((key) => chartRow(replay, game, key)).filter((row) => row.values.some((v) => v !== null))
}

function chartRow(replay: Replay, game: GameWords, key: string): ChartRow {
  const about = game.metrics?.[key]
  const format = about?.format ?? ''
  return {
    key,
    label: about?.label ?? key.replaceAll('_', ' '),
    unit: about?.unit ?? '',
    values: replay.series(key),
    // Counts are bars, levels are lines.
    bars: /d$/.test(format),
    format: (value) => formatted(value, format),
  }
}
