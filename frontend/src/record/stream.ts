import { ENDED, type ClientMessage, type Frame, type RunMeta, type RunStatus, type ServerMessage } from '../types'
import type { Refused } from '../words/refusals'

/** A ping comes about every 2.5 s; this much silence is a lost line. */
export const SILENCE_MS = 9_000
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 15_000
/** A gap is asked for once, and again only when the answer has had time to come. */
const ASK_AGAIN_MS = 2_000
/**
 * What came is acknowledged after so long, so many frames or characters at the latest; the server lets four times as much
 * be under way. Each time a browser draws between half of that and the whole: all who watch got the same frame at once,
 * and would all answer while the next one is handed out.
 */
const ACK_MS = 4_000
const ACK_FRAMES = 16
const ACK_LENGTH = 32 * 1024
/** After sleep a socket may look open and be dead: this much silence is enough to distrust it. */
const WAKE_SILENCE_MS = 4_000

const CONNECTING = 0

export type LineState = 'connecting' | 'open' | 'lost' | 'refused' | 'closed'
export interface Line {
  state: LineState
  /** While lost: when the next attempt is due, in the milliseconds of Date.now(); null while it is under way. */
  retryAt: number | null
}

/** What this module needs of a WebSocket. */
export interface SocketLike {
  onopen: ((event: Event) => void) | null
  onmessage: ((event: MessageEvent) => void) | null
  onclose: ((event: CloseEvent) => void) | null
  onerror: ((event: Event) => void) | null
  send(text: string): void
  close(): void
  readonly readyState?: number
}

export interface StreamWiring {
  /** Opens a socket that asks for everything after step `after`. */
  open(after: number): SocketLike
  /** A frame that follows directly on the last one. */
  frame(frame: Frame): void
  /** A fresh start: steps between may be missing and have to be fetched apart. */
  snapshot(run: RunMeta, frame: Frame): void
  /** `run` comes when something but the head has changed. */
  ping(head: number, status: RunStatus, run?: Partial<RunMeta>): void
  line(line: Line): void
  refused(said: Refused): void
  /** Whatever else the server says on this line. */
  other?(message: OtherMessage): void
  random?: () => number
}

/** A message of a kind that the stream itself does not know. */
export interface OtherMessage {
  type: string
  [key: string]: unknown
}

/** Closing codes of the server's own: 44xx is a refusal that trying again does not cure, save for too many messages. */
const TOO_FAST = 4429
const isRefusal = (code: number): boolean => code >= 4400 && code < 4500 && code !== TOO_FAST

const KNOWN: ReadonlySet<string> = new Set<ServerMessage['type']>(['frame', 'snapshot', 'ping', 'error'])
const isKnown = (message: ServerMessage | OtherMessage): message is ServerMessage => KNOWN.has(message.type)

/**
 * Keeps one run's frames coming, without gaps and without doubles.
 *
 * Frames are passed on in order. One that it has is dropped; a gap is asked for again; a ping with a higher head
 * number counts as a gap too. A lost line heals itself, with back-off and jitter, at once after `wake`.
 */
export class Stream {
  #wiring: StreamWiring
  #socket: SocketLike | null = null
  #last = -1
  #attempt = 0
  #heard = 0
  #askedAt = -Infinity
  /** The highest number that came, whether or not it could be used: that is what is acknowledged. */
  #came = -1
  /** Characters and frames that came since the last acknowledgement. */
  #unconfirmed = 0
  #unacked = 0
  /** How much of the most may come before the next one. */
  #ackShare: number
  #final = false
  #isLost = false
  #isOpen = false
  #said: Refused | null = null
  #stopped = true
  #silence: ReturnType<typeof setTimeout> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #ack: ReturnType<typeof setTimeout> | undefined

  constructor(wiring: StreamWiring) {
    this.#wiring = wiring
    this.#ackShare = this.#drawn()
  }

  /** Number of the last frame that was passed on. */
  get last(): number {
    return this.#last
  }

  /** Sends something of the page's own; false where there is no open line to send it on. */
  say(message: unknown): boolean {
    if (!this.#isOpen) return false
    this.#send(message)
    return this.#isOpen
  }

  start(after: number): void {
    this.#stopped = false
    this.#isLost = false
    this.#last = after
    this.#connect()
  }

  stop(): void {
    this.#stopped = true
    this.#drop()
    clearTimeout(this.#retry)
    this.#wiring.line({ state: 'closed', retryAt: null })
  }

  /** The machine woke up, came online or the tab is seen again: no waiting now. */
  wake(): void {
    if (this.#stopped) return
    if (!this.#socket) {
      clearTimeout(this.#retry)
      this.#attempt = 0
      this.#connect()
    } else if (Date.now() - this.#heard > WAKE_SILENCE_MS) {
      this.#attempt = 0
      this.#lost(0)
    }
  }

  #connect(): void {
    // An attempt is not yet a line: who was told that it is lost hears otherwise when it is back.
    this.#wiring.line({ state: this.#isLost ? 'lost' : 'connecting', retryAt: null })
    let socket: SocketLike
    try {
      socket = this.#wiring.open(this.#last)
    } catch {
      this.#lost()
      return
    }
    this.#socket = socket
    this.#came = this.#last
    this.#askedAt = -Infinity
    this.#said = null
    this.#hear()
    socket.onopen = () => {
      if (socket !== this.#socket) return
      this.#hear()
      this.#isLost = false
      this.#isOpen = true
      this.#wiring.line({ state: 'open', retryAt: null })
    }
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return
      this.#hear()
      this.#attempt = 0
      this.#read(event.data)
    }
    socket.onclose = (event) => {
      if (socket !== this.#socket) return
      if (isRefusal(event.code)) this.#refuse(this.#said ?? { code: String(event.code), message: '' })
      else this.#lost()
    }
    socket.onerror = () => undefined
  }

  #read(data: unknown): void {
    if (typeof data !== 'string') return
    this.#unconfirmed += data.length
    let message: ServerMessage | OtherMessage
    try {
      message = JSON.parse(data) as ServerMessage | OtherMessage
    } catch {
      return
    }
    if (!isKnown(message)) {
      this.#wiring.other?.(message)
      return
    }
    switch (message.type) {
      case 'frame':
        this.#take(message.frame)
        break
      case 'snapshot':
        if (message.frame.n > this.#last) this.#last = message.frame.n
        this.#wiring.snapshot(message.run, message.frame)
        this.#acknowledge(message.frame.n)
        break
      case 'ping':
        this.#final = ENDED.has(message.status) && this.#last >= message.head
        this.#wiring.ping(message.head, message.status, message.run)
        if (message.head > this.#last) this.#want()
        break
      case 'error':
        // Said before closing; the closing code tells whether it is final.
        this.#said = { code: message.code, message: message.message, facts: message }
        break
    }
  }

  #take(frame: Frame): void {
    if (frame.n === this.#last + 1) {
      this.#last = frame.n
      this.#wiring.frame(frame)
    } else if (frame.n > this.#last) this.#want()
    this.#acknowledge(frame.n)
  }

  #want(): void {
    if (Date.now() - this.#askedAt < ASK_AGAIN_MS) return
    this.#askedAt = Date.now()
    this.#send({ type: 'want', after: this.#last } satisfies ClientMessage)
  }

  #acknowledge(n: number): void {
    this.#came = Math.max(this.#came, n)
    this.#unacked += 1
    const share = this.#ackShare
    if (this.#unacked >= ACK_FRAMES * share || this.#unconfirmed >= ACK_LENGTH * share) this.#confirm()
    else this.#ack ??= setTimeout(() => this.#confirm(), ACK_MS * share)
  }

  #confirm(): void {
    this.#unconfirmed = this.#unacked = 0
    this.#ackShare = this.#drawn()
    clearTimeout(this.#ack)
    this.#ack = undefined
    this.#send({ type: 'ack', n: this.#came } satisfies ClientMessage)
  }

  #send(message: unknown): void {
    try {
      this.#socket?.send(JSON.stringify(message))
    } catch {
      this.#lost()
    }
  }

  #hear(): void {
    this.#heard = Date.now()
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#lost(0), SILENCE_MS)
  }

  #refuse(said: Refused): void {
    this.#stopped = true
    this.#drop()
    this.#wiring.line({ state: 'refused', retryAt: null })
    this.#wiring.refused(said)
  }

  #lost(delay?: number): void {
    this.#drop()
    if (this.#stopped) return
    if (this.#final) {
      // Nothing more will come: a closed line is no fault of a run that has ended.
      this.#stopped = true
      this.#wiring.line({ state: 'closed', retryAt: null })
      return
    }
    const backoff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#attempt++)
    const wait = delay ?? backoff * this.#drawn()
    this.#isLost = true
    this.#wiring.line({ state: 'lost', retryAt: Date.now() + wait })
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#connect(), wait)
  }

  /** Between a half and one: what many browsers do is not to be done by all at the same moment. */
  #drawn(): number {
    return 0.5 + (this.#wiring.random ?? Math.random)() / 2
  }

  #drop(): void {
    clearTimeout(this.#silence)
    clearTimeout(this.#ack)
    this.#ack = undefined
    const socket = this.#socket
    this.#socket = null
    this.#isOpen = false
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null
    if (socket.readyState === CONNECTING) {
      socket.onopen = () => socket.close() // to close it before would be told on the console as a fault
      return
    }
    socket.close()
  }
}
