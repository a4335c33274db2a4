import type { Refusal } from '../form/check'
import { isMapping } from '../jsonschema'
import { settingsOf, valueAt } from '../form/inside'
import type { Field } from '../form/schema'
import { ALL, readSeats, type Choice, type Policy } from '../form/seats'
import { patched, read } from '../form/written'
import type { Facts, Json } from '../types'
import { combinations, entrantName, levelName, loose, MAIN, parsed, seatNames, type ChangeDraft, type ConditionDraft, type Draft, type FactorDraft, type FamilyDraft, type Grounds, type HypothesisDraft, type RobinDraft, type SweepDraft, type Written } from './draft'

/** From a draft to the document that the server keeps, with what of it cannot be sent by its place. */

/** The design's part of a document, and what of it cannot be read. */
export function written(draft: Draft, { fields, policies, config = {} }: Grounds): Written {
  const base: Base = (path) => valueAt(config, path)
  const settings = settingsOf(fields, base)
  const faults: Record<string, Refusal> = {}
  const document: Facts = { ...draft.rest, seeds: draft.seeds.trim() || null }
  if (draft.sweep) return { document: { ...document, sensitivity: sweepOf(draft.sweep, settings, faults) }, faults }
  if (draft.robin) document.round_robin = robinOf(draft.robin, policies, faults)
  else if (draft.factors.length) {
    const factors: Facts = {}
    for (const factor of draft.factors) {
      const at = `factors.${factor.name}`
      if (!factor.name.trim()) faults[`factors.#${factor.id}`] = { key: 'faultEmpty', facts: {} }
      else if (factor.name in factors) faults[at] = { key: 'expTwice', facts: { name: factor.name } }
      else factors[factor.name] = factorOf(factor, settings, policies, base, at, faults)
    }
    document.factors = factors
    const kept = combinations(draft.factors).filter(({ name }) => !draft.dropped.includes(name))
    document.cells = draft.cells === 'each' ? 'each' : draft.dropped.length ? Object.fromEntries(kept.map(({ name, levels }) => [name, levels])) : 'full'
  }
  if (!draft.robin && draft.named.length) document.conditions = conditionsOf(draft.named, settings, policies, base, faults)
  if (document.factors !== undefined || document.conditions !== undefined) document.pairing = draft.pairing
  const hypotheses: Facts = {}
  for (const one of draft.hypotheses) {
    const at = `hypotheses.${one.name}`
    if (one.name in hypotheses) faults[at] = { key: 'expTwice', facts: { name: one.name } }
    else hypotheses[one.name] = hypothesisOf(one, at, faults)
  }
  if (draft.hypotheses.length) document.hypotheses = hypotheses
  const families = familiesOf(draft.families, faults)
  if (draft.hypotheses.length && Object.keys(families).length) document.families = families
  if (draft.stopping.rule === 'fixed') delete document.stopping
  else document.stopping = stoppingOf(draft, faults)
  const report: Facts = isMapping(draft.rest.report) ? { ...draft.rest.report } : {}
  if (draft.trends.length) report.trends = draft.trends
  else delete report.trends
  const universes = draft.hypotheses.flatMap(({ name, universe }) => (universe ? [[name, universe]] : []))
  if (universes.length) report.multiverse = Object.fromEntries(universes) as Facts
  else delete report.multiverse
  if (Object.keys(report).length) document.report = report
  else delete document.report
  return { document, faults }
}

function stoppingOf({ stopping, rest }: Draft, faults: Record<string, Refusal>): Facts {
  const { looks: _, ...said }: Facts = isMapping(rest.stopping) ? rest.stopping : {}
  const texts = stopping.looks.split(/[\s,，、]+/).filter(Boolean)
  const bad = texts.find((text) => !/^\d+$/.test(text))
  if (bad !== undefined) faults['stopping.looks'] = { key: 'faultWhole', facts: { text: bad } }
  return { ...said, rule: stopping.rule, ...(texts.length && bad === undefined ? { looks: texts.map(Number) } : {}) }
}

function sweepOf({ method, samples, ranges, metrics, seed }: SweepDraft, settings: readonly Field[], faults: Record<string, Refusal>): Facts {
  const said: Facts = {}
  for (const { id, path, low, high } of ranges) {
    const place = `sensitivity.settings.#${id}`
    const field = settings.find((one) => one.path === path)
    const ends = [low, high].map((text) => (field && text.trim() ? read(field, text) : { fault: { key: 'faultEmpty', facts: {} } as Refusal }))
    const bad = ends.find((end) => 'fault' in end)
    if (bad && 'fault' in bad) faults[place] = bad.fault
    else put(said, path, ends.flatMap((end) => ('value' in end ? [end.value] : [])), place, faults)
  }
  if (!/^\d+$/.test(samples.trim())) faults['sensitivity.samples'] = { key: 'faultWhole', facts: { text: samples } }
  return { method, settings: said, samples: Number(samples), ...(metrics.length ? { metrics } : {}), ...(seed ? { seed: Number(seed) } : {}) }
}

/** What stands at a path of the base's settings. */
type Base = (path: string) => Json

function factorOf(factor: FactorDraft, settings: readonly Field[], policies: readonly Policy[], base: Base, at: string, faults: Record<string, Refusal>): Json {
  if (factor.kind === 'raw') return rawOf(factor.raw, at, faults)
  const levels: Facts = {}
  const field = factor.kind === 'field' ? settings.find(({ path }) => path === factor.path) : undefined
  if (factor.kind !== 'seats' && !factor.path) faults[`${at}.${factor.kind}`] = { key: 'faultEmpty', facts: {} }
  for (const level of factor.levels) {
    const place = `${at}.levels.#${level.id}`
    const name = levelName(factor, level)
    if (factor.kind === 'seats') {
      const agent = level.agent && agentOf(level.agent, policies, place, faults)
      if (agent === undefined) faults[place] = { key: 'faultEmpty', facts: {} }
      else put(levels, name, agent, place, faults)
      continue
    }
    if (!level.text.trim() && !field?.isNullable) {
      faults[place] = { key: 'faultEmpty', facts: {} }
      continue
    }
    const reading = field ? read(field, level.text) : { value: loose(level.text) }
    if ('fault' in reading) faults[place] = reading.fault
    else put(levels, name, field ? patched(field, reading.value, base(field.path)) : reading.value, place, faults)
  }
  if (factor.kind === 'seats') {
    const seats = seatNames(factor.seats)
    return { seats: seats.length ? seats : [ALL], levels }
  }
  return { [factor.kind]: factor.path, levels }
}

function put(levels: Facts, name: string, value: Json, place: string, faults: Record<string, Refusal>): void {
  if (name in levels) faults[place] = { key: 'expTwice', facts: { name } }
  else levels[name] = value
}

/** An agent as a document says it; undefined where nobody is chosen. */
function agentOf(choice: Choice, policies: readonly Policy[], place: string, faults: Record<string, Refusal>): Json | undefined {
  const { seats, faults: bad } = readSeats({ [ALL]: choice }, [], policies)
  for (const [path, fault] of Object.entries(bad)) faults[path.replace(`seats.${ALL}`, place)] = fault
  return seats[ALL]
}

function robinOf(robin: RobinDraft, policies: readonly Policy[], faults: Record<string, Refusal>): Facts {
  const entrants: Facts = {}
  for (const one of robin.entrants) {
    const place = `round_robin.entrants.#${one.id}`
    const agent = one.agent && agentOf(one.agent, policies, place, faults)
    if (agent === undefined) faults[place] = { key: 'faultEmpty', facts: {} }
    else put(entrants, entrantName(one), agent, place, faults)
  }
  return { entrants, table: loose(robin.table), rotate: robin.rotate, self_play: robin.selfPlay }
}

/** Families by name; Holm at 5% is what stands where nothing is said. */
function familiesOf(families: readonly FamilyDraft[], faults: Record<string, Refusal>): Facts {
  const said: Facts = {}
  const seen = new Set<string>()
  for (const { id, name, correction, alpha, across } of families) {
    const place = `families.#${id}`
    if (!name.trim()) faults[place] = { key: 'faultEmpty', facts: {} }
    else if (seen.has(name)) faults[place] = { key: 'expTwice', facts: { name } }
    seen.add(name)
    if (name === MAIN && correction === 'holm' && Number(alpha) === 0.05 && !across) continue
    said[name] = { correction, alpha: Number(alpha), ...(across ? { across } : {}) }
  }
  return said
}

function conditionsOf(named: readonly ConditionDraft[], settings: readonly Field[], policies: readonly Policy[], base: Base, faults: Record<string, Refusal>): Facts {
  const conditions: Facts = {}
  for (const one of named) {
    const at = `conditions.${one.name}`
    if (!one.name.trim()) faults[`conditions.#${one.id}`] = { key: 'faultEmpty', facts: {} }
    else if (one.name in conditions) faults[`conditions.#${one.id}`] = { key: 'expTwice', facts: { name: one.name } }
    else conditions[one.name] = one.raw === null ? conditionOf(one, settings, policies, base, at, faults) : rawOf(one.raw, at, faults)
  }
  return conditions
}

function conditionOf({ title, about, changes }: ConditionDraft, settings: readonly Field[], policies: readonly Policy[], base: Base, at: string, faults: Record<string, Refusal>): Facts {
  const config: Facts = {}
  const profile: Facts = {}
  const seats: Facts = {}
  for (const change of changes) {
    const place = `${at}.#${change.id}`
    if (change.kind === 'seats') {
      const agent = change.agent && agentOf(change.agent, policies, place, faults)
      if (agent === undefined) faults[place] = { key: 'faultEmpty', facts: {} }
      else for (const seat of change.path.trim() ? seatNames(change.path) : [ALL]) put(seats, seat, agent, place, faults)
      continue
    }
    const field = change.kind === 'field' ? settings.find(({ path }) => path === change.path) : undefined
    const isEmpty = !change.path || (!change.text.trim() && !field?.isNullable)
    const reading = isEmpty ? { fault: { key: 'faultEmpty', facts: {} } as Refusal } : valueOf(change, field)
    if ('fault' in reading) faults[place] = reading.fault
    else nest(change.kind === 'field' ? config : profile, change.path, field ? patched(field, reading.value, base(field.path)) : reading.value, place, faults)
  }
  const said: Facts = {}
  for (const [key, texts] of [['title', title], ['about', about]] as const) if (texts.en || texts.zh) said[key] = { ...texts }
  for (const [key, part] of [['config', config], ['seats', seats], ['profile', profile]] as const) if (Object.keys(part).length) said[key] = part
  return said
}

const valueOf = ({ text }: ChangeDraft, field: Field | undefined): ReturnType<typeof read> | { value: Json } => (field ? read(field, text) : { value: loose(text) })

/** `a.b` as `{a: {b: value}}`, beside what stands in `a` already. */
function nest(whole: Facts, path: string, value: Json, place: string, faults: Record<string, Refusal>): void {
  const [first = '', ...rest] = path.split('.')
  if (!rest.length) return put(whole, first, value, place, faults)
  const inner = whole[first]
  // Beside the whole of a structure, which is sent as it stands, one of its parts would be lost.
  if (inner !== undefined && !isMapping(inner)) {
    faults[place] = { key: 'expTwice', facts: { name: first } }
    return
  }
  const below: Facts = isMapping(inner) ? inner : {}
  whole[first] = below
  nest(below, rest.join('.'), value, place, faults)
}

function hypothesisOf(one: HypothesisDraft, at: string, faults: Record<string, Refusal>): Json {
  if (one.kind === 'raw') return rawOf(one.raw, at, faults)
  const said: Facts = { metric: one.metric, direction: one.direction, of: one.of }
  if (one.test) said.test = one.test
  if (one.unit === 'seat') said.unit = one.unit
  for (const part of ['interest', 'over'] as const) {
    const text = one[part].trim()
    if (text === '' || (part === 'over' && one.test !== 'proportion')) continue
    if (Number.isFinite(Number(text))) said[part] = Number(text)
    else faults[`${at}.${part}`] = { key: 'faultNumber', facts: { text } }
  }
  if (!one.metric) faults[`${at}.metric`] = { key: 'faultEmpty', facts: {} }
  if (one.title.en || one.title.zh) said.title = { ...one.title }
  if (one.family !== MAIN) said.family = one.family
  if (one.written) said.written = one.written
  if (one.kind === 'halves') said.halves = true
  else if (one.against) said.against = one.against
  if (one.kind === 'factor') said.factor = one.factor
  return said
}

function rawOf(text: string, at: string, faults: Record<string, Refusal>): Json {
  const value = parsed(text)
  if (value === undefined) faults[at] = { key: 'faultJson', facts: { text: text.slice(0, 40) } }
  else if (!isMapping(value)) faults[at] = { key: 'faultObject', facts: {} }
  return value ?? {}
}
