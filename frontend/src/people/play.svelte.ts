import { ApiError, fetchBriefs, fetchFrames } from '../api'
import { sameNotes } from '../notes'
import { asFault, Session } from '../session.svelte'
import type { Source } from '../source'
import type { OtherMessage } from '../stream'
import { ENDED, type Json, type Note } from '../types'
import { Door } from './api'
import { countdown, type Countdown } from './clock'
import { draftRead, draftWrite } from './drafts'
import { Outbox, Refusal, type Refused, type Sent } from './outbox'
import { nextOf, queued } from './queue'
import { randomId } from './tab'
import type { Refused as Told } from '../words/refusals'
import type { Answer, Move, Play, Presence, Room, SeatNews, SeatState, Tried, Turn } from './types'

/** How often the page says that it is there. */
const BEAT_MS = 4_000
const TRY_MS = 250
/** States after which nothing is asked of the seat any more. */
const FINAL: ReadonlySet<SeatState> = new Set<SeatState>(['ended', 'left', 'removed'])

/**
 * One seat as its holder has it: the run through the seat's eyes (`session`), what it is asked, what it wrote, what was
 * sent. The server decides everything; this keeps the page true to it, by the socket or, without one, by requests.
 */
export class PlaySession {
  readonly session: Session
  play = $state.raw<Play | null>(null)
  /** The open turn; null while this seat is not asked. */
  turn = $state.raw<Turn | null>(null)
  /** The last turn that was open, to show what was asked while none is. */
  lastTurn = $state.raw<Turn | null>(null)
  count = $state.raw<Countdown>({ ends: null, total_s: null })
  seatState = $state.raw<SeatState>('room')
  holds = $state(true)
  isReady = $state(true)
  presence = $state.raw<readonly Presence[]>([])
  room = $state.raw<Room>({ ready: 0, of: 0, starts_in_s: null })
  /** When `room` and `presence` were told, in milliseconds of the page's clock. */
  toldAt = $state.raw(0)
  draft = $state.raw<Json>(null)
  tried = $state.raw<(Tried & { unread?: Told }) | null>(null)
  pending = $state.raw<Sent | null>(null)
  queue = $state.raw<readonly Answer[]>([])
  trouble = $state.raw<Told | null>(null)
  /** A turn whose time ran out before anything was sent. */
  missed = $state.raw<Turn | null>(null)
  /** Why the page could not be loaded at all. */
  fault = $state.raw<Told | null>(null)

  readonly #door: Door
  readonly #outbox: Outbox
  #beat: ReturnType<typeof setInterval> | undefined
  #trying: ReturnType<typeof setTimeout> | undefined
  #tryId = ''
  #haltId = ''
  /** The step after which the answers that wait may go out. */
  #queuedAt = 0
  #closed = false
  #again: ReturnType<typeof setTimeout> | undefined
  #seen = (): void => {
    this.#sayBeat()
    if (document.visibilityState === 'visible') this.#outbox.wake()
  }

  constructor(
    readonly id: string,
    csrf: string,
    tab: string,
  ) {
    this.#door = new Door(id, csrf, tab)
    const source: Source = {
      snapshot: async () => {
        const play = await this.#door.play()
        this.#take(play)
        return { body: { run: play.run, frame: play.frame }, size: 0 }
      },
      frames: (_id, after, limit) => fetchFrames(this.play?.run.id ?? '', after, limit, this.play?.seat ?? null),
      briefs: (_id, after, limit) => fetchBriefs(this.play?.run.id ?? '', after, limit, this.play?.seat ?? null),
      socket: (_id, after) => this.#door.socket(after),
      heard: (message) => this.#heard(message),
    }
    this.session = new Session(id, source)
    this.#outbox = new Outbox({
      say: ({ id, step, answer }) => this.session.say({ type: 'move', id, step, ...answer }),
      post: async ({ id, step, answer }) => {
        try {
          return await this.#door.move(id, step, answer)
        } catch (error) {
          throw error instanceof ApiError && error.status >= 400 && error.status < 500 ? new Refusal(refusedOf(error.code, error.message, error.body)) : error
        }
      },
      stored: (sent, move) => this.#stored(sent, move),
      refused: (sent, refusal) => this.#refused(sent, refusal),
      changed: () => (this.pending = this.#outbox.pending),
    })
  }

  get seat(): number {
    return this.play?.seat ?? 0
  }

  async open(): Promise<void> {
    await this.session.open(null, null)
    if (this.#closed) return
    this.session.as = this.play?.seat ?? null
    this.#sayBeat()
    this.#beat = setInterval(() => this.#sayBeat(), BEAT_MS)
    document.addEventListener('visibilitychange', this.#seen)
    addEventListener('online', this.#seen)
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#beat)
    clearTimeout(this.#trying)
    clearTimeout(this.#again)
    document.removeEventListener('visibilitychange', this.#seen)
    removeEventListener('online', this.#seen)
    this.#outbox.close()
    this.session.close()
  }

  start = (): Promise<void> => this.#ask(() => this.#door.start())
  takeOver = (): Promise<void> => this.#ask(() => this.#door.take())
  leave = (): Promise<void> => this.#ask(() => this.#door.leave())

  /** The server words refusals and mails in it; a failure costs nothing here. */
  speak(language: 'en' | 'zh'): void {
    void this.#door.speak(language).catch(() => undefined)
  }

  /** What is written now; kept in the browser, and tried on the server once it rests. */
  write(draft: Json, answer: Answer | null): void {
    this.draft = draft
    const turn = this.turn
    if (!turn) return
    draftWrite(localStorage, this.id, this.seat, turn.step, draft)
    this.trouble = null
    this.attempt(answer)
  }

  /** Asks the server what the rules would strike out. */
  attempt(answer: Answer | null): void {
    clearTimeout(this.#trying)
    this.tried = null
    const turn = this.turn
    if (!turn || !answer || 'pass' in answer) return
    this.#trying = setTimeout(() => {
      const id = (this.#tryId = randomId())
      if (this.session.say({ type: 'try', id, step: turn.step, ...answer })) return
      void this.#door.attempt(turn.step, answer).then(
        (tried) => this.#answered(id, tried),
        () => undefined, // The line says that it is lost; what is sent is cleaned in any case.
      )
    }, TRY_MS)
  }

  /** Whether a plan stands, or will once what was sent is played. */
  get hasPlan(): boolean {
    const asked = this.turn ?? this.lastTurn
    return asked !== null && (asked.moved ? asked.moved.plan : asked.plan) !== null
  }

  /** Sends an answer to the open turn; where the match ticks and this turn is answered, it waits for the next. */
  submit(answer: Answer): void {
    const turn = this.turn
    if (turn && !turn.moved && !this.pending) {
      this.trouble = null
      this.missed = null
      this.#outbox.send({ id: randomId(), step: turn.step, answer, interrupts: turn.plan !== null })
      return
    }
    const asked = turn ?? this.lastTurn
    if (asked?.tick) this.#queue(queued(this.queue, answer), asked.step)
    else if (asked && this.hasPlan) this.#interrupt(answer, asked.step)
  }

  /** Ends the standing plan; the seat is asked again. */
  halt(): void {
    this.trouble = null
    this.#haltId = randomId()
    if (this.session.say({ type: 'halt', id: this.#haltId })) return
    void this.#door.halt().then(
      (news) => this.#news(news),
      (error: unknown) => (this.trouble = asFault(error, 'control')),
    )
  }

  /** Ends the plan, and answers with this when the seat is asked after the step, in which it came too late. */
  #interrupt(answer: Answer, step: number): void {
    this.#queue([answer], step)
    this.halt()
    if (this.turn) this.#sendNext(this.turn)
  }

  #queue(answers: readonly Answer[], step: number): void {
    this.queue = answers
    this.#queuedAt = step
  }

  /** The first of the answers that wait goes out, where a later turn than theirs is open for it. */
  #sendNext(turn: Turn): void {
    const isFree = turn.step > this.#queuedAt && !turn.moved && !this.pending && (turn.tick || turn.plan === null)
    const next = isFree ? nextOf(this.queue) : null
    if (!next) return
    this.queue = next.rest
    this.submit(next.answer)
  }

  clearQueue(): void {
    this.queue = []
  }

  #stored(sent: Sent, move: Move): void {
    // The draft stays until the next turn: it shows what was sent.
    if (this.turn?.step === sent.step) this.#setTurn({ ...this.turn, moved: move })
    else if (this.lastTurn?.step === sent.step) this.lastTurn = { ...this.lastTurn, moved: move }
  }

  #refused(sent: Sent, refusal: Refused): void {
    if (refusal.moved && this.turn?.step === sent.step) this.#setTurn({ ...this.turn, moved: refusal.moved })
    if (refusal.code === 'struck_out') {
      const hasSeen = this.tried?.step === sent.step && sameNotes(this.tried.notes, refusal.notes)
      this.tried = { step: sent.step, ok: false, notes: [...refusal.notes], action: refusal.action }
      // Whoever was shown what would be struck out, and sent it all the same, means the rest.
      if ((hasSeen || this.lastTurn?.tick) && this.turn?.step === sent.step) {
        this.#outbox.send({ id: randomId(), step: sent.step, answer: { action: refusal.action } })
        return
      }
    }
    if (sent.interrupts && (refusal.code === 'late' || refusal.code === 'already_moved')) {
      this.#interrupt(sent.answer, sent.step)
      return
    }
    if (refusal.code === 'other_tab') this.holds = false
    this.queue = []
    this.trouble = refusal
    // Late, ended or replaced: the page's picture is old, whatever the reason.
    if (refusal.code !== 'struck_out' && refusal.code !== 'bad_action') void this.refresh()
  }

  #heard(message: OtherMessage): void {
    switch (message.type) {
      case 'seat':
        this.#news(message as unknown as SeatNews)
        break
      case 'moved':
        this.#outbox.acknowledged(message as unknown as Move)
        break
      case 'refused': {
        const { id, code, message: said } = message as unknown as { id: string; code: string; message: string }
        if (id === this.#tryId) this.#unreadable(refusedOf(code, said, message))
        else if (id === this.#haltId) this.trouble = refusedOf(code, said, message)
        else this.#outbox.rejected(id, refusedOf(code, said, message))
        break
      }
      case 'tried':
        this.#answered(String(message.id), message as unknown as Tried)
        break
    }
  }

  #answered(id: string, tried: Tried): void {
    if (id === this.#tryId && this.turn?.step === tried.step) this.tried = tried
  }

  #unreadable(unread: Told): void {
    if (unread.code === 'bad_action' && this.turn) this.tried = { step: this.turn.step, ok: false, notes: [], action: null, unread }
  }

  #take(play: Play): void {
    this.play = play
    this.fault = null
    this.#news(play)
    if (this.#closed || !play.frame) return
    this.session.replay.grow(play.frame.n)
    this.session.replay.put([play.frame])
  }

  #news(news: SeatNews): void {
    this.toldAt = performance.now()
    this.seatState = news.state
    this.holds = news.holds
    this.isReady = news.ready
    this.presence = news.presence ?? []
    this.room = news.room ?? this.room
    this.#setTurn(news.turn)
    // Result and completion come with the whole, not with the news.
    if (FINAL.has(news.state)) {
      draftWrite(localStorage, this.id, this.seat, 0, null)
      if (this.play?.state !== news.state) void this.refresh()
    }
  }

  #setTurn(turn: Turn | null): void {
    const isNew = turn !== null && turn.step !== this.lastTurn?.step
    const last = this.lastTurn
    this.turn = turn
    this.count = countdown(turn, performance.now())
    if (!turn) return
    this.lastTurn = turn
    if (isNew) this.#begin(turn, last)
    this.#sendNext(turn)
  }

  #begin(turn: Turn, last: Turn | null): void {
    if (last && last.step < turn.step && !last.moved && !last.tick && last.left_s !== null) this.missed = last
    this.draft = draftRead(localStorage, this.id, this.seat, turn.step)
    this.tried = null
    if (this.trouble && this.trouble.code !== 'late') this.trouble = null
  }

  /** By the socket where there is one, else by a request, and then the whole is asked for as well. */
  #sayBeat(): void {
    if (this.#closed || this.fault) return
    const active = document.visibilityState === 'visible'
    if (this.session.say({ type: 'beat', active })) return
    const status = this.session.meta?.status
    if (status && ENDED.has(status) && FINAL.has(this.seatState)) return
    void this.#door.beat(active).then(
      ({ holds, state }) => {
        this.holds = holds
        if (active || state !== this.seatState) void this.refresh()
      },
      () => undefined, // The line says that it is lost.
    )
  }

  /** The whole seat anew, as after anything that the news do not tell. */
  async refresh(): Promise<void> {
    try {
      this.#take(await this.#door.play())
      if (this.play) this.session.told(this.play.run)
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) this.fault = asFault(error, 'load')
      else {
        clearTimeout(this.#again)
        this.#again = setTimeout(() => void this.refresh(), BEAT_MS)
      }
    }
  }

  async #ask(what: () => Promise<Play>): Promise<void> {
    try {
      this.#take(await what())
      if (this.play) this.session.told(this.play.run)
      this.trouble = null
    } catch (error) {
      this.trouble = asFault(error, 'control')
    }
  }
}

function refusedOf(code: string, message: string, body: object): Refused {
  const { notes, action, moved } = body as { notes?: Note[]; action?: Json; moved?: Move }
  return { code, message, facts: { ...body }, notes: notes ?? [], action: action ?? null, moved: moved ?? null }
}
