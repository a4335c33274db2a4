import type { Facts, Json, Lang } from './types'

/**
 * Sentences of a game's words, filled with an event's facts.
 *
 * `{key}` plain · `{key:seat}` one seat · `{key:seats}` several · `{key:cell}` a place `[row, col]` · `{key:cells}` ·
 * `{key:list}` · `{key:round}` to a hundredth · `{key:percent}` a share · `{key:rates}` pairs of a bound and the share from there on, "0: 9.3%" · `{key:name}` what the game's words call it, one or several · `{key:one}` one of it, "a hammer", where the words say how · `{key:quote}` words that somebody wrote, never to be read as markup · `{word:term}` not a value but a word of the game, a setting or a plan, by its name · `{n|plot|plots}` by number.
 * Lists are written "a, b and c", in Chinese "a、b、c"; Latin letters stand apart from Chinese characters.
 * The result is a list of parts, so that whoever draws it makes text nodes and nothing else.
 */
export type Part =
  | { type: 'text'; text: string }
  | { type: 'seat'; seat: number }
  | { type: 'cell'; row: number; col: number }
  | { type: 'quote'; text: string }

const PLACEHOLDER = /\{([A-Za-z_][\w.]*)(?::([a-z]+)|\|([^{}|]*)\|([^{}|]*))?\}/g
const CHINESE = /[\u3400-\u9fff]/
const TOUCHING = /[\u3400-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u3400-\u9fff]/

export function sentence(template: string, facts: Facts, names: Readonly<Record<string, string>> = {}): Part[] {
  const parts: Part[] = []
  const isChinese = CHINESE.test(template)
  let from = 0
  for (const match of template.matchAll(PLACEHOLDER)) {
    add(parts, textPart(template.slice(from, match.index)))
    from = match.index + match[0].length
    const [, key = '', format, one, many] = match
    const value = lookUp(facts, key)
    if (one !== undefined && many !== undefined) add(parts, textPart(amount(value) === 1 ? one : many), isChinese)
    else if (format === 'term') add(parts, textPart(termed(key, names)), isChinese)
    else for (const part of filled(value, format, names, isChinese)) add(parts, part, isChinese)
    if (isChinese && touch(parts.at(-1), textPart(template.slice(from, from + 1)))) add(parts, textPart(' '))
  }
  add(parts, textPart(template.slice(from)))
  return parts
}

function textPart(text: string): Part {
  return { type: 'text', text }
}

function touch(before: Part | undefined, after: Part): boolean {
  return before?.type === 'text' && after.type === 'text' && TOUCHING.test(before.text.slice(-1) + after.text.slice(0, 1))
}

function add(parts: Part[], part: Part, isApart = false): void {
  const last = parts.at(-1)
  if (part.type !== 'text') parts.push(part)
  else if (last?.type === 'text') last.text += (isApart && touch(last, part) ? ' ' : '') + part.text
  else if (part.text) parts.push({ ...part })
}

/** One after the other as a sentence names them: "a, b and c", in Chinese "a、b、c". */
export function listed(told: readonly Part[][], isChinese: boolean): Part[] {
  if (!told.length) return [textPart('–')]
  const joint = (i: number): string => (isChinese ? '、' : i === told.length - 1 ? ' and ' : ', ')
  return told.flatMap((each, i) => (i ? [textPart(joint(i)), ...each] : each))
}

/** What stands between those that `listed` names. */
export const JOINTS: ReadonlySet<string> = new Set([', ', ' and ', '、'])

/** Names in a sentence, as plain text. */
export function enumerated(names: readonly string[], lang: Lang): string {
  return spoken(listed(names.map((name) => [textPart(name)]), lang === 'zh'), String)
}

/** Names or values in a row without an "and": "a, b", in Chinese "a、b". */
export const inRow = (parts: readonly (string | number)[], lang: Lang): string => parts.join(lang === 'zh' ? '、' : ', ')

/** Clauses one after the other: "a, b", in Chinese "a，b". Empty ones are left out. */
export const clauses = (parts: readonly string[], lang: Lang): string => parts.filter(Boolean).join(lang === 'zh' ? '，' : ', ')

function filled(value: Json | undefined, format: string | undefined, names: Readonly<Record<string, string>>, isChinese: boolean): Part[] {
  if (value === undefined || value === null) return [textPart('–')]
  const each = (values: readonly Json[]): Part[] => listed(values.map((one) => filled(one, format, names, isChinese)), isChinese)
  if (Array.isArray(value)) {
    const [row, col] = value
    switch (format) {
      case 'seats':
      case 'seat':
        if (!value.length || !value.every(Array.isArray)) return each(value)
        return value.flatMap((one, i) => [...(i ? [textPart(isChinese ? '；' : '; ')] : []), ...filled(one, 'seats', names, isChinese)])
      case 'cell':
      case 'cells':
        if (typeof row === 'number' && typeof col === 'number') return [{ type: 'cell', row, col }]
        if (!value.length) return []
        return value.every(Array.isArray) ? each(value) : [textPart(plain(value))]
      case 'list':
        return value.length ? each(value) : []
      case 'rates':
        if (!value.length || !value.every(isRate)) break
        return [textPart(inRow(value.map(([low, part]) => `${number(low)}:\u00a0${share(part)}`), isChinese ? 'zh' : 'en'))]
      case 'name':
      case 'one':
        return each(value)
    }
  }
  switch (format) {
    case 'seat':
    case 'seats':
      if (typeof value === 'number') return [{ type: 'seat', seat: value }]
      break
    case 'name':
    case 'one':
      return [textPart(called(plain(value), names, format === 'one'))]
    case 'round':
      if (typeof value === 'number') return [textPart(number(Math.floor(value * 100 + 0.5) / 100))]
      break
    case 'percent':
      if (typeof value === 'number') return [textPart(share(value))]
      break
    case 'quote':
      return [{ type: 'quote', text: plain(value) }]
  }
  return [textPart(plain(value))]
}

const isRate = (pair: Json): pair is [number, number] => Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'number')

/** In percent, to a tenth. */
const share = (value: number): string => `${number(Math.floor(value * 1000 + 0.5) / 10)}%`

function called(text: string, names: Readonly<Record<string, string>>, isOne: boolean): string {
  const one = `one ${text}`
  if (isOne && Object.hasOwn(names, one)) return names[one] ?? text
  return Object.hasOwn(names, text) ? (names[text] ?? text) : text.replaceAll('_', ' ')
}

/** A word of the game in a sentence: small, as in "at most 3 (mining cap)". */
function termed(word: string, names: Readonly<Record<string, string>>): string {
  const own = [`term ${word}`, `setting ${word}`].find((each) => Object.hasOwn(names, each))
  const text = called(own ?? word, names, false)
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function lookUp(facts: Facts, path: string): Json | undefined {
  let value: Json | undefined = facts
  for (const key of path.split('.')) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
    value = Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
}

function amount(value: Json | undefined): number {
  if (Array.isArray(value)) return value.length
  return typeof value === 'number' ? value : Number(value)
}

function plain(value: Json): string {
  if (value === null) return '–'
  if (typeof value === 'number') return number(value)
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

/** Shortest writing with a real minus sign. */
export function number(value: number): string {
  const text = Number.isInteger(value) ? String(value) : String(Math.round(value * 1e6) / 1e6)
  return text.replace('-', '−')
}

/** Making one costs as much as fifty numbers written with it. */
const formats = new Map<number, Intl.NumberFormat>()
function withDigits(digits: number): Intl.NumberFormat {
  let format = formats.get(digits)
  if (!format) formats.set(digits, (format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })))
  return format
}

/** So many digits of a seed can be read; of a longer one the last are shown. */
const SEED_DIGITS = 7

/** A seed as it stands in a line of text: whole where it is short, else its end. */
export function shortSeed(seed: number | string): string {
  const text = String(seed)
  return text.length <= SEED_DIGITS ? text : `…${text.slice(-4)}`
}

/** A whole number with its thousands apart and a real minus sign. */
export function grouped(value: number): string {
  return withDigits(0).format(value).replace('-', '−')
}

/** `format` is `d`, `.2f`, `+.2f` or `.1%`, as a game's words give it. null and what is no number are "–". */
export function formatted(value: Json | undefined, format = ''): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return '–'
  const match = /^(\+)?,?(?:\.(\d+))?([df%])$/.exec(format)
  if (!match) return number(value)
  const digits = match[3] === 'd' ? 0 : Number(match[2] ?? (match[3] === '%' ? 1 : 2))
  const shown = match[3] === '%' ? value * 100 : value
  const text = withDigits(digits).format(shown)
  const zero = /^-[0.]+$/.test(text)
  const sign = match[1] && value > 0 ? '+' : ''
  return sign + (zero ? text.slice(1) : text.replace('-', '−')) + (match[3] === '%' ? '%' : '')
}

/** The sentence as plain text: for search, for screen readers and for titles. */
export function spoken(parts: readonly Part[], seatName: (seat: number) => string): string {
  return parts
    .map((part) => {
      switch (part.type) {
        case 'text':
          return part.text
        case 'seat':
          return seatName(part.seat)
        case 'cell':
          return `(${part.row},${part.col})`
        case 'quote':
          return `“${part.text}”`
      }
    })
    .join('')
}
