/** So long it is said that a lost line is back. */
export const BACK_MS = 8_000

/** A line that was lost and is back: from which step to which it was missed, and whether all of that is here. */
export interface Return {
  from: number
  to: number
  isWhole: boolean
}

/**
 * What is said of a line that was lost: that it is back, how far the run went meanwhile, and when all of that has come.
 * Pings say how far the run is, the stream how far it has come. No DOM; time is that of setTimeout.
 */
export class Recovery {
  back: Return | null = null
  /** The head when the line was lost; null while it holds. */
  #lostAt: number | null = null
  /** The head that a ping told of since: with its frame all that came meanwhile is here. */
  #wanted: number | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly changed: () => void) {}

  /** The line is lost, with the run at a step; the first loss of several counts. */
  lost(head: number): void {
    clearTimeout(this.#timer)
    this.#lostAt ??= head
    this.#wanted = null
    this.#say(null)
  }

  /** The line is open again; what came meanwhile is not known yet. */
  opened(): void {
    if (this.#lostAt !== null) this.#say({ from: this.#lostAt, to: this.#lostAt, isWhole: false })
  }

  /** A ping says how far the run is, and the stream has come to `last`. Nothing is said while the line is not open. */
  pinged(head: number, last: number): void {
    if (this.#lostAt === null || this.back === null) return
    this.#wanted = head
    const isWhole = last >= head
    this.#say({ from: this.#lostAt, to: Math.max(head, this.#lostAt), isWhole })
    if (!isWhole) return
    this.#lostAt = this.#wanted = null
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#say(null), BACK_MS)
  }

  /** A frame has come. */
  came(n: number, last: number): void {
    if (this.#wanted !== null && n >= this.#wanted) this.pinged(this.#wanted, last)
  }

  /** What was lost is of no interest any more. */
  forget(): void {
    clearTimeout(this.#timer)
    this.#lostAt = this.#wanted = null
    this.#say(null)
  }

  #say(back: Return | null): void {
    this.back = back
    this.changed()
  }
}
