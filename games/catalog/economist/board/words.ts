import { speakerOf, type Lang } from '@polity/board'

const en = {
  grid: 'The map: {rows} {rows|row|rows}, {cols} {cols|column|columns}',
  wood: 'wood', stone: 'stone', house: 'house', worker: 'worker',
  welfare: 'Welfare of epoch {n}: {now} (epoch {past}: {before}) · mean income {income} · equality {equality}', welfareFirst: 'Welfare of epoch {n}: {now} · mean income {income} · equality {equality}',
  coin: 'Coin', houses: 'Houses', income: 'Income', goods: 'Wood, stone', reportedColumn: 'Reported', paidColumn: 'Tax', taxedNote: 'As reported and taxed in epoch {n}.',
  start: 'The land lies open.',
  startQuiet: '{n} {n|worker|workers}, no house yet.',
  planned: 'The planner is asked: epoch {n} has ended',
  raised: 'The planner moves the rates to {rates}',
  kept: 'The planner keeps the rates',
  builds: '{name} builds a house',
  buildsMore: '{n} {n|house is|houses are} built',
  trades: '{n} {n|trade|trades}',
  caught: '{names} {n|is|are} caught hiding income',
  flagged: '{names} are flagged as acting alike',
  works: '{n} {n|worker is|workers are} at work; nothing is built or traded',
  hides: '{names} {n|means|mean} to hide income',
  defers: '{names} {n|defers|defer} income to the next epoch',
  holds: '{name} holds {coin} coin',
  even: '{n} {n|worker is|workers are} level at {coin} coin',
  leadTogether: '{names} lead with {coin} coin each',
  leads: '{name} leads with {coin} coin, {gap} more than {other}',
  due: 'Taxes are due in {left} {left|step|steps}.',
  dueNow: 'Epoch {n} is taxed now.',
  quietSeen: '{houses} {houses|house|houses} in sight, treasury {treasury}{prices}.',
  quiet: '{houses} {houses|house stands|houses stand}, treasury {treasury}{prices}.',
  price: ', {name} at {price}',
  empty: 'empty', unseen: 'out of sight', stockOf: '{n} {name}', houseOf: 'house of {name}', here: '{name} is here', frozen: 'frozen through epoch {n}', banned: 'may not trade through epoch {n}',
  unknown: 'Accounts are known to their owners alone.', note: 'Treasury {treasury}. Fees {fee} a side.',
  cell: 'Cell {cell}', stockRow: 'stock', ownerRow: 'house', whoRow: 'workers',
  coinRow: 'coin', energyRow: 'energy', grossRow: 'earned this epoch', deferredRow: 'deferred', hidesRow: 'hides', lastRow: 'last epoch',
  lastTax: 'reported {reported} of {gross}, tax {paid}', lastTaxKnown: 'reported {reported}, tax {paid}', auditRow: 'audit', caughtWhy: 'caught, where the chance of an audit was {chance}: fine {fined}', missedWhy: 'hid income unnoticed; the chance of an audit was {chance}', clearedWhy: 'audited for a flag, nothing found', noneWhy: 'hid nothing, not audited', frozenRow: 'frozen', frozenWhy: '{n} {n|catch|catches}; through epoch {until}', catchesRow: 'catches, audits, fines',
  brackets: 'Tax brackets and who stands where', bracketsShort: 'Tax brackets', dashed: 'dashed: before', ring: 'letter: earned, ring: reported', reportedOnly: 'letter: reported', lastEpoch: 'incomes of epoch {n}', thisEpoch: 'incomes so far', bunchedNote: '{n} bunched under a threshold', coinAxis: 'coin',
  book: 'Order book', quantity: 'quantity', atPrice: 'price', lastTrade: 'last trade', buys: 'buys', sells: 'sells', youBuy: 'you buy', youSell: 'you sell', noOrders: 'no orders', 
  flow: 'Coin of epoch {n}', flow_house_income: 'from houses', flow_taxes: 'taxes', flow_fines: 'fines', flow_fees: 'fees', flow_shared: 'paid back', flow_traded: 'traded',
  flagTitle: 'Flagged: similarity {similarity}, beyond chance {suspicion}',
  act_move: 'move', act_gather: 'gather', act_build: 'build', act_buy: 'buy', act_sell: 'sell', act_shift: 'defer', act_misreport: 'hide', act_noop: '–',
  keyWood: 'wood, size = stock', keyStone: 'stone', keyHouse: 'house of the lettered owner', keyWorker: 'worker', keyAudit: 'caught last epoch', keyFrozen: 'frozen', keyFlag: 'flagged pair',
} as const

const zh: Record<keyof typeof en, string> = {
  grid: '地图：{rows} 行 {cols} 列',
  wood: '木材', stone: '石材', house: '房屋', worker: '工人',
  welfare: '第 {n} 期福利 {now}（第 {past} 期 {before}） · 人均收入 {income} · 平等程度 {equality}', welfareFirst: '第 {n} 期福利 {now} · 人均收入 {income} · 平等程度 {equality}',
  coin: '钱币', houses: '房屋', income: '收入', goods: '木、石', reportedColumn: '申报', paidColumn: '缴税', taxedNote: '第 {n} 期的申报与缴税。',
  start: '土地开放。', startQuiet: '{n} 名工人，尚无房屋。',
  planned: '第 {n} 期结束，等规划者定税', raised: '规划者将税率改为 {rates}', kept: '规划者维持税率',
  builds: '{name} 建成一座房', buildsMore: '建成 {n} 座房', trades: '成交 {n} 笔', caught: '{names} 瞒报被查获', flagged: '{names} 因行为相似被标记',
  works: '{n} 名工人在劳作，没有建房或成交', hides: '{names} 打算瞒报收入', defers: '{names} 把收入推迟到下一期', holds: '{name} 有 {coin} 枚钱币',
  even: '{n} 名工人并列，各有 {coin} 枚钱币', leadTogether: '{names} 并列领先，各有 {coin} 枚钱币', leads: '{name} 以 {coin} 枚钱币领先，比 {other} 多 {gap}',
  due: '还有 {left} 步征税。', dueNow: '第 {n} 期此时征税。', quietSeen: '视野内房屋 {houses} 座，国库 {treasury}{prices}。', quiet: '房屋 {houses} 座，国库 {treasury}{prices}。', price: '，{name} {price}',
  empty: '空', unseen: '视野之外', stockOf: '{name} {n}', houseOf: '{name} 的房屋', here: '{name} 在此', frozen: '冻结至第 {n} 期', banned: '禁市至第 {n} 期',
  unknown: '账目仅其主人知晓。', note: '国库 {treasury}。双方费率各 {fee}。',
  cell: '格 {cell}', stockRow: '存量', ownerRow: '房屋', whoRow: '工人',
  coinRow: '钱币', energyRow: '体力', grossRow: '本期所得', deferredRow: '已推迟', hidesRow: '隐瞒', lastRow: '上期',
  lastTax: '申报 {reported}（所得 {gross}），缴税 {paid}', lastTaxKnown: '申报 {reported}，缴税 {paid}', auditRow: '审计', caughtWhy: '被查获，当时被审计的概率为 {chance}：罚款 {fined}', missedWhy: '瞒报未被发觉，当时被审计的概率为 {chance}', clearedWhy: '因标记被审计，未发现问题', noneWhy: '未瞒报，未被审计', frozenRow: '冻结', frozenWhy: '查获 {n} 次；至第 {until} 期', catchesRow: '查获、审计、罚款',
  brackets: '税级与各人所处', bracketsShort: '税级', dashed: '虚线：此前', ring: '字母：所得，圆圈：申报', reportedOnly: '字母：申报', lastEpoch: '第 {n} 期收入', thisEpoch: '本期至今收入', bunchedNote: '{n} 人聚于起征点之下', coinAxis: '钱币',
  book: '订单簿', quantity: '数量', atPrice: '价格', lastTrade: '最近成交', buys: '买', sells: '卖', youBuy: '你买', youSell: '你卖', noOrders: '无挂单',
  flow: '第 {n} 期钱币流向', flow_house_income: '房屋收入', flow_taxes: '税', flow_fines: '罚款', flow_fees: '费用', flow_shared: '归还', flow_traded: '成交额',
  flagTitle: '被标记：相似度 {similarity}，高于偶然 {suspicion}',
  act_move: '移', act_gather: '采', act_build: '建', act_buy: '买', act_sell: '卖', act_shift: '延', act_misreport: '瞒', act_noop: '–',
  keyWood: '木材，大小为存量', keyStone: '石材', keyHouse: '房屋，字母为主人', keyWorker: '工人', keyAudit: '上期被查获', keyFrozen: '冻结', keyFlag: '被标记的一对',
}

export type Word = keyof typeof en
export const words: Record<Lang, Record<Word, string>> = { en, zh }
export const speaker = speakerOf(words)

/** A number with so many decimals, without needless zeros. */
export function short(value: number | null, digits = 1): string {
  return value === null ? '–' : Number(value.toFixed(digits)).toLocaleString('en', { useGrouping: false })
}

export function percent(rate: number): string {
  return `${short(rate * 100, 1)}%`
}
