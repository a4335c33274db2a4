import { isMapping } from '../jsonschema'
import { settingsOf, valueAt } from '../form/inside'
import type { Field } from '../form/schema'
import { ALL, choose, type Choice, type Policy } from '../form/seats'
import { laid, shown } from '../form/written'
import type { Facts, Json, Localised } from '../types'
import { METHODS } from './result'
import { DIRECTIONS, emptyDraft, fresh, levelName, MAIN, newChange, newFamily, newHypothesis, newLevel, RULES, TESTS, type ChangeDraft, type ConditionDraft, type ContrastKind, type Draft, type FactorDraft, type FactorKind, type FamilyDraft, type Grounds, type HypothesisDraft, type LevelDraft, type RobinDraft, type SweepDraft, combinations } from './draft'

/** From a document back to a draft; what the form has no fields for comes back as JSON. */

/** Keys of a document that the form has fields for, and those of its parts. */
const OWN = new Set(['base', 'game', 'title', 'config', 'seats', 'factors', 'cells', 'pairing', 'round_robin', 'sensitivity', 'conditions', 'hypotheses', 'families', 'seeds', 'replicates'])
const CONTRAST = new Set(['title', 'metric', 'direction', 'test', 'interest', 'over', 'unit', 'of', 'against', 'factor', 'halves', 'family', 'written'])
const CONDITION = new Set(['title', 'about', 'config', 'seats', 'profile'])

/** A document as a draft; seeds that are listed come back as `1..20` where they are that. */
export function draftOf(document: Facts, { fields, policies, config = {} }: Grounds): Draft {
  const told: Told = (field, value) => shown(field, laid(field, valueAt(config, field.path), value))
  const settings = settingsOf(fields, (path) => valueAt(config, path))
  const report = isMapping(document.report) ? document.report : {}
  const draft: Draft = {
    ...emptyDraft(),
    rest: Object.fromEntries(Object.entries(document).filter(([key]) => !OWN.has(key))),
    cells: document.cells === 'each' ? 'each' : 'full',
    pairing: document.pairing === 'independent' ? 'independent' : 'common',
    seeds: seedsText(document),
    trends: Array.isArray(report.trends) ? report.trends.map(String) : [],
    stopping: stoppingBack(document.stopping),
  }
  for (const [name, given] of entries(document.factors)) draft.factors.push(factorBack(name, given, settings, policies, told))
  for (const [name, given] of entries(document.hypotheses)) draft.hypotheses.push(hypothesisBack(name, given))
  for (const [name, given] of entries(document.conditions)) draft.named.push(conditionBack(name, given, settings, policies, told))
  const families = entries(document.families).map(([name, given]) => familyBack(name, given))
  draft.families = families.some(({ name }) => name === MAIN) ? families : [newFamily([]), ...families]
  if (isMapping(document.sensitivity)) draft.sweep = sweepBack(document.sensitivity, settings)
  for (const [name, metrics] of entries(report.multiverse)) for (const one of draft.hypotheses) if (one.name === name) one.universe = Array.isArray(metrics) ? metrics.map(String) : []
  if (isMapping(document.round_robin)) draft.robin = robinBack(document.round_robin, policies)
  if (isMapping(document.cells)) {
    const kept = Object.keys(document.cells)
    const all = combinations(draft.factors).map(({ name }) => name)
    if (kept.every((name) => all.includes(name))) draft.dropped = all.filter((name) => !kept.includes(name))
  }
  return draft
}

function sweepBack(given: Facts, settings: readonly Field[]): SweepDraft {
  const text = (path: string, value: Json | undefined): string => {
    const field = settings.find((one) => one.path === path)
    return value === undefined ? '' : field ? shown(field, value) : String(value)
  }
  return {
    method: METHODS.find((one) => one === given.method) ?? 'morris',
    samples: String(given.samples ?? 8),
    ranges: entries(given.settings).map(([path, ends]) => ({ id: fresh(), path, low: text(path, Array.isArray(ends) ? ends[0] : undefined), high: text(path, Array.isArray(ends) ? ends[1] : undefined) })),
    metrics: Array.isArray(given.metrics) ? given.metrics.map(String) : typeof given.metrics === 'string' ? [given.metrics] : [],
    seed: String(given.seed ?? ''),
  }
}

function stoppingBack(given: Json | undefined): Draft['stopping'] {
  if (!isMapping(given)) return { rule: 'fixed', looks: '' }
  return { rule: RULES.find((one) => one === given.rule) ?? 'fixed', looks: Array.isArray(given.looks) ? given.looks.map(String).join(', ') : '' }
}

const entries = (value: Json | undefined): [string, Json][] => (isMapping(value) ? Object.entries(value) : [])

/** Seeds as they are written in the field. */
export function seedsText({ seeds, replicates }: Facts): string {
  if (typeof replicates === 'number') return `1..${replicates}`
  if (Array.isArray(seeds)) {
    const isRun = seeds.length > 2 && seeds.every((seed, i) => typeof seed === 'number' && seed === Number(seeds[0]) + i)
    return isRun ? `${String(seeds[0])}..${String(seeds.at(-1))}` : seeds.map(String).join(',')
  }
  return seeds === undefined || seeds === null ? '' : String(seeds)
}

/** What the condition makes of a setting, as it is written. */
type Told = (field: Field, value: Json) => string

function factorBack(name: string, given: Json, settings: readonly Field[], policies: readonly Policy[], told: Told): FactorDraft {
  const draft: FactorDraft = { id: fresh(), name, kind: 'raw', path: '', seats: '', levels: [], raw: JSON.stringify(given, null, 1) }
  if (!isMapping(given) || given.title !== undefined) return draft
  const levels: [string, Json][] = Array.isArray(given.levels) ? given.levels.map((value) => ['', value]) : entries(given.levels)
  const back = (kind: FactorKind, path: string, one: (name: string, value: Json) => LevelDraft): FactorDraft => {
    const found: FactorDraft = { ...draft, kind, path, levels: levels.map(([level, value]) => one(level, value)) }
    for (const level of found.levels) if (levelName(found, { ...level, name: '' }) === level.name) level.name = ''
    return found
  }
  if (typeof given.field === 'string') {
    const field = settings.find(({ path }) => path === given.field)
    return field ? back('field', given.field, (level, value) => ({ ...newLevel(told(field, value)), name: level })) : draft
  }
  if (typeof given.profile === 'string') {
    return back('profile', given.profile, (level, value) => ({ ...newLevel(typeof value === 'string' ? value : JSON.stringify(value)), name: level }))
  }
  const seats = Array.isArray(given.seats) ? given.seats.map(String) : given.seats === undefined || given.seats === null ? null : [String(given.seats)]
  if (!seats) return draft
  const found = back('seats', '', (level, value) => ({ ...newLevel(), name: level, agent: agentBack(value, policies) }))
  return { ...found, seats: seats.join() === ALL ? '' : seats.join(', ') }
}

function agentBack(given: Json, policies: readonly Policy[]): Choice | undefined {
  if (!isMapping(given)) return undefined
  if (typeof given.policy === 'string' && policies.some(({ name }) => name === given.policy)) return choose(policies, given.policy, isMapping(given.params) ? given.params : {})
  const isPlain = Object.keys(given).join() === 'model'
  return { policy: '', texts: {}, model: { name: String(given.label ?? given.model ?? given.ref ?? ''), seat: isPlain ? null : given } }
}

export function robinBack(given: Facts, policies: readonly Policy[]): RobinDraft {
  const selfPlay = given.self_play === 'shown' || given.self_play === 'scored' ? given.self_play : 'none'
  return {
    entrants: entries(given.entrants).map(([name, value]) => ({ id: fresh(), name, agent: agentBack(value, policies) })),
    table: String(given.table ?? 2),
    rotate: given.rotate !== false,
    selfPlay,
  }
}

function hypothesisBack(name: string, given: Json): HypothesisDraft {
  const draft = { ...newHypothesis([], '', ''), name, written: null, kind: 'raw' as ContrastKind, raw: JSON.stringify(given, null, 1) }
  if (!isMapping(given) || Object.keys(given).some((key) => !CONTRAST.has(key))) return draft
  const of = Array.isArray(given.of) ? given.of.map(String) : [String(given.of ?? '*')]
  if (of.length !== 1) return draft
  return {
    ...draft,
    kind: given.halves === true ? 'halves' : given.factor ? 'factor' : 'contrast',
    title: textsBack(given.title),
    metric: String(given.metric ?? ''),
    direction: DIRECTIONS.find((one) => one === given.direction) ?? 'differs',
    test: TESTS.find((one) => one === given.test) ?? '',
    interest: textOf(given.interest),
    over: textOf(given.over),
    unit: given.unit === 'seat' ? 'seat' : 'run',
    of: of[0] ?? '*',
    against: String(given.against ?? ''),
    factor: String(given.factor ?? ''),
    family: String(given.family ?? MAIN),
    written: typeof given.written === 'string' ? given.written : null,
  }
}

const textOf = (value: Json | undefined): string => (value === undefined || value === null ? '' : String(value))

const textsBack = (given: Json | undefined): Localised => (typeof given === 'string' ? { en: given } : isMapping(given) ? (given as Localised) : {})

function familyBack(name: string, given: Json): FamilyDraft {
  const said = isMapping(given) ? given : {}
  return { id: fresh(), name, correction: said.correction === 'bh' ? 'bh' : 'holm', alpha: String(said.alpha ?? 0.05), across: said.across === true }
}

function conditionBack(name: string, given: Json, settings: readonly Field[], policies: readonly Policy[], told: Told): ConditionDraft {
  const draft: ConditionDraft = { id: fresh(), name, title: {}, about: {}, changes: [], raw: null }
  if (given === null) return draft
  const changes = isMapping(given) && Object.keys(given).every((key) => CONDITION.has(key)) ? changesBack(given, settings, policies, told) : null
  if (!isMapping(given) || changes === null) return { ...draft, raw: JSON.stringify(given, null, 1) }
  return { ...draft, title: textsBack(given.title), about: textsBack(given.about), changes }
}

/** What a condition changes, each by itself; null where one of its settings is none that the form knows. */
function changesBack(given: Facts, settings: readonly Field[], policies: readonly Policy[], told: Told): ChangeDraft[] | null {
  const groups = new Set(settings.flatMap(({ path }) => path.split('.').slice(0, -1).map((_, i, parts) => parts.slice(0, i + 1).join('.'))))
  const changes: ChangeDraft[] = []
  const walk = (part: Facts, prefix: string): boolean =>
    Object.entries(part).every(([key, value]) => {
      const path = prefix + key
      const before = changes.length
      // Single settings inside a structure where it changes no more than these, else the structure as a whole.
      if (groups.has(path) && isMapping(value) && Object.keys(value).length && walk(value, `${path}.`)) return true
      changes.length = before
      const field = settings.find((one) => one.path === path)
      return !!field && (value !== null || field.isNullable) && changes.push({ ...newChange('field'), path, text: told(field, value) }) > 0
    })
  if (given.config !== undefined && !(isMapping(given.config) && walk(given.config, ''))) return null
  for (const [path, value] of entries(given.profile)) changes.push({ ...newChange('profile'), path, text: typeof value === 'string' ? value : JSON.stringify(value) })
  for (const [seat, agent] of entries(given.seats)) changes.push({ ...newChange('seats'), path: seat === ALL ? '' : seat, agent: agentBack(agent, policies) })
  return changes
}
