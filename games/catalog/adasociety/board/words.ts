import type { Lang } from '@polity/board'

const en = {
  grid: 'The map: {rows} rows, {cols} columns',
  start: 'The agents stand on the map with what they brought.',
  unseen: 'not seen',
  empty: 'empty',
  block: 'a block',
  pile: '{units} {name}',
  grid_of: 'a place for {name}',
  stands: '{name} stands here',
  made: '{name} makes {things}',
  picked: '{n} {n|pick|picks}, {made} made',
  joined: '{name} joins group {group}',
  merged: '{name} and {other} agree',
  opened: '{n} {n|pair begins|pairs begin} to bargain',
  proposed: '{name} asks {other} for {share}%',
  changed: 'The social structure is now {name}',
  moved: 'Everybody moves; nothing is made',
  quietStep: 'Nothing is agreed in this step',
  earned: '{total} earned so far, {groups} {groups|group|groups} with members, {left} {left|step|steps} left.',
  hidden: 'Only the social graph is known to these eyes; {left} {left|step|steps} left.',
  reward: 'Reward',
  bag: 'Bag',
  groupColumn: 'Group',
  alone: 'alone',
  bagHidden: 'Bags are known to their owners alone.',
  note: 'Rewards are what bags are worth, shared within groups.',
  cell: 'Cell {cell}',
  event: 'event',
  piles: 'piles',
  agent: 'agent',
  social: 'Social graph',
  socialNote: 'groups with shares; arrows show who shares its map',
  tree: 'Synthesis',
  treeNote: 'filled: made; as far as it is known',
  worth: 'worth {value}',
  madeCount: '{n} made',
  offer: '{share}% offered',
  bargains: 'bargains',
  group: 'group {n}',
  equal: '{name}, 1/{n} each',
  keyPile: 'pile, with its units',
  keyEvent: 'event grid',
  keyBlock: 'block',
  keyWindow: 'what the agent sees',
  feedMake: 'Making',
  feedMove: 'Map',
  feedSocial: 'Groups',
  feedBargain: 'Bargains',
  feedTalk: 'Talk',
  feedKnow: 'Discovery',
}

const zh: Record<keyof typeof en, string> = {
  grid: '地图：{rows} 行，{cols} 列',
  start: '成员带着初始物品站在地图上。',
  unseen: '未见',
  empty: '空',
  block: '障碍',
  pile: '{units} 份{name}',
  grid_of: '可制作{name}',
  stands: '{name} 在此',
  made: '{name} 制成 {things}',
  picked: '捡起 {n} 次，制作 {made} 次',
  joined: '{name} 加入群体 {group}',
  merged: '{name} 与 {other} 达成一致',
  opened: '{n} 对开始谈判',
  proposed: '{name} 向 {other} 要求 {share}%',
  changed: '社会结构变为 {name}',
  moved: '众人移动，没有制作',
  quietStep: '这一步没有达成约定',
  earned: '至今共得 {total}，{groups} 个群体有成员，还剩 {left} 步。',
  hidden: '此视角只知道社会图；还剩 {left} 步。',
  reward: '收益',
  bag: '物品',
  groupColumn: '群体',
  alone: '独自',
  bagHidden: '物品只有本人知道。',
  note: '收益即物品价值，在群体内分享。',
  cell: '格 {cell}',
  event: '事件',
  piles: '资源堆',
  agent: '成员',
  social: '社会图',
  socialNote: '群体与份额；箭头表示共享视野',
  tree: '合成',
  treeNote: '实心：已制成；仅限已知部分',
  worth: '值 {value}',
  madeCount: '已制 {n}',
  offer: '提议 {share}%',
  bargains: '谈判中',
  group: '群体 {n}',
  equal: '{name}，各 1/{n}',
  keyPile: '资源堆及份数',
  keyEvent: '事件格',
  keyBlock: '障碍',
  keyWindow: '成员所见',
  feedMake: '制作',
  feedMove: '地图',
  feedSocial: '群体',
  feedBargain: '谈判',
  feedTalk: '交谈',
  feedKnow: '发现',
}

export type Word = keyof typeof en
export const words: Record<Lang, Record<Word, string>> = { en, zh }

const SHORT: Readonly<Record<string, string>> = {
  wood: 'Wd', stone: 'St', hammer: 'Hm', coal: 'Co', torch: 'To', iron: 'Ir', steel: 'Sl', shovel: 'Sh', pickaxe: 'Pk',
  gem_mine: 'Gm', clay: 'Cl', pottery: 'Po', cutter: 'Cu', gem: 'Ge', totem: 'Tm', hammer_craft: 'Hm', torch_craft: 'To',
  steel_making: 'Sl', potting: 'Po', shovel_craft: 'Sh', pickaxe_craft: 'Pk', cutter_craft: 'Cu', gem_cutting: 'Ge',
  totem_making: 'Tm',
}

const CHINESE: Readonly<Record<string, string>> = {
  wood: '木头', stone: '石头', hammer: '锤子', coal: '煤', torch: '火把', iron: '铁', steel: '钢', shovel: '铲子', pickaxe: '镐',
  gem_mine: '宝石矿', clay: '黏土', pottery: '陶器', cutter: '切割器', gem: '宝石', totem: '图腾', hammer_craft: '锤子',
  torch_craft: '火把', steel_making: '钢', potting: '陶器', shovel_craft: '铲子', pickaxe_craft: '镐', cutter_craft: '切割器',
  gem_cutting: '宝石', totem_making: '图腾',
}

/** Two letters for a resource or an event on the map. */
export function short(name: string): string {
  return SHORT[name] ?? name.charAt(0).toUpperCase() + name.charAt(1)
}

/** A resource's or event's name in plain words. */
export function plain(name: string, lang: Lang): string {
  return (lang === 'zh' ? CHINESE[name] : undefined) ?? name.replaceAll('_', ' ')
}
