import {
  clauses,
  colon,
  columnsOf,
  fact,
  inRow,
  number,
  paragraph,
  ranked,
  seatName,
  type BoardContext,
  type Cell,
  type Deeds,
  type Detail,
  type FactList,
  type Frame,
  type GridFacts,
  type Headline,
  type Ledger,
  type LegendItem,
} from '@polity/board'
import { rounded } from './orders'
import { flows, readWorld, type Nation, type World } from './reading'
import { speaker, type Word } from './words'

export function headline(frame: Frame, context: BoardContext): Headline {
  const say = speaker(context)
  const world = readWorld(frame)
  if (!world.turn) {
    const told = say('start', { n: world.nations.length, territories: world.owners.length })
    return { strong: world.round > 1 ? say('newRound', { round: world.round }) : told, quiet: world.round > 1 ? told : '' }
  }
  const [first] = world.attacks
  const damage = total(world.attacks.map((attack) => attack.damage))
  const war = !first ? say('peace') : world.attacks.length === 1 ? say('attackOne', { ...first }) : say('attacks', { n: world.attacks.length, damage })
  const ceded = world.cessions.map((one) => say('ceded', { ...one })).slice(0, 1)
  return { strong: paragraph([war, ...ceded], context.lang), quiet: outcome(world, context) }
}

/** What the turn came to: welfare where it is known, else the gifts that are. */
function outcome(world: World, context: BoardContext): string {
  const say = speaker(context)
  const budgets = world.nations.flatMap(({ budget }) => budget ?? [])
  if (budgets.length === world.nations.length) return say('yields', { welfare: total(budgets.map(({ welfare }) => welfare)), peak: world.peak })
  const gifts = flows(world.grants).filter(({ paid }) => paid)
  if (!gifts.length) return say('hidden')
  return say('granted', { n: gifts.length, paid: total(gifts.map(({ paid }) => paid)), arrived: total(gifts.map(({ arrived }) => arrived)) })
}

function total(amounts: readonly number[]): number {
  return rounded(amounts.reduce((sum, amount) => sum + amount, 0))
}

const orUnknown = (value: number | null): string => (value === null ? '–' : number(value))

export function ledger(frame: Frame, context: BoardContext): Ledger {
  const say = speaker(context)
  const world = readWorld(frame)
  const rows = world.nations.map(({ seat, army, welfare, territories }) => ({
    seat,
    values: [String(territories.length), army === null ? '–' : String(army), orUnknown(welfare)],
    score: welfare,
  }))
  return { columns: columnsOf(say, 'lands', 'army', 'welfare'), rows: ranked(rows), note: rows.some(({ score }) => score === null) ? say('hidden') : '' }
}

export function detail(frame: Frame, cell: Cell, context: BoardContext): Detail {
  const say = speaker(context)
  const world = readWorld(frame)
  const nation = world.nations[cell.col]
  const title = colon(seatName(context.seats, cell.col), say('moneyIn', { turn: world.turn }), context.lang)
  if (!nation) return { title, seat: null, rows: [] }
  return { title, seat: cell.col, rows: [...money(nation, context), ...goal(nation, context)] }
}

function money({ budget, territories, army }: Nation, context: BoardContext): [string, string][] {
  const say = speaker(context)
  if (!budget) return [[say('lands'), inRow(territories, context.lang)], [say('army'), army === null ? '–' : String(army)]]
  const minus = (value: number): string => (value ? `−${number(value)}` : '0')
  return [
    [say('income', { n: budget.territories }), number(budget.gross)],
    [say('damage'), minus(budget.damage)],
    [say('penalty'), minus(budget.penalty)],
    [say('upkeep', { n: budget.army }), minus(budget.upkeep)],
    [say('purchase', { bought: budget.bought, wanted: budget.wanted }), minus(budget.spent)],
    [say('grants'), minus(budget.granted)],
    [say('left'), number(budget.left)],
    [say('received'), number(budget.received)],
  ]
}

function goal({ goal: wanted }: Nation, context: BoardContext): [string, string][] {
  if (!wanted) return []
  const say = speaker(context)
  const kind = say(wanted.kind, { name: wanted.rival === null ? '' : seatName(context.seats, wanted.rival) })
  return [[say('goal'), wanted.text ? colon(kind, wanted.text, context.lang) : kind], [say('score'), number(Math.round(wanted.score * 1000) / 1000)]]
}

const PROMISED = { grant: 'promiseGrant', cede: 'promiseCede', peace: 'promisePeace' } as const

/** A column for each nation in one row, and what moved between them in lists. */
export function cells(frame: Frame, context: BoardContext): GridFacts {
  const say = speaker(context)
  const world = readWorld(frame)
  return {
    rows: 1,
    cols: Math.max(1, world.nations.length),
    label: say('grid'),
    cell: (_, col) => {
      const nation = world.nations[col]
      if (!nation) return { text: '', data: {} }
      const { territories, army, welfare } = nation
      const said = [
        say('nation', { name: seatName(context.seats, col), count: territories.length }),
        army === null ? say('unknownArmy') : say('mils', { n: army }),
        ...(welfare === null ? [] : [say('points', { n: welfare })]),
      ]
      return fact(clauses(said, context.lang), { seat: col, territories: territories.join(','), army, welfare })
    },
    lists: () => lists(world, context),
  }
}

function lists(world: World, context: BoardContext): FactList[] {
  const say = speaker(context)
  const list = <T extends object>(key: string, label: Word, facts: readonly T[], sentence: (fact: T) => string): FactList => ({
    key, label: say(label), items: facts.map((each) => fact(sentence(each), each)),
  })
  const owners = world.owners.map((owner, at) => ({ n: at + 1, owner }))
  return [
    list('attacks', 'listAttacks', world.attacks, (attack) => say('factAttack', { ...attack })),
    list('grants', 'listGrants', world.grants, (grant) => say((grant.wanted ?? 0) > grant.paid ? 'factCut' : 'factGrant', { ...grant })),
    list('cessions', 'listCessions', world.cessions, (cession) => say('ceded', { ...cession })),
    list('promises', 'listPromises', world.promises, (vow) => say('factPromise', { ...vow, kind: say(PROMISED[vow.kind]) })),
    list('owners', 'listOwners', owners, (each) => say('factOwner', each)),
  ]
}

export const deeds: Deeds = {
  metric: 'attacks',
  kinds: ['nation_attacked'],
  by: ({ data }) => [Number(data.by)],
}

export function legend(_frame: Frame, context: BoardContext): LegendItem[] {
  const say = speaker(context)
  const line = (label: string, paths: LegendItem['paths']): LegendItem => ({ label, width: 26, height: 12, paths })
  return [
    line(say('keyAttack'), [{ d: 'M1 6h18', stroke: 'warn-mark', width: 4 }, { d: 'M17 1l8 5l-8 5z', fill: 'warn-mark' }]),
    line(say('keyGrant'), [{ d: 'M1 6h20', stroke: 'good-mark', width: 4 }, { d: 'M17 6a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z', fill: 'good-mark' }]),
    line(say('keyCut'), [{ d: 'M5 6h20', stroke: 'text-2', width: 1.5, dash: '1.5 4' }, { d: 'M1 2l8 8M9 2l-8 8', stroke: 'text-2', width: 1.5 }]),
    line(say('keyCession'), [{ d: 'M1 6h18', stroke: 'accent', width: 2 }, { d: 'M18 2l7 4l-7 4z', fill: 'accent' }]),
    line(say('keyTalk'), [{ d: 'M1 6h21', stroke: 'text-3', width: 1.2, dash: '1.5 4' }, { d: 'M21 6a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z', fill: 'text-3' }]),
    { label: say('keyFirst'), width: 12, height: 12, paths: [{ d: 'M2 1h9v9z', fill: 'text-2' }] },
    { label: say('keyMils'), width: 16, height: 12, paths: [{ d: 'M1 1h3v10h-3z', fill: 'text' }, { d: 'M6.5 1.5h3v9h-3z', stroke: 'warn-mark', width: 1 }] },
    { label: say('keyWelfare'), width: 20, height: 12, paths: [{ d: 'M1 5h14v3h-14z', fill: 'text' }, { d: 'M15 5h5v3h-5z', fill: 'grid' }] },
  ]
}
