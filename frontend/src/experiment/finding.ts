import { colon } from '../../kit/speaking'
import { clauses, formatted } from '../sentences'
import type { Lang } from '../types'
import type { Compared } from './result'
import type { Cell } from './server'
import { measureOf } from './table'
import { expectation, interval, meanFormat, pText, signed, type Say } from './telling'

/** The comparison that an experiment's title tells: the first of those that came out, by verdict and size of effect. */
export function chief(all: readonly Compared[]): Compared | null {
  const rank = ({ verdict }: Compared): number => ['shown', 'opposite', 'not_shown', 'not_delivered', 'untestable'].indexOf(verdict)
  const size = ({ effect }: Compared): number => Math.abs(effect?.estimate ?? 0)
  return [...all].sort((a, b) => rank(a) - rank(b) || size(b) - size(a))[0] ?? null
}

/** What came out, as a title: the claim where it was shown, else what became of it. */
export function titleOf(one: Compared, label: string, lang: Lang, say: Say): string {
  const claim = expectation(one.comparison, label, lang, say).replace(/[.。]$/, '')
  return one.verdict === 'shown' ? claim : say(`expFinding_${one.verdict}`, { claim })
}

/** "Raids: 0.350 with talk, 0.304 with silence; difference +0.047, −0.005 to +0.099; 20 pairs; p 0.96, Holm over 3; d_z 0.1". */
export function numbersOf(one: Compared, label: string, format: string, correction: string, lang: Lang, say: Say): string {
  const mean = meanFormat(format)
  const [of, against] = sidesOf(one)
  const named = of && against ? say('expFindingMeans', { of, a: formatted(one.mean_of, mean), against, b: formatted(one.mean_against, mean) }) : ''
  const { estimate, low, high } = one.difference
  const difference = estimate === null ? '' : say('expFindingDifference', { d: formatted(estimate, signed(format)), interval: interval(low, high, signed(format), say) })
  const size = one.n.length === 1 ? say('expPairs', { n: one.n[0] ?? 0 }) : say('expValues', { n: one.n.join(' + ') })
  const p = one.p_adjusted === null ? '' : `p ${pText(one.p_adjusted)}${one.family_size > 1 ? `, ${say(correction === 'bh' ? 'expCorrection_bh' : 'expCorrection_holm', { n: one.family_size })}` : ''}`
  const effect = one.effect?.estimate == null ? '' : say('expFindingEffect', { n: formatted(one.effect.estimate, '.2f') })
  return colon(label, clauses([named, difference, size, p, effect], lang), lang)
}

/** The two conditions of a contrast of one against another; undefined of any other. */
function sidesOf({ comparison }: Compared): [string | undefined, string | undefined] {
  const parts = Object.entries(comparison.weights)
  return [parts.find(([, weight]) => weight === 1)?.[0], parts.length === 2 ? parts.find(([, weight]) => weight === -1)?.[0] : undefined]
}

export interface Example {
  run: string
  condition: string
  value: number
  /** Nearest to its condition's mean, or farthest from it. */
  is: 'near' | 'far'
  mean: number
}

/** Matches that show a comparison: of each side the one nearest its mean, then the one farthest from its own. */
export function examples(one: Compared, cells: readonly Cell[]): Example[] {
  const { metric } = one.comparison
  const sides = sidesOf(one).filter((side) => side !== undefined)
  const rows = sides.flatMap((condition) => {
    const known = cells.flatMap((cell) => {
      const value = measureOf(cell, metric)
      return cell.condition === condition && cell.run && value !== null && !cell.unsound ? [{ run: cell.run, value }] : []
    })
    const mean = known.reduce((sum, { value }) => sum + value, 0) / known.length
    return known.map(({ run, value }) => ({ run, condition, value, mean, off: Math.abs(value - mean) }))
  })
  const near = sides.flatMap((side) => rows.filter(({ condition }) => condition === side).sort((a, b) => a.off - b.off).slice(0, 1))
  const far = rows.filter(({ run, off }) => off > 0 && !near.some((other) => other.run === run)).sort((a, b) => b.off - a.off).slice(0, 1)
  const told = (is: Example['is']) => ({ run, condition, value, mean }: (typeof rows)[number]): Example => ({ run, condition, value, mean, is })
  return [...near.map(told('near')), ...far.map(told('far'))]
}

/** Whether models play in it and all of them are mocks. */
export function isMocked(document: unknown): boolean {
  const models = [...JSON.stringify(document ?? {}).matchAll(/"model":\s*"([^"]+)"/g)].map((found) => found[1] ?? '')
  return models.length > 0 && models.every((model) => model.startsWith('mock/'))
}
