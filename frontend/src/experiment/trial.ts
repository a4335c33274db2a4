import { isMapping } from '../jsonschema'
import type { Facts, Localised } from '../types'
import type { ExperimentDetail, NewExperiment } from './server'

/** What is done with a design before it is registered: one seed of it is played, and a spread is assumed. Pure. */

const SLUG_MOST = 64
const END = '-try'

/** The smallest experiment like it: every condition, its first seed alone, within the same bounds. It tests nothing. */
export function trialOf(made: ExperimentDetail): NewExperiment {
  const { replicates: _, hypotheses: _tested, families: _corrected, ...document } = made.document as Facts
  const title = isMapping(document.title) ? (document.title as Localised) : {}
  const marked: Localised = { ...(title.en ? { en: `${title.en} (one seed)` } : {}), ...(title.zh ? { zh: `${title.zh}（一个种子）` } : {}) }
  return {
    slug: made.slug.slice(0, SLUG_MOST - END.length - 3) + END,
    document: { ...document, seeds: [firstSeed(made.document as Facts)], ...(Object.keys(marked).length ? { title: marked } : {}) },
    pace: made.pace,
    at_once: made.at_once,
    limits: made.limits as Facts,
    stop: made.stop as Facts,
    audience: Object.keys(made.audience).length ? (made.audience as Facts) : null,
    start: true,
  }
}

/** The first that a document names. */
function firstSeed({ seeds }: Facts): number | string {
  const [first] = Array.isArray(seeds) ? seeds : String(seeds ?? '').split(/[,.\s]+/)
  const text = String(first ?? '').trim()
  const number = Number(text)
  return /^\d+$/.test(text) ? (Number.isSafeInteger(number) ? number : text) : 1
}

/** Of the spreads that are written those that can be meant, for the measures that hypotheses name. */
export function assumedIn(spreads: Readonly<Record<string, string>>, metrics: readonly string[]): Record<string, number> {
  const wanted = Object.entries(spreads).map(([metric, text]) => [metric, Number(text)] as const)
  return Object.fromEntries(wanted.filter(([metric, value]) => metrics.includes(metric) && Number.isFinite(value) && value > 0))
}
