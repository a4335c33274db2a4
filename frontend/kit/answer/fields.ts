import type { GameWords } from '../../src/gamewords'
import { choicesOf, isMapping, resolved, type Schema } from '../../src/jsonschema'
import { number } from '../../src/sentences'
import type { Facts, Json, SeatMeta } from '../../src/types'
import { seatName } from '../board'
import type { Say } from '../speaking'
import type { answerWords } from './words'

/** The parts of an answer that have a control of their own, as its schema describes them. Pure. */

export type AnswerKind = 'amount' | 'pick' | 'seat' | 'points' | 'cell' | 'text'
type Saying = Say<keyof typeof answerWords>

/** More choices than these are written as in any form. */
const CHOICES = 12

/** Which control writes a value of this schema; null: whatever any form has for it. */
export function answerKind(given: Schema, root: Schema = given): AnswerKind | null {
  const schema = resolved(given, root)
  if (schema['x-points']) return 'points'
  if (schema['x-cell']) return 'cell'
  if (schema['x-seat']) return 'seat'
  const choices = choicesOf(schema)
  if (choices.length) return choices.length > 1 && choices.length <= CHOICES && choices.every((each) => typeof each !== 'object') ? 'pick' : null
  if ((schema.type === 'integer' || schema.type === 'number') && schema.minimum !== undefined && schema.maximum !== undefined) return 'amount'
  return schema.type === 'string' && (schema['x-text'] || schema.maxLength !== undefined) ? 'text' : null
}

/** The parts of an answer by name; null where it is no plain record, and is written as any other value. */
export function answerParts(schema: Schema): [string, Schema][] | null {
  const root = resolved(schema, schema)
  const parts = Object.entries(root.properties ?? {}).map(([key, each]): [string, Schema] => [key, resolved(each, schema)])
  return parts.length && parts.every(([, each]) => !each.anyOf && !each.oneOf) && parts.some(([, each]) => answerKind(each, schema) !== null) ? parts : null
}

/** What nobody has written yet: nothing is chosen for whoever answers, unless the schema says what is usual. */
export function unanswered(parts: readonly [string, Schema][], blank: (schema: Schema) => Json): Facts {
  return Object.fromEntries(
    parts.map(([key, each]) => {
      const kind = answerKind(each)
      if (each.default !== undefined || kind === null) return [key, blank(each)]
      return [key, kind === 'points' ? [] : kind === 'text' ? '' : null]
    }),
  )
}

/** How far one press goes, and the finest that can be written. */
export function stepsOf({ type, multipleOf, minimum = 0, maximum = 1 }: Schema): { press: number; fine: number } {
  if (type === 'integer') return { press: multipleOf ?? 1, fine: multipleOf ?? 1 }
  const range = maximum - minimum
  const fine = multipleOf ?? 0.01
  return { press: Math.max(fine, range >= 20 ? 1 : range >= 2 ? 0.1 : 0.01), fine }
}

/** The nearest that may be written. */
export function fitted(schema: Schema, value: number): number {
  const { minimum = -Infinity, maximum = Infinity } = schema
  const { fine } = stepsOf(schema)
  const base = Number.isFinite(minimum) ? minimum : 0
  return Math.min(maximum, Math.max(minimum, Math.round((base + Math.round((value - base) / fine) * fine) * 1e6) / 1e6))
}

/** Units by seat; seats not named get none. */
export function unitsOf(value: Json | undefined): Map<number, number> {
  const units = new Map<number, number>()
  for (const each of Array.isArray(value) ? value : []) if (isMapping(each) && typeof each.to === 'number' && typeof each.units === 'number') units.set(each.to, (units.get(each.to) ?? 0) + each.units)
  return units
}

/** The units with those of one seat changed, in the order of the seats; none where it gets none. */
export function withUnits(value: Json | undefined, seat: number, n: number): Json {
  const units = unitsOf(value).set(seat, n)
  return [...units].filter(([, each]) => each > 0).sort(([a], [b]) => a - b).map(([to, each]) => ({ to, units: each }))
}

export const totalOf = (value: Json | undefined): number => [...unitsOf(value).values()].reduce((sum, each) => sum + each, 0)

/** Who can be named: others alone where oneself is no choice. */
export function seatsOf(schema: Schema, seats: readonly SeatMeta[], own: number): readonly SeatMeta[] {
  const named = schema.items ? (schema.items.properties?.to ?? {}) : schema
  const isOthers = schema['x-others'] ?? named['x-others'] ?? false
  return seats.filter(({ seat }) => (!isOthers || seat !== own) && (named.enum?.includes(seat) ?? true) && seat >= (named.minimum ?? 0) && seat <= (named.maximum ?? Infinity))
}

/** The unit of a part in the reader's language, as the board has it; else as the schema. */
export const unitFor = (key: string, schema: Schema, { face }: Pick<GameWords, 'face'>): string => face?.find((part) => part.key === key)?.unit ?? schema['x-unit'] ?? ''

/** A choice in words. */
export function choiceText(schema: Schema, words: Pick<GameWords, 'values' | 'names' | 'actions'>, choice: Json): string {
  const key = String(choice)
  return schema['x-choices']?.[key] ?? words.values?.[key] ?? words.names?.[key] ?? words.actions?.[key] ?? key
}

interface Deed {
  schema: Schema
  value: Json
  words: GameWords
  stage: string
  seats: readonly SeatMeta[]
  say: Saying
}

/** What the rules say of a stage: the lines that begin with its word and a colon, without them. */
export function rulesOf(lines: readonly string[], stage: string | undefined): string[] {
  if (!stage) return []
  const said = lines.filter((line) => line.startsWith(`${stage}: `) || line.startsWith(`${stage}：`)).map((line) => line.slice(stage.length + 1).trim())
  return said.map((line) => line.charAt(0).toUpperCase() + line.slice(1))
}

/** The settings that a board's scales name, as far as the schema of an answer tells them. */
export function scalesOf({ face }: Pick<GameWords, 'face'>, schema: Schema): Facts {
  const parts = Object.fromEntries(answerParts(schema) ?? [])
  return Object.fromEntries((face ?? []).flatMap(({ key, most }) => (typeof most === 'string' && parts[key]?.maximum !== undefined ? [[most, parts[key].maximum]] : [])))
}

/** What the button that sends does: "Give 20", "Use 2 points"; undefined: the page's own word. */
export function deedText({ schema, value, words, stage, seats, say }: Deed): string | undefined {
  const parts = answerParts(schema)
  if (!parts || !isMapping(value)) return undefined
  const telling = parts.filter(([, each]) => answerKind(each) !== 'text')
  const [only] = telling
  if (!only || telling.length > 1) return words.actions?.[stage]
  const [key, part] = only
  const given = value[key] ?? null
  const verb = words.actions?.[stage] ?? words.actions?.[key] ?? (words.face ? words.stages?.[stage] : undefined)
  const unit = unitFor(key, part, words)
  switch (answerKind(part)) {
    case 'amount':
      if (typeof given !== 'number') return say('chooseAmount')
      return verb ? `${verb} ${number(given)}` : say('send', { what: `${number(given)} ${unit}`.trim() })
    case 'points': {
      const n = totalOf(given)
      const what = unit || say('units', { n })
      return n ? say('use', { n, unit: what }) : say('useNone', { unit: what })
    }
    case 'pick':
      return given === null ? say('choose') : choiceText(part, words, given)
    case 'seat':
      return typeof given === 'number' ? [verb, seatName(seats, given)].filter(Boolean).join(': ') : say('choose')
    case 'cell':
      return Array.isArray(given) ? [verb, `(${given.join(',')})`].filter(Boolean).join(' ') : say('choose')
    default:
      return undefined
  }
}
