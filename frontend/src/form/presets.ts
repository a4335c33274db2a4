import { localised, type Lang } from '../types'
import type { Preset } from './detail'

/** What a preset is for, in the order in which the groups stand. */
export const GROUPS = ['base', 'treatments', 'talk', 'models'] as const
export type Group = (typeof GROUPS)[number]

/** Names of presets that a game is shown or compared by. */
const BASE = /^(baseline|demo|mixed|default|exploration|tournament|experiment)/
const TALK = /^(messages|talk|chat)$/

export function groupOf({ name, seats, config }: Pick<Preset, 'name' | 'seats' | 'config'>): Group {
  if (seats.some(({ kind }) => kind === 'model')) return 'models'
  if (BASE.test(name)) return 'base'
  return /talk/.test(name) || Object.entries(config).some(([key, value]) => TALK.test(key) && (value === true || (typeof value === 'number' && value > 0))) ? 'talk' : 'treatments'
}

/** The presets in which all of these words stand, by what they are for; groups without any are left out. */
export function grouped(presets: readonly Preset[], find: string, lang: Lang): { group: Group; presets: Preset[] }[] {
  const words = find.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const found = presets.filter(({ name, title, about }) => {
    const text = `${name} ${localised(title, lang)} ${localised(about, lang)}`.toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  })
  return GROUPS.map((group) => ({ group, presets: found.filter((one) => groupOf(one) === group) })).filter(({ presets }) => presets.length)
}
