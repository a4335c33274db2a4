import { ApiError, fetchBriefs, fetchFrames } from '../api'
import { asFault, Session } from '../record/session.svelte'
import type { Source } from '../record/source'
import type { OtherMessage } from '../record/stream'
import { browserShelf } from '../shelves'
import { ENDED, type Json, type Note } from '../types'
import { Door } from './api'
import { countdown, type Countdown } from './clock'
import { draftRead, draftWrite } from './drafts'
import { Outbox, Refusal, type Refused, type Sent } from './outbox'
import { randomId } from './tab'
import { hasPlan, Turns, UNASKED, type Standing } from './turns'
import type { Answer, Move, Play, Presence, Room, SeatNews, SeatState, Tried, Turn } from './types'
import type { Refused as Told } from '../words/refusals'

/** How often the page says that it is there. */
const BEAT_MS = 4_000
const TRY_MS = 250
/** States after which nothing is asked of the seat any more. */
const FINAL: ReadonlySet<SeatState> = new Set<SeatState>(['ended', 'left', 'removed'])

/**
 * One seat as its holder has it: the run through the seat's eyes (`session`), and the seat's turns. This carries news and
 * answers between the page and the server, by the socket or, without one, by requests; `Turns` decides what goes out.
 */
export class PlaySession {
  readonly session: Session
  play = $state.raw<Play | null>(null)
  /** What is asked, written and sent. */
  #now = $state.raw<Standing>(UNASKED)
  // Each part by itself: whoever reads one is not told of every change of another.
  readonly turn: Turn | null = $derived(this.#now.turn)
  readonly lastTurn: Turn | null = $derived(this.#now.lastTurn)
  readonly missed: Turn | null = $derived(this.#now.missed)
  readonly draft: Json = $derived(this.#now.draft)
  readonly tried: Standing['tried'] = $derived(this.#now.tried)
  readonly trouble: Told | null = $derived(this.#now.trouble)
  readonly queue: readonly Answer[] = $derived(this.#now.queue)
  readonly holds: boolean = $derived(!this.#now.isReplaced)
  readonly hasPlan: boolean = $derived(hasPlan(this.#now))
  count = $state.raw<Countdown>({ ends: null, total_s: null })
  seatState = $state.raw<SeatState>('room')
  isReady = $state(true)
  presence = $state.raw<readonly Presence[]>([])
  room = $state.raw<Room>({ ready: 0, of: 0, starts_in_s: null })
  /** When `room` and `presence` were told, in milliseconds of the page's clock. */
  toldAt = $state.raw(0)
  /** What the operator says, by language. */
  said = $state.raw<Readonly<Record<string, string>>>({})
  pending = $state.raw<Sent | null>(null)
  /** Why the page could not be loaded at all. */
  fault = $state.raw<Told | null>(null)

  readonly #door: Door
  readonly #turns: Turns
  readonly #outbox: Outbox
  #beat: ReturnType<typeof setInterval> | undefined
  #trying: ReturnType<typeof setTimeout> | undefined
  #tryId = ''
  #haltId = ''
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
      story: async () => null,
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
    this.#turns = new Turns({
      send: (step, answer, interrupts = false) => this.#outbox.send({ id: randomId(), step, answer, interrupts }),
      isSending: () => this.pending !== null,
      halt: () => this.#halt(),
      refresh: () => void this.refresh(),
      kept: (step) => draftRead(browserShelf, id, this.seat, step),
      keep: (step, draft, isSent) => draftWrite(browserShelf, id, this.seat, step, draft, isSent),
      changed: (now) => (this.#now = now),
    })
    this.#outbox = new Outbox({
      say: ({ id, step, answer }) => this.session.say({ type: 'move', id, step, ...answer }),
      post: async ({ id, step, answer }) => {
        try {
          return await this.#door.move(id, step, answer)
        } catch (error) {
          throw error instanceof ApiError && error.status >= 400 && error.status < 500 ? new Refusal(refusedOf(error.code, error.message, error.body)) : error
        }
      },
      stored: (sent, move) => this.#turns.stored(sent, move),
      refused: (sent, refusal) => this.#turns.refused(sent, refusal),
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
    // Its socket is the first sign of life; where none comes, the next beat is a request.
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
  halt = (): void => this.#turns.halt()
  clearQueue = (): void => this.#turns.clearQueue()

  /** The server words refusals and mails in it; a failure costs nothing here. */
  speak(language: 'en' | 'zh'): void {
    void this.#door.speak(language).catch(() => undefined)
  }

  /** What is written now; kept in the browser, and tried on the server once it rests. */
  write(draft: Json, answer: Answer | null): void {
    if (this.#turns.write(draft)) this.attempt(answer)
  }

  /** Asks the server what the rules would strike out. */
  attempt(answer: Answer | null): void {
    clearTimeout(this.#trying)
    this.#turns.tried(null)
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

  /** How the words of an unsent draft are kept for the next turn. */
  keepBy(words: (draft: Json) => Json): void {
    this.#turns.keepBy(words)
  }

  /** Sends the draft; its words are said then, and not kept for later. */
  send(answer: Answer): void {
    clearTimeout(this.#trying) // what is sent is cleaned in any case, and may be over before it is tried
    this.#turns.send(answer)
  }

  submit(answer: Answer): void {
    clearTimeout(this.#trying)
    this.#turns.submit(answer)
  }

  #halt(): void {
    this.#haltId = randomId()
    if (this.session.say({ type: 'halt', id: this.#haltId })) return
    void this.#door.halt().then(
      (news) => this.#news(news),
      (error: unknown) => this.#turns.troubled(asFault(error, 'control')),
    )
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
        if (id === this.#tryId) this.#turns.unreadable(refusedOf(code, said, message))
        else if (id === this.#haltId) this.#turns.troubled(refusedOf(code, said, message))
        else this.#outbox.rejected(id, refusedOf(code, said, message))
        break
      }
      case 'tried':
        this.#answered(String(message.id), message as unknown as Tried)
        break
    }
  }

  #answered(id: string, tried: Tried): void {
    if (id === this.#tryId) this.#turns.tried(tried)
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
    this.#turns.holds(news.holds)
    this.isReady = news.ready
    this.presence = news.presence ?? []
    this.said = news.said ?? {}
    this.room = news.room ?? this.room
    this.count = countdown(news.turn, performance.now())
    this.#turns.told(news.turn)
    // Result and completion come with the whole, not with the news.
    if (FINAL.has(news.state)) {
      draftWrite(browserShelf, this.id, this.seat, 0, null)
      if (this.play?.state !== news.state) void this.refresh()
    }
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
        this.#turns.holds(holds)
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
      this.#turns.troubled(null)
    } catch (error) {
      this.#turns.troubled(asFault(error, 'control'))
    }
  }
}

function refusedOf(code: string, message: string, body: object): Refused {
  const { notes, action, moved } = body as { notes?: Note[]; action?: Json; moved?: Move }
  return { code, message, facts: { ...body }, notes: notes ?? [], action: action ?? null, moved: moved ?? null }
}
