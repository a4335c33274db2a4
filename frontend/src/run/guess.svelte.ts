import { untrack } from 'svelte'
import { fetchGuess, makeGuess } from '../api'
import type { Session } from '../record/session.svelte'
import { keep, kept } from '../shelves'
import type { Said } from '../types'

export type Guess = Said<'GuessOut'>

/** A guess of this browser: what was shown when it was made, and whether it was right; null while it is not shown. */
export interface Made {
  seat: number
  after: number
  choice: string
  right: boolean | null
}

/** So long nothing may move before the site is asked. */
const CALM_MS = 250
const NAME = 'guess.viewer'
const OPEN = 'guess.open'

/** What this browser calls itself where it guesses: drawn once, and said to nobody else. */
function viewerName(): string {
  const known = kept(NAME)
  if (known) return known
  const drawn = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  keep(NAME, drawn)
  return drawn
}

/** What this browser guessed of a run before; nothing where that cannot be read. */
function guessedIn(name: string): Made[] {
  try {
    const made: unknown = JSON.parse(kept(name) ?? '[]')
    return Array.isArray(made) ? (made as Made[]) : []
  } catch {
    return []
  }
}

/** A guess at a time: what is asked of a seat, what one said, and what came once the round is shown. */
export class Guessing {
  readonly #session: Session
  readonly #viewer = viewerName()
  readonly #name: string
  isOpen = $state(kept(OPEN) !== null)
  seat = $state(0)
  /** What may be guessed of the seat after the step that is shown; null while that is not known, or nothing may. */
  asked = $state.raw<Guess | null>(null)
  /** Whether the site said that there is nothing for these eyes. */
  isNone = $state(false)
  made = $state.raw<readonly Made[]>([])
  /** The last guess as the site tells it. */
  told = $state.raw<Guess | null>(null)
  readonly last = $derived.by(() => this.made.at(-1) ?? null)
  /** The guess whose round has not been shown yet. */
  readonly open = $derived.by(() => (this.last?.right === null ? this.last : null))
  readonly right = $derived.by(() => this.made.filter(({ right }) => right).length)
  readonly over = $derived.by(() => this.made.filter(({ right }) => right !== null).length)

  /** The question that stands: that of the open guess, else of the seat that is chosen. */
  readonly now = $derived.by(() => (this.open ? this.told : this.asked))

  constructor(
    session: Session,
    private readonly csrf: string,
    first: number,
  ) {
    this.#session = session
    this.#name = `guess.${session.id}`
    this.made = guessedIn(this.#name)
    this.seat = this.last?.seat ?? session.as ?? first
    $effect(() => {
      const shown = session.at.frame?.n
      const { seat } = this
      if (!this.isOpen || shown === undefined) return
      const calm = setTimeout(() => void untrack(() => this.#look(shown, seat)), CALM_MS)
      return () => clearTimeout(calm)
    })
  }

  toggle(): void {
    this.isOpen = !this.isOpen
    keep(OPEN, this.isOpen ? '1' : null)
  }

  /** Of several guesses of a round the site keeps the first: that one counts here, too. */
  async make(choice: string): Promise<void> {
    const after = this.#session.at.frame?.n ?? -1
    const told = await makeGuess(this.#session.id, this.csrf, { seat: this.seat, after, choice, viewer: this.#viewer })
    if (!told?.own) return
    this.told = told
    this.#remember([...this.made, { ...told.own, after, right: null }])
  }

  /** What stands after the step that is shown: the end of the guess that was open, or what may be guessed next. */
  async #look(shown: number, seat: number): Promise<void> {
    const { last } = this
    try {
      if (last && (last.right === null || !this.told)) await this.#resolve(last, shown)
      if (!this.open) {
        const asked = await fetchGuess(this.#session.id, seat, shown, this.#viewer)
        this.isNone = asked === null
        this.asked = asked
      }
    } catch {
      // It is asked again at the next step.
    }
  }

  async #resolve(last: Made, shown: number): Promise<void> {
    const told = await fetchGuess(this.#session.id, last.seat, last.after, this.#viewer)
    this.told = told
    if (last.right === null && told && !told.options.length) this.#remember(this.made.filter((one) => one !== last)) // nothing came of it
    if (last.right !== null || told?.step == null || told.step > shown) return
    this.#remember(this.made.map((one) => (one === last ? { ...one, right: told.came === one.choice } : one)))
  }

  #remember(made: readonly Made[]): void {
    this.made = made
    keep(this.#name, JSON.stringify(made))
  }
}
