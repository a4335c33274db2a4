import { describe, expect, test } from 'vitest'
import type { Schema } from '../src/jsonschema'
import { moved } from '../src/kit/order'
import { blank, brief, faults, nameOf, put, variantOf, variants } from '../src/people/schemadraft'

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

describe('an answer written by its schema alone', () => {
  test('begins with the least that the schema allows', () => {
    expect(blank(plan, plan)).toEqual({ items: [] })
    expect(blank(item, item)).toEqual({ type: 'claim', cell: [0, 0], s: 1 })
    expect(blank(union, union)).toEqual({ do: 'move', direction: 'up' })
    expect(blank({ type: 'integer', minimum: 3 }, {})).toBe(3)
    expect(blank({ type: 'integer', maximum: -2 }, {})).toBe(-2)
  })
  test('that begins so can always be sent', () => {
    for (const schema of [plan, item, union]) expect(faults(schema, blank(schema, schema), schema)).toEqual([])
  })
  test('knows which way of a union it is written in, by its constants or its shape', () => {
    expect(variantOf(union, { do: 'wait' }, union)).toBe(1)
    const to: Schema = { anyOf: [{ const: 'all' }, { type: 'array', items: { type: 'integer' } }] }
    expect(variantOf(to, [1, 2], to)).toBe(1)
    expect(variantOf(to, 'all', to)).toBe(0)
    expect(variants(union, union).map(nameOf)).toEqual(['Move', 'Wait'])
  })
  test('is changed at one place, and nowhere else', () => {
    const before = { items: [{ type: 'claim', cell: [1, 2], s: 1 }] }
    expect(put(before, ['items', 0, 'cell', 1], 7)).toEqual({ items: [{ type: 'claim', cell: [1, 7], s: 1 }] })
    expect(before.items[0]?.cell).toEqual([1, 2])
  })
  test('says what keeps it from being sent, and where', () => {
    const wrong = { items: [{ type: 'steal', cell: [1, 12], s: 0.5 }] }
    expect(faults(plan, wrong, plan).map(({ path, refusal }) => [path.join('.'), refusal.key])).toEqual([
      ['items.0.type', 'faultChoice'],
      ['items.0.cell.1', 'faultMax'],
      ['items.0.s', 'faultWhole'],
    ])
    expect(faults(plan, {}, plan).map(({ path }) => path)).toEqual([['items']])
    expect(faults({ type: 'string', maxLength: 3 }, 'four', {}).map(({ refusal }) => refusal.key)).toEqual(['faultLong'])
    expect(faults({ type: 'number' }, Number.NaN, {})).toHaveLength(1)
  })
  test('follows references, also to itself', () => {
    const tree: Schema = { $ref: '#/$defs/Node', $defs: { Node: { type: 'object', properties: { n: { type: 'integer' }, next: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/Node' }] } }, required: ['n'] } } }
    expect(blank(tree, tree)).toEqual({ n: 0, next: null })
    expect(faults(tree, { n: 1, next: { n: 2, next: null } }, tree)).toEqual([])
    expect(faults(tree, { n: 1, next: { n: 'x', next: null } }, tree)).toHaveLength(1)
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
