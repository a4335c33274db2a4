import {
  number,
  seatName,
  type BoardContext,
  type Cell,
  type Detail,
  type FeedPlan,
  type Frame,
  type Headline,
  type Json,
  type Lang,
  type Ledger,
  type LegendItem,
  type Say,
} from '@polity/board'
import { listed, round, standing } from './grid'
import { peopled, readWorld } from './reading'
import { plain, short, speaker, words, type Word } from './words'

export { cells } from './grid'

/** A bag in few letters for a narrow column: most of what there is most of. */
const SHOWN_KINDS = 2
function brief(context: BoardContext, stack: readonly (readonly [string, number])[]): string {
  const sorted = [...stack].sort((a, b) => b[1] - a[1])
  const shown = sorted.slice(0, SHOWN_KINDS).map(([name, units]) => `${units} ${short(name, context.lang)}`)
  const rest = sorted.length - shown.length
  return [...shown, ...(rest > 0 ? [speaker(context)('more', { n: rest })] : [])].join(' ')
}

export function headline(frame: Frame, context: BoardContext): Headline {
  const say = speaker(context)
  const world = readWorld(frame)
  const left = Math.max(0, world.horizon - world.step)
  const total = [...world.returns.values()].reduce((sum, each) => sum + each, 0)
  const quiet =
    world.returns.size === 0
      ? say('hidden', { left })
      : say('earned', { total: round(total), groups: peopled(world).length, left })
  if (frame.n === 0) return { strong: say('start'), quiet }
  const stop = context.lang === 'zh' ? '。' : '.'
  return { strong: happened(frame, context, say) + stop, quiet }
}

/** The one thing of a step that most deserves to be told. */
function happened(frame: Frame, context: BoardContext, say: Say<Word>): string {
  const name = (seat: Json | undefined): string => (typeof seat === 'number' ? seatName(context.seats, seat) : '–')
  const of = (kind: string) => frame.events.filter((event) => event.kind === kind)
  const change = of('structure_changed')[0]
  if (change) return say('changed', { name: change.data.name ?? '' })
  const merged = of('groups_merged')[0]
  if (merged) return say('merged', { name: name(merged.data.seat), other: name(merged.data.with) })
  const made = of('synthesized')
  const first = made[0]
  if (first && made.length === 1) {
    const things = Array.isArray(first.data.made) ? first.data.made.map((each) => plain(String(each), context.lang)) : []
    return say('made', { name: name(first.data.seat), things: things.join(', ') })
  }
  const proposed = of('share_proposed')[0]
  if (proposed) {
    return say('proposed', { name: name(proposed.data.seat), other: name(proposed.data.to), share: proposed.data.share ?? 0 })
  }
  const joined = of('group_joined')[0]
  if (joined) return say('joined', { name: name(joined.data.seat), group: joined.data.group ?? 0 })
  const opened = of('bargain_opened').length
  if (opened) return say('opened', { n: opened })
  const picked = of('resource_picked').length
  if (picked || made.length) return say('picked', { n: picked, made: made.length })
  return say(frame.stage === 'contract' || frame.stage === 'negotiation' ? 'quietStep' : 'moved')
}

export function ledger(frame: Frame, context: BoardContext): Ledger {
  const say = speaker(context)
  const world = readWorld(frame)
  const groups = peopled(world)
  const rows = context.seats.map(({ seat }) => {
    const own = groups.filter((group) => group.members.some(([member]) => member === seat)).map((group) => group.number)
    const bag = world.bags.get(seat)
    const score = world.returns.get(seat) ?? null
    return {
      seat,
      values: [
        own.length ? own.join(', ') : say('alone'),
        bag === undefined ? '–' : brief(context, bag) || '0',
        score === null ? '–' : number(round(score)),
      ],
      score,
    }
  })
  rows.sort((a, b) => (b.score ?? -Infinity) - (a.score ?? -Infinity) || a.seat - b.seat)
  return {
    columns: [
      { label: say('groupColumn'), numeric: false },
      { label: say('bag'), numeric: false },
      { label: say('reward'), numeric: true },
    ],
    rows,
    note: say(world.bags.size < context.seats.length ? 'bagHidden' : 'note'),
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

export function feed(lang: Lang): FeedPlan {
  const book = words[lang]
  return {
    minor: ['resource_picked', 'resource_dumped', 'step_blocked', 'cell_contested', 'request_unanswered', 'tree_learned'],
    groups: [
      { key: 'make', label: book.feedMake, kinds: ['synthesized'] },
      { key: 'map', label: book.feedMove, kinds: ['resource_picked', 'resource_dumped', 'step_blocked', 'cell_contested'] },
      { key: 'groups', label: book.feedSocial, kinds: ['group_joined', 'groups_merged', 'groups_forced', 'structure_changed', 'order_drawn'] },
      {
        key: 'bargains',
        label: book.feedBargain,
        kinds: ['request_unanswered', 'bargain_opened', 'share_proposed', 'bargain_ended', 'bargain_lapsed'],
      },
      { key: 'talk', label: book.feedTalk, kinds: ['message_sent', 'map_shown', 'map_hidden'] },
      { key: 'know', label: book.feedKnow, kinds: ['tree_learned'] },
    ],
  }
}

export function legend(frame: Frame, context: BoardContext): LegendItem[] {
  const say = speaker(context)
  const items: LegendItem[] = [
    { label: say('keyPile'), width: 16, height: 16, paths: [{ d: 'M4.5 2h7q2.5 0 2.5 2.5v7q0 2.5-2.5 2.5h-7q-2.5 0-2.5-2.5v-7q0-2.5 2.5-2.5z', stroke: 'text', width: 1.5 }] },
    { label: say('keyEvent'), width: 16, height: 16, paths: [{ d: 'M6 6h4v4h-4z', fill: 'text-3' }] },
  ]
  if ([...readWorld(frame).things.values()].some((thing) => thing.block)) {
    items.push({ label: say('keyBlock'), width: 16, height: 16, paths: [{ d: 'M2 2h12v12h-12z', fill: 'text-2' }] })
  }
  if (readWorld(frame).links.some((link) => link.showsMap)) {
    items.push({ label: say('keyShows'), width: 22, height: 12, paths: [{ d: 'M1 6h13', stroke: 'text-3', width: 1.5 }, { d: 'M13 2l8 4l-8 4z', fill: 'text-3' }] })
  }
  if (context.as !== null) {
    items.push({
      label: say('keyWindow'),
      width: 16,
      height: 16,
      paths: [{ d: 'M2 2h12v12h-12z', stroke: 'accent', width: 2, dash: '3 2.5' }],
    })
  }
  return items
}
