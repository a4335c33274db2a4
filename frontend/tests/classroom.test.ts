import { expect, test } from 'vitest'
import { foundParts, halved, howFar, moved, pointed, whatIsPlayed, whatRuns, whoIsHere, type Finding, type Group, type Screen } from '../src/tv/classroom'

const seat = (stands: Group['seats'][number]['stands'], name = '', away_s: number | null = null): Group['seats'][number] => ({ seat: 0, name, number: name ? null : 3, stands, away_s })
const group = (...seats: Group['seats']): Group => ({ seats, round: 6, over: false })
const SCREEN: Screen = {
  session: 1, code: 'KQ74MD', title: {}, open: true, blind: false, phase: 'playing', match: 2, here: 27, away: 0, done: 0,
  played: { game: 'dilemma', step: 'play', matches: 3, rounds: 10, size: 2, match: 'stranger', led: true, grace_s: 30, rules: {} },
  groups: [group(seat('moved'), seat('moved'))], waiting: [], next: null, over: [1],
  clock: { left_s: 14, first: 6, last: 6, moved: 19, of: 26 },
}
const found = (...values: (number | null)[]): Finding => ({ match: 1, matches: 13, moves: 260, own: 260, unsound: 0, values, beside: null })
const SHARE = { noun: 'cooperation', format: '.0%' }

test('of a match that nobody played is said how many moves were the pupils’ own, and no figure', () => {
  const nobody = { ...found(null, null), moves: 60, own: 0, unsound: 3 }
  expect(foundParts(nobody, SHARE, 'en').map(({ text }) => text).join('')).toBe('0 of 60 moves were the pupils’ own.')
  expect(foundParts(nobody, SHARE, 'zh').map(({ text }) => text).join('')).toBe('60 次行动中有 0 次是学生自己作出的。')
})

test('a code is read in halves', () => {
  expect([halved('KQ74MD'), halved('ABCDEFGHJK')]).toEqual(['KQ7 4MD', 'ABCDE FGHJK'])
})

test('what is played is one line', () => {
  expect(whatIsPlayed(SCREEN, 'Dilemma', 'en')).toBe('Dilemma, three matches of ten rounds, new partner each time')
  expect(whatIsPlayed(SCREEN, '囚徒困境', 'zh')).toBe('囚徒困境，3 场，每场 10 轮，每次换搭档')
  const one = { ...SCREEN, played: { ...(SCREEN.played as NonNullable<Screen['played']>), matches: 1, rounds: null } }
  expect(whatIsPlayed(one, 'Mining', 'en')).toBe('Mining: one match')
})

test('the clock says of which round and match it is, and how many have moved', () => {
  expect(whatRuns(SCREEN, 'en')).toBe('for round 6 of 10, match 2; 19 of 26 have moved')
  const apart = { ...SCREEN, clock: { left_s: 3, first: 5, last: 7, moved: 1, of: 26 } }
  expect(whatRuns(apart, 'en')).toBe('for rounds 5 to 7 of 10, match 2; 1 of 26 have moved')
  const odd: Screen = { ...SCREEN, clock: null, groups: [], phase: 'between', next: { number: 2, of: 3, here: 27, least: 2, can_start: true } }
  expect(whatRuns(odd, 'en')).toBe('27 are ready for match 2; 1 of them sits it out and plays in the next.')
  expect(whatRuns({ ...odd, next: { number: 3, of: 3, here: 26, least: 2, can_start: true } }, 'en')).toBe('26 are ready for match 3.')
})

test('who is here comes first, then what they do', () => {
  const pairs = Array.from({ length: 13 }, () => group(seat('moved'), seat('moved')))
  expect(whoIsHere({ ...SCREEN, groups: pairs }, 'en').join(' ')).toBe('27 are here and 13 pairs play match 2')
  expect(whoIsHere({ ...SCREEN, here: 0, groups: [], phase: 'gathering', clock: null }, 'en')[0]).toBe('Nobody is here yet.')
})

test('a group says whom it waits for, and whoever is away goes before all else', () => {
  const said = (...seats: Group['seats']): string => howFar(group(...seats), 'en').text
  expect(said(seat('moved'), seat('moved'))).toBe('both moved')
  expect(said(seat('moved'), seat('deciding'))).toBe('one to move')
  expect(said(seat('deciding'), seat('deciding'), seat('deciding'))).toBe('3 to move')
  expect(said(seat('deciding'), seat('away', 'Marta', 12.4))).toBe('Marta away 12 s')
  expect(said(seat('away', '', 12.4), seat('moved'))).toBe('No. 3 away 12 s')
  expect(said(seat('substituted', 'Ben'), seat('moved'))).toBe('substitute plays for Ben')
})

test('a finding says how the measure moved as it is written, so that no fall is told that nobody can see', () => {
  const said = (...values: (number | null)[]): string => foundParts(found(...values), SHARE, 'en').map(({ text }) => text).join('')
  expect(said(0.77, 0.5, 0.31)).toBe('cooperation fell from 77% to 31%')
  expect(said(0.2, null, 0.31)).toBe('cooperation rose from 20% to 31%')
  expect(said(0.501, 0.2, 0.499)).toBe('cooperation was 50% at the beginning and at the end')
  expect(said(null, 0.5)).toBe('cooperation was 50%')
  expect(moved([null], SHARE)).toBeNull()
  expect(foundParts(found(0.77, 0.31), SHARE, 'en').filter(({ isValue }) => isValue).map(({ text }) => text)).toEqual(['77%', '31%'])
})

test('points of one match stand whole, those of several as a mean', () => {
  expect([pointed(34, 1), pointed(34, 2), pointed(23.25, 1)]).toEqual(['34', '34.0', '23.3'])
})
