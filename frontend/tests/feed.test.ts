import { expect, test } from 'vitest'
import { concerns, gathered, linesOf, passing, spanShort, type FeedFilter, type FeedWords } from '../src/record/feed'
import { frame } from './frames'

const game = {
  name: 'Toy',
  tagline: '',
  round: 'Round {n}',
  notes: { capped: '{action:name} {cell:cell}: at most {most}. Cut to {most}.' },
  actions: { mine: 'Mine' },
  events: {
    taken: { text: '{by:seat} takes {plot:cell}', glyph: '▶', mark: 'conflict' },
    mined: { text: '{by:seat} mines {gold} gold' },
    said: { text: '{by:seat} says {text:quote}' },
  },
}
const words: FeedWords = {
  game,
  counted: '',
  minor: new Set(['mined']),
  note: '{seat:seat}: ',
  flag: (flag) => (flag === 'timeout' ? '{seat:seat} ran out of time.' : '{seat:seat}: {flag}.'),
  seatName: (seat) => `seat-${seat}`,
}
const round = frame(3, {
  notes: [[2, [{ kind: 'capped', data: { action: 'mine', cell: [2, 7], most: 3 } }, { kind: 'never_told', data: { n: 1 } }, { kind: 'sentence', data: { text: 'As it was.' } }]]],
  flags: [[1, ['timeout', 'odd']]],
  events: [
    { kind: 'taken', data: { by: 0, plot: [1, 1] } },
    { kind: 'mined', data: { by: 1, gold: 3 }, to: [1] },
    { kind: 'said', data: { by: 1, text: 'Peace <3' } },
    { kind: 'never_heard_of', data: { by: 9 } },
  ],
})
const OPEN_FILTER: FeedFilter = { kinds: null, seat: null, search: '' }
const texts = (lines: { text: string }[]): string[] => lines.map((line) => line.text)

test('a round tells its repairs, then its events in order', () => {
  expect(texts(linesOf(round, words))).toEqual([
    'seat-2: Mine (2,7): at most 3. Cut to 3.',
    'seat-2: never told {"n":1}',
    'seat-2: As it was.',
    'seat-1 ran out of time.',
    'seat-1: odd.',
    'seat-0 takes (1,1)',
    'seat-1 mines 3 gold',
    'seat-1 says “Peace <3”',
    'never heard of {"by":9}',
  ])
})

test('an event is worded when its words are first asked for, and once', () => {
  let asked = 0
  const lines = linesOf(round, { ...words, seatName: (seat) => `seat-${++asked && seat}` })
  const repairs = asked
  expect(passing(lines, OPEN_FILTER).map((line) => line.kind)).toContain('taken')
  expect(asked).toBe(repairs)
  const taken = lines.find((line) => line.kind === 'taken')
  expect([taken?.text, taken?.text]).toEqual(['seat-0 takes (1,1)', 'seat-0 takes (1,1)'])
  expect(asked).toBe(repairs + 1)
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

test('the same words of several seats are one line that names them all', () => {
  const said = (by: number, text: string) => ({ kind: 'said', data: { by, text } })
  const taken = { kind: 'taken', data: { by: 0, plot: [1, 1] } }
  const lines = linesOf(frame(4, { events: [said(0, 'Peace'), said(3, 'Peace'), said(1, 'Peace'), said(2, 'War'), taken, { ...taken }, said(2, 'War')] }), words)
  const found = gathered(lines)
  expect(found.map(({ parts }) => parts.map((part) => (part.type === 'seat' ? part.seat : part.type === 'cell' ? '' : part.text)).join(''))).toEqual([
    '0, 3 and 1 says Peace', '2 says War', '0 takes ', '0 takes ', '2 says War',
  ])
  expect(found[0]?.seats).toEqual([0, 3, 1])
})

test('rounds that are told as one are named by their ends, and parts of one round by theirs', () => {
  const at = (...clock: [string, number][]) => ({ clock })
  const span = (first: ReturnType<typeof at>, last: ReturnType<typeof at>) => spanShort(first, last, { ...game, clock: { step: 'step {n}' } }, '')
  expect(span(at(['round', 4]), at(['round', 8]))).toBe('r4–8')
  expect(span(at(['round', 1], ['step', 6]), at(['round', 1], ['step', 8]))).toBe('r1 s6–8')
  expect(span(at(['round', 1], ['step', 6]), at(['round', 2], ['step', 3]))).toBe('r1 s6–r2 s3')
  const chinese = { ...game, round: '第 {n} 回合', clock: { step: '第 {n} 步' } }
  expect(spanShort(at(['round', 1], ['step', 6]), at(['round', 1], ['step', 8]), chinese, '')).toBe('1.6–1.8')
})
