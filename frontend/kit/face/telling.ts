import type { FacePart, GameWords } from '../../src/gamewords'
import { clauses, formatted, sentence, spoken } from '../../src/sentences'
import type { Frame, Lang, SeatMeta } from '../../src/types'
import { seatName, type BoardContext, type Headline, type Ledger } from '../board'
import { paragraph } from '../speaking'
import { bySeat, digitsOf, isEmpty, isNumber, payTable, picksBySeat, scoreOf, square, topOf } from './parts'
import { faceSpeaker } from './words'

/** What a derived board says of a step: its sentence, its ledger, how one seat stands. Pure. */

/** Of more seats than these a sentence counts who chose what, and names nobody. */
const NAMED = 6
/** More who lead are not named. */
const LEADERS = 3
/** Money, what was chosen or given: so many columns a ledger has at the most. */
const COLUMNS = 3

export const seatCount = ({ seats }: Pick<BoardContext, 'seats'>): number => seats.reduce((most, { seat }) => Math.max(most, seat + 1), 0)

/** A number of a part, as exact as all that stand beside it. */
export function amount(value: number | null, digits: number, sign = ''): string {
  return value === null ? '–' : formatted(value, `${sign}.${digits}f`)
}

/** A choice in the game's words. */
export function chosen(part: FacePart, words: GameWords, pick: string, seats: readonly SeatMeta[]): string {
  // A seat that was picked stands there by its number.
  if (!part.choices && /^\d+$/.test(pick) && seats.some(({ seat }) => seat === Number(pick))) return seatName(seats, Number(pick))
  return part.choices?.[pick] ?? words.values?.[pick] ?? words.names?.[pick] ?? pick
}

export function headlineOf(parts: readonly FacePart[], words: GameWords, frame: Frame, context: BoardContext): Headline {
  const say = faceSpeaker(context)
  if (frame.n === 0 || isEmpty(parts, frame)) return { strong: words.tagline || words.name || say('nothing'), quiet: '' }
  const events = frame.events.flatMap(({ kind, data }) => {
    const word = words.events[kind]
    return word?.mark ? [ended(spoken(sentence(word.text, data, words.names), (seat) => seatName(context.seats, seat)), context.lang)] : []
  })
  const fresh = parts.filter((part) => part.stage !== undefined && part.stage === frame.stage)
  const hasPicks = parts.some(({ kind }) => kind === 'pick')
  const others = parts.filter((part) => part.kind !== 'money' && part.kind !== 'number' && !fresh.includes(part) && !(hasPicks && payTable(frame.view[part.key])))
  const news = [...fresh, ...others].map((part) => newsOf(part, words, frame, context)).filter(Boolean)
  const score = scoreOf(parts)
  const money = parts.filter((part) => part.kind === 'money' && part !== score).map((part) => spanOf(part, frame, context)).filter(Boolean)
  const standing = score?.kind === 'money' ? leaders(score, frame, context) : ''
  // How much of something there is tells little by itself, and comes last.
  const numbers = parts.filter((part) => part.kind === 'number' && !fresh.includes(part)).map((part) => newsOf(part, words, frame, context)).filter(Boolean)
  const [strong = '', ...rest] = [...events.slice(0, 1), ...news.slice(0, 2), ...money.slice(0, 1), standing, ...numbers.slice(0, 2)].filter(Boolean)
  return { strong: strong || words.tagline, quiet: paragraph(rest.slice(0, 4), context.lang) }
}

/** What a part says of this step by itself; '' where nothing is known of it. */
function newsOf(part: FacePart, words: GameWords, { view }: Frame, context: BoardContext): string {
  const say = faceSpeaker(context)
  const { label } = part
  const value = view[part.key]
  const seats = seatCount(context)
  switch (part.kind) {
    case 'bars': {
      const values = bySeat(value, seats)
      const span = spanned(values)
      if (!span) return ''
      const digits = digitsOf(values)
      const [high, low] = [amount(span.high, digits), amount(span.low, digits)]
      if (span.n === 1 && seats > 1) return say('known', { label, by: span.most, high })
      // To everyone's eyes those of whom nothing is known did nothing; to others it may be hidden.
      if (span.n < seats && context.as !== null) return ''
      if (span.high === span.low) return say('same', { label, high })
      const { top, isGiven } = topOf(part, context.config, values)
      const sum = amount(span.sum, digits)
      return say(isGiven && span.n === seats ? 'sumsOf' : 'sums', { label, sum, all: amount(top * seats, digits), most: span.most, high, least: span.least, low })
    }
    case 'pick': {
      const picks = picksBySeat(value, seats)
      const groups = new Map<string, number[]>()
      for (const [seat, pick] of picks.entries()) if (pick !== null) groups.set(pick, [...(groups.get(pick) ?? []), seat])
      const [only] = groups.keys()
      if (only === undefined) return ''
      if (groups.size === 1 && picks.every((pick) => pick !== null) && seats > 1) return say('allPick', { choice: chosen(part, words, only, context.seats) })
      const said = [...groups].map(([pick, by]) => (seats > NAMED ? say('manyPick', { n: by.length, choice: chosen(part, words, pick, context.seats) }) : say('somePick', { by, choice: chosen(part, words, pick, context.seats) })))
      return ended(clauses(said, context.lang), context.lang)
    }
    case 'matrix': {
      const cells = square(value, seats)
      const played = cells ? null : payTable(value, words.names)
      if (played?.at) return say('played', { label, cell: clauses([played.rows[played.at[0]] ?? '', played.columns[played.at[1]] ?? ''], context.lang) })
      if (!cells || cells.every((row) => row.every((each) => each === null))) return ''
      if (cells.some((row, by) => row.some((each, to) => each === null && by !== to))) {
        // Through the eyes of one it is told who did what, and no sum.
        const done = cells.flatMap((row, by) => row.flatMap((n, to) => (n ? [{ by, to, n }] : [])))
        return done.length && done.length <= LEADERS ? ended(clauses(done.map(({ by, to, n }) => say('doneTo', { by, to, n: amount(n, digitsOf([n])) })), context.lang), context.lang) : ''
      }
      const onto = cells.map((_, to) => cells.reduce((sum, row) => sum + (row[to] ?? 0), 0))
      const span = spanned(onto)
      const digits = digitsOf(cells.flat())
      return !span || span.high === 0 ? say('none', { label }) : say('done', { label, sum: amount(span.sum, digits), to: span.most, high: amount(span.high, digits) })
    }
    case 'number':
      return isNumber(value) ? say('value', { label, value: clauses([`${amount(value, digitsOf([value]))}${part.unit ? ` ${part.unit}` : ''}`], context.lang) }) : ''
    default:
      return ''
  }
}

/** Who has most and who least of it. */
function spanOf(part: FacePart, { view }: Frame, context: BoardContext): string {
  const values = bySeat(view[part.key], seatCount(context))
  const span = spanned(values)
  if (!span || span.n < 2 || (span.high === 0 && span.low === 0)) return ''
  const say = faceSpeaker(context)
  const digits = digitsOf(values)
  const facts = { label: part.label, most: span.most, high: amount(span.high, digits), least: span.least, low: amount(span.low, digits) }
  return say(span.high === span.low ? 'alike' : 'most', facts)
}

function leaders(part: FacePart, { view }: Frame, context: BoardContext): string {
  const values = bySeat(view[part.key], seatCount(context))
  const span = spanned(values)
  if (!span || span.n < 2 || span.high === span.low) return ''
  const by = values.flatMap((value, seat) => (value === span.high ? [seat] : []))
  if (by.length > LEADERS) return ''
  return faceSpeaker(context)('leads', { by, total: withUnit(part, amount(span.high, digitsOf(values))) })
}

interface Span {
  n: number
  sum: number
  high: number
  low: number
  most: number
  least: number
}

/** Sum, most and least of what is known, with the first seat that has it; null where nothing is. */
function spanned(values: readonly (number | null)[]): Span | null {
  let span: Span | null = null
  for (const [seat, value] of values.entries()) {
    if (value === null) continue
    if (!span) span = { n: 1, sum: value, high: value, low: value, most: seat, least: seat }
    else {
      span.n += 1
      span.sum += value
      if (value > span.high) [span.high, span.most] = [value, seat]
      if (value < span.low) [span.low, span.least] = [value, seat]
    }
  }
  return span
}

/** Seats by score, with what they gave or chose before it. */
export function ledgerOf(parts: readonly FacePart[], words: GameWords, { view }: Frame, context: BoardContext): Ledger {
  const seats = seatCount(context)
  const score = scoreOf(parts)
  const others = parts.filter((part) => part !== score && (part.kind === 'bars' || part.kind === 'pick' || part.kind === 'money'))
  const shown = [...others.slice(0, COLUMNS - 1), ...(score ? [score] : [])]
  const columns = shown.map((part) => {
    const values = part.kind === 'pick' ? [] : bySeat(view[part.key], seats)
    const digits = digitsOf(values)
    const picks = part.kind === 'pick' ? picksBySeat(view[part.key], seats) : []
    const said = (seat: number): string => (part.kind === 'pick' ? (picks[seat] === null || picks[seat] === undefined ? '–' : chosen(part, words, picks[seat], context.seats)) : amount(values[seat] ?? null, digits))
    return { label: part.label, numeric: part.kind !== 'pick', said }
  })
  const scores = score ? bySeat(view[score.key], seats) : []
  const rows = context.seats.map(({ seat }) => ({ seat, score: scores[seat] ?? null, values: columns.map(({ said }) => said(seat)) }))
  rows.sort((a, b) => (b.score ?? -Infinity) - (a.score ?? -Infinity) || a.seat - b.seat)
  return { columns: columns.map(({ label, numeric }) => ({ label, numeric })), rows, note: '' }
}

/** What is known of one seat, in a few words: what it gave or chose, and what it has. */
export function factsOfSeat(parts: readonly FacePart[], words: GameWords, { view }: Frame, { seats: all, lang }: Pick<BoardContext, 'seats' | 'lang'>, seat: number): string {
  const seats = seatCount({ seats: all })
  const score = scoreOf(parts)
  const said = [...parts.filter(({ kind }) => kind === 'bars' || kind === 'pick'), ...(score?.kind === 'money' ? [score] : [])].flatMap((part) => {
    if (part.kind === 'pick') {
      const pick = picksBySeat(view[part.key], seats)[seat] ?? null
      return pick === null ? [] : [`${part.label} ${chosen(part, words, pick, all)}`]
    }
    const values = bySeat(view[part.key], seats)
    const value = values[seat] ?? null
    return value === null ? [] : [`${part.label} ${amount(value, digitsOf(values))}`]
  })
  return clauses(said, lang)
}

/** What the seat whose eyes these are has, in a few words. */
export function standingOf(parts: readonly FacePart[], { view }: Frame, context: BoardContext): string | null {
  const score = scoreOf(parts)
  if (!score || context.as === null) return null
  const values = bySeat(view[score.key], seatCount(context))
  const own = values[context.as] ?? null
  return own === null ? null : `${score.label} ${withUnit(score, amount(own, digitsOf(values)))}`
}

export const withUnit = ({ unit }: FacePart, text: string): string => (unit ? `${text}\u00a0${unit}` : text)

/** With the stop of its language, where it has none. */
function ended(text: string, lang: Lang): string {
  return /[.!?。！？”"]$/.test(text) ? text : text + (lang === 'zh' ? '。' : '.')
}
