import { command, isKept } from '../keys'
import type { Session } from '../record/session.svelte'

/** So long after A a first digit is waited for, and after a digit one more. */
const FIRST_MS = 2500
const NEXT_MS = 800

export interface KeyedPage {
  /** Whether something else has the keys, as a dialog. */
  isBusy(): boolean
  /** Whether one may choose the eyes that the run is seen through. */
  canSee(): boolean
  help(): void
  /** Goes to the run before (-1) or after (1) this one in its experiment. */
  sibling(by: 1 | -1): void
  /** Esc, where nobody's eyes are to be given back. */
  clear(): void
}

/** The keys of a run page: they steer its replay, and after A digits name the seat to see as. */
export class RunKeys {
  /** Digits typed after A; null while no seat is being named. */
  digits = $state<string | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly session: Session,
    private readonly page: KeyedPage,
  ) {}

  press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || this.page.isBusy() || isKept(event)) return
    const order = command(event, this.digits !== null)
    if (!order) return
    event.preventDefault()
    const { replay } = this.session
    switch (order.do) {
      case 'round': replay.round(order.by); break
      case 'step': replay.step(order.by); break
      case 'first': replay.seek(0); break
      case 'live': replay.live(); break
      case 'toggle': replay.toggle(); break
      case 'mark': replay.toMark(order.direction); break
      case 'speed': replay.faster(order.by); break
      case 'help': this.page.help(); break
      case 'sibling': this.page.sibling(order.by); break
      case 'fullscreen': toggleFullscreen(); break
      case 'everyone': this.#everyone(); break
      case 'eyes': this.#name(); break
      case 'digit': this.#digit(order.digit); break
    }
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #everyone(): void {
    this.digits = null
    clearTimeout(this.#timer)
    if (this.session.as !== null && this.page.canSee()) void this.session.see(null)
    else this.page.clear()
  }

  #name(): void {
    if (!this.page.canSee()) return
    this.digits = ''
    this.#wait(FIRST_MS)
  }

  #digit(digit: number): void {
    const digits = (this.digits ?? '') + digit
    this.digits = digits
    // One digit more can only mean another seat where there are that many.
    const most = Math.max(...(this.session.meta?.seats ?? []).map((one) => one.seat + 1), 1)
    if (Number(digits) * 10 > most || digits.length >= String(most).length) this.#see()
    else this.#wait(NEXT_MS)
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#see(), ms)
  }

  #see(): void {
    clearTimeout(this.#timer)
    // Seats are counted from 1 by those who look at their letters: 1 is A.
    const seat = this.digits ? Number(this.digits) - 1 : null
    this.digits = null
    if (seat !== null && this.session.meta?.seats.some((one) => one.seat === seat)) void this.session.see(seat)
  }
}

function toggleFullscreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen()
  else void document.documentElement.requestFullscreen?.().catch(() => undefined)
}
