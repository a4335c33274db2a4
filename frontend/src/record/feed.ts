import type { GameWords } from '../gamewords'
import { noteParts } from '../notes'
import { JOINTS, listed, sentence, spoken, type Part } from '../sentences'
import { bySeat, type Clock, type Frame, type GameEvent } from '../types'
import { countedIn } from './axis'

/** One line of the feed. */
export interface Line {
  /** An event's kind, or `note` and `flag` for what became of an answer. */
  readonly kind: string
  readonly parts: Part[]
  readonly glyph: string
  /** Seats that the line names. */
  readonly seats: number[]
  readonly isPrivate: boolean
  readonly isMinor: boolean
  /** The line as plain text, for the search. */
  readonly text: string
}

export interface FeedWords {
  game: GameWords
  /** The label that the run is counted in. */
  counted: string
  minor: ReadonlySet<string>
  /** What stands before a note: `{seat:seat}` and a colon. */
  note: string
  /** A page's sentence for a flag, with `{seat:seat}` and `{flag}`. */
  flag(flag: string): string
  seatName(seat: number): string
}

/** All lines of a step: first what was repaired in the answers, then the events in their order. */
export function linesOf(frame: Frame, words: FeedWords): Line[] {
  const lines: Line[] = []
  for (const [seat, notes] of frame.notes) {
    for (const note of notes) lines.push(made('note', [...sentence(words.note, { seat }), ...noteParts(note, words.game)], '✂', words))
  }
  for (const [seat, flags] of frame.flags) {
    for (const flag of flags) lines.push(made('flag', sentence(words.flag(flag), { seat, flag }), '↻', words))
  }
  for (const event of frame.events) lines.push(eventLine(event, words))
  return lines
}

export function eventLine(event: GameEvent, words: FeedWords): Line {
  return new EventLine(event, words)
}

/** Worded when its words are first asked for: a step of a thousand seats has thousands of lines, and some are seen. */
class EventLine implements Line {
  #parts: Part[] | undefined
  #seats: number[] | undefined
  #text: string | undefined

  constructor(
    private readonly event: GameEvent,
    private readonly words: FeedWords,
  ) {}

  get kind(): string {
    return this.event.kind
  }

  get glyph(): string {
    return this.words.game.events[this.event.kind]?.glyph ?? '·'
  }

  get isPrivate(): boolean {
    return Array.isArray(this.event.to)
  }

  get isMinor(): boolean {
    return this.words.minor.has(this.event.kind)
  }

  get parts(): Part[] {
    return (this.#parts ??= this.#worded())
  }

  get seats(): number[] {
    return (this.#seats ??= seatsIn(this.parts))
  }

  get text(): string {
    return (this.#text ??= spoken(this.parts, this.words.seatName))
  }

  /** An event without a sentence is shown as it came: nothing that happened is dropped. */
  #worded(): Part[] {
    const { kind, data } = this.event
    const known = this.words.game.events[kind]
    return known ? sentence(known.text, data, this.words.game.names) : sentence(`${kind.replaceAll('_', ' ')} {data}`, { data })
  }
}

function seatsIn(parts: readonly Part[]): number[] {
  return parts.flatMap((part) => (part.type === 'seat' ? [part.seat] : []))
}

function made(kind: string, parts: Part[], glyph: string, words: FeedWords): Line {
  return { kind, parts, glyph, seats: seatsIn(parts), isPrivate: false, isMinor: false, text: spoken(parts, words.seatName) }
}

export interface FeedFilter {
  /** Kinds to show; null means all but the minor ones. */
  kinds: ReadonlySet<string> | null
  seat: number | null
  search: string
}

export function isFiltering(filter: FeedFilter): boolean {
  return filter.kinds !== null || filter.seat !== null || filter.search.trim() !== ''
}

/** The lines that pass. A search goes through the minor ones too: whoever looks for a word wants to find it. */
export function passing(lines: readonly Line[], filter: FeedFilter): Line[] {
  const wanted = filter.search.trim().toLocaleLowerCase()
  return lines.filter(
    (line) =>
      (filter.kinds ? filter.kinds.has(line.kind) : !line.isMinor || wanted !== '' || filter.seat !== null) &&
      (filter.seat === null || line.seats.includes(filter.seat)) &&
      (wanted === '' || line.text.toLocaleLowerCase().includes(wanted)),
  )
}

/** The same words of several seats, one after the other, are one line that names them all. */
export function gathered(lines: readonly Line[]): Line[] {
  const found: Line[] = []
  for (const line of lines) {
    const above = found.at(-1)
    const rest = restOf(line)
    if (!above || rest === null || above.kind !== line.kind || above.isPrivate !== line.isPrivate || restOf(above) !== rest) {
      found.push(line)
      continue
    }
    const { kind, glyph, isPrivate, isMinor } = line
    const said = 2 * sayers(above) - 1
    const names = [...above.parts.slice(0, said).filter(({ type }) => type === 'seat'), line.parts[0] as Part]
    const parts = [...listed(names.map((name) => [name]), isChinese(line)), ...above.parts.slice(said)]
    found[found.length - 1] = { kind, glyph, isPrivate, isMinor, parts, seats: seatsIn(parts), text: `${above.text} ${line.text}` }
  }
  return found
}

/** What somebody said, without who; null of a line that quotes nobody. */
function restOf(line: Line): string | null {
  const { parts } = line
  return parts[0]?.type === 'seat' && parts.some(({ type }) => type === 'quote') ? JSON.stringify(parts.slice(2 * sayers(line) - 1)) : null
}

function isChinese({ parts }: Line): boolean {
  return parts.some((part) => part.type === 'text' && /[\u3400-\u9fff]/.test(part.text))
}

/** How many seats a line begins with, listed one after the other. */
function sayers({ parts }: Line): number {
  let count = 1
  for (let i = 1; i + 1 < parts.length; i += 2, count++) {
    const [joint, next] = [parts[i], parts[i + 1]]
    if (joint?.type !== 'text' || !JOINTS.has(joint.text) || next?.type !== 'seat') break
  }
  return count
}

/** What a step did to one seat, for the inspector. */
export function concerns(frame: Frame, seat: number, words: FeedWords): Line[] {
  return frame.events.map((event) => eventLine(event, words)).filter((line) => line.seats.includes(seat))
}

/** A place in a run in the game's words: the counted label, and those outside and inside it. */
export interface Place {
  before: string
  round: string
  after: string
}

export function placeOf(clock: Clock, game: GameWords, counted: string): Place {
  const at = countedIn(clock, counted)
  const worded = clock.map(([name, n], i) =>
    spoken(sentence(i === at ? game.round || '{n}' : (game.clock?.[name] ?? `${name} {n}`), { n }), String),
  )
  const start = spoken(sentence(game.round || '{n}', { n: 0 }), String)
  return { before: worded.slice(0, Math.max(at, 0)).join(JOINT), round: worded[at] ?? start, after: worded.slice(at + 1).join(JOINT) }
}

const JOINT = ' · '

/** "Round 37" of a step, with the labels around it. */
export function roundLabel({ clock }: Pick<Frame, 'clock'>, game: GameWords, counted = ''): string {
  const { before, round, after } = placeOf(clock, game, counted)
  return [before, round, after].filter(Boolean).join(JOINT)
}

/** The same as short as it goes: "e8 s11", each label by its initial where its words begin with a letter; else "8.11". */
export function roundShort({ clock }: Pick<Frame, 'clock'>, game: GameWords, counted: string): string {
  const inner = clock.slice(Math.max(countedIn(clock, counted), 0))
  const first = initialOf(game.round)
  if (!first) return inner.map(([, n]) => n).join('.') || '0'
  return inner.map(([name, n], i) => `${i ? initialOf(game.clock?.[name] ?? name) : first}${n}`).join(' ') || `${first}0`
}

/** From one place to another as short as it goes: "r4–8", "e1 s6–8" within a round, "e1 s6–e2 s3" beyond it. */
export function spanShort(first: Pick<Frame, 'clock'>, last: Pick<Frame, 'clock'>, game: GameWords, counted: string): string {
  const [from, to] = [roundShort(first, game, counted), roundShort(last, game, counted)]
  const isNear = String(first.clock.slice(0, -1)) === String(last.clock.slice(0, -1)) && /[a-z]\d+$/.test(to)
  return from === to ? from : `${from}–${isNear ? to.replace(/^.*[a-z]/, '') : to}`
}

/** The small initial of what a game calls its rounds: "t" of "Turn {n}"; '' where a sign stands for a word. */
export function initialOf(label: string): string {
  return /^[a-z]/i.exec(label)?.[0].toLowerCase() ?? ''
}

export { bySeat }
