import { sameNotes } from '../notes'
import type { Json } from '../types'
import type { Refused as Told } from '../words/refusals'
import type { Kept } from './drafts'
import type { Refused, Sent } from './outbox'
import { nextOf, queued } from './queue'
import type { Answer, Move, Tried, Turn } from './types'

/** What a seat is asked, what it wrote, and what became of what it sent. */
export interface Standing {
  /** The open turn; null while this seat is not asked. */
  readonly turn: Turn | null
  /** The last turn that was open, to show what was asked while none is. */
  readonly lastTurn: Turn | null
  /** A turn whose time ran out before anything was sent. */
  readonly missed: Turn | null
  readonly draft: Json
  /** What the rules would strike out of the draft. */
  readonly tried: (Tried & { unread?: Told }) | null
  readonly trouble: Told | null
  /** Answers that wait for turns to come. */
  readonly queue: readonly Answer[]
  /** Whether another tab or browser has taken the seat over. */
  readonly isReplaced: boolean
}

export interface TurnsWiring {
  /** Sends an answer to a step; `interrupts`: it is to end the plan that stands. */
  send(step: number, answer: Answer, interrupts?: boolean): void
  /** Whether something is on its way. */
  isSending(): boolean
  /** Asks for the end of the plan that stands. */
  halt(): void
  /** Asks for the whole seat anew: the page's picture of it is old. */
  refresh(): void
  /** What was kept of the seat's draft at a step. */
  kept(step: number): Kept | null
  keep(step: number, draft: Json, isSent?: boolean): void
  changed(standing: Standing): void
}

/** Before anything was heard of the seat. */
export const UNASKED: Standing = { turn: null, lastTurn: null, missed: null, draft: null, tried: null, trouble: null, queue: [], isReplaced: false }
/** Refusals after which what the page shows is still true. */
const MENDABLE = new Set(['struck_out', 'bad_action'])

/** What the seat is asked, or was last. */
const askedOf = ({ turn, lastTurn }: Standing): Turn | null => turn ?? lastTurn

/** Whether a plan stands, or will once what was sent is played. */
export function hasPlan(standing: Standing): boolean {
  const asked = askedOf(standing)
  return asked !== null && (asked.moved ? asked.moved.plan : asked.plan) !== null
}

/**
 * Keeps a seat's turns in order: which is open, what is written for it, what waits for the next. The server decides
 * everything; this decides what is sent to it, and when. No DOM, no clock, no socket.
 */
export class Turns {
  #now = UNASKED
  /** The step after which the answers that wait may go out. */
  #queuedAt = 0
  /** What was refused last, of one step: whoever sends it again has seen it. */
  #struckOut: { step: number; notes: Tried['notes'] } | null = null

  /** What of an unsent draft goes over into the next turn; known once the game's composer is loaded. */
  #words: ((draft: Json) => Json) | null = null
  /** An unsent draft of an earlier turn, until `#words` is known. */
  #unsent: Json = null

  constructor(private readonly wiring: TurnsWiring) {}

  get now(): Standing {
    return this.#now
  }

  /** What the server says is open. News that was written before what is known already does not take it back. */
  told(news: Turn | null): void {
    const last = this.#now.lastTurn
    if (news && last && news.step < last.step) return
    const turn = news && last?.moved && news.step === last.step && !news.moved ? { ...news, moved: last.moved } : news
    this.#become({ turn })
    if (!turn) return
    this.#become({ lastTurn: turn })
    if (turn.step !== last?.step) this.#begin(turn, last)
    this.#sendNext(turn)
  }

  /** What is written now; false where nothing is asked, so that it is not worth trying. */
  write(draft: Json): boolean {
    const { turn } = this.#now
    this.#become({ draft, ...(turn ? { trouble: null } : {}) })
    if (turn) this.wiring.keep(turn.step, draft)
    return turn !== null
  }

  /** How the words of an unsent draft are kept for the next turn. */
  keepBy(words: (draft: Json) => Json): void {
    this.#words = words
    this.#carry()
  }

  /** Sends the draft; its words are said then, and not kept for later. */
  send(answer: Answer): void {
    const { turn, draft } = this.#now
    if (turn) this.wiring.keep(turn.step, draft, true)
    this.submit(answer)
  }

  /** Sends an answer to the open turn; where the match ticks and this turn is answered, it waits for the next. */
  submit(answer: Answer): void {
    const { turn } = this.#now
    if (turn && !turn.moved && !this.wiring.isSending()) {
      this.#become({ trouble: null, missed: null })
      this.wiring.send(turn.step, answer, turn.plan !== null)
      return
    }
    const asked = askedOf(this.#now)
    if (asked?.tick) this.#queue(queued(this.#now.queue, answer), asked.step)
    else if (asked && hasPlan(this.#now)) this.#interrupt(answer, asked.step)
  }

  /** Ends the standing plan; the seat is asked again. */
  halt(): void {
    this.#become({ trouble: null })
    this.wiring.halt()
  }

  clearQueue(): void {
    this.#become({ queue: [] })
  }

  /** The server has what was sent. The draft stays until the next turn: it shows what that was. */
  stored(sent: Sent, move: Move): void {
    const { turn, lastTurn } = this.#now
    if (turn?.step === sent.step) this.told({ ...turn, moved: move })
    else if (lastTurn?.step === sent.step) this.#become({ lastTurn: { ...lastTurn, moved: move } })
  }

  refused(sent: Sent, refusal: Refused): void {
    const { turn } = this.#now
    if (refusal.moved && turn?.step === sent.step) this.told({ ...turn, moved: refusal.moved })
    if (refusal.code === 'struck_out' && this.#strike(sent, refusal)) return
    if (sent.interrupts && (refusal.code === 'late' || refusal.code === 'already_moved')) {
      this.#interrupt(sent.answer, sent.step)
      return
    }
    // It was not sent after all: its words stay for the next turn.
    const open = this.#now
    if (open.turn) this.wiring.keep(open.turn.step, open.draft)
    this.#become({ queue: [], trouble: refusal, ...(refusal.code === 'other_tab' ? { isReplaced: true } : {}) })
    // Late, ended or replaced: the page's picture is old, whatever the reason.
    if (!MENDABLE.has(refusal.code)) this.wiring.refresh()
  }

  /** What a dry run of the draft said; null while one is under way. */
  tried(tried: Tried | null): void {
    if (tried === null || this.#now.turn?.step === tried.step) this.#become({ tried })
  }

  /** A dry run could not even read the draft. */
  unreadable(unread: Told): void {
    const { turn } = this.#now
    if (unread.code === 'bad_action' && turn) this.#become({ tried: { step: turn.step, ok: false, notes: [], action: null, unread } })
  }

  troubled(trouble: Told | null): void {
    this.#become({ trouble })
  }

  /** Whether this page holds the seat. */
  holds(holds: boolean): void {
    this.#become({ isReplaced: !holds })
  }

  #become(change: Partial<Standing>): void {
    this.#now = { ...this.#now, ...change }
    this.wiring.changed(this.#now)
  }

  #begin(turn: Turn, last: Turn | null): void {
    const { trouble, missed } = this.#now
    const isMissed = last && last.step < turn.step && !last.moved && !last.tick && last.left_s !== null
    const kept = this.wiring.kept(turn.step)
    this.#unsent = kept?.isOld ? kept.draft : null
    this.#become({
      missed: isMissed ? last : missed,
      draft: kept && !kept.isOld ? kept.draft : null,
      tried: null,
      // That the last answer came too late is still to be read.
      trouble: trouble?.code === 'late' ? trouble : null,
    })
    this.#carry()
  }

  /** The words of an earlier turn's draft begin this one's. */
  #carry(): void {
    const { turn, draft } = this.#now
    if (!this.#words) return
    const words = this.#unsent === null ? null : this.#words(this.#unsent)
    this.#unsent = null
    if (words === null || draft !== null || !turn) return
    this.#become({ draft: words })
    this.wiring.keep(turn.step, words)
  }

  /** Shows what would be struck out. Whoever was shown it, and sent it all the same, means the rest: true where that goes. */
  #strike(sent: Sent, { notes, action }: Refused): boolean {
    const { turn, lastTurn, tried } = this.#now
    // A dry run that is under way may have taken what was shown away; what was refused before was seen too.
    const hasSeen = [tried, this.#struckOut].some((one) => one?.step === sent.step && sameNotes(one.notes, notes))
    this.#struckOut = { step: sent.step, notes: [...notes] }
    this.#become({ tried: { step: sent.step, ok: false, notes: [...notes], action } })
    if (!(hasSeen || lastTurn?.tick) || turn?.step !== sent.step) return false
    this.wiring.send(sent.step, { action })
    return true
  }

  /** Ends the plan, and answers with this when the seat is asked after the step, in which it came too late. */
  #interrupt(answer: Answer, step: number): void {
    this.#queue([answer], step)
    this.halt()
    if (this.#now.turn) this.#sendNext(this.#now.turn)
  }

  #queue(queue: readonly Answer[], step: number): void {
    this.#queuedAt = step
    this.#become({ queue })
  }

  /** The first of the answers that wait goes out, where a later turn than theirs is open for it. */
  #sendNext(turn: Turn): void {
    const isFree = turn.step > this.#queuedAt && !turn.moved && !this.wiring.isSending() && (turn.tick || turn.plan === null)
    const next = isFree ? nextOf(this.#now.queue) : null
    if (!next) return
    this.#become({ queue: next.rest })
    this.submit(next.answer)
  }
}
