import { expect, test } from 'vitest'
import type { BoardContext, BoardModule } from '../kit/board'
import { headlineOf, isUnsound, notOwnShort, stoodIn, unsoundSaid, type NotOwn } from '../src/notown'
import type { Facts, RunMeta } from '../src/types'
import { word } from '../src/words'
import { frame } from './frames'

const en = (key: Parameters<typeof word>[1], facts?: Facts): string => word('en', key, facts)
const zh = (key: Parameters<typeof word>[1], facts?: Facts): string => word('zh', key, facts)
const seat = (n: number, name: string) => ({ seat: n, name, role: '', kind: 'person' as const, agent: '' })
const told = (more: Partial<NotOwn> = {}): NotOwn => ({ share: 1, decisions: 20, not_own: 20, by: { clock: 4, substitute: 16, default: 0, fallback: 0 }, seats: [1, 1], most: 0.2, unsound: true, ...more })
const run = (not_own: NotOwn | null) => ({ not_own, seats: [seat(0, 'A'), seat(1, 'B')] })

test('a run that nobody played says so, by whom it was played, in both languages', () => {
  expect(unsoundSaid(run(told()), en, 'en')).toBe('100% of 20 decisions were not the seats’ own (clock 4, substitute 16). The run is unsound: it is left out of measures, and nobody is ranked by it.')
  expect(unsoundSaid(run(told()), zh, 'zh')).toContain('时限 4、替补 16')
  expect(notOwnShort(told(), en)).toBe('100% not their own')
})

test('a run that one seat makes unsound names that seat', () => {
  const one = told({ share: 0.05, not_own: 1, by: { clock: 1, substitute: 0, default: 0, fallback: 0 }, seats: [0, 0.5] })
  expect(unsoundSaid(run(one), en, 'en')).toContain('In the seat of B, more than 20% of the decisions were not its own (in all: clock 1).')
  expect(notOwnShort(one, en)).toBe('a seat 50% not its own')
})

test('a sound run, or one of which it is private, says nothing', () => {
  const sound = told({ share: 0.1, seats: [0.1, 0.1], unsound: false })
  expect([isUnsound(run(sound)), unsoundSaid(run(sound), en, 'en')]).toEqual([false, ''])
  expect([isUnsound(run(null)), unsoundSaid(run(null), en, 'en')]).toEqual([false, ''])
  expect(stoodIn(sound, en, 'en')).toBe('clock 4, substitute 16')
})

test('what others did in the places of all seats is not told as theirs, and an unsound run ranks nobody at its end', () => {
  const board = { headline: () => ({ strong: 'A quiet round.', quiet: '' }) } as unknown as BoardModule
  const said = (flags: [number, string[]][], not_own = told({ unsound: false }), status = 'running') =>
    headlineOf(board, frame(3, { seats: [0, 1], flags }), {} as BoardContext, { ...run(not_own), status, head: 3 } as unknown as RunMeta, en)?.strong
  expect(said([[0, ['fallback', 'declined']], [1, ['timed_out']]])).toBe('No seat decided this itself: each move was played in its place.')
  expect(said([[0, ['fallback']], [1, ['corrected']]])).toBe('A quiet round.')
  expect(said([], told(), 'finished')).toBe('Nobody is ranked: too many moves were not the seats’ own.')
  expect(said([], told())).toBe('A quiet round.')
})
