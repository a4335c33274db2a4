import { describe, expect, test } from 'vitest'
import { csvOf } from '../src/experiment/csv'
import { asideSet, asideText } from '../src/experiment/asking'
import { combinations, emptyDraft, newFactor, newLevel, seedCount, slugOf, type Grounds } from '../src/experiment/draft'
import { draftOf } from '../src/experiment/reading'
import { assumedIn, trialOf } from '../src/experiment/trial'
import { written } from '../src/experiment/writing'
import { insides, valueAt } from '../src/form/inside'
import { markOf } from '../src/experiment/marks'
import type { Compared } from '../src/experiment/result'
import { axisOf, floorOf } from '../src/experiment/scales'
import type { Cell } from '../src/experiment/server'
import { arranged, countedOf, groupOf, readView, writeView } from '../src/experiment/table'
import { chief, examples, isMocked, numbersOf, titleOf } from '../src/experiment/finding'
import { answerOf, contrastOf, pText, reasonOf, span, testOf, type Say } from '../src/experiment/telling'
import { fieldsOf } from '../src/form/schema'
import type { Facts } from '../src/types'
import { word } from '../src/words'

const say: Say = (key, facts) => word('en', key, facts)
const cell = (condition: string, replicate: number, more: Partial<Cell> = {}): Cell => ({ condition, replicate, seed: replicate, run: `${condition}${replicate}`, status: 'finished', head: 8, metrics: {}, error: null, not_own: 0, unsound: false, ...more })

describe('the runs table', () => {
  const cells = [cell('a', 1, { metrics: { gini: 0.3 } }), cell('b', 1, { metrics: { gini: null } }), cell('a', 2, { metrics: { gini: 0.1 } }), cell('b', 2, { status: 'failed', error: 'provider overloaded', metrics: null })]
  const order = (search: string): string[] => arranged(cells, readView(search)).map(({ condition, replicate }) => `${condition}${replicate}`)

  test('an address gives back the view that wrote it, and keeps what else stands in it', () => {
    const address = '?view=runs&show=failed&find=over&sort=-gini&cols=gini%2Coutput'
    const view = readView(address)
    expect(view).toEqual({ show: 'failed', find: 'over', sort: 'gini', isDescending: true, columns: ['gini', 'output'] })
    expect(readView(writeView(view, '?view=runs'))).toEqual(view)
    expect(writeView(view, '?view=runs')).toContain('view=runs')
    expect(writeView({ ...view, show: '', find: '', sort: '', columns: null }, address)).toBe('?view=runs')
  })
  test('what is undefined comes last whichever way the rest is sorted', () => {
    expect(order('?sort=gini')).toEqual(['a2', 'a1', 'b1', 'b2'])
    expect(order('?sort=-gini')).toEqual(['a1', 'a2', 'b1', 'b2'])
  })
  test('a filter keeps the runs of a state that have every word', () => {
    expect(order('?show=failed')).toEqual(['b2'])
    expect(order('?find=a finished')).toEqual(['a1', 'a2'])
    expect(order('?find=overloaded')).toEqual(['b2'])
  })
  test('of a run that the plan leaves out nothing counts', () => {
    expect([cell('a', 1, { metrics: { raids: 2 } }), cell('a', 1, { metrics: { raids: 2 }, unsound: true })].map((one) => countedOf(one, 'raids'))).toEqual([2, null])
  })
  test('a cell without a run waits, a stopped one has failed', () => {
    expect([cell('a', 1, { status: 'waiting', run: null }), cell('a', 1, { status: 'stopped' }), cell('a', 1, { status: 'queued' })].map(groupOf)).toEqual(['waiting', 'failed', 'live'])
  })
})

test('a table as CSV quotes what needs it, writes numbers whole and leaves empty what is not there', () => {
  expect(csvOf([['a,b', 'he said "no"'], [0.1 + 0.2, null]])).toBe('"a,b","he said ""no"""\r\n0.30000000000000004,\r\n')
})

describe('an axis', () => {
  test('has round ticks around all values', () => {
    const axis = axisOf([0.07, 0.31], 0, 100)
    expect(axis.ticks[0]).toBeLessThanOrEqual(0.07)
    expect(axis.ticks.at(-1)).toBeGreaterThanOrEqual(0.31)
    expect(axis.ticks).toEqual([0, 0.1, 0.2, 0.3, 0.4])
    expect(axis.at(0.2)).toBeCloseTo(50)
  })
  test('does not reach below what a count can be, though the interval of its mean does', () => {
    const axis = axisOf([-4, 3, 12], 0, 100, 4, floorOf([3, 12]))
    expect([axis.ticks[0], axis.at(-4)]).toEqual([0, 0])
    expect(axisOf([0, 0], 0, 100, 4, floorOf([0])).ticks[0]).toBe(0)
    expect(floorOf([-1, 3])).toBeNull()
  })
  test('gives one value room, and stands without any', () => {
    expect(axisOf([5], 0, 100).at(5)).toBeGreaterThan(0)
    expect(axisOf([null], 0, 100).ticks.length).toBeGreaterThan(1)
  })
})

test('32 conditions have marks of their own', () => {
  expect(new Set(Array.from({ length: 32 }, (_, place) => Object.values(markOf(place)).join())).size).toBe(32)
})

const GROUNDS: Grounds = {
  fields: fieldsOf({ properties: { noise: { type: 'number', minimum: 0, maximum: 1, default: 0 }, talk: { type: 'boolean', default: false } } }),
  policies: [{ name: 'TFT', rule: '', source: '', params: { properties: {} }, roles: [] }, { name: 'ALLD', rule: '', source: '', params: { properties: {} }, roles: [] }],
}
const DOCUMENT: Facts = {
  seeds: '1..6',
  factors: { noise: { field: 'noise', levels: { 'noise-0': 0, 'noise-0.3': 0.3 } }, who: { seats: ['B'], levels: { kind: { policy: 'TFT', params: {} }, harsh: { policy: 'ALLD', params: {} } } } },
  cells: 'full',
  pairing: 'common',
  hypotheses: { H1: { metric: 'payoff', direction: 'lower', test: 't', of: '*' }, odd: { metric: 'payoff', weights: { a: 1, b: -1 } } },
  report: { trends: ['gini'], leave_out: { fallbacks: 0.1 } },
  profile: { memory: 'rounds' },
}

describe('a design as it is written', () => {
  test('a document comes back as it was, with what the form has no fields for', () => {
    const back = written(draftOf(DOCUMENT, GROUNDS), GROUNDS)
    expect(back.faults).toEqual({})
    expect(back.document).toEqual(DOCUMENT)
  })
  test('settings over their ranges come back with their measures, and what is no number has its place', () => {
    const swept = { seeds: '1..2', sensitivity: { method: 'sobol', settings: { noise: [0, 0.4] }, samples: 8, metrics: ['payoff'], seed: 3 } }
    const draft = draftOf(swept, GROUNDS)
    expect(written(draft, GROUNDS)).toEqual({ document: swept, faults: {} })
    draft.sweep!.ranges[0]!.high = '0.4x'
    expect(Object.entries(written(draft, GROUNDS).faults)).toEqual([[`sensitivity.settings.#${draft.sweep!.ranges[0]!.id}`, { key: 'faultNumber', facts: { text: '0.4x' } }]])
  })
  test('a question under every defensible choice comes back', () => {
    const asked = { ...DOCUMENT, report: { multiverse: { H1: ['gini'] } } }
    const draft = draftOf(asked, GROUNDS)
    expect(draft.hypotheses[0]!.universe).toEqual(['gini'])
    expect(written(draft, GROUNDS).document).toEqual(asked)
    draft.hypotheses[0]!.universe = null
    expect(written(draft, GROUNDS).document).not.toHaveProperty('report')
  })
  test('what matters, from where on a run counts, and when it is looked at come back', () => {
    const hypotheses = {
      same: { metric: 'payoff', direction: 'equivalent', of: '*', interest: 0.5, test: 'permutation' },
      often: { metric: 'payoff', direction: 'higher', of: '*', over: 3, test: 'proportion' },
      seats: { metric: 'payoff', direction: 'differs', of: '*', unit: 'seat', test: 'mixed' },
      plain: { metric: 'payoff', direction: 'differs', of: '*' },
    }
    const stopping = { rule: 'pocock', looks: [5, 10], on: ['same'] }
    const { document, faults } = written(draftOf({ ...DOCUMENT, hypotheses, stopping }, GROUNDS), GROUNDS)
    expect(faults).toEqual({})
    expect(document.hypotheses).toEqual(hypotheses)
    expect(document.stopping).toEqual(stopping)
    expect(written(draftOf(DOCUMENT, GROUNDS), GROUNDS).document).not.toHaveProperty('stopping')
  })
  test('a level of a structure takes names out, is called by its place, and comes back as it was written', () => {
    const role = { type: 'object', properties: { capacity: { type: 'object', patternProperties: { '^[a-z]+$': { type: 'integer' } }, default: {} } } }
    const grounds: Grounds = { fields: fieldsOf({ properties: { roles: { type: 'object', patternProperties: { '^[a-z]+$': role } } } }), policies: [], config: { roles: { miner: { capacity: { wood: 1 } }, smith: { capacity: {} } } } }
    const roles = { miner: { capacity: {} } }
    const draft = { ...emptyDraft(), factors: [{ ...newFactor('field', []), name: 'who', path: 'roles', levels: [newLevel(JSON.stringify(grounds.config?.roles)), newLevel(JSON.stringify(roles))] }] }
    const { document, faults } = written(draft, grounds)
    expect([faults, document.factors]).toEqual([{}, { who: { field: 'roles', levels: { 'who-1': grounds.config?.roles, 'who-2': { miner: { capacity: { wood: null } }, smith: null } } } }])
    expect(draftOf(document, grounds).factors[0]?.levels.map(({ name, text }) => [name, JSON.parse(text)])).toEqual([['', grounds.config?.roles], ['', roles]])
  })
  test('combinations are named by their levels, the control first; what is unticked is not played', () => {
    const draft = draftOf(DOCUMENT, GROUNDS)
    expect(combinations(draft.factors).map(({ name }) => name)).toEqual(['noise-0_kind', 'noise-0_harsh', 'noise-0.3_kind', 'noise-0.3_harsh'])
    draft.dropped = ['noise-0_harsh']
    const { document } = written(draft, GROUNDS)
    expect(Object.keys(document.cells as Facts)).toEqual(['noise-0_kind', 'noise-0.3_kind', 'noise-0.3_harsh'])
    expect(draftOf(document, GROUNDS).dropped).toEqual(['noise-0_harsh'])
  })
  test('questions beside the play are switched on and off by a factor whose levels are called by them', () => {
    const factor = newFactor('profile', [])
    Object.assign(factor, { name: 'aside', path: 'aside', levels: (['none', 'beliefs', 'both'] as const).map((set) => newLevel(asideText(set, 'zh'))) })
    const draft = { ...emptyDraft(), seeds: '1..2', factors: [factor] }
    const { document, faults } = written(draft, GROUNDS)
    expect(faults).toEqual({})
    const levels = (document.factors as unknown as { aside: { levels: Record<string, { name: string }[]> } }).aside.levels
    expect(Object.entries(levels).map(([name, asked]) => [name, asked.map((one) => one.name)])).toEqual([['aside-none', []], ['aside-belief', ['belief']], ['aside-belief-confidence', ['belief', 'confidence']]])
    const back = draftOf(document, GROUNDS)
    expect(back.factors[0]?.levels.map(({ text, name }) => [asideSet(text), name])).toEqual([['none', ''], ['beliefs', ''], ['both', '']])
    expect(written(back, GROUNDS).document).toEqual(document)
    expect(asideSet('[{"name": "mine"}]')).toBeNull()
  })
  test('a level that is no number of the setting is a fault of that level', () => {
    const draft = draftOf(DOCUMENT, GROUNDS)
    const level = draft.factors[0]?.levels[1]
    if (!level) throw new Error('no level')
    level.text = '0.3x'
    expect(written(draft, GROUNDS).faults).toEqual({ [`factors.noise.levels.#${level.id}`]: { key: 'faultNumber', facts: { text: '0.3x' } } })
    level.text = '1.5'
    expect(Object.values(written(draft, GROUNDS).faults)).toEqual([{ key: 'faultMax', facts: { value: 1.5, bound: 1 } }])
    level.name = ''
    level.text = '0'
    expect(Object.values(written(draft, GROUNDS).faults)).toEqual([{ key: 'expTwice', facts: { name: 'noise-0' } }])
  })
  test('a round robin takes the place of factors', () => {
    const robin: Facts = { seeds: '1..3', round_robin: { entrants: { TFT: { policy: 'TFT', params: {} }, mock: { model: 'mock/ALLD' } }, table: 2, rotate: true, self_play: 'shown' } }
    expect(written(draftOf(robin, GROUNDS), GROUNDS)).toEqual({ document: robin, faults: {} })
  })
  test('named conditions come back change by change, and what the form has no fields for as JSON', () => {
    const named: Facts = {
      seeds: '1..3',
      conditions: {
        baseline: {},
        loud: { title: { en: 'Loud' }, config: { noise: 0.3, talk: true }, seats: { B: { policy: 'ALLD', params: {} } }, profile: { language: 'zh' } },
        odd: { config: { unheard_of: 1 } },
      },
      pairing: 'independent',
      hypotheses: { H1: { metric: 'payoff', direction: 'lower', test: 't', of: 'loud', family: 'second' } },
      families: { second: { correction: 'bh', alpha: 0.1 } },
    }
    const draft = draftOf(named, GROUNDS)
    expect(draft.named.map(({ changes, raw }) => [changes.length, raw !== null])).toEqual([[0, false], [4, false], [0, true]])
    expect(written(draft, GROUNDS)).toEqual({ document: named, faults: {} })
    const [, loud] = draft.named
    const [noise] = loud?.changes ?? []
    if (!noise) throw new Error('no change')
    noise.text = '3'
    expect(written(draft, GROUNDS).faults).toEqual({ [`conditions.loud.#${noise.id}`]: { key: 'faultMax', facts: { value: 3, bound: 1 } } })
  })
  test('a change for all seats takes the place of seats that the base names', () => {
    const draft = draftOf({ seeds: '1', conditions: { all: { seats: { '*': { policy: 'TFT', params: {} } } } }, factors: { who: { seats: ['*'], levels: { a: { policy: 'TFT', params: {} }, b: { policy: 'ALLD', params: {} } } } } }, GROUNDS)
    expect([draft.named[0]?.changes[0]?.path, draft.factors[0]?.seats]).toEqual(['', ''])
    const { document } = written(draft, GROUNDS)
    expect((document.conditions as Facts).all).toEqual({ seats: { '*': { policy: 'TFT', params: {} } } })
    expect((document.factors as Record<string, Facts>).who?.seats).toEqual(['*'])
  })
  test('seeds are counted as they are written', () => {
    expect(['1..20', '3, 5,9', '7', '1..2O', '', '9..1'].map(seedCount)).toEqual([20, 3, 1, null, null, null])
  })
  test('a title gives the address, where it has letters for one', () => {
    expect([slugOf('Does noise end coöperation?', 'x'), slugOf('噪声', 'dilemma-talk')]).toEqual(['does-noise-end-cooperation', 'dilemma-talk'])
  })
})

describe('what is told', () => {
  const compared = { comparison: { kind: 'contrast', weights: { a: 0.5, b: 0.5, c: -1 }, direction: 'lower' }, n: [6], outcome: { method: 'paired_t', statistic: -2.314, df: 5 } } as unknown as Compared

  test('a comparison says what is held against what, and by which test', () => {
    expect(contrastOf(compared.comparison, say)).toBe('0.5 × a + 0.5 × b − c')
    expect(contrastOf({ ...compared.comparison, kind: 'halves', weights: { a: 1 } }, say)).toBe('second half less first, a')
    expect(testOf(compared, 'en', say)).toBe('Paired t test, one-sided (lower), 6 pairs, t(5) = −2.31')
  })
  test('the answer is told in one sentence: how many are as expected, and the largest of them', () => {
    const one = (verdict: string, estimate: number, of: number): Compared => ({ ...compared, comparison: { ...compared.comparison, metric: 'peace' }, verdict, effect: { estimate }, mean_against: 1, mean_of: of }) as unknown as Compared
    const told = (...all: Compared[]): string => answerOf(all, () => 'Peace', () => '.0%', say)
    expect(told(one('shown', -1.5, 0.66), one('shown', -3.9, 0.54), one('opposite', 9, 2))).toBe('2 of 3 comparisons came out as expected; most of all Peace, 100% → 54%.')
    expect(told(one('not_shown', 0.1, 0.9))).toBe('0 of 1 comparison came out as expected.')
    expect(told()).toBe('')
  })
  describe('the title is the finding', () => {
    const one = (more: object): Compared => ({ ...compared, comparison: { ...compared.comparison, metric: 'raids', weights: { talk: 1, silence: -1 }, text: { en: 'Talk lowers raiding.' } }, verdict: 'not_shown', n: [20], mean_of: 0.35, mean_against: 0.304, difference: { estimate: 0.047, low: -0.005, high: 0.099 }, p_adjusted: 0.96, family_size: 3, effect: { estimate: 0.4 }, ...more }) as unknown as Compared
    test('a claim that was not shown is said to be so, and never that there is no effect', () => {
      expect(titleOf(one({ verdict: 'shown' }), 'Raids', 'en', say)).toBe('Talk lowers raiding')
      expect(titleOf(one({}), 'Raids', 'en', say)).toBe('Not shown: Talk lowers raiding')
      expect(titleOf(one({ verdict: 'opposite' }), 'Raids', 'en', say)).toBe('It came out the other way: Talk lowers raiding')
    })
    test('both means, the interval, n, p with its correction and the effect stand in one line', () => {
      expect(numbersOf(one({}), 'Raids', '.3f', 'holm', 'en', say)).toBe('Raids: 0.350 in talk, 0.304 in silence, difference +0.047 (95% interval −0.005 to +0.099), 20 pairs, p 0.960, Holm over 3, effect size 0.40')
    })
    test('what was shown leads, then the larger effect', () => {
      const shown = one({ verdict: 'shown', effect: { estimate: 0.1 } })
      expect(chief([one({ effect: { estimate: 9 } }), shown])).toBe(shown)
      expect(chief([])).toBeNull()
    })
    test('the matches that show it are those nearest each mean, then the farthest of all', () => {
      const cells = [['a', 'talk', 1], ['b', 'talk', 2], ['c', 'talk', 9], ['d', 'silence', 4], ['e', 'silence', 5], ['f', 'silence', 6]].map(([run, condition, raids]) => ({ run, condition, metrics: { raids } })) as unknown as Parameters<typeof examples>[1]
      expect(examples(one({}), cells).map(({ run, is }) => [run, is])).toEqual([['b', 'near'], ['e', 'near'], ['c', 'far']])
    })
    test('mocks are marked where all models are mocks, and only there', () => {
      expect(isMocked({ seats: [{ model: 'mock/envoy' }, { model: 'mock/noise' }] })).toBe(true)
      expect(isMocked({ seats: [{ model: 'mock/envoy' }, { model: 'openai/x' }] })).toBe(false)
      expect(isMocked({ seats: [{ policy: 'tft' }] })).toBe(false)
    })
  })
  test('p is never told as 0, and not told where there is none', () => {
    expect([0.0004, 0.0432, 1, null].map(pText)).toEqual(['< 0.001', '0.043', '1.000', '–'])
  })
  test('time is told in the unit that fits', () => {
    expect([12, 90, 4930].map((seconds) => span(seconds, say))).toEqual(['12 s', '2 min', '1 h 22 min'])
  })
  test('why an experiment stands still is told in words', () => {
    expect(reasonOf({ why: 'fallbacks', share: 0.125, most: 0.1, decisions: 40 }, say)).toContain('12.5% of 40 decisions')
    expect(reasonOf({ why: 'limit', limit: 'usd', spent: 2, most: 2 }, say)).toContain('money (USD)')
    expect(reasonOf({}, say)).toBe('')
  })
})

describe('a setting inside a structure', () => {
  const fields = fieldsOf({
    properties: {
      rounds: { type: 'integer', default: 10 },
      piles: { type: 'array', items: { type: 'object', properties: { resource: { type: 'string' }, count: { type: 'integer', minimum: 0 } } } },
      roles: { type: 'object', additionalProperties: { type: 'object', properties: { capacity: { type: 'object', additionalProperties: { type: 'integer' } }, skills: { type: 'array', items: { type: 'string' } } } } },
    },
  })
  const config: Facts = { rounds: 10, piles: [{ resource: 'wood', count: 4 }, { resource: 'stone', count: 1 }, { resource: 'stone', count: 2 }], roles: { miner: { capacity: { stone: 3 }, skills: [] } } }
  const grounds: Grounds = { fields, policies: [], config }
  const at = (path: string) => valueAt(config, path)

  test('is offered by the name of its entry, and by its number where the name is another’s too', () => {
    expect(insides(fields, at).map((one) => one.fields.map(({ path }) => path))).toEqual([
      ['piles.wood.resource', 'piles.wood.count', 'piles.1.resource', 'piles.1.count', 'piles.2.resource', 'piles.2.count'],
      ['roles.miner.capacity.stone'],
    ])
    expect(insides(fields, at)[0]?.fields[1]?.label).toBe('wood · count')
    expect([at('piles.wood.count'), at('piles.2.count'), at('piles.clay.count'), at('roles.miner.capacity.stone')]).toEqual([4, 2, null, 3])
  })
  test('is written as a factor of its own, checked by its own schema, and read back as it was', () => {
    const draft = emptyDraft()
    draft.factors = [{ ...newFactor('field', []), name: 'wood', path: 'piles.wood.count', levels: [newLevel('2'), newLevel('6')] }]
    const { document, faults } = written(draft, grounds)
    expect(faults).toEqual({})
    expect(document.factors).toEqual({ wood: { field: 'piles.wood.count', levels: { 'wood-2': 2, 'wood-6': 6 } } })
    expect(draftOf(document, grounds).factors[0]).toMatchObject({ kind: 'field', path: 'piles.wood.count', levels: [{ text: '2' }, { text: '6' }] })
    draft.factors[0]!.levels[1]!.text = '-1'
    expect(Object.values(written(draft, grounds).faults)).toMatchObject([{ key: 'faultMin' }])
  })
  test('stands in a named condition alone, or the structure whole, and never one over the other', () => {
    const document: Facts = { seeds: '1..2', conditions: { few: { config: { piles: { wood: { count: 1 } } } }, other: { config: { piles: [{ resource: 'clay', count: 9 }] } } }, pairing: 'common' }
    const draft = draftOf(document, grounds)
    expect(draft.named.map(({ changes }) => changes.map(({ path }) => path))).toEqual([['piles.wood.count'], ['piles']])
    expect(written(draft, grounds).document.conditions).toEqual(document.conditions)
    const [few, other] = draft.named
    few!.changes.unshift(...other!.changes)
    expect(Object.values(written(draft, grounds).faults)).toMatchObject([{ key: 'expTwice' }])
  })
})

describe('a trial of a design', () => {
  const made = { slug: 'talk', document: { base: 'mining/baseline', title: { en: 'Does talk help?' }, seeds: '7..20', hypotheses: { H1: {} } }, pace: 2, at_once: 7, limits: { usd: 5 }, stop: {}, audience: { kind: 'omniscient' } } as never
  test('is every condition with the first seed alone, within the same bounds', () => {
    expect(trialOf(made)).toMatchObject({ slug: 'talk-try', pace: 2, at_once: 7, limits: { usd: 5 }, start: true, document: { seeds: [7], title: { en: 'Does talk help? (one seed)' } } })
    expect(trialOf(made).document).not.toHaveProperty('hypotheses')
  })
  test('takes as a spread what is a number above nothing, of measures that are asked about', () => {
    expect(assumedIn({ a: '0.2', b: '0', c: 'x', d: '1' }, ['a', 'b', 'c'])).toEqual({ a: 0.2 })
  })
})
