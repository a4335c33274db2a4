import { nothing, render, type TemplateResult } from 'lit-html'
import type { Schema } from '../src/jsonschema'
import { noteParts } from '../src/notes'
import { spoken } from '../src/sentences'
import type { Facts, Frame, Json, Lang, Note, SeatMeta } from '../src/types'
import { seatName, type Cell, type Mark } from './board'

/** What a seat is asked, as far as a composer needs it. */
export interface ComposerTurn {
  step: number
  stage: string
  /** JSON Schema of an action. */
  schema: Schema
  /** Every legal action where they can be listed. */
  options: readonly Json[] | null
  /** JSON Schema of a plan, where the game knows plans. */
  plan_schema: Schema | null
  /** The plan that stands. */
  plan: Json
  /** Whether the match ticks: what is sent while no turn is open waits for the next. */
  tick: boolean
}

/** What a dry run of the draft says; null until the server has answered. */
export interface DryRun {
  ok: boolean
  notes: readonly Note[]
  action: Json
}

/** All that a composer is given. It fetches nothing and keeps no state but the draft. */
export interface ComposerContext {
  /** The open turn, or the last one while none is open. */
  turn: ComposerTurn
  /** The newest frame through the seat's own eyes. */
  frame: Frame
  /** An earlier frame through the same eyes, where it is here. */
  at(n: number): Frame | undefined
  seat: number
  seats: readonly SeatMeta[]
  /** The game's words in this language. */
  words: Facts
  lang: Lang
  /** What is written so far, as this composer wrote it; null at first. It survives a reload. */
  draft: Json
  /** Nothing may be changed now: somebody else's turn, sent already, another tab. */
  readonly: boolean
  dry: DryRun | null
  /** How many moves wait for turns to come. */
  queue: number
  onchange(draft: Json): void
  /** Sends at once. Composers with a draft leave it to the page's button. */
  onsubmit(answer: { action: Json } | { plan: Json }): void
  /** Drops the moves that wait. */
  onclear(): void
  /** Ends the plan that stands. Whatever is submitted ends it as well. */
  onhalt(): void
}

/** A note of the dry run in the game's words, as text. */
export function noteText(note: Note, { words, seats }: Pick<ComposerContext, 'words' | 'seats'>): string {
  return spoken(noteParts(note, words), (seat) => seatName(seats, seat))
}

export interface Composing {
  update(context: ComposerContext): void
  destroy(): void
  /** A cell of the board was clicked, or Enter was pressed on it. */
  cell?(cell: Cell): void
  /** A key was pressed on the page or on a cell of the board; true where it was taken. */
  key?(key: string, cell: Cell | null): boolean
}

/** A game's way to write an answer: `games/catalog/GAME/board/composer.ts`, as its default export. */
export interface ComposerModule {
  mount(element: HTMLElement, context: ComposerContext): Composing
  /** The action that a draft stands for; undefined where there is none to send (yet). Pure. */
  action(draft: Json, context: ComposerContext): Json | undefined
  /** `draft`: the page's button sends; `direct`: each press sends. */
  sends(context: ComposerContext): 'draft' | 'direct'
  /** Words for the page's button; undefined: the page's own. Pure. */
  label?(draft: Json, context: ComposerContext): string | undefined
  marks?(draft: Json, context: ComposerContext): readonly Mark[]
  /** The words of a draft that was not sent, as a draft for the next turn; null where there are none. Pure. */
  kept?(draft: Json): Json
  /** Whether the page offers to do nothing, which is not written here. Pure. */
  waits?(context: ComposerContext): boolean
  /** Keys that `key` takes from the page as well, as `KeyboardEvent.key` in small letters, Escape aside. */
  keys?: readonly string[]
}

/** A draft as a record; empty where it is none. */
export function draftRecord(draft: Json): { readonly [key: string]: Json } {
  return draft !== null && typeof draft === 'object' && !Array.isArray(draft) ? (draft as { readonly [key: string]: Json }) : {}
}

export function defineComposer(composer: ComposerModule): ComposerModule {
  return composer
}

/** What a composer draws, and what it hears of the board and of the keyboard. */
export interface Writing extends Pick<Composing, 'cell' | 'key'> {
  draw(context: ComposerContext): TemplateResult
}

/** A composer that is drawn anew with every change of its context; `make` is given the way to the newest one. */
export function composing(element: HTMLElement, first: ComposerContext, make: (now: () => ComposerContext) => Writing): Composing {
  let context = first
  const writing = make(() => context)
  render(writing.draw(context), element)
  return {
    update(next) {
      context = next
      render(writing.draw(context), element)
    },
    destroy() {
      render(nothing, element)
    },
    cell: (cell) => writing.cell?.(cell),
    key: (key, cell) => writing.key?.(key, cell) ?? false,
  }
}

/** A composer whose draft is a record, which is read whole and written part by part. */
export abstract class DraftComposer<Draft extends object> implements Writing {
  constructor(readonly now: () => ComposerContext) {}

  abstract draw(context: ComposerContext): TemplateResult

  /** The draft in what was kept of it, whole even where that is nothing. */
  protected abstract read(kept: Json): Draft

  get draft(): Draft {
    return this.read(this.now().draft)
  }

  write(change: Partial<Draft>): void {
    this.now().onchange({ ...this.draft, ...change } as unknown as Json)
  }
}
