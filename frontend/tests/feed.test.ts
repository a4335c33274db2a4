import { expect, test } from 'vitest'
import { concerns, linesOf, marksOf, OPEN_FILTER, passing, type FeedWords } from '../src/feed'
import { frame } from './frames'

const game = {
  name: 'Toy',
  tagline: '',
  round: 'Round {n}',
  events: {
    taken: { text: '{by:seat} takes {plot:cell}', glyph: '▶', mark: 'conflict' },
    mined: { text: '{by:seat} mines {gold} gold' },
    said: { text: '{by:seat} says {text:quote}' },
  },
}
const words: FeedWords = {
  game,
  minor: new Set(['mined']),
  flag: (flag) => (flag === 'timeout' ? '{seat:seat} ran out of time.' : '{seat:seat}: {flag}.'),
  seatName: (seat) => `seat-${seat}`,
}
const round = frame(3, {
  notes: [[2, ['mine 4 on (2,7); at most 3. Cut to 3.']]],
  flags: [[1, ['timeout', 'odd']]],
  events: [
    { kind: 'taken', data: { by: 0, plot: [1, 1] } },
    { kind: 'mined', data: { by: 1, gold: 3 }, to: [1] },
    { kind: 'said', data: { by: 1, text: 'Peace <3' } },
    { kind: 'never_heard_of', data: { by: 9 } },
  ],
})
const texts = (lines: { text: string }[]): string[] => lines.map((line) => line.text)

test('a round tells its repairs, then its events in order', () => {
  expect(texts(linesOf(round, words))).toEqual([
    'seat-2: mine 4 on (2,7); at most 3. Cut to 3.',
    'seat-1 ran out of time.',
    'seat-1: odd.',
    'seat-0 takes (1,1)',
    'seat-1 mines 3 gold',
    'seat-1 says “Peace <3”',
    'never heard of {"by":9}',
  ])
})

test('minor events are told only where they are asked for', () => {
  const lines = linesOf(round, words)
  expect(texts(passing(lines, OPEN_FILTER))).not.toContain('seat-1 mines 3 gold')
  expect(texts(passing(lines, { ...OPEN_FILTER, kinds: new Set(['mined']) }))).toEqual(['seat-1 mines 3 gold'])
  expect(texts(passing(lines, { ...OPEN_FILTER, search: 'MINES' }))).toEqual(['seat-1 mines 3 gold'])
})

test('a seat finds the lines that name it', () => {
  expect(texts(passing(linesOf(round, words), { ...OPEN_FILTER, seat: 0 }))).toEqual(['seat-0 takes (1,1)'])
  expect(texts(concerns(round, 1, words))).toEqual(['seat-1 mines 3 gold', 'seat-1 says “Peace <3”'])
})

test('an event for some seats is marked as private', () => {
  expect(linesOf(round, words).filter((line) => line.isPrivate).map((line) => line.kind)).toEqual(['mined'])
})

test('a step puts each mark on the timeline once', () => {
  const kinds = [...round.events, ...round.events].map((event) => event.kind)
  expect(marksOf(kinds, game)).toEqual(['conflict'])
})
