import type { Schema } from '../jsonschema'
import type { Facts, Json, Said, SeatMeta } from '../types'
import type { Refusal } from './check'
import { inRow } from '../sentences'
import { fieldsOf, type Field, type FormWords } from './schema'
import { summed, type Telling } from './summing'
import { changedOnly, meant, readAll, textsOf } from './written'

/** Who sits in a seat, as the server writes it. */
export interface Agent {
  kind: string
  policy?: string
  params?: Facts
  model?: string
  label?: string
  /** Who plays for a person that is not there. */
  substitute?: { policy: string; params?: Facts }
  /** Of a model, its name among it. */
  profile?: Facts
}

export type Policy = Omit<Said<'PolicyOut'>, 'aka' | 'params'> & { params: Schema }

/** What a game calls those who play it. */
export interface AgentWords extends FormWords {
  policies?: Record<string, string>
  /** Their rules in this language, where it has them. */
  rules?: Record<string, string>
  /** Their parameters in this language, by `NAME`, or `POLICY.NAME` where one means something of its own. */
  params?: Record<string, { label: string; help: string }>
}

/** A policy by its name, and what the game calls it in this language. */
export const policySaid = (name: string, { policies }: AgentWords): string => (policies?.[name] && policies[name] !== name ? `${name} · ${policies[name]}` : name)

/** A place in the game, who sits there now, and the role that the rules give it ('' where all are alike). */
export type SeatPlace = Omit<SeatMeta, 'kind'>

/** What a person chose for a seat (or for all of them): a policy, and the texts of its parameters. */
export interface Choice {
  policy: string
  texts: Record<string, string>
  /** A person sits there, and the policy plays while nobody does. */
  isPerson?: boolean
  /** A model sits there, and no policy: `NAME` of one of the site's, or what a vendor calls it. */
  model?: { name: string; seat: Facts | null }
}

/** A named model of the site, ready to be put into a seat. */
export type Model = Said<'AgentOut'>

/** Key of the row that stands for every seat. */
export const ALL = '*'

/** Key of the row that stands for every seat of a role. */
export const keyOfRole = (role: string): string => `role:${role}`

/** The roles of the seats, each once, where there are several; in a game of one role nobody need name it. A seat without one has ''. */
export function rolesOf(seats: readonly { role: string }[]): string[] {
  const roles = [...new Set(seats.map(({ role }) => role))]
  return roles.length > 1 ? roles : []
}

/** Seats next to each other that stand in one row, since nothing is to be told apart. */
export const RANGE = 3

/** The seats in rows: one each for those of their own, one for as many others in a row as have the same agent. */
export function rowsOf<P extends Pick<SeatPlace, 'seat' | 'agent' | 'role'>>(seats: readonly P[], isOwn: (seat: P) => boolean): P[][] {
  const rows: P[][] = []
  for (const seat of seats) {
    const last = rows.at(-1)
    const before = last?.at(-1)
    if (last && before && before.agent === seat.agent && before.role === seat.role && !isOwn(before) && !isOwn(seat)) last.push(seat)
    else rows.push([seat])
  }
  return rows.flatMap((row) => (row.length < RANGE ? row.map((one) => [one]) : [row]))
}

/** The policies that can play all of these roles. */
export function ableTo<P extends Pick<Policy, 'roles'>>(policies: readonly P[], roles: readonly string[]): P[] {
  return policies.filter((policy) => !policy.roles.length || roles.every((role) => policy.roles.includes(role)))
}

export interface SeatsRead {
  seats: Record<string, Json>
  /** By `seats.KEY.params.NAME`. */
  faults: Record<string, Refusal>
}

export function paramsOf(policies: readonly Policy[], name: string, words: AgentWords = {}): Field[] {
  const found = policies.find((policy) => policy.name === name)
  if (!found) return []
  const own = Object.entries(words.params ?? {}).flatMap(([key, said]) => (key.startsWith(`${name}.`) ? [[key.slice(name.length + 1), said] as const] : []))
  return fieldsOf(found.params, { ...words, config: { ...words.params, ...Object.fromEntries(own) } })
}

/** What an agent plays by, from its name as the server words it, "raider (force 6)": each value by what the game calls it. */
export function playsBy(agent: string, policies: readonly Policy[], telling: Telling & { words: AgentWords }): string {
  const [, name = '', told = ''] = /^(.*?) \((.*)\)$/.exec(agent) ?? []
  const fields = paramsOf(policies, name, telling.words)
  const parts = told.split(', ').map((part) => {
    const [key = '', value = ''] = part.split(' ')
    const field = fields.find((one) => one.key === key)
    return field ? `${field.label} ${summed(field, meant(field, value), telling)}` : part
  })
  return inRow(parts, telling.lang)
}

/** A fresh choice of a policy: its parameters as they are by default, or as `given`. */
export function choose(policies: readonly Policy[], name: string, given: Facts = {}): Choice {
  return { policy: name, texts: textsOf(paramsOf(policies, name), given) }
}

/** A choice for what sits there now; null where neither a policy nor a person does. */
export function choiceOf(policies: readonly Policy[], agent: Agent): Choice | null {
  if (agent.kind === 'person' && agent.substitute) return { ...choose(policies, agent.substitute.policy, agent.substitute.params ?? {}), isPerson: true }
  return agent.kind === 'policy' && agent.policy !== undefined ? choose(policies, agent.policy, agent.params ?? {}) : null
}

/**
 * The seats as they are sent. "All" comes first, or it would take back roles and single ones; names and not numbers stand
 * beside it, for numbers come first in every JavaScript object.
 * Models in `kept` stay in their seats unless something is chosen for these.
 */
export function readSeats(
  choices: Readonly<Record<string, Choice | undefined>>,
  places: readonly Pick<SeatPlace, 'name' | 'role'>[],
  policies: readonly Policy[],
  kept: readonly Agent[] = [],
): SeatsRead {
  const seats: Record<string, Json> = {}
  const faults: Record<string, Refusal> = {}
  const all = choices[ALL]
  const put = (key: string, sent: string, choice: Choice): void => {
    if (choice.model) {
      const name = choice.model.name.trim()
      if (!name) faults[`seats.${key}`] = { key: 'faultEmpty', facts: {} }
      seats[sent] = choice.model.seat ?? { model: name }
      return
    }
    const fields = paramsOf(policies, choice.policy)
    const { values, faults: bad } = readAll(fields, choice.texts)
    const usual = Object.fromEntries(fields.map((field) => [field.key, field.schema.default ?? null]))
    for (const [name, fault] of Object.entries(bad)) faults[`seats.${key}.params.${name}`] = fault
    const agent = { policy: choice.policy, params: changedOnly(values, usual) }
    seats[sent] = choice.isPerson ? { person: true, substitute: agent } : agent
  }
  if (all) put(ALL, ALL, all)
  for (const [key, choice] of Object.entries(choices)) {
    if (choice && key !== ALL) put(key, all ? (places[Number(key)]?.name ?? key) : key, choice)
  }
  if (!all) {
    for (const [seat, agent] of kept.entries()) {
      if (choices[seat] || choices[keyOfRole(places[seat]?.role ?? '')] || agent.kind !== 'model' || !agent.profile) continue
      const { model, ...profile } = agent.profile
      seats[seat] = { model: model ?? null, profile }
    }
  }
  return { seats, faults }
}
