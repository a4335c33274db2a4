import type { Lang } from '../types'
import { has, tellerOf, type Words } from './rows'

/** Strings of the way into a seat, in both languages; only its pages load them. */
export const joinWords = {
  // steps
  stepOf: ['{n} of {of}', '{n} / {of}'],
  steps: ['Your way in', '加入的步骤'],
  back: ['Back', '返回'],
  known: ['You have played this game here before; its settings may differ.', '你在这里玩过这个游戏；设置可能不同。'],
  skip: ['Go to your seat', '直接入座'],
  stepWhat: ['What it is', '这是什么'],
  stepDo: ['What you can do', '你可以做什么'],
  stepTime: ['Time', '时间'],
  stepSeat: ['Your seat', '你的席位'],
  stepWait: ['Waiting room', '等候室'],
  stepPlay: ['The match', '对局'],
  // what can be done
  things1: ['One thing you can do', '你可以做的一件事'],
  things2: ['Two things you can do', '你可以做的两件事'],
  things3: ['Three things you can do', '你可以做的三件事'],
  things4: ['Four things you can do', '你可以做的四件事'],
  things5: ['Five things you can do', '你可以做的五件事'],
  things6: ['Six things you can do', '你可以做的六件事'],
  things7: ['Seven things you can do', '你可以做的七件事'],
  things8: ['Eight things you can do', '你可以做的八件事'],
  thingsMany: ['What you can do', '你可以做什么'],
  everyRule: ['Every rule in full', '全部规则'],
  settledLead: ['How it is settled, word for word as a model in the seats is told it.', '如何结算，与席位上的模型读到的一字不差。'],
  // time
  timeLead: ['Please stay to the end: the others play with you.', '请坚持到最后：其他人在和你一起玩。'],
  howLong: ['How long', '持续多久'],
  noAnswer: ['No answer', '没有作答'],
  ifYouLeave: ['If you leave', '如果你离开'],
  othersSee: ['Others see', '别人看到'],
  seeSeat: ['Your seat, and what the rules make known of what you do there; never your name.', '你的席位，以及规则让人知道的你在那里的行动；绝不会看到你的名字。'],
  eachTurn: ['Each turn lasts {time} at most.', '每回合最多 {time}。'],
  eachTick: ['A step comes every {time} at most, sooner when all have acted. Moves can be queued.', '每步最多 {time}，所有人都行动了就提前。可以预先排好行动。'],
  noDeadline: ['There is no time limit: each turn waits until everybody has answered.', '没有时限：每回合等所有人回答。'],
  substituteAnswers: ['{substitute} plays that turn for you.', '该回合由 {substitute} 代你行动。'],
  leaveGrace: [
    'When your page is closed or silent, your seat waits {time} for you. Then {substitute} plays for you, and everyone sees that. Come back by this same address in this browser, and the seat is yours again.',
    '页面关闭或没有动静时，席位为你保留 {time}。之后由 {substitute} 代你行动，所有人都看得到。用同一浏览器回到这个地址，席位就还是你的。',
  ],
  leaveGood: ['You can also leave for good at any time.', '你也可以随时彻底离开。'],
  lookBack: ['You can look all of this up while you play: “Rules” at the top.', '对局中也可以随时查看这些内容：点上方的“规则”。'],
  // the seat
  seatLead: ['{taken} of {of} {of|seat for people is|seats for people are} taken.', '供人入座的 {of} 席中已有 {taken} 席有人。'],
  shutFull: ['You can watch, or ask whoever invited you for another seat.', '你可以观看，或请邀请你的人另给一个席位。'],
  shutOver: ['You can watch how it went.', '你可以观看整场对局。'],
  seatLeadOne: ['One seat for a person.', '供人入座的席位有一个。'],
  forSeat: ['This link is for the seat {name}.', '这个链接对应席位 {name}。'],
  // waiting
  waitYou: ['Ready when you are', '准备好就开始'],
  waitMore: ['Waiting for {n} more', '还差 {n} 人'],
  waitNow: ['Everybody is here', '人到齐了'],
  yourGroup: ['Your group', '你的组'],
  groupOf: ['{n} of {of}', '{n} / {of}'],
  you: ['You', '你'],
  present: ['here', '已到'],
  open: ['open', '空缺'],
  starts: ['Starts', '开始'],
  atLatest: ['In {time}', '{time}后'],
  now: ['Now', '现在'],
  thenFilled: ['It starts at the latest, with programs in the open seats.', '最迟此时开始，空缺的席位由程序行动。'],
  startsItself: ['Starts by itself', '会自动开始'],
} satisfies Words

export type JoinWord = keyof typeof joinWords

export const joinWord = tellerOf<JoinWord>(joinWords)

/** "Four things you can do". */
export function thingsToDo(lang: Lang, count: number): string {
  const key = `things${count}`
  return joinWord(lang, has(joinWords, key) ? key : 'thingsMany')
}
