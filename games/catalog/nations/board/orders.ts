import { isToNobody, type ComposerContext, type Frame, type Json, type Letter as Message } from '@polity/board'
import { readWorld, type Nation } from './reading'
import type { PromiseData, RulesView } from './shapes'

export interface Letter extends Message {
  promise: PromiseData | null
}

export interface Draft {
  buy: number
  disband: number
  attacks: readonly { on: number; mils: number }[]
  grants: readonly { to: number; amount: number }[]
  cede: readonly { territory: number; to: number }[]
  resources: readonly { to: number; resource: string; amount: number }[]
  messages: readonly Letter[]
}

const EMPTY: Draft = { buy: 0, disband: 0, attacks: [], grants: [], cede: [], resources: [], messages: [] }

/** The draft in what was kept of it; what is missing is empty. */
export function draftOf(kept: Json): Draft {
  return kept && typeof kept === 'object' && !Array.isArray(kept) ? { ...EMPTY, ...(kept as object) } : EMPTY
}

/** What is sent; undefined while something is written to nobody. */
export function actionOf(draft: Draft): Json | undefined {
  const written = draft.messages.filter(({ text }) => text.trim())
  if (written.some(isToNobody)) return undefined
  const messages = written.map(({ to, text, promise }) => (promise ? { to, text, promise } : { to, text }))
  return { ...draft, messages } as unknown as Json
}

/** How many orders are written, messages aside. */
export function countOf({ buy, disband, attacks, grants, cede, resources }: Draft): number {
  return (buy ? 1 : 0) + (disband ? 1 : 0) + attacks.length + grants.length + cede.length + resources.length
}

/** What the money will do if nobody attacks: the server's rules decide, this only shows the sum. */
export interface Purse {
  income: number
  upkeep: number
  /** What the own attacks alone cost in violence penalty. */
  penalty: number
  /** After upkeep and penalty. */
  toSpend: number
  /** Mils that the money pays for. */
  bought: number
  spent: number
  /** What each grant gets, in order, and what is left after it. */
  paid: readonly number[]
  after: readonly number[]
  left: number
  army: number
  /** What each attack gets of the army, in order. */
  sent: readonly number[]
}

export function purseOf(frame: Frame, seat: number, draft: Draft): Purse {
  const world = readWorld(frame)
  const nation = world.nations[seat]
  const { rules } = world
  const owned = nation?.territories.length ?? 0
  const lands = rules.paid_at_end ? owned - new Set(draft.cede.map(({ territory }) => territory)).size : owned
  const army = nation?.army ?? 0
  const income = incomeOf(lands, rules, nation)
  const wanted = draft.attacks.map(({ mils }) => mils)
  const sent = rules.in_proportion ? scaledDown(army, wanted) : given(army, leftAfter(army, wanted))
  const targets = new Set(draft.attacks.filter((_, i) => (sent[i] ?? 0) > 0).map(({ on }) => on)).size
  const counted = rules.per_attack ? targets : Math.min(targets, 1)
  const penalty = Math.min(income, rounded(rules.penalty * counted * lands))
  const upkeep = affordable(income - penalty, rules.upkeep, army) * rules.upkeep
  const toSpend = rounded(income - penalty - upkeep)
  const bought = affordable(toSpend, rules.price, draft.buy)
  const spent = rounded(bought * rules.price)
  const money = rounded(toSpend - spent)
  const after = leftAfter(money, draft.grants.map(({ amount }) => amount))
  return { income, upkeep: rounded(upkeep), penalty, toSpend, bought, spent, paid: given(money, after), after, left: after.at(-1) ?? money, army, sent }
}

/** What so many territories pay; with resources the product of the three shares of it, in whole hundredths. */
function incomeOf(lands: number, { income, resources: needs }: RulesView, nation: Nation | undefined): number {
  let [part, whole] = [1n, 1n]
  for (const [kind, need] of (needs ?? []).entries()) {
    if (!need || !lands) continue
    part *= BigInt(Math.min(nation?.held?.[kind] ?? 0, need * lands))
    whole *= BigInt(need * lands)
  }
  return Number((BigInt(Math.round(lands * income * 100)) * part) / whole) / 100
}

function affordable(money: number, price: number, wanted: number): number {
  return price ? Math.min(wanted, Math.floor(Math.round(money * 100) / Math.round(price * 100))) : wanted
}

/** What is left of a whole after each of the parts wanted of it, in order; the last are cut off where it ends. */
function leftAfter(whole: number, wanted: readonly number[]): number[] {
  let left = whole
  return wanted.map((part) => (left = rounded(left - Math.min(Math.max(0, part), left))))
}

/** What each part got, by what was left after it. */
function given(whole: number, after: readonly number[]): number[] {
  return after.map((left, i) => rounded((after[i - 1] ?? whole) - left))
}

/** Attacks that are together more than the army, each rounded down. */
function scaledDown(army: number, wanted: readonly number[]): readonly number[] {
  const sum = wanted.reduce((all, mils) => all + mils, 0)
  return sum <= army ? wanted : wanted.map((mils) => Math.floor((mils * army) / sum))
}

/** What a grant brings there: times the trade factor, rounded down to a hundredth. */
export function arriving(paid: number, trade: number): number {
  return Math.floor((Math.round(paid * 100) * Math.round(trade * 100)) / 100) / 100
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

export function rulesOf({ frame }: ComposerContext): RulesView {
  return readWorld(frame).rules
}
