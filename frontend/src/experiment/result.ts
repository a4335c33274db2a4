import type { Localised } from '../types'

/** What the runs of an experiment say, as the server's `result` gives it; see `games/lab/analysis/result.py`. */

export type Direction = 'lower' | 'higher' | 'differs' | 'equivalent'
export type Test = 't' | 'permutation' | 'rank' | 'proportion' | 'mixed' | 'clustered' | 'log_rank'

/** Ways to choose points over the ranges of settings. */
export const METHODS = ['one_at_a_time', 'latin_hypercube', 'morris', 'sobol'] as const
export type Method = (typeof METHODS)[number]

/** A sample in numbers; what is undefined is null. */
export interface Description {
  n: number
  undefined: number
  mean: number | null
  sd: number | null
  low: number | null
  high: number | null
}

export interface Comparison {
  hypothesis: string
  kind: 'contrast' | 'halves'
  metric: string
  /** By condition; of halves, the one condition with weight 1. */
  weights: Record<string, number>
  direction: Direction
  test: Test
  family: string
  written: string | null
  text: Localised
  /** The smallest difference that matters, in the measure's unit. */
  interest: number | null
  /** Of proportions, the value above which a run counts. */
  over: number | null
  unit: 'run' | 'seat'
}

export interface Outcome {
  method: 'paired_t' | 'wilcoxon' | 'welch' | 'mann_whitney' | 'log_rank' | 'permutation_paired' | 'permutation' | 'mcnemar' | 'boschloo' | 'mixed' | 'clustered'
  statistic: number | null
  df: number | null
  p: number | null
  exact: boolean | null
  reason: 'too_few' | 'identical' | 'no_spread' | 'no_event' | 'two_groups' | 'not_binary' | 'no_fit' | null
  /** Arrangements that p rests on, where not all were gone through. */
  draws: number | null
}

export interface Effect {
  kind: 'paired_d' | 'hedges_g' | 'rank_biserial' | 'rank_biserial_paired'
  estimate: number | null
  low: number | null
  high: number | null
}

export interface Compared {
  comparison: Comparison
  n: number[]
  undefined: number
  absent: number
  mean_of: number | null
  mean_against: number | null
  difference: { estimate: number | null; low: number | null; high: number | null }
  outcome: Outcome
  check: Outcome | null
  effect: Effect | null
  ranks: Effect | null
  smallest: number | null
  spread: number | null
  p_adjusted: number | null
  family_size: number
  verdict: 'shown' | 'not_shown' | 'opposite' | 'untestable' | 'not_delivered'
  /** What is seen of the arrival of its treatments; of the measure "*" both conditions were played alike. */
  arrived: { condition: string; metric: string; over: number | null; under: number | null; of: string | null; arrived: number; runs: number }[]
  matters: 'yes' | 'no' | 'unsure' | null
}

export interface Band {
  rounds: number[]
  values: Description[]
  slope: Description
}

export interface CurvePoint {
  time: number
  at_risk: number
  ended: number
  share: number
  low: number | null
  high: number | null
}

export interface Curve {
  n: number
  ended: number
  censored: number
  median: number | null
  median_low: number | null
  median_high: number | null
  points: CurvePoint[]
}

export interface Place {
  entrant: number
  name: string
  rank: number
  score: Description
  rank_low: number
  rank_high: number
  wins: number
  draws: number
  losses: number
  mu: number
  sigma: number
}

export interface Standings {
  names: string[]
  matrix: (Description | null)[][]
  /** The conditions in which they met. */
  cells: string[][][]
  places: Place[]
}

export interface Family {
  correction: 'holm' | 'bh'
  alpha: number
}

export interface Plan {
  conditions: string[]
  control: string | null
  is_paired: boolean
  comparisons: Comparison[]
  families: Record<string, Family>
  metrics: string[]
  trends: string[]
  times: Record<string, string>
  leave_out: Record<string, number>
  sensitivity?: { method: Method; ranges: Record<string, [number, number]>; points: Record<string, Record<string, number>> }
}

export type IndexKind = 'range' | 'rank_correlation' | 'mu_star' | 'sigma' | 'first' | 'total'
/** The index by which settings are ordered and drawn. */
export const MAIN_INDEX: Record<Method, IndexKind> = { one_at_a_time: 'range', latin_hypercube: 'rank_correlation', morris: 'mu_star', sobol: 'total' }

/** What a measure depends on; no indices where it is undefined at so many points. */
export interface Swept {
  metric: string
  undefined: number
  indices: { setting: string; kind: IndexKind; value: number; low: number | null; high: number | null }[]
}

/** One defensible analysis of a question, and what came of it. */
export interface Choice {
  metric: string
  test: Test
  /** Share of decisions not their seats' own, beyond which a run is left out. */
  leave_out: number
  found: Compared
}

/** Mappings go by condition, then by measure. */
export interface Result {
  plan: Plan
  runs: number
  left_out: { reason: 'not_own' | 'fallbacks' | 'cleaned' | 'substitutes'; beyond: number; runs: [string, number][] }[]
  not_own: Record<string, { runs: number; decisions: number; not_own: number; share: number | null; unsound: number }>
  summaries: Record<string, Record<string, Description>>
  bootstraps: Record<string, Record<string, [number, number] | null>>
  comparisons: Compared[]
  bands: Record<string, Record<string, Band>>
  curves: Record<string, Record<string, Curve>>
  standings: Standings | null
  /** Numbers that the game's source prints; left out where it prints none. */
  references?: { reference: { place: string; metric: string; condition: string; theirs: number } }[]
  /** Left out where nothing is asked. */
  sensitivity?: Swept[]
  multiverse?: Record<string, Choice[]>
}
