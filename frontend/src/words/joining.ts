import { sentence, spoken } from '../sentences'
import type { Facts, Lang } from '../types'

/** Strings of the way into a seat, in both languages; only its pages load them. */
const en = {
  // steps
  stepOf: '{n} of {of}',
  steps: 'Your way in',
  back: 'Back',
  known: 'You have played this game here before; its settings may differ.',
  skip: 'Go to your seat',
  stepWhat: 'What it is',
  stepDo: 'What you can do',
  stepTime: 'Time',
  stepSeat: 'Your seat',
  stepWait: 'Waiting room',
  stepPlay: 'The match',
  // what can be done
  things1: 'One thing you can do',
  things2: 'Two things you can do',
  things3: 'Three things you can do',
  things4: 'Four things you can do',
  things5: 'Five things you can do',
  things6: 'Six things you can do',
  things7: 'Seven things you can do',
  things8: 'Eight things you can do',
  thingsMany: 'What you can do',
  everyRule: 'Every rule in full',
  settledLead: 'How it is settled, word for word as a model in the seats is told it.',
  // time
  timeLead: 'Please stay to the end: the others play with you.',
  howLong: 'How long',
  noAnswer: 'No answer',
  ifYouLeave: 'If you leave',
  othersSee: 'Others see',
  seeSeat: 'Your seat, and what the rules make known of what you do there; never your name.',
  eachTurn: 'Each turn lasts {time} at most.',
  eachTick: 'A step comes every {time} at most, sooner when all have acted. Moves can be queued.',
  noDeadline: 'There is no time limit: each turn waits until everybody has answered.',
  substituteAnswers: '{substitute} plays that turn for you.',
  leaveGrace: 'When your page is closed or silent, your seat waits {time} for you. Then {substitute} plays for you, and everyone sees that. Come back by this same address in this browser, and the seat is yours again.',
  leaveGood: 'You can also leave for good at any time.',
  lookBack: 'You can look all of this up while you play: “Rules” at the top.',
  // the seat
  seatLead: '{taken} of {of} {of|seat for people is|seats for people are} taken.',
  shutFull: 'You can watch, or ask whoever invited you for another seat.',
  shutOver: 'You can watch how it went.',
  seatLeadOne: 'One seat for a person.',
  forSeat: 'This link is for the seat {name}.',
  // waiting
  waitYou: 'Ready when you are',
  waitMore: 'Waiting for {n} more',
  waitNow: 'Everybody is here',
  yourGroup: 'Your group',
  groupOf: '{n} of {of}',
  you: 'You',
  present: 'here',
  open: 'open',
  starts: 'Starts',
  atLatest: 'In {time}',
  now: 'Now',
  thenFilled: 'It starts at the latest, with programs in the open seats.',
  startsItself: 'Starts by itself',
} as const

export type JoinWord = keyof typeof en

const zh: Record<JoinWord, string> = {
  stepOf: '{n} / {of}',
  steps: '加入的步骤',
  back: '返回',
  known: '你在这里玩过这个游戏；设置可能不同。',
  skip: '直接入座',
  stepWhat: '这是什么',
  stepDo: '你可以做什么',
  stepTime: '时间',
  stepSeat: '你的席位',
  stepWait: '等候室',
  stepPlay: '对局',
  things1: '你可以做的一件事',
  things2: '你可以做的两件事',
  things3: '你可以做的三件事',
  things4: '你可以做的四件事',
  things5: '你可以做的五件事',
  things6: '你可以做的六件事',
  things7: '你可以做的七件事',
  things8: '你可以做的八件事',
  thingsMany: '你可以做什么',
  everyRule: '全部规则',
  settledLead: '如何结算，与席位上的模型读到的一字不差。',
  timeLead: '请坚持到最后：其他人在和你一起玩。',
  howLong: '持续多久',
  noAnswer: '没有作答',
  ifYouLeave: '如果你离开',
  othersSee: '别人看到',
  seeSeat: '你的席位，以及规则让人知道的你在那里的行动；绝不会看到你的名字。',
  eachTurn: '每回合最多 {time}。',
  eachTick: '每步最多 {time}，所有人都行动了就提前。可以预先排好行动。',
  noDeadline: '没有时限：每回合等所有人回答。',
  substituteAnswers: '该回合由 {substitute} 代你行动。',
  leaveGrace: '页面关闭或没有动静时，席位为你保留 {time}。之后由 {substitute} 代你行动，所有人都看得到。用同一浏览器回到这个地址，席位就还是你的。',
  leaveGood: '你也可以随时彻底离开。',
  lookBack: '对局中也可以随时查看这些内容：点上方的“规则”。',
  seatLead: '供人入座的 {of} 席中已有 {taken} 席有人。',
  shutFull: '你可以观看，或请邀请你的人另给一个席位。',
  shutOver: '你可以观看整场对局。',
  seatLeadOne: '供人入座的席位有一个。',
  forSeat: '这个链接对应席位 {name}。',
  waitYou: '准备好就开始',
  waitMore: '还差 {n} 人',
  waitNow: '人到齐了',
  yourGroup: '你的组',
  groupOf: '{n} / {of}',
  you: '你',
  present: '已到',
  open: '空缺',
  starts: '开始',
  atLatest: '{time}后',
  now: '现在',
  thenFilled: '最迟此时开始，空缺的席位由程序行动。',
  startsItself: '会自动开始',
}

export const JOIN_WORDS: Record<Lang, Record<JoinWord, string>> = { en, zh }

/** One of these strings with its placeholders filled. */
export function joinWord(lang: Lang, key: JoinWord, facts?: Facts): string {
  const text = JOIN_WORDS[lang][key]
  return facts ? spoken(sentence(text, facts), String) : text
}

/** "Four things you can do". */
export function thingsToDo(lang: Lang, count: number): string {
  const key = `things${count}`
  return joinWord(lang, Object.hasOwn(en, key) ? (key as JoinWord) : 'thingsMany')
}
