import { untrack } from 'svelte'
import { loadComposer } from '../games'
import type { Cell, Mark } from '../../kit/board'
import type { Composing, ComposerContext, ComposerModule } from '../../kit/composer'
import { asNote } from '../notes'
import type { GameParts } from '../run/game.svelte'
import type { Facts, Json } from '../types'
import type { Ui } from '../ui.svelte'
import { refusalIn } from './phrases'
import type { PlaySession } from './play.svelte'
import type { SeatStatus } from './status.svelte'

/** The game's composer as a seat has it: what it is given, what it makes of the draft; made with the page. */
export class SeatComposer {
  readonly #held: PlaySession
  readonly #status: SeatStatus
  readonly #parts: GameParts
  readonly #ui: Ui
  module = $state.raw<ComposerModule | null>(null)
  /** What stands in the page; null while nothing can be written. */
  #composing: Composing | null = null

  /** What the server said of the draft: what it could not read is told as what the rules strike out. */
  readonly #dry = $derived.by(() => {
    const { tried } = this.#held
    return tried?.unread ? { ...tried, notes: [asNote(refusalIn(this.#ui, tried.unread))] } : tried
  })
  readonly #step = $derived.by(() => this.#held.turn?.step)
  /** By itself: what is told of a run changes often, its game never, and a composer that is made anew loses the focus. */
  readonly #slug = $derived.by(() => this.#status.meta?.game)
  readonly context = $derived.by((): ComposerContext | null => {
    const held = this.#held
    const { meta, asked, newest } = this.#status
    if (!meta || !held.play || !asked || !newest) return null
    return {
      turn: asked,
      frame: newest,
      at: (n) => held.session.replay.at(n),
      seat: held.seat,
      seats: meta.seats,
      words: (this.#parts.words ?? {}) as unknown as Facts,
      lang: this.#ui.lang,
      draft: held.draft,
      readonly: !this.#status.isOpen,
      dry: this.#dry,
      queue: held.queue.length,
      onchange: (draft) => this.#write(draft),
      onsubmit: (answer) => held.submit(answer),
      onclear: () => held.clearQueue(),
      onhalt: () => held.halt(),
    }
  })
  /** Whether the page's button sends the draft. */
  readonly hasButton = $derived.by(() => this.module !== null && this.context !== null && this.module.sends(this.context) === 'draft')
  /** What the button would send; undefined where there is nothing to send (yet). */
  readonly action = $derived.by(() => (this.hasButton ? this.#actionOf(this.#held.draft) : undefined))
  /** What the button says, where the game says it. */
  readonly label = $derived.by(() => (this.context ? this.module?.label?.(this.#held.draft, this.context) : undefined))
  /** Whether the page offers to do nothing; elsewhere the composer does, or there is no such act. */
  readonly canIdle = $derived.by(() => this.context !== null && (this.module?.waits?.(this.context) ?? false))
  /** Signs of the draft on the board; none once it is sent, or the match over. */
  readonly marks = $derived.by((): readonly Mark[] => (this.context && !this.#held.turn?.moved && !this.#status.isOver ? (this.module?.marks?.(this.#held.draft, this.context) ?? []) : []))

  constructor(held: PlaySession, status: SeatStatus, parts: GameParts, ui: Ui) {
    this.#held = held
    this.#status = status
    this.#parts = parts
    this.#ui = ui
    $effect(() => {
      const slug = this.#slug
      if (slug)
        void loadComposer(slug).then(async (found) => {
          const module = found ?? (await import('./schemacomposer.svelte')).schemaComposer(ui)
          this.module = module
          held.keepBy((draft) => module.kept?.(draft) ?? null)
        })
    })
    // A draft that came back with a reload is tried as well.
    $effect(() => {
      if (this.#step === undefined || !this.hasButton) return
      untrack(() => {
        if (this.action !== undefined && held.draft !== null && !held.turn?.moved) held.attempt({ action: this.action })
      })
    })
  }

  stand(composing: Composing | null): void {
    this.#composing = composing
  }

  cell(cell: Cell): void {
    if (this.#status.isOpen) this.#composing?.cell?.(cell)
  }

  key(key: string, cell: Cell | null): boolean {
    return this.#composing?.key?.(key, cell) ?? false
  }

  /** Whether a key of the page is the game's. */
  takes(key: string): boolean {
    return this.#status.isOpen && (this.module?.keys?.includes(key.toLowerCase()) ?? false)
  }

  submit(): void {
    if (this.action !== undefined) this.#held.send({ action: this.action })
  }

  #write(draft: Json): void {
    const action = this.hasButton ? this.#actionOf(draft) : undefined
    this.#held.write(draft, action === undefined ? null : { action })
  }

  #actionOf(draft: Json): Json | undefined {
    return this.context ? this.module?.action(draft, this.context) : undefined
  }
}
