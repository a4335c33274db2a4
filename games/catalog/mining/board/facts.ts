import {
  clauses,
  enumerated,
  grouped,
  number,
  paragraph,
  seatName,
  type BoardContext,
  type Cell,
  type Deeds,
  type Detail,
  type FeedPlan,
  type Frame,
  type GridFacts,
  type Headline,
  type Lang,
  type Ledger,
  type LegendItem,
} from '@polity/board'
import { NOBODY, readLand, type Land } from './reading'
import { speaker, words } from './words'

export function headline(frame: Frame, context: BoardContext): Headline {
  const say = speaker(context)
  const land = readLand(frame)
  const plots = land.rows * land.cols
  if (frame.n === 0) return { strong: say('start'), quiet: say('startQuiet', { plots }) }
  const name = (seat: number | null): string => (seat === null ? '–' : seatName(context.seats, seat))
  const taken = land.raids.filter((raid) => raid.outcome === 'taken')
  const repelled = land.raids.filter((raid) => raid.outcome === 'repelled').reduce((n, raid) => n + raid.raiders.length, 0)
  const said: string[] = []
  const first = taken[0]
  if (first) {
    const cell = place(land, first.plot)
    said.push(say('takes', { winner: name(first.winner), owner: name(first.owner), cell }))
    if (taken.length > 1) said.push(say('moreTaken', { n: taken.length }))
  } else said.push(say(land.raids.length ? 'noneTaken' : 'quietRound'))
  if (repelled) said.push(say('repelled', { n: repelled }))
  const full = context.lang === 'zh' ? ['；', '。'] : ['; ', '.']
  return {
    strong: said.join(full[0]) + (full[1] ?? ''),
    quiet: say('stands', {
      held: land.held,
      plots,
      defended: land.defended.size,
      output: land.output,
    }),
  }
}

export function cells(frame: Frame, context: BoardContext): GridFacts {
  const say = speaker(context)
  const land = readLand(frame)
  const name = (seat: number | null): string => (seat === null ? '–' : seatName(context.seats, seat))
  const names = (seats: readonly number[]): string => enumerated(seats.map(name), context.lang)
  return {
    rows: land.rows,
    cols: land.cols,
    label: say('grid', { rows: land.rows, cols: land.cols }),
    cell: (row, col) => {
      const plot = row * land.cols + col
      const owner = land.owners[plot] ?? NOBODY
      const raids = land.raidsOn(plot)
      const data: Record<string, string> = { owner: String(owner) }
      const said = [owner === NOBODY ? say('unowned') : say('ownedBy', { name: name(owner) })]
      if (land.defended.has(plot)) {
        data.defended = 'true'
        said.push(say('defended'))
      }
      if (land.claimed.has(plot)) {
        data.claimed = 'true'
        said.push(say('claimedNow'))
      }
      if (land.immune(plot)) {
        data.immune = 'true'
        said.push(say('immune'))
      }
      for (const raid of raids) {
        data.raid = data.raid ? `${data.raid} ${raid.outcome}` : raid.outcome
        data.raiders = [data.raiders, raid.raiders.join(' ')].filter(Boolean).join(' ')
        if (raid.outcome === 'taken') {
          data.before = String(raid.owner)
          data.winner = String(raid.winner)
          said.push(say('takenFrom', { owner: name(raid.owner), winner: name(raid.winner) }))
          const losers = raid.raiders.filter((seat) => seat !== raid.winner)
          if (losers.length) said.push(say('lostDraw', { names: names(losers) }))
        } else said.push(say(raid.outcome === 'repelled' ? 'raidRepelled' : 'raidVoid', { names: names(raid.raiders) }))
      }
      const mined = land.mined[plot]
      if (mined) {
        data.mined = String(mined)
        said.push(say('minedGold', { gold: mined }))
      }
      return { text: `(${row},${col}) ${clauses(said, context.lang)}`, data }
    },
  }
}

export function ledger(frame: Frame, context: BoardContext): Ledger {
  const say = speaker(context)
  const land = readLand(frame)
  const rows = context.seats.map(({ seat }) => {
    const { gold, plots } = land.seats[seat] ?? { gold: null, plots: 0 }
    return {
      seat,
      values: [number(plots), gold === null ? '–' : grouped(gold)],
      score: gold,
    }
  })
  rows.sort((a, b) => (b.score ?? -1) - (a.score ?? -1) || Number(b.values[0]) - Number(a.values[0]) || a.seat - b.seat)
  const known = rows.every((row) => row.score !== null)
  const total = rows.reduce((sum, row) => sum + (row.score ?? 0), 0)
  const note = known
    ? say('equalShare', { gold: grouped(Math.round(total / Math.max(1, rows.length))) })
    : say('goldHidden')
  return {
    columns: [
      { label: say('plots'), numeric: true },
      { label: say('gold'), numeric: true },
    ],
    rows,
    note: paragraph([note, land.treasury > 0 ? say('treasury', { gold: grouped(land.treasury) }) : ''], context.lang),
  }
}

/** What is known of one plot; its history as far as the frames are here. */
export function detail(frame: Frame, cell: Cell, context: BoardContext): Detail {
  const say = speaker(context)
  const land = readLand(frame)
  const plot = cell.row * land.cols + cell.col
  const owner = land.owners[plot] ?? NOBODY
  const name = (seat: number | undefined): string =>
    seat === undefined || seat === NOBODY ? '–' : seatName(context.seats, seat)
  const past = history(frame, plot, context)
  const previous = past.spells.at(-2)
  const rows: [string, string][] = [
    [say('owner'), owner === NOBODY ? say('unowned') : name(owner)],
    [say('sinceRow'), owner === NOBODY ? '–' : say('round', { n: land.since[plot] ?? 0 })],
    [say('before'), name(previous?.owner)],
    [say('heldFor'), previous ? say('rounds', { n: (past.spells.at(-1)?.from ?? 0) - previous.from }) : '–'],
    [say('first'), name(land.first[plot])],
    [say('owners'), past.whole ? number(new Set(past.spells.map((spell) => spell.owner)).size) : '–'],
    [say('recentRaids'), past.recentWhole ? number(past.recentRaids) : '–'],
    [say('yields'), number(land.alpha[plot] ?? 0)],
  ]
  return { title: say('plot', { cell: place(land, plot) }), seat: owner === NOBODY ? null : owner, rows }
}

interface History {
  spells: { owner: number; from: number }[]
  recentRaids: number
  /** Whether every earlier frame was here to be read. */
  whole: boolean
  recentWhole: boolean
}

function history(frame: Frame, plot: number, context: BoardContext): History {
  const found: History = { spells: [], recentRaids: 0, whole: true, recentWhole: true }
  let last = NOBODY
  for (let n = 0; n <= frame.n; n++) {
    const step = n === frame.n ? frame : context.at(n)
    if (!step) {
      found.whole = false
      if (n > frame.n - 20) found.recentWhole = false
      continue
    }
    const land = readLand(step)
    const owner = land.owners[plot] ?? NOBODY
    if (owner !== last && owner !== NOBODY) found.spells.push({ owner, from: n })
    last = owner
    if (n > frame.n - 20) found.recentRaids += land.raidsOn(plot).length
  }
  return found
}

function place(land: Land, plot: number): string {
  return `(${Math.floor(plot / land.cols)},${plot % land.cols})`
}

export function feed(lang: Lang): FeedPlan {
  const book = words[lang]
  return {
    // Everybody mines in every round, and the totals stand in the headline.
    minor: ['gold_mined', 'plots_defended', 'round_closed'],
    groups: [
      { key: 'raids', label: book.groupRaids, kinds: ['plot_taken', 'raid_drawn', 'raid_repelled', 'raid_void'] },
      { key: 'claims', label: book.groupClaims, kinds: ['plot_claimed', 'claim_drawn'] },
      { key: 'defence', label: book.groupDefence, kinds: ['plots_defended'] },
      { key: 'mining', label: book.groupMining, kinds: ['gold_mined'] },
      { key: 'talk', label: book.groupTalk, kinds: ['message_sent'] },
      {
        key: 'law',
        label: book.groupLaw,
        kinds: ['levy_paid', 'treasury_shared', 'plot_restored', 'capture_upheld'],
      },
    ],
  }
}

/** Each raid by whoever raided: several may raid one plot. */
export const deeds: Deeds = {
  metric: 'raids',
  kinds: ['plot_taken', 'raid_drawn', 'raid_repelled', 'raid_void'],
  by: ({ data }) => (Array.isArray(data.raiders) ? data.raiders.map(Number) : []),
}

export function legend(frame: Frame, context: BoardContext): LegendItem[] {
  const say = speaker(context)
  return [
    {
      label: say('keyDefended'),
      width: 16,
      height: 16,
      paths: [{ d: 'M2.5 2.5h11v11h-11z', stroke: 'text', width: 2.5 }],
    },
    {
      label: say('keyImmune'),
      width: 16,
      height: 16,
      paths: [{ d: 'M5 2h6a3 3 0 0 1 3 3v6a3 3 0 0 1 -3 3h-6a3 3 0 0 1 -3 -3v-6a3 3 0 0 1 3 -3z', stroke: 'text', width: 1.6, dash: '2.5 2.5' }],
    },
    {
      label: say('keyTaken'),
      width: 26,
      height: 14,
      paths: [
        { d: 'M1 7h15', stroke: 'text', width: 2.5 },
        { d: 'M15 2l9 5l-9 5z', fill: 'text' },
      ],
    },
    {
      label: say('keyRepelled'),
      width: 26,
      height: 14,
      paths: [
        { d: 'M1 7h17', stroke: 'text', width: 2.5, dash: '5 4' },
        { d: 'M20 1v12', stroke: 'text', width: 3 },
      ],
    },
    { label: say('keyBefore'), width: 14, height: 14, paths: [{ d: 'M2 2h11v11z', fill: 'text-2' }] },
    {
      label: say('keyMined', { cap: readLand(frame).mine_cap }),
      width: 26,
      height: 10,
      paths: [{ d: 'M1 2h6v6h-6zM10 2h6v6h-6zM19 2h6v6h-6z', fill: 'text' }],
    },
  ]
}
