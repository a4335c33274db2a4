import { bySeat, draftRecord, isToNobody, type ComposerContext, type DryRun, type Frame, type Json, type Letter, type Note } from '@polity/board'
import { cellOf, NOBODY, readLand, type Plot } from './reading'
import type { ComposerWord } from './composerwords'

/** The kind of note that a plan beyond the stamina gets. */
const OVER = 'over_stamina'

/** A plan as a person writes it, and what can be said of it before the server has. Pure. */
export const KINDS = ['claim', 'raid', 'defend', 'mine'] as const
export type Kind = (typeof KINDS)[number]

export interface Item {
  type: Kind
  cell: [number, number]
  s: number
}

export interface Draft {
  items: Item[]
  messages: Letter[]
  /** The plot that is chosen on the board. */
  cell: [number, number] | null
}

/** The draft as it is kept; what is not of its shape is begun anew. */
export function draftOf(kept: Json): Draft {
  const { items, messages, cell } = draftRecord(kept)
  return {
    items: itemsOf(items),
    messages: Array.isArray(messages) ? (messages as unknown as Letter[]) : [],
    cell: Array.isArray(cell) ? [Number(cell[0]), Number(cell[1])] : null,
  }
}

/** What is sent; undefined while something is written to nobody. */
export function actionOf({ items, messages }: Draft): Json | undefined {
  const said = messages.filter((message) => message.text.trim())
  if (said.some(isToNobody)) return undefined
  return { items: items as unknown as Json, ...(said.length ? { messages: said as unknown as Json } : {}) }
}

export function costOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + item.s, 0)
}

/** What this seat may spend in a round. */
export function staminaOf(frame: Frame, seat: number): number {
  return readLand(frame).seats[seat]?.stamina ?? 0
}

/** The most stamina that one item of a kind can use; what it costs at least is 1. */
export function mostOf(kind: Kind, frame: Frame, stamina: number): number {
  const { mine_cap, defence } = readLand(frame)
  if (kind === 'mine') return Math.min(mine_cap, stamina)
  return kind === 'defend' && defence === 'per_point' ? stamina : 1
}

/** Why a kind of action makes no sense on a plot now; null where it does. The server has the last word. */
export function hindrance(kind: Kind, plot: Plot, frame: Frame, seat: number, items: readonly Item[]): ComposerWord | null {
  const land = readLand(frame)
  const owner = land.owners[plot] ?? NOBODY
  const { row, col } = cellOf(land, plot)
  if (items.some((item) => item.type === kind && sameCell(item.cell, [row, col]))) return 'planned'
  switch (kind) {
    case 'claim':
      return owner === NOBODY ? null : 'notEmpty'
    case 'raid':
      if (owner === seat) return 'ownPlot'
      if (owner === NOBODY) return land.immunity_window === 0 ? null : 'nobodys'
      return (land.immune_until[plot] ?? 0) > land.round ? 'immune' : null
    case 'defend':
    case 'mine':
      return owner === seat ? null : 'notYours'
  }
}

function sameCell(a: readonly number[], b: readonly number[]): boolean {
  return a[0] === b[0] && a[1] === b[1]
}

/** What becomes of an item by the dry run: kept whole, kept with less stamina, or struck out, and why. */
export interface Fate {
  isOut: boolean
  /** What of its stamina stands. */
  s: number
  /** The server's note; null where the budget is exceeded or nothing is wrong. */
  reason: Note | null
}

export function fates(items: readonly Item[], dry: DryRun | null): Fate[] {
  const stands = dry ? draftRecord(dry.action).items : undefined
  if (!dry || stands === undefined) return items.map(({ s }) => ({ isOut: false, s, reason: null }))
  const left = itemsOf(stands)
  return items.map((item) => {
    const at = left.findIndex((each) => each.type === item.type && sameCell(each.cell, item.cell))
    const standing = at < 0 ? undefined : left.splice(at, 1)[0]
    const reason = dry.notes.find((note) => isOn(note, item)) ?? null
    return { isOut: !standing, s: standing?.s ?? 0, reason: standing?.s === item.s ? null : reason }
  })
}

/** Whether a note is on this item. That of the budget names where the end begins that is struck out, and no single item. */
function isOn({ kind, data: { action, cell } }: Note, item: Item): boolean {
  return kind !== OVER && action === item.type && Array.isArray(cell) && sameCell(cell as number[], item.cell)
}

/** Notes that belong to no item, such as those on messages; the budget is shown by itself. */
export function otherNotes(items: readonly Item[], dry: DryRun | null): Note[] {
  const reasons = new Set(fates(items, dry).map(({ reason }) => reason))
  return (dry?.notes ?? []).filter((note) => !reasons.has(note) && note.kind !== OVER)
}

/** The items of this seat's last plan that was carried out. */
export function lastItems(frame: Frame, seat: number): Item[] {
  return itemsOf(draftRecord(bySeat(frame.actions, seat) ?? null).items)
}

/** How many messages may be sent, and how long each may be; null where nobody can talk. */
export function talkOf({ turn }: ComposerContext): { count: number; length: number } | null {
  const messages = turn.schema.properties?.messages
  if (!messages) return null
  const item = messages.items || {}
  return { count: messages.maxItems ?? 1, length: item.properties?.text?.maxLength ?? 280 }
}

function itemsOf(value: Json | undefined): Item[] {
  return (Array.isArray(value) ? value : []).flatMap((each) => {
    const { type, cell, s } = draftRecord(each)
    const kind = KINDS.find((known) => known === type)
    if (!kind || !Array.isArray(cell)) return []
    return [{ type: kind, cell: [Number(cell[0]), Number(cell[1])] as [number, number], s: typeof s === 'number' ? s : 1 }]
  })
}
