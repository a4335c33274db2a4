import type { BoardContext } from '../../kit/board'
import type { Standing } from '../record/replay'
import type { Session } from '../record/session.svelte'
import { ENDED, type RunMeta } from '../types'
import type { Ui } from '../ui.svelte'

/** A change moves no longer than this, in ms, and for half of the time that its step is shown. */
const LONGEST_MS = 420
/** Where steps are gone through by hand. */
const BY_HAND_MS = 120

/** How long a change may move, by the pace at which steps follow one another; 0 where nothing may. */
export function motionOf(rate: number, isReduced: boolean): number {
  if (isReduced) return 0
  return rate > 0 ? Math.min(LONGEST_MS, 500 / rate) : BY_HAND_MS
}

/** Steps a second that a replay shows by itself: while it plays at its own rate, else at the run's pace. */
export function rateOf(at: Standing, meta: RunMeta | null): number {
  return (at.playing ? at.rate : (meta?.pace ?? 0)) * at.axis.perRound
}

/** What a board is told of a run by a page that only shows it; `more` is what another page adds. */
export function contextOf(session: Session, meta: RunMeta, ui: Ui, motion: number, more: Partial<BoardContext> = {}): BoardContext {
  return {
    seats: meta.seats,
    config: meta.config ?? {},
    lang: ui.lang,
    theme: ui.theme,
    as: session.as,
    at: (n) => session.replay.at(n),
    selected: null,
    focused: null,
    bare: false,
    ended: ENDED.has(meta.status) ? session.at.axis.round(meta.head) : null,
    motion,
    onselect: () => undefined,
    onhover: () => undefined,
    ...more,
  }
}
