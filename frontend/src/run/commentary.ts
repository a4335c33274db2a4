import type { BoardContext, BoardModule, Ledger } from '../../kit/board'
import { isUnsound } from '../notown'
import type { Briefs } from '../record/briefs'
import type { Line } from '../record/feed'
import type { Replay } from '../record/replay'
import { sentence, type Part } from '../sentences'
import { ENDED, type Facts, type Frame, type RunMeta } from '../types'
import type { Key } from '../words'
import type { FeedKit } from './game.svelte'

/**
 * A sentence or two on a step, by rule from what is shown up to it: whether the lead changed, and of what happened the
 * rarest, in the game's own words. It knows nothing of what comes later, and tells nothing that some may not know.
 */
export interface Commented {
  frame: Frame
  /** How all stand after the step, and before it; null where nobody is ranked. */
  now: Ledger | null
  before: Ledger | null
  briefs: Briefs
  /** Whether the match ends with it, which is no news. */
  isEnd: boolean
  /** How many rounds lie between two steps. */
  rounds: (from: number, to: number) => number
  kit: FeedKit
  t: (key: Key, facts?: Facts) => string
}

/** After so many rounds something is told as rare. */
const LONG = 5

export function commentary(of: Commented): Part[][] {
  return [lead(of), news(of)].filter((parts) => parts.length)
}

/** Of more seats it is not told who leads: they would all be ranked at each step. */
const RANKED = 60

/** What is said of a step of a run, as a board ranks it; nothing of the start. */
export function commented(replay: Replay, board: BoardModule | null, frame: Frame, context: BoardContext, meta: RunMeta, kit: FeedKit, t: Commented['t']): Part[][] {
  if (frame.n < 1) return []
  const isRanked = meta.seats.length <= RANKED && !isUnsound(meta)
  const stands = (of: Frame | undefined): Ledger | null => (of && board && isRanked ? board.ledger(of, context) : null)
  const rounds = (from: number, to: number): number => replay.axis.round(to) - replay.axis.round(from)
  const isEnd = ENDED.has(meta.status) && frame.n === meta.head
  return commentary({ frame, now: stands(frame), before: stands(replay.at(frame.n - 1)), briefs: replay.briefs, isEnd, rounds, kit, t })
}

function heads(ledger: Ledger | null): number[] {
  const scores = (ledger?.rows ?? []).flatMap(({ seat, score }) => (score === null || score === undefined ? [] : [{ seat, score }]))
  const most = Math.max(...scores.map(({ score }) => score))
  return scores.length > 1 && scores.some(({ score }) => score !== most) ? scores.filter(({ score }) => score === most).map(({ seat }) => seat) : []
}

function lead({ now, before, t }: Commented): Part[] {
  const [first, ...level] = heads(now)
  const [last, ...others] = heads(before)
  if (first === undefined || (first === last && level.length === others.length)) return []
  // Several who are level are told where one of them led alone before.
  if (level.length) return last !== undefined && !others.length && level.length < 3 ? sentence(t('commentLevel'), { seats: [first, ...level].sort((a, b) => a - b) }) : []
  return last === undefined || others.length ? sentence(t('commentLead'), { seat: first }) : sentence(t('commentPasses'), { seat: first, before: last })
}

function news(of: Commented): Part[] {
  const lines = of.kit.lines(of.frame).filter(({ kind, isPrivate }) => !isPrivate && kind !== 'note' && kind !== 'flag')
  const shown = lines.filter(({ isMinor }) => !isMinor)
  const kinds = new Map<string, Line[]>()
  for (const line of shown.length ? shown : lines.slice(-1)) kinds.set(line.kind, [...(kinds.get(line.kind) ?? []), line])
  let best: { said: Line[]; seen: Seen } | null = null
  for (const [kind, said] of kinds) {
    const seen = before(of, kind)
    if (!best || seen.times < best.seen.times) best = { said, seen }
  }
  if (!best) return []
  const { said, seen } = best
  const [line, ...more] = said
  const since = seen.last === null ? 0 : of.rounds(seen.last, of.frame.n)
  const isKnown = shown.length > 0 && seen.isWhole && !of.isEnd
  const begun = !isKnown ? '' : seen.last === null ? of.t('commentFirst') : since > LONG ? of.t('commentAgain', { n: since }) : ''
  const end = /[\u3400-\u9fff]/.test(line?.text ?? '') ? '。' : '.'
  return [
    ...text(begun), ...(line?.parts ?? []), ...text(more.length ? of.t('commentMore', { n: more.length }) : ''), ...text(end),
    ...text(isKnown && !begun && 2 * seen.times <= of.rounds(0, of.frame.n) ? of.t('commentBefore', { n: seen.times }) : ''),
  ]
}

interface Seen {
  /** In how many rounds before. */
  times: number
  /** In which step last. */
  last: number | null
  /** Whether all steps before are known. */
  isWhole: boolean
}

function before({ briefs, frame, rounds }: Commented, kind: string): Seen {
  const seen: Seen = { times: 0, last: null, isWhole: true }
  let counted = frame.n
  for (let n = frame.n - 1; n > 0; n--) {
    if (!briefs.has(n)) seen.isWhole = false
    if (!briefs.kinds(n).includes(kind)) continue
    if (rounds(n, counted) > 0) seen.times++
    seen.last ??= n
    counted = n
  }
  return seen
}

const text = (words: string): Part[] => (words ? [{ type: 'text', text: words }] : [])
