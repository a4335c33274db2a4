import { rect, seatDisc, type BoardContext, type Theme, type Box, type Canvas } from '@polity/board'
import type { Economy } from './reading'
import type { ActView, ReportView } from './shapes'
import { text, title } from './strokes'
import { short, speaker, type Word } from './words'

const FLOWS = ['house_income', 'traded', 'taxes', 'fines', 'fees', 'shared'] as const
const ROW = 18
const TRACES = 74
/** A picture of each act, as the feed has it, and what a buyer and a seller do. */
const SIGNS: Readonly<Record<string, string>> = { move: '→', gather: '+', build: '⌂', buy: '▲', sell: '▼', shift: '⇢', misreport: '◌', noop: '·' }

function flowing(report: ReportView): (typeof FLOWS)[number][] {
  return FLOWS.filter((name) => (report.flow[name] ?? 0) > 0)
}

function flowRows(report: ReportView, wide: number): number {
  return Math.ceil(flowing(report).length / (wide > 300 ? 2 : 1))
}

/** What the flow takes, and a flag's traces where there is one. */
export function flowHeight(economy: Economy, wide: number): number {
  const report = economy.report
  if (!report) return 0
  return 30 + flowRows(report, wide) * ROW + (report.flags.some((flag) => flag.traces) ? TRACES + 12 : 0)
}

/** Where an epoch's coin came from and went, and the traces of the last epoch's first flag. */
export function drawFlow(canvas: Canvas, box: Box, economy: Economy, context: BoardContext): void {
  const { theme } = context
  const say = speaker(context)
  const report = economy.report
  if (!report) return
  title(canvas, theme, box, say('flow', { n: report.epoch + 1 }), '')
  const parts = flowing(report)
  const most = Math.max(1, ...parts.map((name) => report.flow[name] ?? 0))
  const columns = box.width > 300 ? 2 : 1
  const wide = box.width / columns
  parts.forEach((name, i) => {
    const x = box.x + (i % columns) * wide
    const y = box.y + 36 + Math.floor(i / columns) * ROW
    text(canvas, theme, say(`flow_${name}`), x, y, 'left', theme.text2)
    rect(canvas, x + 78, y - 9, Math.max(1, ((report.flow[name] ?? 0) / most) * (wide - 140)), 9, { fill: theme.inkSoft })
    text(canvas, theme, short(report.flow[name] ?? 0, 1), x + wide - 14, y, 'right', theme.text)
  })
  const flag = report.flags.find((each) => each.traces !== null)
  const under = box.y + 36 + Math.ceil(parts.length / columns) * ROW + 10
  if (!flag?.traces || under + TRACES - 14 > box.y + box.height) return
  text(canvas, theme, say('flagTitle', { similarity: flag.similarity.toFixed(2), suspicion: flag.suspicion.toFixed(2) }), box.x, under, 'left', theme.warnMark, 12, 600)
  flag.traces.forEach((trace, i) => drawTrace(canvas, { x: box.x, y: under + 8 + i * 22, width: box.width, height: 20 }, trace, flag.traces?.[1 - i] ?? [], flag.pair[i] ?? 0, context))
  drawSigns(canvas, theme, box.x + 22, under + 8 + 44 + 11, flag.traces, say)
}

function drawTrace(canvas: Canvas, box: Box, trace: readonly ActView[], other: readonly ActView[], seat: number, context: BoardContext): void {
  const { theme } = context
  const say = speaker(context)
  seatDisc(canvas, theme, seat, box.x + 9, box.y + 10, 8)
  const wide = Math.min(44, (box.width - 24) / Math.max(1, trace.length))
  trace.forEach((act, i) => {
    const x = box.x + 22 + i * wide
    const alike = JSON.stringify(act) === JSON.stringify(other[i])
    rect(canvas, x, box.y + 1, wide - 2, 17, alike ? { fill: theme.warnMark, alpha: 0.25 } : { fill: theme.grid })
    const word = say(`act_${act.do}` as Word)
    text(canvas, theme, wide > 36 ? word : (SIGNS[act.do] ?? '·'), x + wide / 2 - 1, box.y + 14, 'center', theme.text)
  })
}

/** What the signs in two traces mean: of each act that occurs. */
function drawSigns(canvas: Canvas, theme: Theme, x: number, y: number, traces: readonly (readonly ActView[])[], say: (word: Word) => string): void {
  const acts = Object.keys(SIGNS).filter((name) => traces.some((trace) => trace.some((act) => act.do === name)))
  text(canvas, theme, acts.map((name) => `${SIGNS[name] ?? ''} ${say(`act_${name}` as Word)}`).join('   '), x, y, 'left', theme.text3)
}

