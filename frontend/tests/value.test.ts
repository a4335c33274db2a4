import { describe, expect, test } from 'vitest'
import { faultsOf, variantOf } from '../src/form/check'
import { fieldOf, fieldsOf } from '../src/form/schema'
import { blank, brief, nameOf } from '../src/form/value'
import { meant, read, shown, stepped, textsOf } from '../src/form/written'
import { variantsOf, type Schema } from '../src/jsonschema'
import { moved } from '../kit/order'

const item: Schema = {
  type: 'object',
  properties: {
    type: { enum: ['claim', 'raid'] },
    cell: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 9 }, minItems: 2, maxItems: 2 },
    s: { type: 'integer', minimum: 0, default: 1 },
  },
  required: ['type', 'cell'],
}
const plan: Schema = { type: 'object', properties: { items: { type: 'array', items: item } }, required: ['items'] }
const union: Schema = {
  type: 'object',
  discriminator: { propertyName: 'do' },
  oneOf: [
    { title: 'Move', type: 'object', properties: { do: { const: 'move' }, direction: { enum: ['up', 'down'] } }, required: ['do', 'direction'] },
    { title: 'Wait', type: 'object', properties: { do: { const: 'wait' } }, required: ['do'] },
  ],
}

describe('a value written by its schema alone', () => {
  test('begins with the least that the schema allows', () => {
    expect(blank(plan, plan)).toEqual({ items: [] })
    expect(blank(item, item)).toEqual({ type: 'claim', cell: [0, 0], s: 1 })
    expect(blank(union, union)).toEqual({ do: 'move', direction: 'up' })
    expect(blank({ type: 'integer', minimum: 3 }, {})).toBe(3)
    expect(blank({ type: 'integer', maximum: -2 }, {})).toBe(-2)
  })
  test('that begins so can always be sent', () => {
    for (const schema of [plan, item, union]) expect(faultsOf(schema, blank(schema, schema), schema)).toEqual([])
  })
  test('knows which way of a union it is written in, by its constants or its shape', () => {
    expect(variantOf(union, { do: 'wait' }, union)).toBe(1)
    const to: Schema = { anyOf: [{ const: 'all' }, { type: 'array', items: { type: 'integer' } }] }
    expect(variantOf(to, [1, 2], to)).toBe(1)
    expect(variantOf(to, 'all', to)).toBe(0)
    expect(variantsOf(union, union).map(nameOf)).toEqual(['Move', 'Wait'])
  })
  test('says what keeps it from being sent, and where', () => {
    const wrong = { items: [{ type: 'steal', cell: [1, 12], s: 0.5 }] }
    expect(faultsOf(plan, wrong, plan).map(({ path, refusal }) => [path.join('.'), refusal.key])).toEqual([
      ['items.0.type', 'faultChoice'],
      ['items.0.cell.1', 'faultMax'],
      ['items.0.s', 'faultWhole'],
    ])
    expect(faultsOf(plan, {}, plan).map(({ path }) => path)).toEqual([['items']])
    expect(faultsOf({ type: 'string', maxLength: 3 }, 'four', {}).map(({ refusal }) => refusal.key)).toEqual(['faultLong'])
    expect(faultsOf({ type: 'number' }, Number.NaN, {})).toHaveLength(1)
  })
  test('follows references, also to itself', () => {
    const tree: Schema = { $ref: '#/$defs/Node', $defs: { Node: { type: 'object', properties: { n: { type: 'integer' }, next: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/Node' }] } }, required: ['n'] } } }
    expect(blank(tree, tree)).toEqual({ n: 0, next: null })
    expect(faultsOf(tree, { n: 1, next: { n: 2, next: null } }, tree)).toEqual([])
    expect(faultsOf(tree, { n: 1, next: { n: 'x', next: null } }, tree)).toHaveLength(1)
  })
  test('is asked for part by part, or in a line where that is enough', () => {
    const kinds: [Schema, string][] = [
      [item, 'group'], [union, 'parts'], [{ type: 'array', items: item }, 'parts'], [{ type: 'array', items: { type: 'integer' } }, 'list'],
      [{ anyOf: [item, { type: 'null' }] }, 'parts'], [{ type: 'array', items: { type: 'string' } }, 'parts'], [{ type: 'array', items: { enum: ['a'], type: 'string' } }, 'list'],
      [{ type: 'array', prefixItems: [{ type: 'integer' }], minItems: 1, maxItems: 1 }, 'parts'], [{ type: 'object' }, 'parts'], [{ type: 'object', patternProperties: { '^[a-z]+$': item } }, 'parts'], [{}, 'json'], [{ type: 'array' }, 'json'],
    ]
    expect(kinds.map(([schema]) => fieldOf(schema, '', {}, schema).kind)).toEqual(kinds.map(([, kind]) => kind))
  })
  test('keeps what cannot be read as it was written, and calls it wrong', () => {
    const whole = fieldOf({ type: 'integer', minimum: 1 }, 's', {}, {})
    for (const [text, value, key] of [['1O', '1O', 'faultWhole'], ['1.5', '1.5', 'faultWhole'], ['', '', 'faultEmpty'], ['0', 0, 'faultMin']] as const) {
      expect([meant(whole, text), faultsOf(whole.schema, meant(whole, text), {}).map(({ refusal }) => refusal.key)]).toEqual([value, [key]])
    }
  })
  test('says the first thing wrong within a structure, and where', () => {
    const items = fieldOf({ type: 'array', items: item }, 'items', {}, {})
    expect(read(items, '[{"type": "claim", "cell": [1, 2]}, {"type": "raid", "cell": [1, 99]}]')).toMatchObject({ fault: { key: 'faultMax' }, path: [1, 'cell', 1] })
    expect(read(items, '[{"type": ')).toMatchObject({ fault: { key: 'faultJson' }, path: [] })
    expect(read(items, '')).toEqual({ value: [] })
  })
  test('takes a step at a time within its bounds, from a number alone', () => {
    const few = fieldOf({ type: 'integer', minimum: 0, maximum: 2 }, 's', {}, {})
    expect([stepped(few, '1', 1), stepped(few, '2', 1), stepped(few, '0', -1), stepped(few, '9', -1), stepped(few, 'x', 1)]).toEqual(['2', '2', '0', '2', 'x'])
  })
  test('is named in a few words', () => {
    expect(brief({ type: 'claim', cell: [3, 4], s: null })).toBe('claim · (3,4)')
  })
})

test('an entry is moved within its list, and never lost', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moved(['a', 'b', 'c'], 2, -5)).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b', 'c'], 1, 9)).toEqual(['a', 'c', 'b'])
  expect(moved(['a'], 4, 0)).toEqual(['a'])
})

test('a structure that may be left out stays out of what is sent until somebody wants it', () => {
  const needs: Schema = { type: 'object', title: 'Needs', properties: { energy: { type: 'integer', default: 1 } } }
  const schema: Schema = { properties: { resources: { anyOf: [{ $ref: '#/$defs/Needs' }, { type: 'null' }], default: null } }, $defs: { Needs: needs } }
  const [field] = fieldsOf(schema)
  if (!field) throw new Error('no field')
  expect(textsOf([field], {})).toEqual({ resources: '' })
  expect(read(field, '')).toEqual({ value: null })
  expect(read(field, shown(field, { energy: 2 }))).toEqual({ value: { energy: 2 } })
  expect(read(field, '{"energy": "x"}')).toMatchObject({ fault: { key: 'faultWhole' }, path: ['energy'] })
})
