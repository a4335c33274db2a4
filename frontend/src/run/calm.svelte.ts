import { untrack } from 'svelte'

/**
 * A value that follows another when that rests, and every so often while it does not: for what costs more than the eye or
 * the ear takes in of it. It always ends with the last. Made with a component.
 */
export class Calm<T> {
  value = $state.raw() as T
  #at = 0

  constructor(source: () => T, restMs: number, movingMs: number) {
    this.value = untrack(source)
    $effect(() => {
      const now = source()
      if (now === untrack(() => this.value)) return
      const wait = Math.min(restMs, Math.max(0, movingMs - (performance.now() - this.#at)))
      const timer = setTimeout(() => {
        this.#at = performance.now()
        this.value = now
      }, wait)
      return () => clearTimeout(timer)
    })
  }
}
