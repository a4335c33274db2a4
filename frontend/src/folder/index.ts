import type { GameWords } from '../gamewords'
import type { Lang, Localised } from '../types'

/** A measure over a condition's replicates: mean, half width of its interval, number of runs in which it is defined. */
export interface Spread {
  mean: number | null
  half: number | null
  n: number
}

export interface FolderCondition {
  name: string
  title: Localised
  /** Who sits in it, each once. */
  agents: string[]
  replicates: number[]
  metrics: Record<string, Spread>
}

export interface Ranked {
  entrant: number
  by_mean: number
  by_median: number
  mean: number | null
  median: number | null
  wins: number
  cooperation: number | null
}

/** A round robin: matrices by name, rows against columns in the order of `names`. */
export interface Robin {
  names: string[]
  /** The condition in which row met column. */
  cells: (string | null)[][]
  matrices: Record<string, (number | null)[][]>
  /** Best mean first. */
  ranking: Ranked[]
}

/** What a run folder holds, as its server tells it. */
export interface FolderIndex {
  name: string
  game: string
  title: Localised
  /** Of the intervals, such as 0.95. */
  confidence: number
  conditions: FolderCondition[]
  /** Formula and range of each measure. */
  about: Record<string, string>
  robin: Robin | null
  /** Tables that can be downloaded. */
  files: string[]
  words: { [lang in Lang]?: GameWords }
}

/** The run's name in addresses. */
export const runId = (condition: string, replicate: number): string => `${condition}-${replicate}`

/** Condition and replicate that an address names; the first of the folder where it names none. */
export function chosenIn(folder: FolderIndex, wanted: string | null): { condition: FolderCondition; replicate: number } | null {
  for (const condition of folder.conditions) {
    const replicate = condition.replicates.find((one) => runId(condition.name, one) === wanted)
    if (replicate !== undefined) return { condition, replicate }
  }
  const condition = folder.conditions.find((one) => one.replicates.length)
  const replicate = condition?.replicates[0]
  return condition && replicate !== undefined ? { condition, replicate } : null
}
