import { describe, expect, test } from 'vitest'
import { ApiError } from '../src/api'
import { faultsIn, place } from '../src/form/faults'
import { boundsOf, fieldOf, fieldsOf, type Field } from '../src/form/schema'
import { differing, headOf, summed } from '../src/form/summing'
import { changedOnly, laidOver, patchOf, read, readAll, shown, textsOf } from '../src/form/written'
import { ableTo, ALL, choose, keyOfRole, paramsOf, playsBy, readSeats, rolesOf, rowsOf, type Policy } from '../src/form/seats'
import { same, type Schema } from '../src/jsonschema'
import type { Json } from '../src/types'
import { word, type Key } from '../src/words'
import { refusal } from '../src/words/refusals'

const SCHEMA: Schema = {
  $defs: { Box: { type: 'object', properties: { size: { type: 'integer', minimum: 1, default: 2 } } }, Pile: { type: 'object', properties: { units: { type: 'integer' } } } },
  properties: {
    rows: { type: 'integer', title: 'Rows', minimum: 1, maximum: 200, default: 10, unit: 'plots', group: 'land' },
    chance: { type: 'number', exclusiveMinimum: 0, maximum: 1, default: 0.5 },
    defence: { type: 'string', enum: ['block_all', 'per_point'], default: 'block_all' },
    open: { type: 'boolean', default: false },
    groups: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: null },
    budgets: { type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: 3, default: [] },
    cells: { type: 'array', items: { type: 'array', minItems: 2, maxItems: 2, prefixItems: [{ type: 'integer', maximum: 9 }, { type: 'integer' }] }, default: [] },
    names: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, default: [] },
    box: { $ref: '#/$defs/Box' },
    piles: { type: 'array', items: { $ref: '#/$defs/Pile' }, default: [] },
  },
}
const FIELDS = fieldsOf(SCHEMA, { config: { rows: { label: '行数', help: '网格的行数。' } }, values: { per_point: '一点抵一次' }, units: { plots: '块地' } })
const field = (key: string): Field => {
  const found = FIELDS.find((one) => one.key === key)
  if (!found) throw new Error(key)
  return found
}

describe('a schema as fields', () => {
  test('each kind of value gets its kind of input', () => {
    expect(FIELDS.map(({ key, kind }) => [key, kind])).toEqual([
      ['rows', 'integer'], ['chance', 'number'], ['defence', 'choice'], ['open', 'boolean'], ['groups', 'integer'],
      ['budgets', 'list'], ['cells', 'rows'], ['names', 'list'], ['box', 'group'], ['piles', 'parts'],
    ])
    expect(field('box').fields.map(({ path, kind }) => [path, kind])).toEqual([['box.size', 'integer']])
  })
  test('the game words a field, its unit and a choice where it can, and the schema does where it cannot', () => {
    expect(field('rows')).toMatchObject({ label: '行数', help: '网格的行数。', unit: '块地', group: 'land' })
    expect(field('defence').choices.map(({ label }) => label)).toEqual(['block_all', '一点抵一次'])
    expect(field('groups')).toMatchObject({ label: 'groups', isNullable: true })
  })
  test('bounds are written as signs', () => {
    expect([field('rows'), field('chance'), field('groups')].map(boundsOf)).toEqual(['1 – 200', '> 0, ≤ 1', '≥ 1'])
  })
})

describe('what is written', () => {
  test.each([
    ['rows', '12', 12], ['rows', ' 12 ', 12], ['chance', '.25', 0.25], ['defence', 'per_point', 'per_point'], ['open', 'true', true],
    ['groups', '', null], ['budgets', '1, 2，3', [1, 2, 3]], ['budgets', '[]', []], ['cells', '1 2\n3 4', [[1, 2], [3, 4]]], ['names', 'wood stone', ['wood', 'stone']],
    ['piles', '[{"units": 2}]', [{ units: 2 }]],
  ])('%s: %j is read as %j', (key, text, value) => {
    expect(read(field(key), text)).toEqual({ value })
    expect(read(field(key), shown(field(key), value))).toEqual({ value })
  })
  test.each([
    ['rows', '1O', 'faultWhole'], ['rows', '1.5', 'faultWhole'], ['rows', '', 'faultEmpty'], ['rows', '0', 'faultMin'], ['rows', '201', 'faultMax'],
    ['chance', 'half', 'faultNumber'], ['chance', '0', 'faultAbove'], ['defence', 'none', 'faultChoice'], ['budgets', '1 x', 'faultWhole'],
    ['budgets', '1 2 3 4', 'faultMany'], ['cells', '1', 'faultFew'], ['cells', '10 1', 'faultMax'], ['names', 'Wood', 'faultPattern'],
    ['piles', '[', 'faultJson'], ['piles', '{}', 'faultList'],
  ])('%s: %j is refused by %s', (key, text, fault) => {
    expect(read(field(key), text)).toMatchObject({ fault: { key: fault } })
  })
  test('nested values and their faults keep their place', () => {
    const texts = textsOf(FIELDS, { rows: 5, box: { size: 4 } })
    expect(texts['box.size']).toBe('4')
    expect(readAll(FIELDS, texts)).toMatchObject({ values: { rows: 5, box: { size: 4 }, chance: 0.5 }, faults: {} })
    expect(Object.keys(readAll(FIELDS, { ...texts, 'box.size': '0' }).faults)).toEqual(['box.size'])
  })
})

test('an entry of a list that may be empty is written as a dash, and none of them is lost', () => {
  const list = fieldsOf({ properties: { clubs: { type: 'array', items: { type: 'string', pattern: '^[\\w-]*$' } } } })[0] as Field
  expect(shown(list, ['', 'cartel', '', '-'])).toBe('–, cartel, –, -')
  expect(read(list, '–, cartel, –, -')).toEqual({ value: ['', 'cartel', '', '-'] })
  expect(read(list, '')).toEqual({ value: [] })
})

test('only what was changed is sent, whatever the order of keys', () => {
  expect(changedOnly({ a: 1, b: { x: 1, y: 2 }, c: [1] }, { a: 2, b: { y: 2, x: 1 }, c: [1] })).toEqual({ a: 1 })
  expect(same({ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } })).toBe(true)
})

const ROLES: Schema = {
  $defs: { Role: { type: 'object', properties: { capacity: { type: 'object', patternProperties: { '^[a-z]+$': { type: 'integer', minimum: 0, maximum: 9 } }, default: {} }, groups: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null } } } },
  properties: { roles: { type: 'object', patternProperties: { '^[a-z]+$': { $ref: '#/$defs/Role' } }, minProperties: 1, default: {} } },
}

test('a name that was taken out of a mapping is sent as null, and what was left out of a structure as it is by itself', () => {
  const fields = fieldsOf(ROLES)
  const base = { roles: { miner: { capacity: { wood: 1, clay: 2 }, groups: 3 }, smith: { capacity: {}, groups: null } } }
  const values = { roles: { miner: { capacity: { clay: 4 } }, cook: { capacity: { wood: 1 } } } }
  const sent = patchOf(fields, values, base)
  expect(sent).toEqual({ roles: { miner: { capacity: { clay: 4, wood: null }, groups: null }, smith: null, cook: { capacity: { wood: 1 } } } })
  expect(laidOver(fields, base, sent)).toEqual({ roles: { miner: { capacity: { clay: 4 }, groups: null }, cook: { capacity: { wood: 1 } } } })
  expect(patchOf(fields, base, base)).toEqual({})
})

describe('a structure in a line', () => {
  const fields = fieldsOf(ROLES)
  const [roles] = fields as [Field]
  const telling = { lang: 'en' as const, words: { names: { wood: 'timber' }, config: { 'roles.*.capacity': { label: 'Capacity', help: '' } } }, t: (key: Key, facts?: Record<string, Json>) => word('en', key, facts) }
  test('counts what has names and tells what is plain, in the words of the game', () => {
    expect(summed(roles, { miner: { capacity: { wood: 1 }, groups: null }, smith: {} }, telling)).toBe('2 entries: miner, smith')
    expect(summed(roles, { miner: {} }, telling)).toBe('1 entry: miner')
    expect(summed(roles, {}, telling)).toBe('none')
    expect(headOf(fieldOf({ $ref: '#/$defs/Role' }, '*', {}, ROLES, 'roles.'), { capacity: { wood: -1, clay: 2 }, groups: 3 }, telling)).toBe('Capacity: timber −1, clay 2; groups: 3')
  })
  test('is told apart name by name', () => {
    const one = { miner: { capacity: { wood: 1, clay: 2 } }, smith: { capacity: {} } }
    const other = { miner: { capacity: { wood: 4, clay: 2 } } }
    expect(differing(roles, [one, other], telling).map(({ path, values }) => [path, values])).toEqual([
      ['roles.miner.capacity.wood', ['1', '4']],
      ['roles.smith', ['as usual', '–']],
    ])
    expect(differing(roles, [one, one], telling)).toHaveLength(1)
  })
})

test('each part of a structure has its own fault, also its name', () => {
  const fields = fieldsOf(ROLES)
  const faults = (roles: unknown) => Object.entries(readAll(fields, { roles: JSON.stringify(roles) }).faults).map(([path, { key }]) => [path, key])
  expect(faults({ Big: { capacity: { wood: 10, clay: 1 } }, 'a ': { capacity: {} }, a: { capacity: { b: 'x' } } })).toEqual([
    ['roles.Big.[key]', 'faultPattern'], ['roles.Big.capacity.wood', 'faultMax'], ['roles.a .[key]', 'faultNameTwice'], ['roles.a.capacity.b', 'faultWhole'],
  ])
  expect(faults({})).toEqual([['roles', 'faultFew']])
  expect(faults({ '': { capacity: {} } })).toEqual([['roles..[key]', 'faultNameEmpty']])
  expect(faults([1])).toEqual([['roles', 'faultObject']])
})

test("the server's faults stand beside the nearest field, or on top", () => {
  const known = new Set(['config.rows', 'config.piles', 'config.gold_mines', 'seats.3'])
  const placed = place(
    [
      { path: 'config.rows', message: '0; at least 1', says: { en: '0; at least 1', zh: '0；至少为 1' } },
      { path: 'config.piles.0.count', message: 'missing' },
      { path: 'config', message: 'gold_mines: 5 on 4 plots; at most one' },
      { path: 'config', message: 'the land is empty' },
      { path: 'seats.3.policy', message: 'unknown', says: { en: 'unknown', zh: '没有这一项' } },
    ],
    known,
  )
  expect(placed.beside).toEqual({
    'config.rows': [{ en: '0; at least 1', zh: '0；至少为 1' }],
    'config.piles': [{ en: '0.count: missing', zh: '0.count：missing' }],
    'config.gold_mines': [{ en: 'gold_mines: 5 on 4 plots; at most one', zh: 'gold_mines: 5 on 4 plots; at most one' }],
    'seats.3': [{ en: 'policy: unknown', zh: 'policy：没有这一项' }],
  })
  expect(placed.top).toEqual([{ en: 'config: the land is empty', zh: 'config：the land is empty' }])
})

test("a fault of a part stands beside the very part, where parts have fields of their own", () => {
  const faults = [
    { path: 'config.new_events.anvil.inputs.wood', message: 'not in play' },
    { path: 'config.roles', message: 'none' },
    { path: 'config', message: 'new_events.anvil: no grid', says: { en: 'new_events.anvil: no grid', zh: 'new_events.anvil：没有事件格' } },
  ]
  const placed = place(faults, new Set(['config.new_events', 'config.roles']), new Set(['config.new_events', 'config.roles']))
  expect(Object.keys(placed.beside)).toEqual(['config.new_events.anvil.inputs.wood', 'config.roles', 'config.new_events.anvil'])
  expect(placed.beside['config.new_events.anvil']).toEqual([{ en: 'no grid', zh: '没有事件格' }])
  expect(placed.beside['config.new_events.anvil.inputs.wood']).toEqual([{ en: 'not in play', zh: 'not in play' }])
})

/** Words of a sentence: what is quoted, and what stands for a field or a value in both languages, is none. */
const latin = (text: string): string[] => text.replace(/“[^”]*”|JSON/g, '').match(/[A-Za-z]{2,}/g) ?? []

test('a Chinese form refuses a typo, a value out of range and broken JSON without an English word', () => {
  const texts = { ...textsOf(FIELDS, {}), rows: '1O', chance: '2', budgets: '1 2 3 4', names: 'Ann', piles: '[{"units": 1,}]', 'box.size': '' }
  const { faults } = readAll(FIELDS, texts)
  expect(Object.keys(faults).sort()).toEqual(['box.size', 'budgets', 'chance', 'names', 'piles', 'rows'])
  for (const [path, { key, facts }] of Object.entries(faults)) {
    const { pattern, ...rest } = facts // as it stands in the schema
    const told = word('zh', key, { ...rest, ...(pattern === undefined ? {} : { pattern: '…' }) })
    expect([path, latin(told)]).toEqual([path, []])
    expect(told).not.toContain('–')
  }
})

test('what is no JSON is quoted from where it cannot be read', () => {
  expect(read(field('piles'), '[{"units": 1,}]')).toMatchObject({ fault: { key: 'faultJson', facts: { text: '}]' } } })
})

test('a refusal of one input is a fault of it in both languages, whichever the page is in', () => {
  const facts = { code: 'bad_fork', message: 'config: told', field: 'config', why: 'state', changed: ['rows'] }
  const error = new ApiError('bad_fork', 'config: told', 422, [{ path: 'config', message: 'config: told' }], facts)
  const [fault] = faultsIn(error)
  expect(fault?.says?.en).toContain('does not fit what was changed: rows')
  expect(fault?.says?.zh).toContain('不符合改动后的设置：rows')
})

test("what the server found wrong with a value is told in the reader's language, within the refusal's sentence", () => {
  const refused = { code: 'bad_limits', message: 'limits.usd: no', facts: { says: { en: 'usd: -1; more than 0', zh: 'usd：-1；须大于 0' } } }
  expect(refusal('zh', refused)).toBe('限额不能这样设。usd：-1；须大于 0')
  expect(refusal('en', { ...refused, facts: {} })).toBe('The limits cannot be used. limits.usd: no')
})

describe('seats', () => {
  test('that stand beside each other with the same agent share a row, unless one of them is of its own', () => {
    const seats = ['a', 'a', 'a', 'b', 'b', 'a', 'a', 'a'].map((agent, seat) => ({ seat, agent, role: seat < 6 ? '' : 'x' }))
    const rows = (own: number[] = []): number[][] => rowsOf(seats, ({ seat }) => own.includes(seat)).map((row) => row.map(({ seat }) => seat))
    expect(rows()).toEqual([[0, 1, 2], [3], [4], [5], [6], [7]])
    expect(rows([1])).toEqual([[0], [1], [2], [3], [4], [5], [6], [7]])
  })
  const POLICIES: Policy[] = [
    { name: 'random', rule: 'Draws.', source: '', params: { properties: { p: { type: 'number', minimum: 0, maximum: 1, default: 0.5 } } }, roles: [] },
    { name: 'greedy', rule: 'Takes.', source: '', params: {}, roles: ['worker'] },
    { name: 'tax', rule: 'Levies.', source: '', params: {}, roles: ['planner'] },
  ]
  const PLACES = [{ name: 'ann', role: 'worker' }, { name: 'bob', role: 'planner' }]
  test('"all" is sent before the single ones, which then go by name', () => {
    const { seats } = readSeats({ 1: choose(POLICIES, 'random', { p: 0.25 }), [ALL]: choose(POLICIES, 'greedy') }, PLACES, POLICIES)
    expect(Object.entries(seats)).toEqual([['*', { policy: 'greedy', params: {} }], ['bob', { policy: 'random', params: { p: 0.25 } }]])
  })
  test('a model of the run that is copied stays where nothing else is chosen', () => {
    const kept = [{ kind: 'model', profile: { model: 'mock/random', noise: 0.1 } }, { kind: 'policy', policy: 'greedy' }]
    expect(readSeats({}, PLACES, POLICIES, kept).seats).toEqual({ 0: { model: 'mock/random', profile: { noise: 0.1 } } })
    expect(readSeats({ 0: choose(POLICIES, 'greedy') }, PLACES, POLICIES, kept).seats).toEqual({ 0: { policy: 'greedy', params: {} } })
  })
  test('a parameter out of bounds has its place, and defaults are not sent', () => {
    const wrong = choose(POLICIES, 'random')
    expect(readSeats({ 0: wrong }, PLACES.slice(0, 1), POLICIES).seats).toEqual({ 0: { policy: 'random', params: {} } })
    expect(Object.keys(readSeats({ 0: { ...wrong, texts: { p: '2' } } }, PLACES.slice(0, 1), POLICIES).faults)).toEqual(['seats.0.params.p'])
  })
  test("what a policy plays by is called in the game's words, in its form and beside its name", () => {
    const words = { params: { p: { label: '概率', help: '赠予的概率。' }, 'tax.p': { label: '税率', help: '' }, lang: { label: '语言', help: '' } }, values: { zh: '中文' } }
    const speaking: Policy[] = [{ name: 'tax', rule: '', source: '', params: { properties: { p: { type: 'number', title: 'Rate' }, lang: { enum: ['en', 'zh'] }, often: { type: 'boolean' } } }, roles: [] }]
    expect(paramsOf(POLICIES, 'random', words).map(({ label, help }) => [label, help])).toEqual([['概率', '赠予的概率。']])
    expect(paramsOf(speaking, 'tax', words).map(({ label }) => label)).toEqual(['税率', '语言', 'often'])
    expect(paramsOf(speaking, 'tax').map(({ label }) => label)).toEqual(['Rate', 'lang', 'often'])
    expect(playsBy('tax (lang zh, p 0.25, often true)', speaking, { lang: 'zh', words, t: (key) => key })).toBe('语言 中文、税率 0.25、often yes')
    expect(playsBy('tax', speaking, { lang: 'zh', words, t: (key) => key })).toBe('')
  })
  test('only policies that can play all roles of a row are offered', () => {
    const offered = (...roles: string[]): string[] => ableTo(POLICIES, roles).map(({ name }) => name)
    expect([offered('worker'), offered('planner'), offered('worker', 'planner')]).toEqual([['random', 'greedy'], ['random', 'tax'], ['random']])
  })
  test('a role is chosen for where there are several, and a model of it does not stay then', () => {
    expect([rolesOf(PLACES), rolesOf([{ role: 'A' }, { role: 'A' }]), rolesOf([])]).toEqual([['worker', 'planner'], [], []])
    const kept = [{ kind: 'policy', policy: 'greedy' }, { kind: 'model', profile: { model: 'mock/tax' } }]
    const { seats } = readSeats({ [keyOfRole('planner')]: choose(POLICIES, 'tax') }, PLACES, POLICIES, kept)
    expect(seats).toEqual({ 'role:planner': { policy: 'tax', params: {} } })
  })
})
