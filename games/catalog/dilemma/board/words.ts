import { speakerOf, type Lang, type Words } from '@polity/board'
import type { Labels } from './reading'

export const words = {
  grid: ['The match: A above, B below, a column a round', '对局：上为 A，下为 B，每列一轮'],
  start: ['No round has been played yet.', '第一轮尚未开始。'],
  startLength: ['The match lasts {rounds} {rounds|round|rounds}.', '对局共 {rounds} 轮。'],
  startChance: ['After each round it ends with probability {p}.', '每轮之后以概率 {p} 结束。'],
  startHidden: ['Its length is hidden.', '长度不公开。'],
  leads: ['{leader} leads {other} by {gap}: {high} to {low}.', '{leader} 领先 {other} {gap} 分：{high} 比 {low}。'],
  won: ['{leader} beats {other} by {gap}: {high} to {low}.', '{leader} 胜 {other} {gap} 分：{high} 比 {low}。'],
  level: ['{a} and {b} are level at {total}.', '{a} 与 {b} 同为 {total} 分。'],
  void: ['The match is void: a valid move did not come.', '对局作废：没有有效的选择。'],
  hidden: ['The totals are hidden.', '总分不公开。'],
  peace: [
    'Both cooperate in {both} of {rounds} {rounds|round|rounds}; the joint total is {joint} of {possible} possible.',
    '{rounds} 轮中双方合作 {both} 轮；双方共得 {joint} 分，最多可得 {possible} 分。',
  ],
  peaceOnly: ['Both cooperate in {both} of {rounds} {rounds|round|rounds}.', '{rounds} 轮中双方合作 {both} 轮。'],
  payoff: ['payoff', '得分'],
  payoffs: ['What a round pays', '每轮的得分'],
  pays: ['A plays {own}, B plays {other}: A gets {a}, B gets {b}', 'A 出 {own}、B 出 {other}：A 得 {a} 分，B 得 {b} 分'],
  total: ['Running total', '累计得分'],
  perRound: ['{name}, per round', '{name}，每轮'],
  perRoundSoFar: ['{mean} a round', '每轮 {mean}'],
  both: ['both cooperate', '双方合作'],
  forgives: ['{name} forgives', '{name} 宽恕'],
  cell: ['Round {round}: {name} plays {move}, gets {paid}', '第 {round} 轮：{name} 出 {move}，得 {paid} 分'],
  slipped: ['{name} meant {meant}', '{name} 本想出 {meant}'],
  totalSoFar: ['total {total}', '累计 {total}'],
  unplayed: ['Round {round}: not played yet', '第 {round} 轮：尚未进行'],
  points: ['Points', '分数'],
  round: ['Round {round}', '第 {round} 轮'],
  plays: ['{name} plays', '{name} 出'],
  gets: ['{name} gets', '{name} 得'],
  after: ['totals after it', '此后总分'],
  keyC: ['C: cooperates', 'C：合作'],
  keyD: ['D: defects', 'D：背叛'],
  peaceNeutral: [
    'Both play {c} in {both} of {rounds} {rounds|round|rounds}; the joint total is {joint} of {possible} possible.',
    '{rounds} 轮中双方都出 {c} 的有 {both} 轮；双方共得 {joint} 分，最多可得 {possible} 分。',
  ],
  peaceOnlyNeutral: ['Both play {c} in {both} of {rounds} {rounds|round|rounds}.', '{rounds} 轮中双方都出 {c} 的有 {both} 轮。'],
  bothNeutral: ['both {c}', '都出 {c}'],
  forgivesNeutral: ['{name}: {c} after {d}', '{name}：{d} 之后出 {c}'],
  shareOf: ['plays {c}', '出 {c}'],
  allOf: ['all {c}: {reward} a round', '全 {c}：每轮 {reward}'],
  keySlip: ['a slip of the hand', '失手'],
} satisfies Words

export type Word = keyof typeof words
/** A word as it is asked for: whether neutral labels have a saying of their own is known where it is said. */
export type Saying = Exclude<Word, `${string}Neutral`>
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
