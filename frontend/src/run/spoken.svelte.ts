/** No voice keeps up with a replay: one summary each four seconds. */
const EVERY_MS = 4000

/** What a page says aloud: never more often than can be heard, and always ending with the newest. */
export class Spoken {
  text = $state('')
  #saidAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  say(text: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.text = text
      this.#saidAt = Date.now()
    }, Math.max(0, EVERY_MS - (Date.now() - this.#saidAt)))
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}
