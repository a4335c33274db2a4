import { expect, test } from 'vitest'
import type { Preset } from '../src/form/detail'
import { grouped } from '../src/form/presets'

const preset = (name: string, more: Partial<Preset> = {}): Preset => ({ name, title: { en: name }, about: {}, condition: '', config: {}, seats: [], seat_names: [], seat_roles: [], seeds: [], conditions: [], round_robin: null, ...more })
const all = [preset('cap-2'), preset('llm', { seats: [{ kind: 'model' }] as Preset['seats'] }), preset('baseline'), preset('chatty', { config: { messages: 3 } }), preset('silent', { config: { messages: 0 } })]

test('presets stand in groups by what they are for', () => {
  expect(grouped(all, '', 'en').map(({ group, presets }) => [group, presets.map(({ name }) => name)])).toEqual([
    ['base', ['baseline']],
    ['treatments', ['cap-2', 'silent']],
    ['talk', ['chatty']],
    ['models', ['llm']],
  ])
})

test('a search leaves the presets in which each of its words stands', () => {
  expect(grouped(all, 'CAP 2', 'en')).toEqual([{ group: 'treatments', presets: [all[0]] }])
  expect(grouped(all, 'cap base', 'en')).toEqual([])
})
