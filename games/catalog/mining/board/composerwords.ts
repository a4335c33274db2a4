import { speakerOf, type Words } from '@polity/board'

export const composerWords = {
  claim: ['Claim', '占领'],
  raid: ['Raid', '突袭'],
  defend: ['Defend', '防御'],
  mine: ['Mine', '开采'],
  chosen: ['Chosen', '已选'],
  choose: [
    'Choose a plot: click it, or walk the board with the arrow keys and press Enter. Then Claim (C), Raid (R), Defend (D) or Mine (M).',
    '先选一块地：点它，或用方向键在盘上移动后按回车。再选占领（C）、突袭（R）、防御（D）或开采（M）。',
  ],
  chooseTouch: ['Choose a plot: tap it on the board. Then Claim, Raid, Defend or Mine.', '先在盘上轻触一块地，再选占领、突袭、防御或开采。'],
  free: ['unowned', '无主地'],
  own: ['yours for {n} {n|round|rounds}', '你的地，已持有 {n} 回合'],
  held: ['{name} has held it for {n} {n|round|rounds}', '{name} 的地，已持有 {n} 回合'],
  wasDefended: ['defended last round', '上回合有防御'],
  notEmpty: ['not empty', '已有主'],
  ownPlot: ['your own', '自己的地'],
  nobodys: ['nobody’s', '无主'],
  immune: ['immune', '免疫期'],
  notYours: ['not yours', '不是你的地'],
  planned: ['in the plan', '已在计划'],
  costs: ['{n} stamina', '{n} 体力'],
  upTo: ['up to {n}', '至多 {n}'],
  stamina: ['Stamina', '体力'],
  left: ['{n} left', '剩 {n}'],
  over: ['{n} over', '超 {n}'],
  plan: ['Plan, in order of priority', '计划，按先后'],
  emptyPlan: ['No actions yet. What exceeds your stamina is struck out from the end.', '还没有行动。超出体力的部分从末尾删去。'],
  overBudget: ['over the budget, struck out', '超出预算，删去'],
  cutTo: ['cut to {n}', '减为 {n}'],
  again: ['As last round', '同上回合'],
  clear: ['Clear', '清空'],
  submit: ['Submit {n} {n|action|actions}', '提交 {n} 项行动'],
  submitNone: ['Do nothing', '不行动'],
} satisfies Words

export type ComposerWord = keyof typeof composerWords
export const composerSpeaker = speakerOf(composerWords)
