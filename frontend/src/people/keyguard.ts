/** A page that has just asked something listens to no key until the hands have rested for so long. */
const QUIET_MS = 1_500

/**
 * Whether a key that was pressed beside the board may be a move. Who writes a message does not see that the turn has
 * ended: what they type must not play for them. So a key needs the board's focus or a second press: once for whoever
 * never wrote, so that steps can be walked, and in a match that ticks not even that; after a text with every new turn.
 */
export class KeyGuard {
  #trusts = false
  #hasWritten = false
  #quietUntil = 0
  #asked = ''

  /** The key that is to be pressed once more; '' where none is. */
  get asked(): string {
    return this.#asked
  }

  /** A turn has begun. Who never wrote may press the second time in it: a plan may have gone on by itself meanwhile. */
  begin(now: number, ticks: boolean): void {
    if (!this.#hasWritten) {
      this.#trusts ||= ticks
      if (this.#trusts) this.#asked = ''
      return
    }
    this.#asked = ''
    this.#trusts = false
    this.#quietUntil = now + QUIET_MS
  }

  /** Something was typed into a text. */
  wrote(now: number): void {
    this.#hasWritten = true
    this.#trusts = false
    this.#asked = ''
    this.#quietUntil = now + QUIET_MS
  }

  /** The board was pressed or focused: whoever did it means the board. */
  touched(): void {
    this.#trusts = true
    this.#hasWritten = false
    this.#asked = ''
  }

  /** `act`: it counts; `ask`: it counts when it is pressed again; `deaf`: it was meant for something else. */
  press(key: string, now: number): 'act' | 'ask' | 'deaf' {
    if (this.#trusts) return 'act'
    if (now < this.#quietUntil) {
      this.#quietUntil = now + QUIET_MS
      return 'deaf'
    }
    if (key === this.#asked) {
      this.touched()
      return 'act'
    }
    this.#asked = key
    return 'ask'
  }
}
