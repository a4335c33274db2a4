import type { Frame, Json } from '@polity/board'

type Fields = Readonly<Record<string, Json>>

export interface Nation {
  seat: number
  /** Numbered from 1. */
  territories: readonly number[]
  /** null where these eyes may not know it. */
  army: number | null
  welfare: number | null
  budget: Fields | null
  goal: Fields | null
  held: readonly number[] | null
}

export interface Attack {
  by: number
  on: number
  mils: number
  lost: number
  damage: number
}

export interface Grant {
  by: number
  to: number
  /** null where only what came is known. */
  wanted: number | null
  paid: number
  arrived: number
}

export interface Cession {
  by: number
  territory: number
  to: number
}

export interface Rules {
  income: number
  price: number
  upkeep: number
  damage: number
  defence: number
  penalty: number
  trade: number
  /** Whether each attack is penalised, not only that there are any. */
  perAttack: boolean
  /** Whether attacks beyond the army are scaled down together, not cut off in their order. */
  inProportion: boolean
  /** Whether a ceded territory pays its taker in the same turn. */
  paidAtEnd: boolean
  messages: number
  length: number
  /** What a territory needs of each resource; null without the option. */
  needs: readonly number[] | null
}

/** Who spoke to whom in the turn; null: to all. */
export interface Spoken {
  by: number
  to: readonly number[] | null
}

/** A step as the board needs it. */
export interface World {
  round: number
  rounds: number | null
  turn: number
  turns: number | null
  owners: readonly number[]
  /** Owners at the round's start. */
  first: readonly number[]
  rules: Rules
  /** The most welfare that the world can make in a turn. */
  peak: number
  nations: readonly Nation[]
  attacks: readonly Attack[]
  grants: readonly Grant[]
  cessions: readonly Cession[]
  promises: readonly Fields[]
  words: readonly Spoken[]
}

const read = new WeakMap<Frame, World>()

export function readWorld(frame: Frame): World {
  const known = read.get(frame)
  if (known) return known
  const world = interpret(frame)
  read.set(frame, world)
  return world
}

function interpret({ view, events }: Frame): World {
  const owners = numbers(view.owners)
  const rules = record(view.rules)
  return {
    round: amount(view.round),
    rounds: known(view.rounds),
    turn: amount(view.turn),
    turns: known(view.turns),
    owners,
    first: numbers(view.first),
    rules: {
      income: amount(rules.income),
      price: amount(rules.price),
      upkeep: amount(rules.upkeep),
      damage: amount(rules.damage),
      defence: amount(rules.defence),
      penalty: amount(rules.penalty),
      trade: amount(rules.trade),
      perAttack: rules.per_attack === true,
      inProportion: rules.in_proportion === true,
      paidAtEnd: rules.paid_at_end === true,
      messages: amount(rules.messages),
      length: amount(rules.message_length),
      needs: Array.isArray(rules.resources) ? numbers(rules.resources) : null,
    },
    peak: amount(view.peak),
    nations: records(view.seats).map((one, seat) => ({
      seat,
      territories: owners.flatMap((owner, at) => (owner === seat ? [at + 1] : [])),
      army: known(one.army),
      welfare: known(one.welfare),
      budget: one.budget ? record(one.budget) : null,
      goal: one.goal ? record(one.goal) : null,
      held: Array.isArray(one.held) ? numbers(one.held) : null,
    })),
    attacks: records(view.attacks).map((one) => ({ by: amount(one.by), on: amount(one.on), mils: amount(one.mils), lost: amount(one.lost), damage: amount(one.damage) })),
    grants: records(view.grants).map((one) => ({ by: amount(one.by), to: amount(one.to), wanted: known(one.wanted), paid: amount(one.paid), arrived: amount(one.arrived) })),
    cessions: records(view.cessions).map((one) => ({ by: amount(one.by), territory: amount(one.territory), to: amount(one.to) })),
    promises: records(view.promises),
    words: events.flatMap(({ kind, data }): Spoken[] => {
      if (kind === 'message_announced') return [{ by: amount(data.by), to: null }]
      return kind === 'message_sent' ? [{ by: amount(data.by), to: numbers(data.to) }] : []
    }),
  }
}

/** Grants of one turn between the same two, as one. */
export function flows(world: World): Grant[] {
  const sums = new Map<string, Grant>()
  for (const grant of world.grants) {
    const key = `${grant.by}-${grant.to}`
    const one = sums.get(key)
    if (!one) sums.set(key, { ...grant })
    else {
      one.paid += grant.paid
      one.arrived += grant.arrived
      one.wanted = one.wanted === null || grant.wanted === null ? null : one.wanted + grant.wanted
    }
  }
  return [...sums.values()]
}

export function amount(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0
}

function known(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null
}

function numbers(value: Json | undefined): number[] {
  return Array.isArray(value) ? value.filter((one): one is number => typeof one === 'number') : []
}

function record(value: Json | undefined): Fields {
  return value && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {}
}

function records(value: Json | undefined): Fields[] {
  return Array.isArray(value) ? value.map(record) : []
}
