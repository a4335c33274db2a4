import { expect, test } from 'vitest'
import type { Ledger } from '../kit/board'
import { briefOf, Briefs } from '../src/record/briefs'
import { commentary, type Commented } from '../src/run/commentary'
import { feedKit } from '../src/run/game.svelte'
import { spoken } from '../src/sentences'
import type { Frame, RunMeta } from '../src/types'
import { word, type Key } from '../src/words'
import { frame } from './frames'

const game = {
  name: 'Toy',
  tagline: '',
  round: 'Round {n}',
  minor: ['mined'],
  events: {
    taken: { text: '{by:seat} takes {plot:cell}' },
    said: { text: '{by:seat} says {text:quote}' },
    mined: { text: '{gold} gold is mined' },
  },
}
const seats = ['A', 'B', 'C'].map((name, seat) => ({ seat, name, role: '', kind: 'policy', agent: '' })) as RunMeta['seats']
const took = (by: number) => ({ kind: 'taken', data: { by, plot: [1, 1] } })
const mined = { kind: 'mined', data: { gold: 7 } }
const standing = (...scores: number[]): Ledger => ({ columns: [], rows: scores.map((score, seat) => ({ seat, values: [], score })), note: '' })

/** What is said of the last of these frames. */
function said(frames: readonly Frame[], more: Partial<Commented> = {}, lang: 'en' | 'zh' = 'en'): string[] {
  const briefs = new Briefs()
  for (const one of frames) briefs.put(briefOf(one))
  const t = (key: Key, facts?: Parameters<typeof word>[2]): string => word(lang, key, facts)
  const of = { frame: frames.at(-1) as Frame, now: null, before: null, briefs, isEnd: false, rounds: (from: number, to: number) => to - from, kit: feedKit(game, { seats, counted: '' }, t), t }
  return commentary({ ...of, ...more }).map((parts) => spoken(parts, (seat) => seats[seat]?.name ?? ''))
}
const played = (head: number, events: (n: number) => Frame['events']): Frame[] => Array.from({ length: head + 1 }, (_, n) => frame(n, { events: events(n) }))

test('of what happened the rarest is told, in the game’s words, and that it was for the first time', () => {
  const frames = played(4, (n) => [{ kind: 'said', data: { by: 1, text: 'peace' } }, ...(n === 4 ? [took(0), took(2)] : []), mined])
  expect(said(frames)).toEqual(['For the first time: A takes (1,1) and 1 more of the kind.'])
  expect(said(frames.slice(0, 4))).toEqual(['B says “peace”.'])
  expect(said(played(8, (n) => (n % 4 ? [] : [took(0)])))).toEqual(['A takes (1,1). It happened in 1 earlier round, too.'])
  expect(said(frames, { isEnd: true })).toEqual(['A takes (1,1) and 1 more of the kind.'])
})

test('after a long quiet it is told how long it was, and a round without news by its totals', () => {
  const frames = played(9, (n) => (n === 1 || n === 9 ? [took(0), mined] : [mined]))
  expect(said(frames)).toEqual(['For the first time in 8 rounds: A takes (1,1).'])
  expect(said(frames.slice(0, 5))).toEqual(['7 gold is mined.'])
  expect(said(frames, {}, 'zh')[0]).toContain('8 轮以来首次')
})

test('nothing is called the first while not all before it is known', () => {
  const frames = played(9, (n) => (n === 9 ? [took(0)] : []))
  expect(said([frames[1], frames[9]] as Frame[])).toEqual(['A takes (1,1).'])
})

test('what is told in private is no news for all', () => {
  expect(said([frame(0), frame(1, { events: [{ kind: 'said', data: { by: 0, text: 'secret' }, to: [1] }] })])).toEqual([])
})

test('a lead is told when it changes, and no other time', () => {
  const at = (before: Ledger | null, now: Ledger | null): string[] => said([frame(0), frame(1)], { before, now })
  expect(at(standing(3, 2, 1), standing(3, 4, 1))).toEqual(['B passes A and leads.'])
  expect(at(standing(0, 0, 0), standing(3, 2, 1))).toEqual(['A takes the lead.'])
  expect(at(standing(3, 2, 1), standing(3, 3, 1))).toEqual(['A and B are level at the head.'])
  expect(at(standing(3, 2, 1), standing(5, 2, 1))).toEqual([])
  expect(at(null, null)).toEqual([])
})
