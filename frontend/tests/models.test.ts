import { expect, test } from 'vitest'
import { lasting, tokens, usd } from '../src/models/amounts'
import { fieldAt, GROUPS, isSet, profileOf, textsOf } from '../src/models/fields'
import { FAILURES } from '../src/models/labels'
import type { Trial } from '../src/models/server'
import { verdictOf } from '../src/models/verdict'
import { isModelKey, modelWord, type Say } from '../src/models/words'

const say: Say = (key, facts) => modelWord('en', key, facts)

const call = (failure: string, reply = '') => ({ attempt: 1, failure, reply, reasoning: '', tokens_in: 10, tokens_out: 1, tokens_cached: null, cost_usd: null, latency_ms: 5, served: '', estimated: false, repaired: '', ignored: '' })
const trial = (usable: boolean, stop: string, ...failures: [string, string?][]): Trial =>
  ({ usable, stop, calls: failures.map(([failure, reply]) => call(failure, reply)), attempts: [], step: 1, stage: '', clock: [], seats: [], notes: [], commentary: '' }) as unknown as Trial
const told = (one: Trial): string => {
  const { first, rest } = verdictOf(one, say)
  return [first, ...rest].map(({ key, facts }) => say(key, facts)).join(' ')
}

test('every way in which a call fails has its part of the sentence and what would help', () => {
  for (const failure of FAILURES) expect([failure, isModelKey(`was_${failure}`), isModelKey(`do_${failure}`)]).toEqual([failure, true, true])
})

test('a trial is told in a sentence, with what to change', () => {
  expect(told(trial(true, '', ['']))).toBe('It plays, at the first try.')
  expect(told(trial(true, '', ['truncated'], ['']))).toBe('It plays, at the second try. The first reply broke off at its longest length. Raise the longest reply, or turn thinking down.')
  expect(told(trial(false, '', ['unparseable'], ['illegal']))).toContain('nothing that can be played. The last reply asked for something that is not open to it.')
  const stopped = trial(false, 'openai/local cannot be asked', ['refused', '401 from http://x: Incorrect API key'])
  expect(told(stopped)).toBe('It cannot be asked; a run would pause here. The reply was the vendor’s refusal. Mend model, address or key.')
  expect(verdictOf(stopped, say).said).toBe('401 from http://x: Incorrect API key')
})

test('what is seldom set opens where something of it is set, and its faults find their field', () => {
  const more = GROUPS.flatMap((group) => group.more)
  expect(isSet(more, textsOf({ model: 'mock/guided', logprobs: false, cache: false, memory_length: 2000 }))).toBe(false)
  expect(isSet(more, textsOf({ model: 'openai/x', batch: { poll_s: 5 } }))).toBe(true)
  expect([fieldAt('profile.batch.poll_s'), fieldAt('profile.aside.0.ask'), fieldAt('elsewhere')]).toEqual(['batch.poll_s', 'aside', ''])
})

test('a profile goes through the form and comes out as it was', () => {
  const profile = { model: 'openai/x', temperature: 0.7, stop: ['END'], price: { input_usd: 1, output_usd: 2 }, options: { heuristics: true }, language: 'zh' }
  expect(profileOf(profile, textsOf(profile))).toMatchObject(profile)
})

test('amounts keep the digits that tell them apart', () => {
  expect([0, 0.000098, 0.0002, 0.219, 12.5, 4321.4].map(usd)).toEqual(['$0', '$0.000098', '$0.00020', '$0.219', '$12.50', '$4,321'])
  expect([950, 2199, 43_700, 4_400_000].map(tokens)).toEqual(['950', '2,199', '44\u00a0k', '4.4\u00a0M'])
  expect([0.2, 73, 482, 9000].map((s) => lasting(s, say))).toEqual(['1 s', '73 s', '8 min', '2.5 h'])
})
