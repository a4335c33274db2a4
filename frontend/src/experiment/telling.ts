import { clauses, formatted } from '../sentences'
import { localised, type Facts, type Lang } from '../types'
import type { Key } from '../words'
import type { Compared, Comparison, Outcome } from './result'

/** What was compared and what came of it, in words: every sentence says what was tested. */

export type Say = (key: Key, facts?: Facts) => string

/** "a − b", or the weighted sum; of halves, whose. */
export function contrastOf({ kind, weights }: Comparison, say: Say): string {
  const parts = Object.entries(weights)
  if (kind === 'halves') return say('expHalvesOf', { name: parts[0]?.[0] ?? '' })
  const sorted = [...parts].sort(([, a], [, b]) => b - a)
  return sorted
    .map(([name, weight], i) => {
      const size = Math.abs(weight)
      const told = size === 1 ? name : `${formatted(size, '.3f').replace(/\.?0+$/, '')} × ${name}`
      return `${weight < 0 ? '− ' : i ? '+ ' : ''}${told}`
    })
    .join(' ')
}

/** What was expected, as it was written or in plain words. */
export function expectation(one: Comparison, metric: string, lang: Lang, say: Say): string {
  return localised(one.text, lang) || say(`expExpected_${one.direction}`, { metric, contrast: contrastOf(one, say) })
}

/** "Paired t test, one-sided, 20 pairs, t(19) = −2.31". */
export function testOf({ comparison, n, outcome }: Compared, lang: Lang, say: Say): string {
  const sides = say(`expSides_${comparison.direction}`)
  const size = n.length === 1 ? say('expPairs', { n: n[0] ?? 0 }) : say('expValues', { n: n.join(' + ') })
  return clauses([say(`expTest_${outcome.method}`), sides, size, statistic(outcome)], lang)
}

/** What is seen of the arrival of its treatments, a sentence each. */
export function arrivals({ arrived }: Compared, labelOf: (metric: string) => string, say: Say): string[] {
  return arrived.flatMap(({ over, under, metric, of, ...facts }) => {
    if (metric === '*') return [say('expAlike', { ...facts, of: of ?? '' })]
    const bounds: [Key, number | null][] = of === null ? [['expArrives_over', over], ['expArrives_under', under]] : [['expArrivesOf_over', over], ['expArrivesOf_under', under]]
    return bounds.filter(([, bound]) => bound !== null).map(([key, bound]) => say(key, { ...facts, of: of ?? '', metric: labelOf(metric), bound: bound ?? 0 }))
  })
}

const LETTERS: Record<Outcome['method'], string> = { paired_t: 't', welch: 't', wilcoxon: 'W', mann_whitney: 'U', log_rank: 'χ²', permutation_paired: 'D', permutation: 't', mcnemar: 'n', boschloo: 'p', mixed: 't', clustered: 't' }

function statistic({ method, statistic: value, df }: Outcome): string {
  if (value === null) return ''
  const freedom = df === null ? '' : `(${formatted(df, Number.isInteger(df) ? 'd' : '.1f')})`
  return `${LETTERS[method]}${freedom} = ${formatted(value, '.2f')}`
}

/** How many hypotheses are shown, and the one of the largest effect; "" where none was tested. */
export function answerOf(all: readonly Compared[], labelOf: (metric: string) => string, formatOf: (metric: string) => string, say: Say): string {
  if (!all.length) return ''
  const shown = all.filter(({ verdict }) => verdict === 'shown')
  const size = ({ effect }: Compared): number => Math.abs(effect?.estimate ?? 0)
  const most = [...shown].sort((a, b) => size(b) - size(a))[0]
  const counted = say('expShownOf', { n: shown.length, all: all.length })
  if (!most || most.comparison.kind === 'halves') return say('expSentence', { text: counted })
  const { metric } = most.comparison
  const format = meanFormat(formatOf(metric))
  return say('expMostOfAll', { counted, metric: labelOf(metric), from: formatted(most.mean_against, format), to: formatted(most.mean_of, format) })
}

/** p with three decimals; the smallest are "< 0.001". */
export function pText(p: number | null): string {
  return p === null ? '–' : p < 0.001 ? '< 0.001' : formatted(p, '.3f')
}

/** "0.12 to 0.34", with a sign where it is a difference. */
export function interval(low: number | null, high: number | null, format: string, say: Say): string {
  return low === null || high === null ? '' : say('expTo', { low: formatted(low, format), high: formatted(high, format) })
}

/** The form of a mean of a measure: counts get decimals. */
export const meanFormat = (format: string): string => format.replace(/^d$/, '.2f') || '.3f'
export const signed = (format: string): string => `+${meanFormat(format)}`

/** "1 h 22 min", "40 s". */
export function span(seconds: number, say: Say): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return say('expSeconds', { n: whole })
  const minutes = Math.round(whole / 60)
  return minutes < 60 ? say('expMinutes', { n: minutes }) : say('expHours', { h: Math.floor(minutes / 60), n: minutes % 60 })
}

/** How long a run takes: what is over at once is not nothing. */
export const lasts = (seconds: number, say: Say): string => (seconds < 1 ? say('expUnderSecond') : span(seconds, say))

/** Why an experiment stands still, where nobody asked for it. */
export function reasonOf(reason: Facts, say: Say): string {
  switch (reason.why) {
    case 'limit':
      return say('expReason_limit', { limit: say(`expLimit_${String(reason.limit)}` as Key), spent: formatted(reason.spent, '.2f'), most: formatted(reason.most, '.2f') })
    case 'fallbacks':
      return say('expReason_fallbacks', { share: formatted(reason.share, '.1%'), most: formatted(reason.most, '.1%'), n: Number(reason.decisions) })
    case 'rule':
      return say('expReason_rule', { seeds: Number(reason.seeds), planned: Number(reason.planned) })
    case 'held_runs':
      return say('expReason_held_runs', { n: Number(reason.runs) })
    case 'held':
      return say('expReason_held')
    case 'refused':
      return say('expReason_refused', { message: String(reason.message) })
    default:
      return ''
  }
}
