import { untrack } from 'svelte'
import { fetchComments, orderComment } from '../api'
import { COMMENTED } from '../people/notices'
import { asFault, type Fault, type Session } from '../record/session.svelte'
import type { Lang, Said } from '../types'

type Comment = Said<'CommentOut'>

/** What models wrote on a run's steps. The site is asked where it says that there is something, and no other time. */
export class ModelComments {
  readonly #session: Session
  #followed = -1
  /** By step. */
  all = $state.raw<ReadonlyMap<number, Comment>>(new Map())
  isAsked = $state(false)
  fault = $state.raw<Fault | null>(null)
  /** What the step that is shown has of it. */
  readonly now = $derived.by(() => this.all.get(this.#session.at.frame?.n ?? -1) ?? null)
  readonly #head = $derived.by(() => this.#session.meta?.notices.findLast(({ kind }) => kind === COMMENTED)?.n ?? 0)
  /** Whether the step that is shown has one that is not here. */
  readonly #isMissing = $derived.by(() => {
    const n = this.#session.at.frame?.n
    return this.#session.meta?.notices.some(({ kind, data }) => kind === COMMENTED && data.step === n && !this.all.has(n ?? -1)) ?? false
  })

  constructor(
    session: Session,
    private readonly csrf: string,
  ) {
    this.#session = session
    $effect(() => {
      if (this.#head || this.#isMissing) void untrack(() => this.#fetch())
    })
  }

  /** Has a model of the site comment on the step that is shown; one at a time. */
  async order(model: string, language: Lang): Promise<void> {
    const step = this.#session.at.frame?.n ?? 0
    if (this.isAsked || step < 1) return
    this.isAsked = true
    try {
      this.#keep([...this.all.values(), await orderComment(this.#session.id, this.csrf, { step, model, language })])
      this.fault = null
    } catch (error) {
      this.fault = asFault(error, 'control')
    }
    this.isAsked = false
  }

  /** The same of a step that has just come, once: whatever else changes, it is not paid for again. */
  follow(step: number, model: string, language: Lang): void {
    if (step <= this.#followed) return
    this.#followed = step
    void this.order(model, language)
  }

  async #fetch(): Promise<void> {
    try {
      this.#keep(await fetchComments(this.#session.id))
    } catch {
      // The rule's own sentence stays.
    }
  }

  #keep(comments: readonly Comment[]): void {
    this.all = new Map(comments.map((one) => [one.step, one]))
  }
}
