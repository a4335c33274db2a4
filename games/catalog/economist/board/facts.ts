import { clauses, columnsOf, enumerated, fact, inRow, paragraph, ranked, seatName, type BoardContext, type Cell, type Detail, type Frame, type GridFacts, type Headline, type Ledger, type LegendItem, type SignPath } from '@polity/board'
import { readEconomy, STONE, WOOD, type Economy, type Worker } from './reading'
import type { AccountView } from './shapes'
import { SHAPES } from './strokes'
import { percent, short, speaker, type Word } from './words'

type Say = ReturnType<typeof speaker>

export function headline(frame: Frame, context: BoardContext): Headline {
  const say = speaker(context)
  const economy = readEconomy(frame)
  if (frame.n === 0) return { strong: say('start'), quiet: say('startQuiet', { n: economy.workers.length }) }
  const stop = context.lang === 'zh' ? ['；', '。'] : ['; ', '.']
  const prices = (['wood', 'stone'] as const)
    .filter((name) => economy.books[name].price !== null)
    .map((name) => say('price', { name: say(name), price: short(economy.books[name].price, 2) }))
    .join('')
  return {
    strong: happened(frame, context, say).slice(0, 3).join(stop[0]) + (stop[1] ?? ''),
    quiet: paragraph([due(economy, say), say(context.as === null ? 'quiet' : 'quietSeen', { houses: economy.houses.length, treasury: short(economy.treasury), prices })], context.lang),
  }
}

/** What happened in a step, the weightiest first. */
function happened(frame: Frame, context: BoardContext, say: Say): string[] {
  const economy = readEconomy(frame)
  const of = (kind: string) => frame.events.filter((event) => event.kind === kind)
  const name = (seat: unknown): string => seatName(context.seats, Number(seat))
  const said: string[] = []
  const update = of('planner_update')[0]
  if (update && Array.isArray(update.data.rates)) said.push(say('raised', { rates: enumerated(update.data.rates.map((rate) => `${String(rate)}%`), context.lang) }))
  if (of('planner_kept').length) said.push(say('kept'))
  const caught = of('audit_caught')
  if (caught.length) said.push(say('caught', { names: enumerated(caught.map((event) => name(event.data.by)), context.lang), n: caught.length }))
  const flags = of('collusion_detected')
  if (flags.length) said.push(say('flagged', { names: enumerated([...new Set(flags.flatMap((event) => (Array.isArray(event.data.agents) ? event.data.agents : [])))].map(name), context.lang) }))
  const built = of('build')
  if (built.length === 1) said.push(say('builds', { name: name(built[0]?.data.by) }))
  else if (built.length) said.push(say('buildsMore', { n: built.length }))
  if (of('trade').length) said.push(say('trades', { n: of('trade').length }))
  for (const [kind, word] of [['misreport', 'hides'], ['shift_income', 'defers']] as const) {
    const names = [...new Set(of(kind).map((event) => name(event.data.by)))]
    if (names.length) said.push(say(word, { names: enumerated(names, context.lang), n: names.length }))
  }
  if (economy.planning) return said.length ? said : [say('planned', { n: economy.epoch + 1 })]
  return said.length > 1 ? said : [...said, richest(economy, context, say)]
}

/** Where nothing weighty happened: who is ahead, as far as these eyes know it. */
function richest(economy: Economy, context: BoardContext, say: Say): string {
  const known = economy.workers.filter((worker) => worker.coin !== null).sort((a, b) => (b.coin ?? 0) - (a.coin ?? 0) || a.seat - b.seat)
  const [first, second] = known
  if (!first) return say('works', { n: economy.workers.length })
  const coin = short(first.coin)
  if (!second) return say('holds', { name: seatName(context.seats, first.seat), coin })
  const level = known.filter((worker) => short(worker.coin) === coin)
  if (level.length > LEVEL) return say('even', { n: level.length, coin })
  if (level.length > 1) return say('leadTogether', { names: enumerated(level.map(({ seat }) => seatName(context.seats, seat)), context.lang), coin })
  return say('leads', { name: seatName(context.seats, first.seat), coin, gap: short((first.coin ?? 0) - (second.coin ?? 0)), other: seatName(context.seats, second.seat) })
}

/** More than so many who have most are counted, not named. */
const LEVEL = 3

/** How long the epoch goes on before it is taxed. */
function due(economy: Economy, say: Say): string {
  const left = economy.steps - economy.step
  return left > 0 ? say('due', { left }) : say('dueNow', { n: economy.epoch + 1 })
}

export function cells(frame: Frame, context: BoardContext): GridFacts {
  const say = speaker(context)
  const economy = readEconomy(frame)
  return {
    rows: economy.rows,
    cols: economy.cols,
    label: say('grid', { rows: economy.rows, cols: economy.cols }),
    cell: (row, col) => {
      const cell = row * economy.cols + col
      const kind = economy.bears[cell]
      const bears = kind === WOOD ? 'wood' : kind === STONE ? 'stone' : null
      const stock = economy.stock[cell] ?? null
      const house = economy.ownerOf.get(cell)
      const here = economy.at.get(cell) ?? []
      const said = [
        ...(bears ? [say('stockOf', { n: short(stock), name: say(bears) })] : []),
        ...(house === undefined ? [] : [say('houseOf', { name: seatName(context.seats, house) })]),
        ...here.flatMap(({ seat, frozen }) => [say('here', { name: seatName(context.seats, seat) }), ...(frozen === null ? [] : [say('frozen', { n: frozen + 1 })])]),
      ]
      if (!said.length) said.push(say(kind === null || kind === undefined ? 'unseen' : 'empty'))
      const workers = here.map(({ seat }) => seat).join(' ') || null
      return fact(`(${row},${col}) ${clauses(said, context.lang)}`, { bears, stock: bears && (stock ?? ''), house, workers })
    },
  }
}

/** Income, houses and coin; where nobody's coin is known, as to the planner, what workers reported and paid when they were taxed last. */
export function ledger(frame: Frame, context: BoardContext): Ledger {
  const say = speaker(context)
  const { workers, report, treasury, fee } = readEconomy(frame)
  const taxed = workers.every(({ coin }) => coin === null) ? report : null
  const rows = workers.map(({ seat, gross, houses, coin }) => {
    const account = taxed?.accounts[seat]
    if (taxed) return { seat, values: [short(account?.reported ?? null), short(account?.paid ?? null, 2)], score: account?.reported ?? null }
    return { seat, values: [short(gross), short(houses), short(coin)], score: coin }
  })
  const columns = taxed ? columnsOf(say, 'reportedColumn', 'paidColumn') : columnsOf(say, 'income', 'houses', 'coin')
  const note = [say('note', { treasury: short(treasury), fee: percent(fee) })]
  if (taxed || rows.some(({ score }) => score === null)) note.unshift(say('unknown'))
  if (taxed) note.unshift(say('taxedNote', { n: taxed.epoch + 1 }))
  return { columns, rows: ranked(rows), note: paragraph(note, context.lang) }
}

/** What the planner is there for: welfare and its two parts, and the welfare of the epoch before where that is here. */
export function standing(frame: Frame, context: BoardContext): string | null {
  const { workers, report, steps } = readEconomy(frame)
  if (context.as === null || context.as < workers.length || !report) return null
  const say = speaker(context)
  const before = reportBefore(frame, report.epoch, steps, context)
  const { mean_income: income = 0, gini = 0 } = report.statistics
  return say(before === null ? 'welfareFirst' : 'welfare', {
    n: report.epoch + 1, now: report.welfare.toFixed(1), past: report.epoch, before: before?.toFixed(1) ?? '', income: income.toFixed(1), equality: (1 - gini).toFixed(2),
  })
}

/** The welfare of the epoch before this one; null where its steps are not here. */
function reportBefore(frame: Frame, epoch: number, steps: number, { at }: BoardContext): number | null {
  for (let n = frame.n - 1; n >= 0 && n >= frame.n - 2 * (steps + 1); n--) {
    const earlier = at(n)
    if (!earlier) return null
    const { report } = readEconomy(earlier)
    if (report && report.epoch < epoch) return report.welfare
  }
  return null
}

/** A cell, and of the worker or the owner there: why it was taxed, audited, frozen. */
export function detail(frame: Frame, cell: Cell, context: BoardContext): Detail {
  const say = speaker(context)
  const economy = readEconomy(frame)
  const number = cell.row * economy.cols + cell.col
  const here = economy.at.get(number) ?? []
  const owner = economy.ownerOf.get(number)
  const kind = economy.bears[number]
  const rows: [string, string][] = []
  if (kind) rows.push([say('stockRow'), say('stockOf', { n: short(economy.stock[number] ?? null), name: say(kind === WOOD ? 'wood' : 'stone') })])
  if (owner !== undefined) rows.push([say('ownerRow'), seatName(context.seats, owner)])
  if (here.length) rows.push([say('whoRow'), inRow(here.map((worker) => seatName(context.seats, worker.seat)), context.lang)])
  const shown = here[0] ?? economy.workers[owner ?? -1]
  if (shown) rows.push(...accountRows(economy, shown, say))
  return { title: say('cell', { cell: `(${cell.row},${cell.col})` }), seat: shown?.seat ?? null, rows }
}

function accountRows(economy: Economy, worker: Worker, say: Say): [string, string][] {
  const rows: [string, string][] = []
  if (worker.coin !== null)
    rows.push(
      [say('coinRow'), short(worker.coin, 2)],
      [say('goods'), `${short(worker.wood)}, ${short(worker.stone)}`],
      [say('energyRow'), short(worker.energy)],
      [say('grossRow'), short(worker.gross, 2)],
      [say('deferredRow'), short(worker.deferred, 2)],
      [say('hidesRow'), percent(worker.stance ?? 0)],
      [say('catchesRow'), `${worker.catches ?? 0}, ${worker.audits ?? 0}, ${short(worker.fines, 2)}`],
    )
  const last = economy.report?.accounts[worker.seat]
  if (last) {
    const facts = { gross: short(last.gross, 1), reported: short(last.reported, 1), paid: short(last.paid, 2) }
    rows.push([say('lastRow'), say(last.gross === null ? 'lastTaxKnown' : 'lastTax', facts)], [say('auditRow'), auditOf(last, say)])
  }
  if (worker.frozen !== null) rows.push([say('frozenRow'), say('frozenWhy', { n: worker.catches ?? 0, until: worker.frozen + 1 })])
  return rows
}

function auditOf(account: AccountView, say: Say): string {
  const why: Record<string, Word> = { caught: 'caughtWhy', missed: 'missedWhy', cleared: 'clearedWhy' }
  return say(why[account.outcome] ?? 'noneWhy', { chance: account.chance === null ? '–' : percent(account.chance), fined: short(account.fined, 2) })
}

export function legend(_frame: Frame, context: BoardContext): LegendItem[] {
  const say = speaker(context)
  const item = (word: Word, d: string, look: Omit<SignPath, 'd'>, width = 14): LegendItem => ({ label: say(word), width, height: 14, paths: [{ d, ...look }] })
  return [
    item('keyWood', SHAPES.wood, { stroke: 'text', width: 1.5 }),
    item('keyStone', SHAPES.stone, { fill: 'text-3' }),
    item('keyHouse', SHAPES.house, { fill: 'text' }),
    item('keyWorker', 'M13 7a6 6 0 1 1 -12 0a6 6 0 1 1 12 0z', { fill: 'text' }),
    item('keyAudit', SHAPES.caught, { fill: 'warn-mark' }),
    item('keyFrozen', SHAPES.frozen, { stroke: 'text', width: 1.6 }),
    item('keyFlag', 'M1 7h22', { stroke: 'warn-mark', width: 2, dash: '4 3' }, 24),
  ]
}
