import type { Words } from '../../src/words/rows'
import { speakerOf } from '../speaking'

/** What a derived board says by itself, in both languages; the game's own words come with it. */
export const faceWords = {
  ofTop: ['of {top} {unit}', '满 {top} {unit}'],
  left: ['{n} left', '余 {n}'],
  sums: ['{label}: {sum} in all, most by {most:seat} ({high}), least by {least:seat} ({low}).', '{label}：共 {sum}，{most:seat} 最多（{high}），{least:seat} 最少（{low}）。'],
  sumsOf: [
    '{label}: {sum} of {all} in all, most by {most:seat} ({high}), least by {least:seat} ({low}).',
    '{label}：共 {sum}，满额 {all}，{most:seat} 最多（{high}），{least:seat} 最少（{low}）。',
  ],
  same: ['{label}: {high} from each.', '{label}：各 {high}。'],
  known: ['{label}: {by:seat} {high}.', '{label}：{by:seat} {high}。'],
  allPick: ['All choose {choice}.', '所有人都选 {choice}。'],
  somePick: ['{by:seats} {by|chooses|choose} {choice}', '{by:seats} 选 {choice}'],
  manyPick: ['{n} {n|chooses|choose} {choice}', '{n} 人选 {choice}'],
  none: ['{label}: none.', '{label}：无。'],
  done: ['{label}: {sum} in all, most to {to:seat} ({high}).', '{label}：共 {sum}，给 {to:seat} 的最多（{high}）。'],
  most: ['{label}: most for {most:seat} ({high}), least for {least:seat} ({low}).', '{label}：{most:seat} 最多（{high}），{least:seat} 最少（{low}）。'],
  alike: ['{label}: {high} for each.', '{label}：各 {high}。'],
  played: ['{label}: {cell}.', '{label}：{cell}。'],
  value: ['{label} {value}.', '{label} {value}。'],
  leads: ['{by:seats} {by|leads|lead} with {total}.', '{by:seats} 领先，{total}。'],
  you: ['you', '你'],
  seat: ['Seat', '席位'],
  gives: ['gives', '给出'],
  gets: ['gets', '得到'],
  sum: ['sum', '合计'],
  all: ['all', '全体'],
  notYet: ['not yet', '尚无'],
  nothing: ['Nothing has happened yet.', '尚无任何行动。'],
  noPart: ['This view holds nothing to draw.', '此视图没有可绘制的内容。'],
  doneTo: ['{by:seat} to {to:seat}: {n}', '{by:seat} 对 {to:seat}：{n}'],
  more: ['{n} more rows', '另有 {n} 行'],
  board: ['Board', '棋盘'],
} satisfies Words

export const faceSpeaker = speakerOf(faceWords)
