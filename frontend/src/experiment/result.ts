import type { Said } from '../types'

/** What the runs of an experiment say, as the server's `result` gives it; see `games/lab/analysis/result.py`. */

export type Result = Said<'Result'>
export type Plan = Said<'ResultPlan'>
/** A sample in numbers; what is undefined is null. */
export type Description = Said<'ResultDescription'>
export type Comparison = Said<'ResultComparison'>
export type Compared = Said<'ResultCompared'>
export type Outcome = Said<'ResultOutcome'>
export type Curve = Said<'ResultCurve'>
export type Standings = Said<'ResultStandings'>
export type Direction = Comparison['direction']
export type Test = Comparison['test']

/** Ways to choose points over the ranges of settings. */
export const METHODS = ['one_at_a_time', 'latin_hypercube', 'morris', 'sobol'] as const
export type Method = (typeof METHODS)[number]

/** The index by which settings are ordered and drawn. */
export const MAIN_INDEX: Record<Method, Said<'ResultIndex'>['kind']> = { one_at_a_time: 'range', latin_hypercube: 'rank_correlation', morris: 'mu_star', sobol: 'total' }
