import type { Line } from '../record/feed'
import { sentence, spoken } from '../sentences'
import type { Facts } from '../types'
import type { Key } from '../words'
import type { Notice } from './types'

const KINDS = new Set(['joined', 'ready', 'left', 'gone', 'back', 'substituted', 'removed', 'extended', 'advanced', 'handed_over', 'started', 'verified', 'rerun', 'all_away', 'not_away', 'out'])

/** That a model has commented on a step: it is read there, and is no news of the match. */
export const COMMENTED = 'commented'

/** What befell the people of a run as lines of the feed, by the step at which it did. */
export function noticeLines(notices: readonly Notice[], raw: (key: Key) => string, seatName: (seat: number) => string): ReadonlyMap<number, Line[]> {
  const lines = new Map<number, Line[]>()
  for (const { step, kind, seat, data } of notices) {
    if (kind === COMMENTED) continue
    const facts: Facts = { ...data, seat, kind }
    const parts = sentence(raw(KINDS.has(kind) ? (`notice_${kind}` as Key) : 'notice_other'), facts)
    const line: Line = { kind: 'notice', parts, glyph: '○', seats: seat === null ? [] : [seat], isPrivate: false, isMinor: false, text: spoken(parts, seatName) }
    lines.set(step, [...(lines.get(step) ?? []), line])
  }
  return lines
}
