import { seatName, type BoardContext, type BoardModule, type Headline } from '../kit/board'
import { formatted, inRow } from './sentences'
import { ENDED, type Facts, type Frame, type Lang, type RunMeta, type Said } from './types'
import type { Key } from './words'

type T = (key: Key, facts?: Facts) => string
/** How much of a run its seats did not decide themselves, as the server counts it, in words. */
export type NotOwn = Said<'NotOwn'>
const STANDS = ['clock', 'substitute', 'default', 'fallback'] as const

/** The flags of a decision that is not its seat's own, as `games/core/conduct.py` names them. */
const NOT_OWN = new Set(['substitute', 'fallback', 'timed_out', 'timeout', 'idle', 'agent_error', 'impossible_plan', 'no_answer'])

/** Whether too much of it was decided by others: it is shown as such first, and nobody of it is ranked. */
export const isUnsound = ({ not_own }: Pick<RunMeta, 'not_own'>): boolean => not_own?.unsound ?? false

/** "67% not their own"; of the worst seat, where the run as a whole is sound. */
export function notOwnShort(told: NotOwn, t: T): string {
  const share = told.share ?? 0
  if (share > told.most || !told.unsound) return t('notOwn', { share: formatted(share, '.0%') })
  return t('notOwnWorst', { share: formatted(Math.max(...told.seats.map((one) => one ?? 0)), '.0%') })
}

/** "clock 4, substitute 16": who decided in their place. */
export const stoodIn = (told: NotOwn, t: T, lang: Lang): string => inRow(STANDS.filter((name) => told.by[name]).map((name) => t(`notOwn_${name}`, { n: told.by[name] })), lang)

/** The whole of it: of the run, or of the seats that make it unsound. */
export function unsoundSaid({ not_own: told, seats }: Pick<RunMeta, 'not_own' | 'seats'>, t: T, lang: Lang): string {
  if (!told?.unsound) return ''
  const facts = { n: told.decisions, by: stoodIn(told, t, lang), most: formatted(told.most, '.0%') }
  if ((told.share ?? 0) > told.most) return t('runUnsound', { ...facts, share: formatted(told.share, '.0%') })
  const bad = told.seats.flatMap((share, seat) => ((share ?? 0) > told.most ? [seatName(seats, seat)] : []))
  return t('runUnsoundSeats', { ...facts, seats: inRow(bad, lang), m: bad.length })
}

/** Whether seats were asked in a step and none of them decided itself, as far as these eyes may know. */
const isNobodys = ({ seats, flags }: Frame): boolean => {
  const others = new Set(flags.filter(([, raised]) => raised.some((flag) => NOT_OWN.has(flag))).map(([seat]) => seat))
  return seats.length > 0 && seats.every((seat) => others.has(seat))
}

/** A board's sentence on a step: what others did in the seats' places is not told as theirs, and an unsound run ranks nobody. */
export function headlineOf(board: BoardModule | null | undefined, frame: Frame | null | undefined, context: BoardContext | null | undefined, meta: RunMeta | null | undefined, t: T): Headline | null {
  if (!board || !frame || !context) return null
  if (isNobodys(frame)) return { strong: t('nobodyDecided'), quiet: '' }
  if (meta && isUnsound(meta) && ENDED.has(meta.status) && frame.n === meta.head) return { strong: t('nobodyRanked'), quiet: '' }
  return board.headline(frame, context)
}
