import { roundLabel } from '../record/feed'
import { seatName, type BoardContext, type Cell } from '../../kit/board'
import { noticeLines } from '../people/notices'
import { headlineOf } from '../notown'
import type { Session } from '../record/session.svelte'
import { ENDED } from '../types'
import type { Ui } from '../ui.svelte'
import { Calm } from './calm.svelte'
import { commented } from './commentary'
import { contextOf, motionOf, rateOf } from './context'
import { feedKit, GameParts } from './game.svelte'
import { barRows, stepLabel } from './rows'
import { StoryWatch } from './story.svelte'
import { plainLedger } from './totals'
import { stillFor, waitsOf } from './waits'

/** A table whose rows change places is the dearest thing to lay out; twice a second is as fast as it can be read. */
const CALM_MS = 500

/** What a run's page shows at the step where its replay stands; made with the page. */
export class RunView {
  readonly #session: Session
  readonly #ui: Ui
  readonly parts: GameParts
  readonly story: StoryWatch
  readonly #listed: Calm<RunView['frame']>
  selected = $state.raw<Cell | null>(null)
  focused = $state.raw<Cell | null>(null)
  hovered = $state.raw<Cell | null>(null)
  /** The page's clock, in the milliseconds of Date.now(). */
  now = $state(Date.now())

  readonly meta = $derived.by(() => this.#session.meta)
  readonly at = $derived.by(() => this.#session.at)
  readonly frame = $derived.by(() => this.at.frame)
  readonly isEnded = $derived.by(() => this.meta !== null && (ENDED.has(this.meta.status) || this.#session.source.socket === null))
  /** How this run's events are said; null until the game's words are here. */
  readonly kit = $derived.by(() => {
    const { meta, parts } = this
    const ui = this.#ui
    if (!meta || !parts.words) return null
    const notices = noticeLines(meta.notices ?? [], ui.t, (seat) => seatName(meta.seats, seat))
    return feedKit(parts.words, meta, ui.t, notices)
  })
  readonly context = $derived.by((): BoardContext | null => {
    const { meta } = this
    if (!meta) return null
    const motion = motionOf(rateOf(this.at, meta), this.#ui.reduced)
    return contextOf(this.#session, meta, this.#ui, motion, {
      selected: this.selected,
      focused: this.focused,
      onselect: (cell) => (this.selected = this.selected?.row === cell.row && this.selected.col === cell.col ? null : cell),
      onhover: (cell) => (this.hovered = cell),
    })
  })
  /** What cannot be resolved again has nothing to draw; see `reel.py`. */
  readonly board = $derived.by(() => (this.meta?.error && this.meta.status === 'finished' ? null : this.parts.board))
  /** Payoffs summed up to the step that is shown, once all of them are here. */
  readonly totals = $derived.by(() => {
    void this.at.known
    return this.#session.replay.briefs.totals(this.at.cursor) ?? new Map<number, number>()
  })
  readonly headline = $derived.by(() => headlineOf(this.board, this.frame, this.context, this.meta, this.#ui.t))
  readonly ledger = $derived.by(() => {
    const { board, context } = this
    const own = board && this.#listed.value && context ? board.ledger(this.#listed.value, context) : null
    return own?.columns.length ? own : plainLedger(this.meta?.seats ?? [], this.totals, this.#ui.t('score'))
  })
  /** A sentence or two on the step that is shown. */
  readonly comment = $derived.by(() => {
    const { board, frame, context, kit, meta } = this
    return frame && kit && meta && context ? commented(this.#session.replay, board, frame, context, meta, kit, this.#ui.t) : []
  })
  /** What is said of the cell that is looked at. */
  readonly detail = $derived.by(() => {
    const cell = this.focused ?? this.selected ?? this.hovered
    const { board, frame, context } = this
    return cell && board?.detail && frame && context ? board.detail(frame, cell, context) : null
  })
  readonly #known = $derived.by(() => this.at.known)
  readonly #head = $derived.by(() => this.at.head)
  /** Made anew when more is known, not when the replay moves: a scrub would draw every chart again with each picture. */
  readonly rows = $derived.by(() => {
    void [this.#known, this.#head]
    return this.parts.words ? barRows(this.#session.replay, this.parts.words, this.meta?.cadences ?? {}, this.#session.as !== null) : []
  })
  /** "Round 12 of 30", for the title and the voice. */
  readonly place = $derived.by(() => (this.frame && this.parts.words ? roundLabel(this.frame, this.parts.words, this.meta?.counted) : ''))

  constructor(session: Session, ui: Ui) {
    this.#session = session
    this.#ui = ui
    this.parts = new GameParts(session, ui)
    this.story = new StoryWatch(session)
    this.#listed = new Calm(() => this.frame, 60, CALM_MS)
  }

  labelOf = (n: number): string => stepLabel(this.#session.replay, n, this.parts.words)

  /** Who is asked and has not answered; of models that answer at once nobody is told. */
  readonly waits = $derived.by(() => {
    const { meta } = this
    const { waitingSince, grewAt } = this.#session
    return meta && this.#session.line.state !== 'lost' ? waitsOf(meta, waitingSince, grewAt, this.now) : []
  })
  /** For how many seconds a run under way has stood still without a reason that is known. */
  readonly still = $derived.by(() => (this.meta?.status === 'running' && !this.meta.undriven ? stillFor(this.meta, this.#session.grewAt, this.now) : null))
}
