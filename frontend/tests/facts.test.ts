import { expect, test } from 'vitest'
import { fact, ranked } from '../kit/facts'

test('what is not known is left out of a fact, and nought and nothing are known', () => {
  const facts = { seat: 0, shows: '', block: true, unseen: false, partner: null, reward: undefined }
  expect(fact('somebody', facts)).toEqual({ text: 'somebody', data: { seat: '0', shows: '', block: 'true' } })
})

test('seats stand by their score, equals by seat, and last those whose score is not known', () => {
  const rows = [null, 2, -3, 2].map((score, seat) => ({ seat, score }))
  expect(ranked(rows).map(({ seat }) => seat)).toEqual([1, 3, 2, 0])
})
