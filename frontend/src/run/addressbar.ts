/** Each change costs a word with the browser, longer than a picture may take, and some browsers refuse many of them. */
const REST_MS = 250
const MOVING_MS = 2000

/** Address and title of a page whose moment moves: they follow when it rests, and now and then while it does not. */
export class AddressBar {
  #search = ''
  #title = ''
  #at = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `search` as of `writeMoment`; an empty title leaves the page's. */
  show(search: string, title = ''): void {
    this.#search = search
    this.#title = title
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#at = performance.now()
      if (this.#search !== location.search) history.replaceState(history.state, '', location.pathname + this.#search + location.hash)
      if (this.#title && this.#title !== document.title) document.title = this.#title
    }, Math.min(REST_MS, Math.max(0, MOVING_MS - (performance.now() - this.#at))))
  }

  /** Else this run's moment would be written into the address of the next. */
  close(): void {
    clearTimeout(this.#timer)
  }
}
