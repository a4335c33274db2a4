import { speakerOf, type Lang } from '@polity/board'
import type { Labels } from './reading'

const en = {
  grid: 'The match: A above, B below, a column a round',
  start: 'No round has been played yet.',
  startLength: 'The match lasts {rounds} {rounds|round|rounds}.',
  startChance: 'After each round it ends with probability {p}.',
  startHidden: 'Its length is hidden.',
  leads: '{leader} leads {other} by {gap}: {high} to {low}.',
  won: '{leader} beats {other} by {gap}: {high} to {low}.',
  level: '{a} and {b} are level at {total}.',
  void: 'The match is void: a valid move did not come.',
  hidden: 'The totals are hidden.',
  peace: 'Both cooperate in {both} of {rounds} {rounds|round|rounds}; the joint total is {joint} of {possible} possible.',
  peaceOnly: 'Both cooperate in {both} of {rounds} {rounds|round|rounds}.',
  payoff: 'payoff',
  total: 'Running total',
  perRound: '{name}, per round',
  perRoundSoFar: '{mean} a round',
  both: 'both cooperate',
  forgives: '{name} forgives',
  cell: 'Round {round}: {name} plays {move}, gets {paid}',
  slipped: '{name} meant {meant}',
  totalSoFar: 'total {total}',
  unplayed: 'Round {round}: not played yet',
  points: 'Points',
  round: 'Round {round}',
  plays: '{name} plays',
  gets: '{name} gets',
  after: 'totals after it',
  keyC: 'C: cooperates',
  keyD: 'D: defects',
  peaceNeutral: 'Both play {c} in {both} of {rounds} {rounds|round|rounds}; the joint total is {joint} of {possible} possible.',
  peaceOnlyNeutral: 'Both play {c} in {both} of {rounds} {rounds|round|rounds}.',
  bothNeutral: 'both {c}',
  forgivesNeutral: '{name}: {c} after {d}',
  shareOf: 'plays {c}',
  allOf: 'all {c}: {reward} a round',
  keySlip: 'a slip of the hand',
} as const

export type Word = keyof typeof en
/** A word as it is asked for: whether neutral labels have a saying of their own is known where it is said. */
export type Saying = Exclude<Word, `${string}Neutral`>

const zh: Record<Word, string> = {
  grid: '对局：上为 A，下为 B，每列一轮',
  start: '第一轮尚未开始。',
  startLength: '对局共 {rounds} 轮。',
  startChance: '每轮之后以概率 {p} 结束。',
  startHidden: '长度不公开。',
  leads: '{leader} 领先 {other} {gap} 分：{high} 比 {low}。',
  won: '{leader} 胜 {other} {gap} 分：{high} 比 {low}。',
  level: '{a} 与 {b} 同为 {total} 分。',
  void: '对局作废：没有有效的选择。',
  hidden: '总分不公开。',
  peace: '{rounds} 轮中双方合作 {both} 轮；双方共得 {joint} 分，最多可得 {possible} 分。',
  peaceOnly: '{rounds} 轮中双方合作 {both} 轮。',
  payoff: '得分',
  total: '累计得分',
  perRound: '{name}，每轮',
  perRoundSoFar: '每轮 {mean}',
  both: '双方合作',
  forgives: '{name} 宽恕',
  cell: '第 {round} 轮：{name} 出 {move}，得 {paid} 分',
  slipped: '{name} 本想出 {meant}',
  totalSoFar: '累计 {total}',
  unplayed: '第 {round} 轮：尚未进行',
  points: '分数',
  round: '第 {round} 轮',
  plays: '{name} 出',
  gets: '{name} 得',
  after: '此后总分',
  keyC: 'C：合作',
  keyD: 'D：背叛',
  peaceNeutral: '{rounds} 轮中双方都出 {c} 的有 {both} 轮；双方共得 {joint} 分，最多可得 {possible} 分。',
  peaceOnlyNeutral: '{rounds} 轮中双方都出 {c} 的有 {both} 轮。',
  bothNeutral: '都出 {c}',
  forgivesNeutral: '{name}：{d} 之后出 {c}',
  shareOf: '出 {c}',
  allOf: '全 {c}：每轮 {reward}',
  keySlip: '失手',
}

export const words: Record<Lang, Record<Word, string>> = { en, zh }
// Beside the words: a module that is loaded before them would find none.
export const speaker = speakerOf(words)

/** What C and D are called; the letters that are stored mean nothing to who plays by other labels. */
const CALLED: Record<Labels, Record<Lang, Record<'C' | 'D', string>>> = {
  letters: { en: { C: 'C', D: 'D' }, zh: { C: 'C', D: 'D' } },
  neutral: { en: { C: 'X', D: 'Y' }, zh: { C: 'X', D: 'Y' } },
  framed: { en: { C: 'cooperate', D: 'defect' }, zh: { C: '合作', D: '背叛' } },
}

/** A move by its label; events have moves by their English labels already. */
export function called(labels: Labels, lang: Lang, move: string): string {
  const { en } = CALLED[labels]
  const code = (['C', 'D'] as const).find((letter) => move === letter || move === en[letter])
  return code ? CALLED[labels][lang][code] : move
}

/** For a column as narrow as a letter: the label's first. */
export function initial(labels: Labels, lang: Lang, move: string): string {
  return [...called(labels, lang, move)][0]?.toUpperCase() ?? move
}
