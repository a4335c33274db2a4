import { tellerOf, type Words } from './rows'

/** What the page of a table of pays says, in both languages; the page loads it by itself. Placeholders as in sentences.ts. */
export const tableWords = {
  title: ['Table of pays', '支付表'],
  // the answer
  pure: ['{n} pure {n|equilibrium|equilibria}', '{n} 个纯策略均衡'],
  mixed: ['{n} pure {n|equilibrium|equilibria} and {m} mixed', '{n} 个纯策略均衡，{m} 个混合均衡'],
  none: ['No pure equilibrium', '没有纯策略均衡'],
  noneMixed: ['No pure equilibrium, {m} mixed', '没有纯策略均衡，有 {m} 个混合均衡'],
  bestIs: ['The best outcome, {cell}, is an equilibrium.', '最好的结果（{cell}）是均衡。'],
  bestIsNot: ['The best outcome, {cell}, is no equilibrium: somebody gains by doing otherwise.', '最好的结果（{cell}）不是均衡：有人改变行动便有所得。'],
  pureOnly: ['Mixed ones are looked for in games of two with ten moves in all.', '混合均衡只在双方行动合计不超过十个的二人博弈中求解。'],
  // the table
  begin: ['Begin with', '起点'],
  pays: ['Pays', '支付'],
  how: ['type a number or a fraction; names are yours', '填数字或分数；名称随你'],
  lessMove: ['− move', '− 行动'],
  moreMove: ['+ move', '+ 行动'],
  rows: ['rows', '行'],
  columns: ['columns', '列'],
  inAll: ['{n} in all', '合计 {n}'],
  reply: ['best reply', '最优反应'],
  equilibrium: ['equilibrium', '均衡'],
  efficient: ['efficient: the most in all', '有效：合计最多'],
  dominated: ['dominated', '被占优'],
  bad: ['A whole number, a decimal or a fraction such as 3/2.', '填整数、小数，或 3/2 这样的分数。'],
  nameOf: ['Name of move {n} of {player}', '{player} 第 {n} 个行动的名称'],
  payOf: ['What {player} is paid at {cell}', '{cell} 时 {player} 所得'],
  // what it is
  is: ['What this game is', '这是怎样的博弈'],
  typed: ['as you type', '随输入而变'],
  paysThat: ['pays {pays}; nobody gains by doing otherwise alone', '所得 {pays}；无人单独改变而有所得'],
  worth: ['Mixed, worth {pays}', '混合，所得 {pays}'],
  isDominated: ['{player}: {move} is dominated', '{player}：{move} 被占优'],
  by: ['{other} pays more whatever the others do', '无论他人如何，{other} 所得更多'],
  isEfficient: ['Efficient: {cell}', '有效：{cell}'],
  more: ['{n} more {n|equilibrium|equilibria}', '另有 {n} 个均衡'],
  // the match
  match: ['A match at once', '立即对局'],
  rounds: ['{n} {n|round|rounds}', '{n} 回合'],
  again: ['Play again', '再来一局'],
  aRound: ['{n} a round', '每回合 {n}'],
  often: ['How often', '次数'],
  moves: ['Moves, round 1 to {n}', '第 1 至 {n} 回合的行动'],
  beliefs: ['best reply to beliefs', '对信念的最优反应'],
  replyBot: ['best reply to the last round', '对上回合的最优反应'],
  equilibriumBot: ['an equilibrium', '均衡'],
  efficientBot: ['the efficient cell', '有效的格子'],
  random: ['evenly by chance', '均匀随机'],
  // the file
  file: ['As a file', '作为文件'],
  read: ['Read .nfg or .efg', '读取 .nfg 或 .efg'],
  save: ['Save as .nfg', '存为 .nfg'],
  big: ['The file has {n} bytes; {most} at most.', '文件有 {n} 字节；最多 {most}。'],
} satisfies Words

export const tableWord = tellerOf<keyof typeof tableWords>(tableWords)
