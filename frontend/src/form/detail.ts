import type { Schema } from '../jsonschema'
import type { Said } from '../types'
import type { Agent, AgentWords, Policy } from './seats'

/** A preset under one condition; roles are '' where the rules know none. */
export type Preset = Omit<Said<'PresetDetailOut'>, 'seats'> & { seats: Agent[] }

/** All that a form needs of a game, as the server tells it. */
export type GameDetail = Omit<Said<'GameDetailOut'>, 'config' | 'policies' | 'presets' | 'words'> & {
  config: Schema
  policies: Policy[]
  presets: Preset[]
  words: Record<string, AgentWords & { name: string; tagline: string; groups?: Record<string, string> }>
}

/** An agent in a word, as the server words it for the seats of a run: what it plays by where that is not as usual. */
export function labelOf(agent: Agent, policies: readonly Policy[]): string {
  if (agent.kind !== 'policy') return agent.label ?? agent.model ?? agent.kind
  const usual = policies.find(({ name }) => name === agent.policy)?.params.properties ?? {}
  const own = Object.entries(agent.params ?? {}).filter(([key, value]) => value !== null && value !== usual[key]?.default)
  const params = own.map(([key, value]) => `${key} ${String(value)}`)
  return params.length ? `${agent.policy} (${params.join(', ')})` : (agent.policy ?? '')
}
