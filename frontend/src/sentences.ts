import type { Facts, Json } from './types'

/**
 * Sentences of a game's words, filled with an event's facts.
 *
 * `{key}` plain · `{key:seat}` one seat · `{key:seats}` several · `{key:cell}` a place `[row, col]` · `{key:cells}` ·
 * `{key:list}` · `{key:round}` to a hundredth · `{key:percent}` a share · `{key:name}` what the game's words call it, one or several · `{key:one}` one of it, "a hammer", where the words say how · `{key:quote}` words that somebody wrote, never to be read as markup · `{n|plot|plots}` by number.
 * The result is a list of parts, so that whoever draws it makes text nodes and nothing else.
 */
export type Part =
  | { type: 'text'; text: string }
  | { type: 'seat'; seat: number }
  | { type: 'cell'; row: number; col: number }
  | { type: 'quote'; text: string }

const PLACEHOLDER = /\{([A-Za-z_][\w.]*)(?::([a-z]+)|\|([^{}|]*)\|([^{}|]*))?\}/g

export function sentence(template: string, facts: Facts, names: Readonly<Record<string, string>> = {}): Part[] {
  const parts: Part[] = []
  const say = (text: string): void => {
    const last = parts.at(-1)
    if (last?.type === 'text') last.text += text
    else if (text) parts.push({ type: 'text', text })
  }
  let from = 0
  for (const match of template.matchAll(PLACEHOLDER)) {
    say(template.slice(from, match.index))
    from = match.index + match[0].length
    const [, key = '', format, one, many] = match
    const value = lookUp(facts, key)
    if (one !== undefined && many !== undefined) say(amount(value) === 1 ? one : many)
    else if ((format === 'name' || format === 'one') && value !== undefined && value !== null) say(named(value, names, format === 'one'))
    else fill(value, format, say, parts)
  }
  say(template.slice(from))
  return parts
}

function fill(value: Json | undefined, format: string | undefined, say: (text: string) => void, parts: Part[]): void {
  if (value === undefined || value === null) {
    say('–')
    return
  }
  if (format === 'seat' && typeof value === 'number') parts.push({ type: 'seat', seat: value })
  else if ((format === 'seats' || format === 'seat') && Array.isArray(value)) {
    if (!value.length) say('–')
    value.forEach((seat, i) => {
      if (i) say(', ')
      if (typeof seat === 'number') parts.push({ type: 'seat', seat })
      else say(plain(seat))
    })
  } else if ((format === 'cell' || format === 'cells') && Array.isArray(value)) {
    const [row, col] = value
    if (typeof row === 'number' && typeof col === 'number') parts.push({ type: 'cell', row, col })
    else if (value.every(Array.isArray)) {
      value.forEach((cell, i) => {
        if (i) say(', ')
        fill(cell, 'cell', say, parts)
      })
    } else say(plain(value))
  } else if (format === 'round' && typeof value === 'number') say(number(Math.floor(value * 100 + 0.5) / 100))
  else if (format === 'percent' && typeof value === 'number') say(`${number(Math.floor(value * 1000 + 0.5) / 10)}%`)
  else if (format === 'quote') parts.push({ type: 'quote', text: plain(value) })
  else if (format === 'list' && Array.isArray(value)) say(value.map(plain).join(', '))
  else say(plain(value))
}

function named(value: Json, names: Readonly<Record<string, string>>, isOne = false): string {
  if (Array.isArray(value)) return value.map((each) => named(each, names, isOne)).join(', ')
  const text = plain(value)
  const one = `one ${text}`
  if (isOne && Object.hasOwn(names, one)) return names[one] ?? text
  return Object.hasOwn(names, text) ? (names[text] ?? text) : text.replaceAll('_', ' ')
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
