import { disc, line, seatColour, seatDisc, widthOf, type BoardContext, type Theme, type Box, type Canvas } from '@polity/board'
import type { Economy, Schedule } from './reading'
import { lanesOf, stepsOf, text, title } from './strokes'
import { taxOn } from './taxes'
import { percent, short, speaker } from './words'

/** Between two lanes of letters; and below which height there is one alone. */
const LANE = 17
const LOW = 150

interface Income {
  seat: number
  earned: number | null
  reported: number
}

/** Incomes as these eyes know them: of this epoch where they are known, else as last reported. */
function incomesOf(economy: Economy): { live: boolean; all: readonly Income[] } {
  const known = economy.workers.filter((worker) => worker.gross !== null)
  const live = known.length === economy.workers.length && economy.step > 0 && !economy.planning
  if (live) return { live, all: known.map(({ seat, gross, stance }) => ({ seat, earned: gross, reported: (gross ?? 0) * (1 - (stance ?? 0)) })) }
  const accounts = economy.report?.accounts ?? []
  return { live, all: accounts.flatMap((account, seat) => (account ? [{ seat, earned: account.gross, reported: account.reported }] : [])) }
}

export function drawTaxes(canvas: Canvas, box: Box, economy: Economy, context: BoardContext): void {
  const { theme } = context
  const say = speaker(context)
  const { live, all } = incomesOf(economy)
  const reported = economy.report && !live ? say('lastEpoch', { n: economy.report.epoch + 1 }) : say('thisEpoch')
  const key = say(all.some(({ earned }) => earned !== null) ? 'ring' : 'reportedOnly')
  const both = [reported, say('dashed')].join(context.lang === 'zh' ? '；' : '; ')
  const fits = widthOf(canvas, theme, both, 11) + widthOf(canvas, theme, key, 11) + 16 < box.width
  const name = widthOf(canvas, theme, say('brackets'), 13, 600) < box.width ? say('brackets') : say('bracketsShort')
  title(canvas, theme, box, name, economy.before.length && fits ? both : reported)
  const left = box.x + 36
  const right = box.x + box.width - 8
  const lanes = box.height < LOW ? LANE + 8 : Math.min(box.height * 0.36, 96)
  const top = box.y + 44
  const base = box.y + box.height - lanes - 16
  const reach = Math.max(10, (economy.schedule.at(-1)?.[0] ?? 0) * 1.15, ...all.map(({ earned, reported }) => Math.max(earned ?? 0, reported) * 1.06))
  const x = (income: number): number => left + (Math.min(income, reach) / reach) * (right - left)
  const peak = Math.max(0.2, ...[...economy.schedule, ...economy.before].map(([, rate]) => rate)) * 1.15
  const y = (rate: number): number => base - (rate / peak) * (base - top)
  grid(canvas, theme, left, right, peak, y)
  for (const [threshold] of economy.schedule.slice(1)) {
    line(canvas, [[x(threshold), top], [x(threshold), base + lanes]], { edge: theme.line2, dash: [2, 4] })
    text(canvas, theme, short(threshold, 1), x(threshold), base + lanes + 12, 'center', theme.text3)
  }
  if (right - x(economy.schedule.at(-1)?.[0] ?? 0) > 48) text(canvas, theme, say('coinAxis'), right, base + lanes + 12, 'right', theme.text3)
  if (economy.before.length) drawSteps(canvas, economy.before, x, y, reach, theme.inkSoft, 1.2, [3, 3])
  drawSteps(canvas, economy.schedule, x, y, reach, theme.ink, 2.4, [])
  economy.schedule.forEach(([threshold, rate], i) => {
    const wide = x(economy.schedule[i + 1]?.[0] ?? reach) - x(threshold)
    const old = economy.before.length === economy.schedule.length ? (economy.before[i]?.[1] ?? rate) : rate
    const moved = Math.round((rate - old) * 1000) / 10
    const last = i === economy.schedule.length - 1
    const whole = percent(rate) + (moved ? ` ${moved > 0 ? '▲' : '▼'}${short(Math.abs(moved))}` : '')
    const said = [whole, percent(rate), percent(Math.round(rate * 100) / 100)].find((each) => widthOf(canvas, theme, each, 12, 600) + 9 < wide)
    if (said) text(canvas, theme, said, last ? right : x(threshold) + 5, y(rate) - 6, last ? 'right' : 'left', theme.text, 12, 600)
  })
  drawEffective(canvas, theme, economy, x, y, reach)
  drawPeople(canvas, theme, all, x, base + 12, base + lanes - 4)
  text(canvas, theme, key, right, box.y + 29, 'right', theme.text3)
  if (economy.report?.bunched && !live) text(canvas, theme, say('bunchedNote', { n: economy.report.bunched }), left, base + lanes - 2, 'left', theme.warnMark)
}

function grid(canvas: Canvas, theme: Theme, left: number, right: number, peak: number, y: (rate: number) => number): void {
  const each = [0.1, 0.2, 0.5, 1].find((step) => y(0) - y(step) >= 15) ?? 1
  for (let rate = 0; rate <= peak; rate += peak > 0.5 ? Math.max(each, 0.2) : each) {
    line(canvas, [[left, y(rate)], [right, y(rate)]], { edge: theme.grid })
    text(canvas, theme, `${Math.round(rate * 100)}%`, left - 5, y(rate) + 4, 'right', theme.text3)
  }
}

/** Letters where workers earned, a ring where they reported less; each on the first lane with room. */
export function drawPeople(canvas: Canvas, theme: Theme, all: readonly Income[], x: (income: number) => number, top: number, bottom: number): void {
  const people = [...all].sort((a, b) => a.reported - b.reported).map(({ seat, earned, reported }) => ({ seat, hides: (earned ?? reported) - reported > 0.01, from: x(reported), to: x(earned ?? reported) }))
  const lanes = lanesOf(people.map(({ from, to }) => [from, to]), Math.max(1, Math.floor((bottom - top) / LANE) + 1), 18)
  people.forEach(({ seat, hides, from, to }, i) => {
    const y = top + (lanes[i] ?? 0) * LANE
    if (hides) {
      const how = { edge: seatColour(theme, seat), thick: 1.6 }
      line(canvas, [[from, y], [to, y]], how)
      disc(canvas, from, y, 4.5, { ...how, fill: theme.surface })
    }
    seatDisc(canvas, theme, seat, to, y, 8)
  })
}

/** What share of an income is paid in all: a quiet line under the steps. */
function drawEffective(canvas: Canvas, theme: Theme, { schedule, smoothing }: Economy, x: (income: number) => number, y: (rate: number) => number, reach: number): void {
  if (schedule.length < 2) return
  const incomes = Array.from({ length: 60 }, (_, i) => (reach * (i + 1)) / 60)
  line(canvas, incomes.map((income) => [x(income), y(taxOn(schedule, income, smoothing) / income)]), { edge: theme.inkSoft, thick: 1.2 })
}

export function drawSteps(canvas: Canvas, schedule: Schedule, x: (income: number) => number, y: (rate: number) => number, reach: number, colour: string, width: number, dash: number[]): void {
  line(canvas, stepsOf(schedule, x, y, reach), { edge: colour, thick: width, dash })
}
