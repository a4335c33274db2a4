import { isMapping } from '../jsonschema'
import type { Refusal } from '../form/check'
import type { Field } from '../form/schema'
import type { Choice, Policy } from '../form/seats'
import type { Facts, Json, Localised } from '../types'
import { asideName } from './asking'
import type { Direction, Method, Test } from './result'

/**
 * A design as it is being written: texts, so that nothing is lost whatever is wrong with it. `writing.ts` makes the document
 * of it that the server keeps, `reading.ts` takes one up again. What the form has no fields for is kept as JSON.
 */

export type FactorKind = 'field' | 'profile' | 'seats' | 'raw'

export interface LevelDraft {
  id: number
  /** '' takes the factor's name and the value. */
  name: string
  text: string
  agent: Choice | undefined
}

export interface FactorDraft {
  id: number
  name: string
  kind: FactorKind
  /** The setting, or the part of the profile. */
  path: string
  /** Seats by name, parted by commas; '' for all. */
  seats: string
  levels: LevelDraft[]
  raw: string
}

/** What of every model's profile can differ. */
export const PROFILE_PARTS = ['language', 'memory', 'persona', 'persona_text', 'temperature', 'output', 'model', 'aside']

export type ContrastKind = 'contrast' | 'factor' | 'halves' | 'raw'

export interface HypothesisDraft {
  id: number
  name: string
  title: Localised
  kind: ContrastKind
  metric: string
  direction: Direction
  /** '' takes the one that fits the design. */
  test: Test | ''
  /** The smallest difference that matters; '' where none is said. */
  interest: string
  /** Of proportions, the value above which a run counts; '' where the measure is 0 or 1. */
  over: string
  unit: 'run' | 'seat'
  of: string
  against: string
  factor: string
  /** Those that are corrected together with it. */
  family: string
  /** Measures that ask the same, where it is also asked under every defensible choice; null: it is asked once. */
  universe: string[] | null
  /** When it was written down. */
  written: string | null
  raw: string
}

export const DIRECTIONS: readonly Direction[] = ['lower', 'higher', 'differs', 'equivalent']
export type Rule = 'fixed' | 'obrien_fleming' | 'pocock' | 'always_valid'
export const RULES: readonly Rule[] = ['fixed', 'obrien_fleming', 'pocock', 'always_valid']
export const TESTS: readonly Test[] = ['t', 'permutation', 'rank', 'proportion', 'mixed', 'clustered', 'log_rank']

/** Tests that are corrected together. */
export interface FamilyDraft {
  id: number
  name: string
  correction: 'holm' | 'bh'
  alpha: string
  /** Together with the tests of the other experiments on the same question. */
  across: boolean
}

/** One change that a named condition makes. */
export interface ChangeDraft {
  id: number
  kind: 'field' | 'profile' | 'seats'
  /** The setting, the part of the profile, or seats by name, parted by commas; '' for all seats. */
  path: string
  text: string
  agent: Choice | undefined
}

export interface ConditionDraft {
  id: number
  name: string
  title: Localised
  about: Localised
  changes: ChangeDraft[]
  /** JSON, where it says more than the form has fields for. */
  raw: string | null
}

export interface EntrantDraft {
  id: number
  name: string
  agent: Choice | undefined
}

export interface RobinDraft {
  entrants: EntrantDraft[]
  table: string
  rotate: boolean
  selfPlay: 'none' | 'shown' | 'scored'
}

/** Settings over their ranges, in the place of factors: which of them do measures depend on? */
export interface SweepDraft {
  method: Method
  samples: string
  ranges: { id: number; path: string; low: string; high: string }[]
  metrics: string[]
  /** Of the points; '' as it is usual. */
  seed: string
}

export interface Draft {
  factors: FactorDraft[]
  cells: 'full' | 'each'
  /** Combinations that are not played. */
  dropped: string[]
  pairing: 'common' | 'independent'
  robin: RobinDraft | null
  sweep: SweepDraft | null
  /** Conditions by name, beside the factors' combinations. */
  named: ConditionDraft[]
  hypotheses: HypothesisDraft[]
  families: FamilyDraft[]
  trends: string[]
  /** When it may be looked at; numbers of seeds parted by commas, '' for even ones. What else it says stands in `rest`. */
  stopping: { rule: Rule; looks: string }
  seeds: string
  /** Keys of the document that this form has no fields for. */
  rest: Facts
}

/** What a design is written about. */
export interface Grounds {
  fields: readonly Field[]
  policies: readonly Policy[]
  /** The base's settings, over which the server lays what a condition changes. */
  config?: Facts
}

export interface Written {
  document: Facts
  /** What cannot be sent as it stands, by its place. */
  faults: Record<string, Refusal>
}

let last = 0
export const fresh = (): number => ++last

export const newLevel = (text = ''): LevelDraft => ({ id: fresh(), name: '', text, agent: undefined })

export function newFactor(kind: FactorKind, taken: readonly string[]): FactorDraft {
  const name = free(kind === 'seats' ? 'agent' : kind === 'profile' ? 'language' : 'factor', taken)
  return { id: fresh(), name, kind, path: kind === 'profile' ? 'language' : '', seats: '', levels: [newLevel(kind === 'profile' ? 'en' : ''), newLevel(kind === 'profile' ? 'zh' : '')], raw: '{}' }
}

export function newHypothesis(taken: readonly string[], metric: string, now: string): HypothesisDraft {
  return { id: fresh(), name: free('H', taken), title: {}, kind: 'contrast', metric, direction: 'differs', test: '', interest: '', over: '', unit: 'run', of: '*', against: '', factor: '', family: MAIN, universe: null, written: now, raw: '' }
}

/** The family of a hypothesis that names none. */
export const MAIN = 'main'
export const newFamily = (taken: readonly string[]): FamilyDraft => ({ id: fresh(), name: taken.includes(MAIN) ? free('family', taken) : MAIN, correction: 'holm', alpha: '0.05', across: false })

export const newRange = (): SweepDraft['ranges'][number] => ({ id: fresh(), path: '', low: '', high: '' })
export const newSweep = (): SweepDraft => ({ method: 'morris', samples: '8', ranges: [newRange(), newRange()], metrics: [], seed: '' })
export const newChange = (kind: ChangeDraft['kind']): ChangeDraft => ({ id: fresh(), kind, path: kind === 'profile' ? 'language' : '', text: '', agent: undefined })
export const newCondition = (taken: readonly string[]): ConditionDraft => ({ id: fresh(), name: free(taken.length ? 'condition' : 'baseline', taken), title: {}, about: {}, changes: [], raw: null })

export const emptyDraft = (): Draft => ({ factors: [], cells: 'full', dropped: [], pairing: 'common', robin: null, sweep: null, named: [], hypotheses: [], families: [newFamily([])], trends: [], stopping: { rule: 'fixed', looks: '' }, seeds: '1..20', rest: {} })

/** A name that is not taken. */
export function free(stem: string, taken: readonly string[]): string {
  if (stem !== 'H' && !taken.includes(stem)) return stem
  for (let n = 1; ; n++) if (!taken.includes(`${stem}${n}`)) return `${stem}${n}`
}

/** What a level is called: as it was named, or by its factor and value. */
export function levelName(factor: FactorDraft, level: LevelDraft): string {
  if (level.name.trim()) return level.name.trim()
  const isAside = factor.kind === 'profile' && factor.path === 'aside'
  // A structure has no short name of its own.
  if (/^\s*[[{]/.test(level.text) && factor.kind === 'field') return `${factor.name}-${factor.levels.findIndex(({ id }) => id === level.id) + 1}`
  const value = factor.kind === 'seats' ? (level.agent?.model?.name ?? level.agent?.policy ?? '') : isAside ? asideName(level.text) : level.text
  return `${factor.name}-${value.toLowerCase().replace(/[^a-z0-9._-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '')}`.slice(0, 64)
}

/** Every combination of levels, the control first, with the names that the server gives them. */
export function combinations(factors: readonly FactorDraft[]): { name: string; levels: Record<string, string> }[] {
  let found: { parts: string[]; levels: Record<string, string> }[] = [{ parts: [], levels: {} }]
  for (const factor of factors) {
    if (found.length * factor.levels.length > 10_000) return []
    const names = factor.kind === 'raw' ? rawLevels(factor) : factor.levels.map((level) => levelName(factor, level))
    found = found.flatMap(({ parts, levels }) => names.map((name) => ({ parts: [...parts, name], levels: { ...levels, [factor.name]: name } })))
  }
  return factors.length ? found.map(({ parts, levels }) => ({ name: parts.join('_'), levels })) : []
}

function rawLevels(factor: FactorDraft): string[] {
  const given = parsed(factor.raw)
  const levels = isMapping(given) ? given.levels : undefined
  if (Array.isArray(levels)) return levels.map((value) => levelName({ ...factor, kind: 'field' }, newLevel(String(value))))
  return isMapping(levels) ? Object.keys(levels) : []
}

export function entrantName({ name, agent }: EntrantDraft): string {
  return name.trim() || (agent?.model?.name ?? agent?.policy ?? '').replace(/[^A-Za-z0-9._-]+/g, '-')
}


/** Seats as they are named in a line. */
export const seatNames = (text: string): string[] => text.split(/[,，、]+/).map((one) => one.trim()).filter(Boolean)

/** A text as JSON; undefined where it is none. */
export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** A value without a schema: JSON where it is any, else the words as they are. */
export function loose(text: string): Json {
  const value = parsed(text.trim())
  return value === undefined ? text.trim() : value
}

/** A name for the address made from a title; `spare` where the title has no such letters. */
export function slugOf(title: string, spare: string): string {
  const plain = title.toLowerCase().normalize('NFKD').replace(/\p{M}+/gu, '').replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 64)
  return plain || spare
}

/** How many seeds a text names, as far as that can be told here; null where it is none. */
export function seedCount(text: string): number | null {
  let count = 0
  for (const part of text.split(',')) {
    const found = /^\s*(\d{1,19})\s*(?:\.\.\s*(\d{1,19})\s*)?$/.exec(part)
    if (!found) return null
    count += found[2] === undefined ? 1 : Number(BigInt(found[2]) - BigInt(found[1] ?? 0)) + 1
  }
  return count > 0 ? count : null
}
