import type { GameWords } from './gamewords'
import { isMapping } from './jsonschema'
import { clauses, number, sentence, spoken } from './sentences'
import type { Json, Lang, Note } from './types'

/** An action in its game's words: what was done, and with what. For whoever shows a decision. */
export type ActionWords = Pick<GameWords, 'actions' | 'names' | 'parts'>

/** A part of an action: a list of items, one item, or a value of its own. `key` '' where the action is that part. */
export interface Part {
  key: string
  items: Json[]
}

/** One item as it is read: `name` says what, `place` where, `rest` everything else. */
export interface Item {
  name: string
  place: string
  rest: string
}

/** Fields that say what kind of thing an item is. */
const TAGS = ['type', 'do'] as const

/** What the game calls a part of an action, where it has a word for it. */
export const called = (name: string, words: ActionWords): string => words.names?.[name] ?? words.actions?.[name] ?? name.replaceAll('_', ' ')

const kindOf = (name: string, words: ActionWords): string => words.actions?.[name] ?? called(name, words)

export function valueText(value: Json): string {
  if (typeof value === 'number') return number(value)
  if (Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'number')) return `(${value.join(',')})`
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Whether a field names seats, which are no amounts. */
const namesSeats = (field: string, { parts }: ActionWords): boolean => /:seats?\}/.test(parts?.[field] ?? '')

const isEmpty = (value: Json): boolean => value === null || value === '' || (Array.isArray(value) && !value.length)

/** `key`: of the list that it stands in, which names items that have no kind of their own. */
export function itemOf(value: Json, words: ActionWords, lang: Lang, key = '', seatName: (seat: number) => string = String): Item {
  if (!isMapping(value)) return { name: typeof value === 'string' ? kindOf(value, words) : valueText(value), place: '', rest: '' }
  const tag = TAGS.find((name) => typeof value[name] === 'string')
  const said = (field: string, part: Json): string => {
    const template = words.parts?.[field]
    if (template !== undefined) return spoken(sentence(template, { [field]: part }, words.names), seatName)
    if (isMapping(part)) return `${called(field, words)} ${itemText(itemOf(part, words, lang, '', seatName))}`
    return `${called(field, words)} ${typeof part === 'string' ? called(part, words) : valueText(part)}`
  }
  const others = Object.entries(value).filter(([key]) => key !== tag)
  const place = others.find(([key]) => key === 'cell')
  return {
    name: tag === undefined ? (words.actions?.[key.replace(/s$/, '')] ?? '') : kindOf(value[tag] as string, words),
    place: place ? valueText(place[1]) : '',
    rest: clauses(
      others
        .filter((one) => one !== place)
        .filter(([, part]) => !isEmpty(part))
        .map(([field, part]) => said(field, part)),
      lang,
    ),
  }
}

/** The parts of an action that hold items, in its order; those that are empty are left out. */
export function partsOf(action: Json | undefined): Part[] {
  if (action === undefined || action === null) return []
  if (!isMapping(action)) return [{ key: '', items: Array.isArray(action) ? action : [action] }]
  if (TAGS.some((name) => typeof action[name] === 'string')) return [{ key: '', items: [action] }]
  return Object.entries(action).flatMap(([key, value]) =>
    Array.isArray(value) && value.length ? [{ key, items: value }] : isMapping(value) ? [{ key, items: [value] }] : [],
  )
}

/** What stands beside those parts: single values. Beside lists, as mils to buy are, nothing of something is not told. */
export function asideOf(action: Json | undefined, words: ActionWords): string[] {
  if (action === undefined || !isMapping(action) || TAGS.some((name) => typeof action[name] === 'string')) return []
  const isBesideLists = Object.values(action).some(Array.isArray)
  return Object.entries(action).flatMap(([key, value]) =>
    value !== null && !(value === 0 && isBesideLists) && typeof value !== 'object' ? [`${called(key, words)} ${typeof value === 'string' ? called(value, words) : valueText(value)}`] : [],
  )
}

/** What became of an item of an answer: `kept` as it was, `changed` to something else, or `out`. */
export interface Read extends Item {
  key: string
  fate: 'kept' | 'changed' | 'out'
  /** What the rules made of it, where they changed it. */
  now: string
  /** Why, where the rules told it of this item. */
  why: Note[]
}

/** Where an answer is one value or a few, each is an item of its own. */
function loose(action: Json | undefined): Part[] {
  const parts = partsOf(action)
  if (parts.length || action === undefined || action === null || !isMapping(action)) return parts
  return Object.entries(action).flatMap(([key, value]) => (value === null || value === '' || typeof value === 'object' ? [] : [{ key, items: [value] }]))
}

/** Whole numbers that are given beside lists, such as mils to buy; zero is nothing. */
function amounts(action: Json | undefined): Part[] {
  if (action === undefined || !isMapping(action) || !partsOf(action).some(({ key }) => key !== '')) return []
  return Object.entries(action).flatMap(([key, value]) => (typeof value === 'number' && value !== 0 && key !== 'unread' ? [{ key, items: [value] }] : []))
}

const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Whether two items are one and the same but for amounts: what the rules change is how much, seldom what. */
function alike(a: Json, b: Json, words: ActionWords): boolean {
  if (!isMapping(a) || !isMapping(b)) return typeof a === 'number' && typeof b === 'number'
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => same(a[key], b[key]) || (typeof a[key] === 'number' && typeof b[key] === 'number' && !namesSeats(key, words)))
}

/** How much of a note is about an item: facts that both have alike; −1 where they contradict one another. */
function concern({ data }: Note, item: Json): number {
  if (!isMapping(item)) return -1
  let shared = 0
  for (const [key, value] of Object.entries(data)) {
    const own = key === 'action' ? (item.type ?? item.do) : key in item ? item[key] : undefined
    if (own === undefined) continue
    if (!same(own, value)) return -1
    if (key !== 'action') shared += 1
  }
  return shared
}

const changes = (was: Json, is: Json, words: ActionWords, lang: Lang): string => {
  if (!isMapping(was) || !isMapping(is)) return `${valueText(was)} → ${valueText(is)}`
  const changed = Object.keys(is).filter((key) => !same(was[key], is[key]))
  return clauses(changed.map((key) => `${called(key, words)} ${valueText(was[key] ?? null)} → ${valueText(is[key] ?? null)}`), lang)
}

/**
 * An answer beside what the rules left of it: each of its items with its fate, in the answer's order, and the notes that
 * are about no single one.
 */
export function readAs(asked: Json | undefined, left: Json | undefined, notes: readonly Note[], words: ActionWords, lang: Lang, seatName: (seat: number) => string = String): { rows: Read[]; rest: Note[] } {
  const parts = [...loose(asked), ...amounts(asked)]
  const stands = new Map([...loose(left), ...amounts(left)].map(({ key, items }) => [key, [...items]]))
  const found: { raw: Json; row: Read }[] = []
  for (const { key, items } of parts) {
    const kept = stands.get(key) ?? []
    for (const item of items) {
      const exact = kept.findIndex((one) => same(one, item))
      const near = exact >= 0 ? exact : kept.findIndex((one) => !items.some((other) => same(other, one)) && alike(item, one, words))
      const alone = near < 0 && key === '' && items.length === 1 && kept.length === 1 ? 0 : near
      const is = alone >= 0 ? kept.splice(alone, 1)[0] : undefined
      const fate = is === undefined ? 'out' : same(is, item) ? 'kept' : 'changed'
      const told = fate === 'changed' && is !== undefined ? (near >= 0 ? changes(item, is, words, lang) : itemText(itemOf(is, words, lang, key, seatName))) : ''
      const text = isMapping(item) && typeof item.text === 'string' && typeof item.part === 'string' ? { name: item.text, place: '', rest: '' } : itemOf(item, words, lang, key, seatName)
      const named = !isMapping(item) && key ? { name: kindOf(key, words), place: '', rest: itemText(itemOf(item, words, lang)) } : text
      found.push({ raw: item, row: { ...named, key, fate, now: told, why: [] } })
    }
  }
  const rest: Note[] = []
  for (const note of notes) {
    const fitting = found
      .filter(({ row }) => row.fate !== 'kept' && !row.why.length)
      .map((one) => ({ one, shared: concern(note, one.raw) }))
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => b.shared - a.shared)[0]
    if (fitting) fitting.one.row.why.push(note)
    else rest.push(note)
  }
  return { rows: found.map(({ row }) => row), rest }
}

export function itemText({ name, place, rest }: Item): string {
  return [name, place, rest].filter(Boolean).join(' ')
}
