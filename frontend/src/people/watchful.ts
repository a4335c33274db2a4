/** Whether to ask somebody whether they are there: their move is waited for, and they gave no sign for so long. */
export class Watchful {
  #last: number
  #mineSince: number | null = null

  constructor(now: number) {
    this.#last = now
  }

  /** A key, a press, a touch. */
  signed(now: number): void {
    this.#last = now
  }

  asks(now: number, seconds: number, isMine: boolean): boolean {
    this.#mineSince = isMine ? (this.#mineSince ?? now) : null
    return this.#mineSince !== null && now - Math.max(this.#last, this.#mineSince) >= seconds * 1000
  }
}
