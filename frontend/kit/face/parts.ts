import type { FacePart, GameWords } from '../../src/gamewords'
import type { Facts, Frame, Json } from '../../src/types'

/** The parts of a view as a derived board draws them: those that the game declares, else what its values look like. Pure. */

/** What a board that is derived knows of its game: its words by language. */
export type Books = { readonly [lang in 'en' | 'zh']: GameWords }

/** Told by the header already, or what only steers. */
const TOLD = /^(rounds?|stage|steps?|turns?|epochs?)(_|$)/
const SCORES = /^(totals?|scores?|wealth|points|payoffs?|money|balances?|cash|gain(s|ed)?|earn(ed|ings)|profits?|incomes?)$/
/** So deep a mapping's values stand in a table of their own; what is deeper is told in a cell. */
const DEEPEST = 2

/** What a view's words say of it, as far as it holds that; what they say nothing of is read from the values. */
export function partsOf(words: GameWords, view: Facts, seats: number): FacePart[] {
  const isDrawn = ({ key, kind }: FacePart): boolean => view[key] !== undefined && !(view[key] === null && (kind === 'table' || kind === 'text'))
  return words.face?.length ? words.face.filter(isDrawn) : inferred(view, seats, words)
}

/** What a view's values look like, in its order; a value that says nothing is no part. */
export function inferred(view: Facts, seats: number, words: Pick<GameWords, 'metrics' | 'config' | 'names'>): FacePart[] {
  const label = (key: string): string => words.metrics?.[key]?.label ?? words.config?.[key]?.label ?? words.names?.[key] ?? spelt(key)
  const parts = Object.entries(view).flatMap(([key, value]): FacePart[] => {
    const kind = TOLD.test(key) && !isList(value) ? null : kindOf(value, seats)
    return kind ? [{ key, kind, label: label(key), ...(kind === 'series' ? { by: isList(value) && isList(value[0]) ? 'seat' : 'all' } : {}) }] : []
  })
  // What counts as score is money; of the others the first two are bars, which is as much as can be looked at.
  let bars = 0
  const score = (parts.find(({ kind, key }) => kind === 'bars' && SCORES.test(key)) ?? parts.find(({ kind }) => kind === 'bars'))?.key
  const isPlain = (part: FacePart): boolean => bySeat(view[part.key], seats).every((each) => (each ?? 0) >= 0)
  const drawn = parts.map((part): FacePart => {
    if (part.kind !== 'bars') return part
    if (SCORES.test(part.key)) return { ...part, kind: 'money', score: part.key === score }
    const isMoney = bars >= 2 || !isPlain(part)
    if (!isMoney) bars += 1
    return { ...part, kind: isMoney ? 'money' : 'bars', ...(part.key === score ? { score: true } : {}) }
  })
  // Where nothing else is a picture, the score is.
  return bars ? drawn : drawn.map((part) => (part.score && isPlain(part) ? { ...part, kind: 'bars' } : part))
}

function kindOf(value: Json | undefined, seats: number): FacePart['kind'] | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'number') return 'number'
  if (typeof value !== 'object') return 'text'
  if (!isList(value)) return Object.keys(value).length ? 'table' : null
  if (value.every((each) => each === null)) return null
  if (isPairs(value, seats)) return 'bars'
  const isSeats = seats > 1 && value.length === seats
  if (isSeats && value.every(isAmount) && value.some(isNumber)) return 'bars'
  if (isSeats && value.every((each) => each === null || typeof each === 'string' || typeof each === 'boolean')) return value.some((each) => each !== null) ? 'pick' : null
  const lists = value.filter(isList)
  if (lists.length === value.length && lists.every((row) => row.every(isAmount))) {
    if (isSeats && lists.every((row) => row.length === seats)) return 'matrix'
    if (isSeats && seats > 1 && lists.some((row) => row.length)) return 'series'
    const width = lists[0]?.length ?? 0
    return width > 1 && lists.length > 1 && lists.every((row) => row.length === width) ? 'grid' : 'table'
  }
  if (value.every(isAmount) && value.length > 2) return 'series'
  return value.some((each) => each !== null && typeof each === 'object') ? 'table' : 'text'
}

/** "mean_gift" as a label: "Mean gift". */
export const spelt = (key: string): string => key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ')

export const isList = (value: Json | undefined): value is Json[] => Array.isArray(value)
export const isNumber = (value: Json | undefined): value is number => typeof value === 'number'
const isAmount = (value: Json): boolean => value === null || isNumber(value)
const isRecord = (value: Json | undefined): value is Facts => value !== null && typeof value === 'object' && !isList(value)

/** Whether it is a list of pairs [seat, number], in the order of the seats. */
function isPairs(value: readonly Json[], seats: number): boolean {
  return (
    value.length > 0 && value.length <= seats &&
    value.every((pair, i) => isList(pair) && pair.length === 2 && isNumber(pair[1]) && isNumber(pair[0]) && pair[0] < seats && Number.isInteger(pair[0]) && (i === 0 || pair[0] > Number((value[i - 1] as Json[])[0]))) &&
    !(value.length === 2 && seats === 2 && !value.every((pair, i) => (pair as Json[])[0] === i))
  )
}

/** A value of each seat; null where it is not known. */
export function bySeat(value: Json | undefined, seats: number): (number | null)[] {
  const none = Array.from({ length: seats }, () => null as number | null)
  if (!isList(value)) return none
  if (value.length && value.every(isList)) {
    for (const [seat, amount] of value as Json[][]) if (isNumber(seat) && isNumber(amount) && seat in none) none[seat] = amount
    return none
  }
  return none.map((_, seat) => (isNumber(value[seat]) ? value[seat] : null))
}

/** A text of each seat. */
export function picksBySeat(value: Json | undefined, seats: number): (string | null)[] {
  return Array.from({ length: seats }, (_, seat) => {
    const pick = isList(value) ? value[seat] : null
    return pick === null || pick === undefined ? null : String(pick)
  })
}

/** Who did how much to whom, by row and column; null where the value is none of that size. */
export function square(value: Json | undefined, seats: number): (number | null)[][] | null {
  if (!isList(value) || value.length !== seats || !value.every(isList)) return null
  return Array.from({ length: seats }, (_, i) => bySeatRow(value[i], seats))
}

const bySeatRow = (row: Json | undefined, seats: number): (number | null)[] => Array.from({ length: seats }, (_, j) => (isList(row) && isNumber(row[j]) ? row[j] : null))

/** A table of payoffs, with the cell that was played. */
export interface PayTable {
  rows: string[]
  columns: string[]
  cells: (string | number | null)[][]
  at: readonly [number, number] | null
}

export function payTable(value: Json | undefined, names: Readonly<Record<string, string>> = {}): PayTable | null {
  if (!isRecord(value) || !isList(value.rows) || !isList(value.columns) || !isList(value.cells)) return null
  const at = isList(value.at) && isNumber(value.at[0]) && isNumber(value.at[1]) ? ([value.at[0], value.at[1]] as const) : null
  const plain = (cell: Json | undefined): string | number | null => (isNumber(cell) || typeof cell === 'string' ? cell : isList(cell) ? cell.map(String).join(', ') : null)
  const named = (key: Json): string => names[String(key)] ?? String(key)
  return { rows: value.rows.map(named), columns: value.columns.map(named), cells: value.cells.map((row) => (isList(row) ? row.map(plain) : [])), at }
}

export interface GridCells {
  rows: number
  cols: number
  cell(row: number, col: number): { seat: number | null; value: number | null; text: string }
}

/** Cells with layers; a bare list of rows is one of values. */
export function gridCells(value: Json | undefined): GridCells | null {
  const layers: Facts = isRecord(value) ? value : isList(value) ? { value, rows: value.length, cols: isList(value[0]) ? value[0].length : 0 } : {}
  const { rows, cols } = layers
  if (!isNumber(rows) || !isNumber(cols) || rows < 1 || cols < 1) return null
  const at = (name: string, row: number, col: number): Json => {
    const line = isList(layers[name]) ? layers[name][row] : null
    return isList(line) ? (line[col] ?? null) : null
  }
  return {
    rows,
    cols,
    cell: (row, col) => {
      const [seat, number, text] = [at('seat', row, col), at('value', row, col), at('text', row, col)]
      return { seat: isNumber(seat) ? seat : null, value: isNumber(number) ? number : null, text: typeof text === 'string' ? text : '' }
    },
  }
}

/** Lines between seats: from, to, how much. */
export function edgesOf(value: Json | undefined): [number, number, number][] {
  const given = isRecord(value) ? value.edges : value
  return isList(given) ? given.flatMap((edge): [number, number, number][] => (isList(edge) && isNumber(edge[0]) && isNumber(edge[1]) ? [[edge[0], edge[1], isNumber(edge[2]) ? edge[2] : 1]] : [])) : []
}

/** Lines over rounds, the first round's value first: one for each seat, or one with seat null. */
export function linesOf(part: FacePart, value: Json | undefined): { seat: number | null; values: (number | null)[] }[] {
  if (!isList(value)) return []
  const numbers = (line: Json[]): (number | null)[] => line.map((each) => (isNumber(each) ? each : null))
  if (part.by === 'all') return [{ seat: null, values: numbers(value) }]
  return value.map((line, seat) => ({ seat, values: isList(line) ? numbers(line) : [] }))
}

export interface Rows {
  columns: { key: string; label: string }[]
  rows: Json[][]
}

/** Any records, lists or mappings as rows of a table. */
export function rowsOf(part: FacePart, value: Json | undefined): Rows {
  const words = typeof part.columns === 'object' ? part.columns : {}
  const column = (key: string): { key: string; label: string } => ({ key, label: words[key] ?? spelt(key) })
  if (isRecord(value) && isList(value.columns) && isList(value.rows)) return { columns: value.columns.map((key) => column(String(key))), rows: value.rows.map((row) => (isList(row) ? row : [row])) }
  if (isRecord(value)) return { columns: [], rows: flat(value) }
  if (!isList(value)) return { columns: [], rows: [] }
  if (value.every(isRecord)) {
    const keys = [...new Set((value as Facts[]).flatMap((row) => Object.keys(row)))]
    return { columns: keys.map(column), rows: (value as Facts[]).map((row) => keys.map((key) => row[key] ?? null)) }
  }
  return { columns: [], rows: value.map((row) => (isList(row) ? row : [row])) }
}

/** A mapping as rows of name and value; what it holds in turn stands below its name. */
function flat(value: Facts, before = '', depth = 0): Json[][] {
  return Object.entries(value).flatMap(([key, each]): Json[][] => {
    const name = before ? `${before}, ${key.replaceAll('_', ' ')}` : spelt(key)
    return isRecord(each) && depth < DEEPEST ? flat(each, name, depth + 1) : [[name, each]]
  })
}

/** A value in a cell, as text: lists in a row, mappings as "name value". */
export function cellText(value: Json | undefined, shown: (value: number) => string, joint = ', '): string {
  if (value === null || value === undefined || value === '') return '–'
  if (isNumber(value)) return shown(value)
  if (isList(value)) return value.length ? value.map((each) => cellText(each, shown, joint)).join(joint) : '–'
  if (isRecord(value)) return Object.entries(value).map(([key, each]) => `${key.replaceAll('_', ' ')} ${cellText(each, shown, joint)}`).join(joint)
  return typeof value === 'boolean' ? (value ? '✓' : '×') : value
}

/** Top of a part's scale: what the game says, else the most that is there. */
export function topOf(part: FacePart, config: Facts, values: readonly (number | null)[]): { top: number; isGiven: boolean } {
  const given = typeof part.most === 'string' ? config[part.most] : part.most
  if (isNumber(given) && given > 0) return { top: given, isGiven: true }
  return { top: Math.max(1, ...values.map((each) => each ?? 0)), isGiven: false }
}

/** The part that ranks: what the game says, else the last money, else the last bars. */
export function scoreOf(parts: readonly FacePart[]): FacePart | null {
  const last = (kind: FacePart['kind']): FacePart | undefined => parts.findLast((part) => part.kind === kind)
  return parts.find(({ score }) => score) ?? last('money') ?? last('bars') ?? null
}

/** How many digits all of these need after the point: none, one or two. */
export function digitsOf(values: readonly (number | null)[]): 0 | 1 | 2 {
  const needs = (digits: number): boolean => values.some((each) => each !== null && Math.abs(each * 10 ** digits - Math.round(each * 10 ** digits)) > 1e-6)
  return needs(1) ? 2 : needs(0) ? 1 : 0
}

/** Whether a view shows anything of these parts yet. */
export function isEmpty(parts: readonly FacePart[], { view }: Pick<Frame, 'view'>): boolean {
  const hasSome = (value: Json | undefined): boolean => (isList(value) ? value.some(hasSome) : value !== null && value !== undefined)
  return !parts.some(({ key }) => hasSome(view[key]))
}

/** Whether all that it shows is nothing or nought; a table of payoffs or cells tell something before the first round. */
export function isUntold(parts: readonly FacePart[], { view }: Pick<Frame, 'view'>): boolean {
  const isNought = (value: Json | undefined): boolean => (isList(value) ? value.every(isNought) : value === null || value === undefined || value === 0)
  return parts.every(({ key }) => isNought(view[key]))
}

