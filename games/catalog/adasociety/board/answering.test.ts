import type { ComposerTurn, Facts, Frame, Json } from '@polity/board'
import { expect, test } from 'vitest'
import { chosenOf, isChoice, isChosen, offersOf, titleOf } from './answering'
import { composerSpeaker } from './composerwords'
import { readWorld } from './reading'

const way = (name: string) => ({ type: 'object', properties: { do: { const: name } } })
const turnOf = (stage: string, names: readonly string[], options: readonly Json[] | null = null): ComposerTurn =>
  ({ step: 9, stage, schema: { oneOf: names.map(way) }, options, plan_schema: null, plan: null, tick: false }) as unknown as ComposerTurn

/** Who of two answers alternates; each side's share in force at a step. */
function bargained(n: number, shares: readonly [number | null, number | null] | null, groups: Json = []): Frame {
  const edges = shares ? [{ from: 0, to: 1, parity: 0, proposal: shares[0] }, { from: 1, to: 0, parity: 1, proposal: shares[1] }] : []
  return { n, view: { step: n, stage: 'negotiation', social_steps: 20, cells: [], agents: [], bags: [], tree: { resources: [], events: [] }, graph: { groups, edges, messages: [] } } } as unknown as Frame
}

const FRAMES = [null, [null, null], [null, 70], [60, 70], [60, 50]].map((shares, n) => bargained(n, shares as [number | null, number | null] | null))

test('what cannot be taken back is a choice: a share, or a group in turn; walking and asking are not', () => {
  expect(isChoice(turnOf('negotiation', ['propose', 'accept', 'end']))).toBe(true)
  expect(isChoice(turnOf('contract', ['join']))).toBe(true)
  expect(isChoice(turnOf('negotiation', ['invite', 'move']))).toBe(false)
  expect(isChoice(turnOf('exploration', ['move', 'join']))).toBe(false)
})

test('nothing is chosen until a card is, nor what this turn does not allow', () => {
  const turn = turnOf('negotiation', ['propose', 'end'], [{ do: 'propose', share: 40 }, { do: 'end' }])
  expect(chosenOf(null, turn)).toBeUndefined()
  expect(chosenOf({ choice: { do: 'accept' } }, turn)).toBeUndefined()
  expect(chosenOf({ choice: { do: 'propose', share: 40 } }, turn)).toEqual({ do: 'propose', share: 40 })
  expect([isChosen({ choice: { do: 'end' } }, turn, { do: 'end' }), isChosen(null, turn, { do: 'end' })]).toEqual([true, false])
})

test('the offers of a bargain stand in their order, back to its beginning and no further', () => {
  const at = (n: number): Frame | undefined => FRAMES[n]
  expect(offersOf(bargained(4, [60, 50]), 0, at, 9)).toEqual([{ step: 2, by: 1, share: 70 }, { step: 3, by: 0, share: 60 }, { step: 4, by: 1, share: 50 }])
  expect(offersOf(bargained(4, [60, 50]), 1, at, 2).map(({ step }) => step)).toEqual([3, 4])
  expect(offersOf(bargained(4, null), 0, at, 9)).toEqual([])
})

test('the button says the answer in the words of its card', () => {
  const groups = [{ layer: 1, number: 3, members: [[0, 1]] }, { layer: 1, number: 5, members: [[1, 1]] }]
  const world = readWorld(bargained(4, [60, 50], groups))
  const told = (action: Facts, lang: 'en' | 'zh' = 'en'): string => titleOf(composerSpeaker({ lang, seats: [] }), action, world, 0)
  expect(['accept', 'end', 'leave'].map((name) => told({ do: name }))).toEqual(['Accept 50', 'Break off', 'Leave the group'])
  expect([told({ do: 'propose', share: 30 }), told({ do: 'weigh', group: 3, weight: 80 })]).toEqual(['Ask for 30', 'Set my weight to 80%'])
  expect([3, 5, 6].map((group) => told({ do: 'join', group }))).toEqual(['Stay in group 3', 'Join group 5', 'Leave, and open group 6'])
  expect(told({ do: 'accept' }, 'zh')).toBe('接受 50')
})
