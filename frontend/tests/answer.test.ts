import { render } from 'svelte/server'
import { describe, expect, test } from 'vitest'
import AmountField from '../kit/answer/AmountField.svelte'
import { answerKind, answerParts, deedText, fitted, rulesOf, scalesOf, seatsOf, stepsOf, totalOf, unanswered, unitsOf, withUnits } from '../kit/answer/fields'
import PointsField from '../kit/answer/PointsField.svelte'
import { answerSpeaker } from '../kit/answer/words'
import { faultsOf } from '../src/form/check'
import { blank } from '../src/form/value'
import type { Schema } from '../src/jsonschema'
import type { Json } from '../src/types'
import { CASES } from './face/cases'

const { publicGoods, stagHunt, everything } = CASES as Record<string, NonNullable<(typeof CASES)[string]>>
const gift = publicGoods!.asks.contribute!
const points = publicGoods!.asks.punish!
const all = everything!.asks.act!
const seats = publicGoods!.seats
const say = answerSpeaker({ lang: 'en', seats })
const text = (schema: Schema, value: Json, stage = '', words = publicGoods!.words.en): string | undefined => deedText({ schema, value, words, stage, seats, say })

test('each part of an answer has the control that its schema asks for', () => {
  expect(Object.entries(all.properties!).map(([key, each]) => [key, answerKind(each, all)])).toEqual([['harvest', 'amount'], ['vote', 'pick'], ['friend', 'seat'], ['gifts', 'points'], ['place', 'cell'], ['say', 'text'], ['order', null]])
  expect(answerKind({ type: 'integer', minimum: 0 })).toBeNull()
  expect(answerKind({ type: 'integer', enum: [0, 2], 'x-seat': true })).toBe('seat')
})

test('an answer with no such part, or a union, is written as any value', () => {
  expect(answerParts({ type: 'object', properties: { n: { type: 'integer' } } })).toBeNull()
  expect(answerParts({ type: 'object', properties: { n: { type: 'integer', minimum: 0, maximum: 3 }, way: { anyOf: [{ type: 'null' }, { type: 'string' }] } } })).toBeNull()
  expect(answerParts({ oneOf: [{ type: 'object', properties: { do: { const: 'wait' } } }] })).toBeNull()
})

test('nothing is chosen for whoever answers, and what is not chosen cannot be sent', () => {
  const begun = (schema: Schema): Json => unanswered(answerParts(schema)!, (part) => blank(part, schema))
  expect(begun(gift)).toEqual({ contribute: null })
  expect(faultsOf(gift, begun(gift), gift)).toHaveLength(1)
  expect(begun(points)).toEqual({ punish: [] })
  expect(faultsOf(points, begun(points), points)).toEqual([])
  expect(begun({ type: 'object', properties: { n: { type: 'integer', minimum: 0, maximum: 9, default: 4 } } })).toEqual({ n: 4 })
})

describe('an amount', () => {
  test('stays within its bounds and on its steps', () => {
    const half: Schema = { type: 'number', minimum: 1, maximum: 6, multipleOf: 0.5 }
    expect([fitted(half, 7), fitted(half, 2.3), fitted(half, -1), fitted({ type: 'integer', minimum: 0, maximum: 20 }, 7.6)]).toEqual([6, 2.5, 1, 8])
    expect([stepsOf(half), stepsOf({ type: 'number', minimum: 0, maximum: 100 }), stepsOf({ type: 'integer', minimum: 0, maximum: 9 })]).toEqual([{ press: 0.5, fine: 0.5 }, { press: 1, fine: 0.01 }, { press: 1, fine: 1 }])
  })
  test('is drawn with its unit and its bounds, and without a value at first', () => {
    const { body } = render(AmountField, { props: { schema: gift.properties!.contribute!, label: 'Gift', unit: 'units', value: null, say, isDisabled: false, onset: () => undefined } })
    expect(body).toContain('of 20 units')
    expect(body).toContain('aria-valuetext="–"')
    expect(body).toContain('aria-label="Less: Gift"')
  })
})

describe('points to others', () => {
  test('are kept in the order of the seats, and none is an empty list', () => {
    const one = withUnits([], 3, 2)
    const two = withUnits(one, 0, 1)
    expect(two).toEqual([{ to: 0, units: 1 }, { to: 3, units: 2 }])
    expect(totalOf(two)).toBe(3)
    expect(withUnits(withUnits(two, 0, 0), 3, 0)).toEqual([])
    expect([...unitsOf([{ to: 1, units: 2 }, { to: 1, units: 1 }, 'x'])]).toEqual([[1, 3]])
  })
  test('go to others alone, by name, and stop at the budget', () => {
    const schema = points.properties!.punish!
    const others = seatsOf(schema, seats, 2)
    expect(others.map(({ name }) => name)).toEqual(['haiku-4.5', 'qwen3-32b', 'free rider'])
    const { body } = render(PointsField, { props: { schema, label: 'Points', unit: 'points', seats: others, factsOf: () => '', value: [{ to: 3, units: 10 }], say, isDisabled: false, onset: () => undefined } })
    expect(body).toContain('10 of 10 points')
    expect(body).toContain('costs 10')
    expect(body.match(/aria-label="More: points to [^"]*" disabled/g)).toHaveLength(3)
    expect(body).not.toContain('Mira')
  })
  test('go to those alone whom the schema names', () => {
    const schema: Schema = { type: 'array', 'x-points': true, items: { type: 'object', properties: { to: { type: 'integer', enum: [1, 3], 'x-seat': true } } } }
    expect(seatsOf(schema, seats, 2).map(({ seat }) => seat)).toEqual([1, 3])
  })
})

test('what the rules say of a stage stands beside its control, without its name', () => {
  const rules = ['4 players play together.', 'Give: a part of your 20.', 'Giver: nothing.', 'Take: a point costs 1.', '扣点：每点花费 1。']
  expect([rulesOf(rules, 'Give'), rulesOf(rules, '扣点'), rulesOf(rules, undefined)]).toEqual([['A part of your 20.'], ['每点花费 1。'], []])
})

test('a scale that a seat is not told is as high as what it may do', () => {
  expect(scalesOf(publicGoods!.words.en, gift)).toEqual({ endowment: 20 })
  expect(scalesOf(publicGoods!.words.en, points)).toEqual({})
})

test('the button names the deed in the game’s words', () => {
  expect(text(gift, { contribute: null }, 'contribute')).toBe('Choose an amount')
  expect(text(gift, { contribute: 20 }, 'contribute')).toBe('Give 20')
  expect(text(gift, { contribute: 20 }, 'contribute', { ...publicGoods!.words.en, actions: {}, stages: {} })).toBe('Send 20 units')
  expect(text(points, { punish: [] }, 'punish')).toBe('Use no points')
  expect(text(points, { punish: [{ to: 3, units: 2 }] }, 'punish')).toBe('Use 2 points')
  expect(text(stagHunt!.asks.choose!, { choose: 'H' })).toBe('Hare')
  expect(text(all, { harvest: 1 })).toBeUndefined()
})
