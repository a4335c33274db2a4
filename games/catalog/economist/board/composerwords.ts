import { speakerOf, type Lang } from '@polity/board'

const en = {
  walk: 'Arrow keys walk; a click on the map goes there, or gathers there. G gathers, B builds.',
  walkTouch: 'The arrow buttons walk; a tap on the map goes there, or gathers there.',
  here: 'Here', bag: 'You hold', nothing: 'nothing',
  gather: 'Gather (G)', gatherTouch: 'Gather', build: 'Build (B)', buildTouch: 'Build', gatherPlan: 'Gather {n} {name}', buildPlan: 'Build where there is room', goPlan: 'Go to ({row},{column})', dealPlan: '{verb} {n} {name} at {price}', waitPlan: 'Wait', oncePlan: 'One action',
  lacks: 'A house takes {wood} wood and {stone} stone; you hold {held} and {heldStone}.',
  plans: 'Standing plans', market: 'Market', amount: 'Quantity', price: 'Price in tenths', sell: 'Sell', buy: 'Buy', good: 'Good', ownOrder: '{verb} {n} {name} at {price}', ownOrders: 'Your orders stand: {orders}.', withdraw: 'Withdraw {name}',
  wood: 'wood', stone: 'stone', stacks: '{wood} wood, {stone} stone', accounts: 'You have {coin} coin, {houses} {houses|house|houses} and {energy} energy; {gross} earned, {deferred} deferred.',
  taxes: 'Your taxes', shift: 'Defer {n} of income', shiftLabel: 'Coin to defer', hide: 'Hide {n}% of income', hideLabel: 'Percent to hide', stance: 'Hidden so far: {n}%.',
  keep: 'Keep these rates', set: 'Set these rates', effects: 'Of {n} {n|worker|workers}, {less} would have paid less and {more} more; revenue {before} → {after}.',
  damping: 'An epoch takes {n}% of a change.', nobody: 'The top rate touches nobody: no report is above {n}.', bracket: '{low} to {high} coin', above: 'above {low} coin', rate: 'Rate in percent', begins: 'begins at', from: 'from', fromNothing: 'from 0, fixed', now: 'was {old}; epoch {n}: {next}', same: 'unchanged', within: 'from {min}% to {max}%',
  draftSame: 'Your draft: no rate is changed.', draftBrackets: 'Your draft: {n} {n|bracket|brackets} in place of {old}.', draftOf: 'Your draft: {moves}.', draftRate: '{bracket} {old} → {rate}', draftStart: 'a bracket begins at {low}, not {old}', draftMany: '{n} changes', comma: ', ', back: 'Back to the old rates',
  add: 'Add a bracket', remove: 'Remove',
  paid: 'What the incomes of epoch {n} would have paid', worker: 'Worker', reported: 'Reported', paidNow: 'Paid', withDraft: 'With draft', change: 'Change',
  revenue: 'Revenue', giniAfter: 'Gini after tax', taken: 'Taken', warning: 'Reckoned on last epoch’s reports: people may work, sell and report otherwise under new rates. You do not see what they truly earned.',
  chart: 'Line: your draft; dashed: now; letters: last epoch’s reports. Drag the dots, and the bars to move a bracket; arrow keys move them too.',
  chartTouch: 'Line: your draft; dashed: now; letters: last epoch’s reports. Drag the dots, and the bars to move a bracket.',
  rateOf: 'Rate, {bracket}', edgeOf: 'Start of the bracket {bracket}', bunched: '{n} {n|stops|stop} just short of a threshold.', ofIncome: 'Of income', total: 'In all', paidBack: 'Paid back to each',
  found: 'The last audits caught {n} of {of} {of|worker|workers}.',
} as const

const zh: Record<keyof typeof en, string> = {
  walk: '方向键行走；点击地图前往或采集。G 采集，B 建房。',
  walkTouch: '箭头按钮行走；轻触地图前往或采集。',
  here: '此处', bag: '持有', nothing: '无',
  gather: '采集（G）', gatherTouch: '采集', build: '建房（B）', buildTouch: '建房', gatherPlan: '采集{name} {n}', buildPlan: '就近建房', goPlan: '前往 ({row},{column})', dealPlan: '{verb}{name} {n}，价 {price}', waitPlan: '等待', oncePlan: '单个行动',
  lacks: '一座房需 {wood} 木材、{stone} 石材；你有 {held} 与 {heldStone}。',
  plans: '长期计划', market: '市场', amount: '数量', price: '价格（十分之一）', sell: '卖', buy: '买', good: '物品', ownOrder: '{verb}{name} {n}，价 {price}', ownOrders: '你存续的挂单：{orders}。', withdraw: '撤回{name}挂单',
  wood: '木材', stone: '石材', stacks: '木材 {wood}，石材 {stone}', accounts: '你有 {coin} 钱币、{houses} 座房、{energy} 体力；已得 {gross}，已推迟 {deferred}。',
  taxes: '你的税务', shift: '推迟 {n} 收入', shiftLabel: '推迟的钱币', hide: '隐瞒 {n}% 收入', hideLabel: '隐瞒百分比', stance: '已隐瞒：{n}%。',
  keep: '维持税率', set: '设定税率', effects: '{n} 人中 {less} 人本会少缴，{more} 人多缴；税收 {before} → {after}。',
  damping: '每期采纳改动的 {n}%。', nobody: '最高税率不触及任何人：无申报高于 {n}。', bracket: '{low} 至 {high} 钱币', above: '{low} 钱币以上', rate: '税率（百分比）', begins: '起点', from: '起点', fromNothing: '起点 0，不变', now: '原为 {old}；第 {n} 期 {next}', same: '未变', within: '{min}% 至 {max}%',
  draftSame: '你的草案：未改税率。', draftBrackets: '你的草案：{n} 个税级，原为 {old} 个。', draftOf: '你的草案：{moves}。', draftRate: '{bracket} {old} → {rate}', draftStart: '税级起点由 {old} 改为 {low}', draftMany: '{n} 处改动', comma: '，', back: '恢复原税率',
  add: '增加税级', remove: '删去',
  paid: '第 {n} 期收入本会缴纳', worker: '工人', reported: '申报', paidNow: '已缴', withDraft: '按草案', change: '变化',
  revenue: '税收', giniAfter: '税后基尼系数', taken: '征收比例', warning: '依上期申报推算：新税率下人们的劳作、买卖与申报可能不同。你看不到其真实所得。',
  chart: '实线：草案；虚线：现行；字母：上期申报。拖动圆点改税率，拖动短条移起点；方向键亦可。',
  chartTouch: '实线：草案；虚线：现行；字母：上期申报。拖动圆点改税率，拖动短条移起点。',
  rateOf: '税率，{bracket}', edgeOf: '税级起点，{bracket}', bunched: '{n} 人恰停于起征点之下。', ofIncome: '占收入', total: '合计', paidBack: '每人归还',
  found: '工人共 {of} 名，上次审计查获 {n} 名。',
}

export type ComposerWord = keyof typeof en
export const composerWords: Record<Lang, Record<ComposerWord, string>> = { en, zh }
export const composerSpeaker = speakerOf(composerWords)
