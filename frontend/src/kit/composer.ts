import { nothing, render, type TemplateResult } from 'lit-html'
import type { Schema } from '../form/schema'
import type { Facts, Frame, Json, Lang, SeatMeta } from '../types'
import type { Cell } from './board'

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
  notes: readonly string[]
  action: Json
}

/** All that a composer is given. It fetches nothing and keeps no state but the draft. */
export interface ComposerContext {
  /** The open turn, or the last one while none is open. */
  turn: ComposerTurn
  /** The newest frame through the seat's own eyes. */
  frame: Frame
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
}

export interface Composing {
  update(context: ComposerContext): void
  destroy(): void
  /** A cell of the board was clicked, or Enter was pressed on it. */
  cell?(cell: Cell): void
  /** A key was pressed on the page or on a cell of the board; true where it was taken. */
  key?(key: string, cell: Cell | null): boolean
}

/** A small sign that the composer puts on a cell of the board. */
export interface Mark {
  cell: Cell
  text: string
  /** `out`: the rules would strike it out. */
  kind: 'plan' | 'out' | 'goal'
}

/** A game's way to write an answer: `games/catalog/GAME/board/composer.ts`, as its default export. */
export interface ComposerModule {
  mount(element: HTMLElement, context: ComposerContext): Composing
  /** The action that a draft stands for; undefined where there is none to send (yet). Pure. */
  action(draft: Json, context: ComposerContext): Json | undefined
  /** `draft`: the page's button sends; `direct`: each press sends. */
  sends(context: ComposerContext): 'draft' | 'direct'
  /** Words for the page's button; pure. */
  label?(draft: Json, context: ComposerContext): string
  marks?(draft: Json, context: ComposerContext): readonly Mark[]
}

export function defineComposer(composer: ComposerModule): ComposerModule {
  return composer
}

/** A composer that is drawn anew from its context with every change; what it hears, it hears with the newest one. */
export function composing(
  element: HTMLElement,
  first: ComposerContext,
  draw: (context: ComposerContext) => TemplateResult,
  hears: (now: () => ComposerContext) => Pick<Composing, 'cell' | 'key'> = () => ({}),
): Composing {
  let context = first
  render(draw(context), element)
  return {
    update(next) {
      context = next
      render(draw(context), element)
    },
    destroy() {
      render(nothing, element)
    },
    ...hears(() => context),
  }
}
