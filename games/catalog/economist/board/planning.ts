import { draftRecord, type Json } from '@polity/board'
import { damped, effectOf, type Effect } from './taxes'
import type { Economy, Schedule } from './reading'

const THRESHOLD_MAX = 1_000_000

/** What the planner has written: threshold in coin and rate in percent of each bracket. */
export type Bracket = readonly [threshold: number, percent: number]

export interface PlannerDraft {
  brackets: readonly Bracket[]
}

/** The draft in what was kept, or the schedule in force. Rates to a tenth of a percent, so that the fields show what they mean. */
export function draftOf(kept: Json, economy: Economy): PlannerDraft {
  const given = draftRecord(kept).brackets
  const pairs = Array.isArray(given) ? given.flatMap((pair) => (Array.isArray(pair) && typeof pair[0] === 'number' && typeof pair[1] === 'number' ? [[pair[0], pair[1]] as const] : [])) : []
  return { brackets: pairs.length ? pairs : inForce(economy) }
}

export function inForce(economy: Economy): readonly Bracket[] {
  return economy.schedule.map(([low, rate]) => [low, rounded(rate * 100)] as const)
}

export function isChanged(draft: PlannerDraft, economy: Economy): boolean {
  return JSON.stringify(draft.brackets) !== JSON.stringify(inForce(economy))
}

/** As an action: nothing at all where nothing is changed, so that rounding for the eye moves no rate. */
export function taxesOf(draft: PlannerDraft, economy: Economy): Json {
  const brackets = isChanged(draft, economy) ? scheduleOf(draft) : []
  return { do: 'set_taxes', brackets: brackets.map(([low, rate]) => [low, rate]) }
}

export function scheduleOf(draft: PlannerDraft): Schedule {
  return draft.brackets.map(([low, percent]) => [low, rounded(percent) / 100] as const)
}

/** The most and the least a bracket's rate may be beside its neighbours, in percent. */
export function bounds(draft: PlannerDraft, at: number, falling: boolean): { min: number; max: number } {
  if (falling) return { min: 0, max: 100 }
  return { min: Math.ceil(draft.brackets[at - 1]?.[1] ?? 0), max: Math.floor(draft.brackets[at + 1]?.[1] ?? 100) }
}

/** Where a bracket may begin: between its neighbours, in whole coin. The first begins at 0. */
export function edges(draft: PlannerDraft, at: number): { min: number; max: number } {
  if (at === 0) return { min: 0, max: 0 }
  const below = draft.brackets[at - 1]?.[0] ?? 0
  const above = draft.brackets[at + 1]?.[0]
  return { min: Math.floor(below) + 1, max: above === undefined ? THRESHOLD_MAX : Math.ceil(above) - 1 }
}

export function changed(draft: PlannerDraft, at: number, bracket: Bracket): PlannerDraft {
  return { brackets: draft.brackets.map((old, i) => (i === at ? bracket : old)) }
}

/** One more bracket above the last: half as far again, at the same rate. */
export function added(draft: PlannerDraft): PlannerDraft {
  const [low, rate] = draft.brackets.at(-1) ?? [0, 0]
  return { brackets: [...draft.brackets, [Math.max(10, Math.round(low * 1.5)), rate] as const] }
}

export function removed(draft: PlannerDraft, at: number): PlannerDraft {
  return { brackets: draft.brackets.filter((_, i) => i !== at) }
}

export interface Outlook {
  effect: Effect
  /** The schedule that the next epoch will have. */
  next: Schedule
  /** The top threshold where no report reaches it. */
  idleTop: number | null
}

/** What the draft would have taken of last epoch's reports, and what will be in force. */
export function outlook(draft: PlannerDraft, economy: Economy): Outlook {
  const accounts = economy.report?.accounts ?? []
  const reports = accounts.flatMap((account, seat) => (account ? [{ seat, reported: account.reported, paid: account.paid }] : []))
  const top = draft.brackets.at(-1)?.[0] ?? 0
  const target = isChanged(draft, economy) ? scheduleOf(draft) : economy.schedule
  return {
    effect: effectOf(reports, target, economy.redistribution === 'lump_sum', economy.smoothing),
    next: damped(economy.schedule, target, economy.damping),
    idleTop: top > 0 && reports.every(({ reported }) => reported <= top) ? top : null,
  }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
