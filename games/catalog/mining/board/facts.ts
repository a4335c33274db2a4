import {
  clauses,
  columnsOf,
  enumerated,
  fact,
  grouped,
  number,
  paragraph,
  seatName,
  type BoardContext,
  type Cell,
  type Deeds,
  type Detail,
  type Frame,
  type GridFacts,
  type Headline,
  type Ledger,
  type LegendItem,
  type SignPath,
} from '@polity/board'
import { cellOf, NOBODY, OUTCOMES, plotAt, readLand, type Land, type Plot } from './reading'
import type { RaidData } from './shapes'
import { speaker, type Word } from './words'

/** A seat by its name; a dash for nobody, and where it is not known. */
const namer = ({ seats }: BoardContext) => (seat: number | null | undefined): string => (seat === null || seat === undefined || seat === NOBODY ? '–' : seatName(seats, seat))

export function headline(frame: Frame, context: BoardContext): Headline {
  const say = speaker(context)
  const name = namer(context)
  const land = readLand(frame)
  const plots = land.rows * land.cols
  if (frame.n === 0) return { strong: say('start'), quiet: say('startQuiet', { plots }) }
  const [first, ...others] = land.raids.filter(({ outcome }) => outcome === 'taken')
  const repelled = land.raids.filter(({ outcome }) => outcome === 'repelled').reduce((n, { raiders }) => n + raiders.length, 0)
  const said = [
    first ? say('takes', { winner: name(first.by), owner: name(first.owner), cell: place(land, first.plot) }) : say(land.raids.length ? 'noneTaken' : 'quietRound'),
    others.length ? say('moreTaken', { n: others.length + 1 }) : '',
    repelled ? say('repelled', { n: repelled }) : '',
  ].filter(Boolean)
  const [between, stop] = context.lang === 'zh' ? ['；', '。'] : ['; ', '.']
  return {
    strong: said.join(between) + stop,
    quiet: say('stands', { held: land.held, plots, defended: land.defended.size, output: land.output }),
  }
}

export function cells(frame: Frame, context: BoardContext): GridFacts {
  const say = speaker(context)
  const name = namer(context)
  const land = readLand(frame)
  const names = (seats: readonly number[]): string => enumerated(seats.map(name), context.lang)
  return {
    rows: land.rows,
    cols: land.cols,
    label: say('grid', { rows: land.rows, cols: land.cols }),
    cell: (row, col) => {
      const plot = plotAt(land, [row, col])
      const owner = land.owners[plot] ?? NOBODY
      const raids = land.raidsOn(plot)
      const signs = { defended: land.defended.has(plot), claimed: land.claimed.has(plot), immune: land.immune(plot) }
      const gold = land.mined[plot]
      const said = [
        owner === NOBODY ? say('unowned') : say('ownedBy', { name: name(owner) }),
        signs.defended ? say('defended') : '',
        signs.claimed ? say('claimedNow') : '',
        signs.immune ? say('immune') : '',
      ]
      for (const { outcome, raiders, owner, by } of raids) {
        if (outcome === 'taken') {
          const losers = raiders.filter((seat) => seat !== by)
          said.push(say('takenFrom', { owner: name(owner), winner: name(by) }), losers.length ? say('lostDraw', { names: names(losers) }) : '')
        } else said.push(say(outcome === 'repelled' ? 'raidRepelled' : 'raidVoid', { names: names(raiders) }))
      }
      if (gold) said.push(say('minedGold', { gold }))
      const taken = raids.findLast(({ outcome }) => outcome === 'taken')
      return fact(`(${row},${col}) ${clauses(said, context.lang)}`, {
        owner, ...signs, before: taken?.owner, winner: taken?.by, mined: gold || null,
        ...(raids.length ? { raid: raids.map(({ outcome }) => outcome).join(' '), raiders: raids.flatMap(({ raiders }) => raiders).join(' ') } : {}),
      })
    },
  }
}

export function ledger(frame: Frame, context: BoardContext): Ledger {
  const say = speaker(context)
  const land = readLand(frame)
  const miners = context.seats.map(({ seat }) => ({ seat, plots: land.seats[seat]?.plots ?? 0, score: land.seats[seat]?.gold ?? null }))
  miners.sort((a, b) => (b.score ?? -1) - (a.score ?? -1) || b.plots - a.plots || a.seat - b.seat)
  const total = miners.reduce((sum, { score }) => sum + (score ?? 0), 0)
  const isKnown = miners.every(({ score }) => score !== null)
  const note = isKnown ? say('equalShare', { gold: grouped(Math.round(total / Math.max(1, miners.length))) }) : say('goldHidden')
  return {
    columns: columnsOf(say, 'plots', 'gold'),
    rows: miners.map(({ seat, plots, score }) => ({ seat, values: [number(plots), score === null ? '–' : grouped(score)], score })),
    note: paragraph([note, land.treasury > 0 ? say('treasury', { gold: grouped(land.treasury) }) : ''], context.lang),
  }
}

/** What is known of one plot; its history as far as the frames are here. */
export function detail(frame: Frame, { row, col }: Cell, context: BoardContext): Detail {
  const say = speaker(context)
  const name = namer(context)
  const land = readLand(frame)
  const plot = plotAt(land, [row, col])
  const owner = land.owners[plot] ?? NOBODY
  const { spells, recentRaids, whole, recentWhole } = history(frame, plot, context)
  const [previous, last] = [spells.at(-2), spells.at(-1)]
  const rows: [string, string][] = [
    [say('owner'), owner === NOBODY ? say('unowned') : name(owner)],
    [say('sinceRow'), owner === NOBODY ? '–' : say('round', { n: land.since[plot] ?? 0 })],
    [say('before'), name(previous?.owner)],
    [say('heldFor'), previous && last ? say('rounds', { n: last.from - previous.from }) : '–'],
    [say('first'), name(land.first[plot])],
    [say('owners'), whole ? number(new Set(spells.map((spell) => spell.owner)).size) : '–'],
    [say('recentRaids'), recentWhole ? number(recentRaids) : '–'],
    [say('yields'), number(land.alpha[plot] ?? 0)],
  ]
  return { title: say('plot', { cell: place(land, plot) }), seat: owner === NOBODY ? null : owner, rows }
}

const RECENT = 20

interface History {
  spells: { owner: number; from: number }[]
  recentRaids: number
  /** Whether every earlier frame was here to be read. */
  whole: boolean
  recentWhole: boolean
}

function history(frame: Frame, plot: Plot, context: BoardContext): History {
  const past: History = { spells: [], recentRaids: 0, whole: true, recentWhole: true }
  let last = NOBODY
  for (let n = 0; n <= frame.n; n++) {
    const step = n === frame.n ? frame : context.at(n)
    const isRecent = n > frame.n - RECENT
    if (!step) {
      past.whole = false
      past.recentWhole &&= !isRecent
      continue
    }
    const land = readLand(step)
    const owner = land.owners[plot] ?? NOBODY
    if (owner !== last && owner !== NOBODY) past.spells.push({ owner, from: n })
    last = owner
    if (isRecent) past.recentRaids += land.raidsOn(plot).length
  }
  return past
}

function place(land: Land, plot: Plot): string {
  const { row, col } = cellOf(land, plot)
  return `(${row},${col})`
}

const RAIDS = Object.keys(OUTCOMES)
/** Each raid by whoever raided: several may raid one plot. */
export const deeds: Deeds = { metric: 'raids', kinds: RAIDS, by: ({ data }) => (data as unknown as RaidData).raiders }

const SIGNS: readonly [label: Word, width: number, height: number, ...paths: SignPath[]][] = [
  ['keyDefended', 16, 16, { d: 'M2.5 2.5h11v11h-11z', stroke: 'text', width: 2.5 }],
  ['keyImmune', 16, 16, { d: 'M5 2h6a3 3 0 0 1 3 3v6a3 3 0 0 1 -3 3h-6a3 3 0 0 1 -3 -3v-6a3 3 0 0 1 3 -3z', stroke: 'text', width: 1.6, dash: '2.5 2.5' }],
  ['keyTaken', 26, 14, { d: 'M1 7h15', stroke: 'text', width: 2.5 }, { d: 'M15 2l9 5l-9 5z', fill: 'text' }],
  ['keyRepelled', 26, 14, { d: 'M1 7h17', stroke: 'text', width: 2.5, dash: '5 4' }, { d: 'M20 1v12', stroke: 'text', width: 3 }],
  ['keyBefore', 14, 14, { d: 'M2 2h11v11h-11z', fill: 'text-2' }],
  ['keyMined', 26, 10, { d: 'M1 2h6v6h-6zM10 2h6v6h-6zM19 2h6v6h-6z', fill: 'text' }],
]

export function legend(frame: Frame, context: BoardContext): LegendItem[] {
  const say = speaker(context)
  return SIGNS.map(([label, width, height, ...paths]) => ({ label: say(label, { cap: readLand(frame).mine_cap }), width, height, paths }))
}
