import {
  enumerated,
  inRow,
  number,
  paragraph,
  ranked,
  seatName,
  shaped,
  type BoardContext,
  type Cell,
  type Detail,
  type Frame,
  type Headline,
  type Ledger,
  type LegendItem,
  type Say,
  type Sign,
} from '@polity/board'
import { isSocial, standings } from './agreeing'
import { CREATURE, signPaths } from './glyphs'
import { listed, round, standing } from './grid'
import { bargains, groupsOf, onTurn, peopled, readWorld, type Amounts, type World } from './reading'
import type { Events, SocietyView } from './shapes'
import { joined, stakes } from './stakes'
import { one, plain, several, speaker, type Word } from './words'

export { cells } from './grid'

/** A bag for a narrow column: what was made last first, a sign and a number each. */
const SHOWN_KINDS = 6
function signs(context: BoardContext, stack: Amounts): Sign[] {
  const say = speaker(context)
  const shown = [...stack].reverse().slice(0, SHOWN_KINDS)
  const rest = stack.length - shown.length
  return [
    ...shown.map(([name, units]) => ({ label: say('pile', { name: plain(name, context.lang), units }), text: String(units), paths: signPaths(name, context.theme) })),
    ...(rest > 0 ? [{ label: say('more', { n: rest }), text: say('more', { n: rest }), paths: [] }] : []),
  ]
}

export function headline(frame: Frame, context: BoardContext): Headline {
  const say = speaker(context)
  const world = readWorld(frame)
  if (frame.n === 0) return { strong: say('start'), quiet: standingNow(world, context, say) }
  const stop = context.lang === 'zh' ? '。' : '.'
  const [first, second] = happened(frame, world, context, say)
  const isAsked = frame.events.some(({ kind }) => kind === 'share_proposed')
  const strong = [first, second].filter(Boolean).map((each) => (/[.!?”。！？]$/.test(each ?? '') ? each : each + stop))
  return { strong: strong.join(context.lang === 'zh' ? '' : ' '), quiet: (isAsked && answering(world, context, say)) || standingNow(world, context, say) }
}

/** More names than these would hide what else the sentence tells. */
const NAMED = 3

/** Whose answer is waited for; null where nobody's is. */
function answering(world: World, context: BoardContext, say: Say<Word>): string | null {
  const must = bargains(world).map(({ decides }) => seatName(context.seats, decides))
  const left = world.social_steps - world.step
  if (!must.length) return null
  return must.length > NAMED ? say('answeringMany', { n: must.length, left }) : say('answering', { names: joined(must, context, '、'), left })
}

/** How things stand: what is earned, or who has to speak while nobody moves, and how long it goes on. */
function standingNow(world: World, context: BoardContext, say: Say<Word>): string {
  const left = Math.max(0, world.horizon - world.step)
  const chooses = onTurn(world)
  if (chooses !== undefined) return say('chooses', { name: seatName(context.seats, chooses), left: world.social_steps - world.step })
  if (world.stage === 'negotiation') {
    const n = bargains(world).length
    return say(n ? 'bargaining' : 'opens', { n, left: world.social_steps - world.step })
  }
  if (world.returns.size === 0) return say('hidden', { left })
  const total = number(round([...world.returns.values()].reduce((sum, each) => sum + each, 0)))
  const own = world.returns.size === 1 && context.seats.length > 1 ? [...world.returns.keys()][0] : undefined
  if (own !== undefined) return say('ownEarned', { name: seatName(context.seats, own), total, left })
  return say('earned', { total, groups: peopled(world).length, left })
}

/** What of a step most deserves to be told, and where it pays somebody else, whom. */
function happened(frame: Frame, world: World, context: BoardContext, say: Say<Word>): readonly [string, (string | undefined)?] {
  const name = (seat: number): string => seatName(context.seats, seat)
  const of = <Kind extends keyof Events>(kind: Kind): Events[Kind][] => shaped<SocietyView, Events>(frame).events.flatMap((event) => (event.kind === kind ? [event.data as Events[Kind]] : []))
  const [change] = of('structure_changed')
  if (change) return [say('changed', { name: say(STRUCTURES[change.name] ?? 'structureOther') })]
  const [merged] = of('groups_merged')
  if (merged) return [say('merged', { name: name(merged.seat), other: name(merged.with), share: merged.share, rest: 100 - merged.share, group: merged.group })]
  const things = of('synthesized').flatMap(({ seat, made }) => made.map((thing) => ({ seat, thing })))
  const [top] = things
  const first = things.find(({ thing }) => isFirst(world, things, thing))
  if (first) return [say('madeFirst', { name: name(first.seat), thing: plain(first.thing, context.lang) }), shared(world, context, say, first.seat)]
  const before = context.at?.(frame.n - 1)
  const broken = before ? brokenUp(readWorld(before), world) : null
  if (broken) return [broken.seat === null ? say('brokeUp', { group: broken.group }) : say('left', { name: name(broken.seat), group: broken.group })]
  const [ended] = of('bargain_ended')
  if (ended) return [say('endedTalk', { name: name(ended.seat), other: name(ended.with) })]
  const [lapsed] = of('bargain_lapsed')
  if (lapsed) return [say('lapsed', { name: name(lapsed.seats[0]), other: name(lapsed.seats[1]) })]
  const [offer, another] = of('share_proposed').map(({ seat, to, share }) => say('proposed', { name: name(seat), other: name(to), share, rest: 100 - share }))
  if (offer) return [offer, another]
  const said = of('message_sent').find(({ text }) => text)
  if (said && !top) return [say('told', { name: name(said.by), other: name(said.to[0]), text: said.text })]
  if (top && things.length === 1) return [say('made', { name: name(top.seat), things: one(top.thing, context.lang) }), shared(world, context, say, top.seat)]
  if (top) return [say('madeMany', { names: enumerated([...new Set(things.map(({ seat }) => name(seat)))], context.lang), things: counted(things.map(({ thing }) => thing), context) })]
  const joined = of('group_joined')
  if (joined[0]) return [joined.length === 1 ? say('joined', { name: name(joined[0].seat), group: joined[0].group }) : say('joinedMany', { n: joined.length })]
  const [passed] = of('reward_passed')
  if (passed) return [say('passed', { name: name(passed.seat), other: name(passed.to), share: passed.share })]
  const [ruled] = of('rule_set')
  if (ruled) return [say('ruled', { group: ruled.group, keep: ruled.keep })]
  const [weighed] = of('weight_set')
  if (weighed) return [say('weighed', { name: name(weighed.seat), group: weighed.group, weight: weighed.weight })]
  const opened = frame.events.filter(({ kind }) => kind === 'bargain_opened').length
  if (opened) return [say('opened', { n: opened })]
  const picked = of('resource_picked')
  if (picked.length === 1 && picked[0]) return [say('pickedOne', { name: name(picked[0].seat), thing: one(picked[0].resource, context.lang) })]
  if (picked.length) return [say('picked', { n: picked.length, things: counted(picked.map(({ resource }) => resource), context) })]
  if (frame.stage === 'contract') return [say('quietChoice')]
  if (frame.stage === 'negotiation') return [bargainedOver(world, context, say)]
  const soFar = madeSoFar(world)
  const isOver = world.step >= world.horizon
  if (soFar.length) return [say(isOver ? 'overMade' : 'movedMade', { things: counted(soFar, context) })]
  return [say(isOver ? 'stageOver' : 'moved')]
}

/** Where nobody says anything new: whose answer is waited for, or what has been agreed. */
function bargainedOver(world: World, context: BoardContext, say: Say<Word>): string {
  const open = bargains(world)[0]
  if (open) {
    const [name, other] = [seatName(context.seats, open.decides), seatName(context.seats, open.waits)]
    return open.asked === null ? say('mustOpen', { name, other }) : say('mustAnswer', { name, other, n: open.asked, left: 100 - open.asked })
  }
  const groups = peopled(world).filter(({ members }) => members.length > 1)
  const [first] = groups
  if (first && first.members.length === context.seats.length) return say('settled', { group: first.number })
  return groups.length ? say('settledMany', { n: groups.length }) : say('quietStep')
}

/** What was made until now, a name for each unit. */
function madeSoFar(world: World): string[] {
  return world.recipes.flatMap(({ name, outputs: [output] }) => (output ? Array.from({ length: world.made.get(name) ?? 0 }, () => output[0]) : []))
}

const STRUCTURES: Readonly<Record<string, Word>> = {
  isolation: 'structureIsolation', connection: 'structureConnection', independent: 'structureIndependent', overlapping: 'structureOverlapping', inequality: 'structureInequality',
}

/** Whether of a thing no more were made than in this step. */
function isFirst(world: World, made: readonly { thing: string }[], thing: string): boolean {
  const times = world.recipes.filter(({ outputs }) => outputs.some(([name]) => name === thing)).reduce((sum, { name }) => sum + (world.made.get(name) ?? 0), 0)
  return times > 0 && times <= made.filter((each) => each.thing === thing).length
}

/** A group of several that has lost its last but one: itself, or who left it. */
function brokenUp(earlier: World, world: World): { group: number; seat: number | null } | null {
  const now = new Map(peopled(world).map((group) => [group.number, group.members.map(([seat]) => seat)]))
  for (const { number, members } of peopled(earlier)) {
    const gone = members.map(([seat]) => seat).filter((seat) => !now.get(number)?.includes(seat))
    if (members.length > 1 && gone.length) return { group: number, seat: (now.get(number)?.length ?? 0) > 1 && gone.length === 1 ? (gone[0] ?? null) : null }
  }
  return null
}

/** Who gains from what a seat made: the others of its groups. */
function shared(world: World, context: BoardContext, say: Say<Word>, seat: number): string | undefined {
  const others = [...world.gains].filter(([other, gain]) => other !== seat && gain > 0 && groupsOf(world, seat).some(({ members }) => members.some(([member]) => member === other)))
  if (!others.length || world.returns.size < 2) return undefined
  const [one, gain] = others[0] ?? [0, 0]
  if (others.length === 1) return say('gainOne', { name: seatName(context.seats, one), gain: number(round(gain)) })
  return say('gainMany', { n: others.length, gain: number(round(gain)) })
}

function counted(things: readonly string[], context: BoardContext): string {
  const counts = new Map<string, number>()
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1)
  const say = speaker(context)
  return inRow([...counts].map(([name, units]) => say('pile', { name: several(name, units, context.lang), units })), context.lang)
}

export function ledger(frame: Frame, context: BoardContext): Ledger {
  const say = speaker(context)
  const world = readWorld(frame)
  if (isSocial(world)) return agreed(world, context, say)
  const rows = context.seats.map(({ seat }) => {
    const own = groupsOf(world, seat).map((group) => group.number)
    const bag = world.bags.get(seat)
    const score = world.returns.get(seat) ?? null
    return {
      seat,
      values: [
        own.length ? inRow(own, context.lang) : say('alone'),
        bag === undefined ? '–' : bag.length ? signs(context, bag) : '0',
        score === null ? '–' : number(round(score)),
      ],
      score,
    }
  })
  return {
    columns: [
      { label: say('groupColumn'), numeric: false },
      { label: say('bag'), numeric: false },
      { label: say('reward'), numeric: true },
    ],
    rows: ranked(rows),
    note: say(world.bags.size < context.seats.length ? 'bagHidden' : 'note'),
  }
}

/** While nobody moves: what each seat is at, its group and its share, and why they agree. */
function agreed(world: World, context: BoardContext, say: Say<Word>): Ledger {
  const why = stakes(world, context)
  return {
    columns: [
      { label: say('doing'), numeric: false },
      { label: say('groupColumn'), numeric: false },
      { label: say('share'), numeric: true },
    ],
    rows: standings(world, context).map(({ seat, doing, group, percent }) => ({
      seat,
      values: [doing, group === null ? say('alone') : String(group), `${percent}%`],
      score: world.returns.get(seat) ?? null,
    })),
    note: why ? paragraph([why.question, why.answer], context.lang) : '',
  }
}

export function detail(frame: Frame, cell: Cell, context: BoardContext): Detail {
  const say = speaker(context)
  const world = readWorld(frame)
  const at = cell.row * world.cols + cell.col
  const thing = world.things.get(at)
  const seat = standing(world, at)
  const rows: [string, string][] = [
    [say('event'), thing?.event ? plain(thing.event, context.lang) : '–'],
    [say('piles'), thing?.stack.length ? listed(context, thing.stack) : '–'],
    [say('agent'), seat === null ? '–' : seatName(context.seats, seat)],
  ]
  if (seat !== null) {
    const bag = world.bags.get(seat)
    rows.push([say('bag'), bag === undefined ? '–' : listed(context, bag) || '0'])
  }
  return { title: say('cell', { cell: `(${cell.row},${cell.col})` }), seat, rows }
}

const SQUARE = 'M2 2h12v12h-12z'

/** What the signs on the map are called: each thing that lies there, what can be made, and the marks around them. */
export function legend(frame: Frame, context: BoardContext): LegendItem[] {
  const say = speaker(context)
  const world = readWorld(frame)
  const sign = (label: string, paths: LegendItem['paths']): LegendItem => ({ label, width: 16, height: 16, paths })
  const things = [...world.things.values()]
  const lying = new Set(things.flatMap(({ stack }) => stack.map(([name]) => name)))
  const events = new Set(things.flatMap(({ event }) => (event ? [event] : [])))
  const known = world.resources.map(({ name }) => name).filter((name) => lying.has(name))
  const only = events.size === 1 ? world.recipes.find(({ name }) => events.has(name))?.outputs[0]?.[0] : undefined
  const made = !only ? say('keyEvent') : say('keyEventOne', { name: plain(only, context.lang) })
  const items = known.map((name) => sign(plain(name, context.lang), signPaths(name, context.theme)))
  const outputs = world.recipes.filter(({ name }) => events.has(name)).flatMap(({ name, outputs: [output] }) => (output?.[0] && !lying.has(output[0]) ? [{ name, thing: output[0] }] : []))
  if (outputs.length > 1) items.push(...outputs.map(({ name, thing }) => sign(plain(thing, context.lang), signPaths(name, context.theme, true))))
  if (events.size) items.push(sign(made, signPaths([...events].sort()[0] ?? '', context.theme, true)))
  if (world.creatures.length) items.push(sign(say('creature'), signPaths(CREATURE, context.theme)))
  if (things.some((thing) => thing.block)) items.push(sign(say('keyBlock'), [{ d: SQUARE, fill: 'text-3' }]))
  if (context.as !== null) items.push(sign(say(context.subject ? 'keyYours' : 'keyWindow'), [{ d: SQUARE, stroke: 'accent', width: 2 }]))
  if (world.seen !== null) items.push(sign(say('keyUnseen'), [{ d: SQUARE, fill: 'line' }]))
  // What two events make, or eyes that do not know a thing's name, would stand there twice.
  return items.filter(({ label }, i) => label && items.findIndex((other) => other.label === label) === i)
}
