import { followPointer, html, letter, hue, nothing, svg, type TemplateResult } from '@polity/board'
import { bounds, edges, scheduleOf, type Bracket, type Outlook, type PlannerDraft } from './planning'
import type { Economy, Schedule } from './reading'
import { lanesOf, stepsOf } from './strokes'
import { percent, short } from './words'

/** What the handles of the chart are called, and what moves a bracket. */
export interface ChartLook {
  readonly: boolean
  label: string
  rateOf(at: number): string
  edgeOf(at: number): string
  onset(at: number, bracket: Bracket): void
}

interface Scale {
  wide: number
  tall: number
  /** The height of rate 0. */
  base: number
  reach: number
  peak: number
}

const LEFT = 40
const RIGHT = 14
const TOP = 26
/** Under the axis: two lanes of letters and the thresholds. */
const FOOT = 84
const LANE = 19
const LANES = 3
const COARSE = 5
/** About the width of a character: a rate's name stands right of the axis' own numbers. */
const CHARACTER = 7.5

/** While a handle is dragged the scale stays, else the axis would run away under the finger. */
let held: Scale | null = null

function scaleOf(economy: Economy, target: Schedule, seen: Outlook): Scale {
  if (held) return held
  const isNarrow = innerWidth < 720
  const reach = Math.max(10, (target.at(-1)?.[0] ?? 0) * 1.25, ...seen.effect.rows.map((row) => row.reported * 1.08))
  const top = Math.max(0.3, ...[...target, ...economy.schedule].map(([, rate]) => rate + 0.08))
  // In about the pixels that it is drawn with, so that its letters keep their size.
  const tall = isNarrow ? 270 : innerHeight < 800 ? 222 : 320
  return { wide: isNarrow ? 380 : innerWidth < 1400 ? 560 : 660, tall, base: tall - FOOT, reach, peak: Math.min(1, Math.ceil(top * 10) / 10) }
}

/** The draft as steps over last epoch's reports; its rates and thresholds are handles for pointer, finger and keys. */
export function drawChart(economy: Economy, draft: PlannerDraft, seen: Outlook, look: ChartLook): TemplateResult {
  const target = scheduleOf(draft)
  const scale = scaleOf(economy, target, seen)
  const { wide, tall, base, reach, peak } = scale
  const x = (income: number): number => LEFT + (income / reach) * (wide - LEFT - RIGHT)
  const y = (rate: number): number => base - (rate / peak) * (base - TOP)
  const points = (schedule: Schedule): string => stepsOf(schedule, x, y, reach).join(' ')
  const ticks = Array.from({ length: Math.floor(peak * 5 + 1e-9) + 1 }, (_, i) => i / 5)
  return html`<svg class="c-chart" viewBox="0 0 ${wide} ${tall}" width="100%" role="group" aria-label=${look.label} font-size="12" fill="currentColor">
    ${ticks.map((rate) => svg`<path d="M${x(0)} ${y(rate)}H${x(reach)}" stroke="currentColor" stroke-opacity=".15"></path><text x=${LEFT - 6} y=${y(rate) + 4} text-anchor="end" opacity=".7">${percent(rate)}</text>`)}
    ${target.slice(1).map(([low]) => svg`<path d="M${x(low)} ${TOP}V${tall - 16}" stroke="currentColor" stroke-opacity=".35" stroke-dasharray="2 4"></path><text x=${x(low)} y=${tall - 3} text-anchor="middle" opacity=".7">${short(low)}</text>`)}
    <polyline points=${points(economy.schedule)} fill="none" stroke="currentColor" stroke-opacity=".55" stroke-dasharray="4 4" stroke-width="1.2"></polyline>
    <polyline points=${points(target)} fill="none" stroke="currentColor" stroke-width="2.4"></polyline>
    ${lettersOf(seen, x).map(({ seat, at, lane }) => drawLetter(seat, at, base + 24 + lane * LANE))}
    ${draft.brackets.map(([low, rate], i) => drawRate(economy, draft, look, scale, x((low + (target[i + 1]?.[0] ?? reach)) / 2), i, [low, rate]))}
    ${draft.brackets.slice(1).map((bracket, i) => drawEdge(draft, look, scale, x(bracket[0]), i + 1, bracket))}
  </svg>`
}

/** Each worker's letter under its report, on the first lane with room. */
function lettersOf(seen: Outlook, x: (income: number) => number): { seat: number; at: number; lane: number }[] {
  const letters = [...seen.effect.rows].reverse().map(({ seat, reported }) => ({ seat, at: x(reported) }))
  const lanes = lanesOf(letters.map(({ at }) => [at, at]), LANES, 18)
  return letters.map((letter, i) => ({ ...letter, lane: lanes[i] ?? 0 }))
}

function drawLetter(seat: number, at: number, y: number): TemplateResult {
  const name = `seat-${hue(seat) + 1}`
  return svg`<circle cx=${at} cy=${y} r="8.5" fill="var(--${name})"></circle><text x=${at} y=${y + 4} text-anchor="middle" font-size="11" font-weight="600" fill="var(--on-${name})">${letter(seat)}</text>` as TemplateResult
}

/** A sign of the chart that is moved by pointer, finger and keys. */
interface Handle {
  label: string
  value: number
  min: number
  max: number
  text?: string
  across: boolean
  /** The value where the pointer is. */
  under(at: Point): number
  onset(value: number): void
}

function drawHandle({ readonly }: ChartLook, scale: Scale, { label, value, min, max, text, across, under, onset }: Handle, sign: TemplateResult): TemplateResult {
  const set = (wanted: number): void => onset(Math.min(max, Math.max(min, wanted)))
  return svg`<g class="c-handle ${across ? 'across' : ''}" role="slider" tabindex=${readonly ? -1 : 0} aria-orientation=${across ? 'horizontal' : 'vertical'} aria-label=${label} aria-valuemin=${min} aria-valuemax=${max} aria-valuenow=${value} aria-valuetext=${text ?? nothing} aria-disabled=${readonly}
      @keydown=${(event: KeyboardEvent) => !readonly && byKey(event, value, min, max, set)} @pointerdown=${(event: PointerEvent) => !readonly && drag(event, scale, (at) => set(Math.round(under(at))))}>${sign}</g>` as TemplateResult
}

function drawRate(economy: Economy, draft: PlannerDraft, look: ChartLook, scale: Scale, at: number, i: number, [low, rate]: Bracket): TemplateResult {
  const { base } = scale
  const y = base - (rate / 100 / scale.peak) * (base - TOP)
  const old = economy.schedule.length === draft.brackets.length ? (economy.schedule[i]?.[1] ?? 0) * 100 : rate
  const moved = Math.round((rate - old) * 10) / 10
  const said = `${short(rate)}%${moved ? ` ${moved > 0 ? '▲' : '▼'}${short(Math.abs(moved))}` : ''}`
  const under = ({ y: to }: Point): number => ((base - to) / (base - TOP)) * scale.peak * 100
  return drawHandle(look, scale, { label: look.rateOf(i), value: rate, ...bounds(draft, i, economy.falling), text: `${short(rate)}%`, across: false, under, onset: (wanted) => look.onset(i, [low, wanted]) }, svg`
      <circle cx=${at} cy=${y} r="20" fill="transparent"></circle><circle class="dot" cx=${at} cy=${y} r="8"></circle>
      <text x=${Math.max(at, LEFT + 6 + (said.length * CHARACTER) / 2)} y=${y - 13} text-anchor="middle" font-weight="600">${said}</text>` as TemplateResult)
}

function drawEdge(draft: PlannerDraft, look: ChartLook, scale: Scale, at: number, i: number, [low, rate]: Bracket): TemplateResult {
  const { base } = scale
  const under = ({ x: to }: Point): number => ((to - LEFT) / (scale.wide - LEFT - RIGHT)) * scale.reach
  return drawHandle(look, scale, { label: look.edgeOf(i), value: low, ...edges(draft, i), across: true, under, onset: (wanted) => look.onset(i, [wanted, rate]) }, svg`
      <rect x=${at - 16} y=${base - 18} width="32" height="32" fill="transparent"></rect><rect class="bar" x=${at - 5} y=${base - 8} width="10" height="16" rx="2"></rect>` as TemplateResult)
}

/** Arrows by 1, Page keys by 5, Home and End to the bounds. */
function byKey(event: KeyboardEvent, value: number, min: number, max: number, set: (wanted: number) => void): void {
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: value + 1, ArrowRight: value + 1, ArrowDown: value - 1, ArrowLeft: value - 1, PageUp: value + COARSE, PageDown: value - COARSE, Home: min, End: max,
  }
  const wanted = steps[event.key]
  if (wanted === undefined) return
  event.preventDefault()
  event.stopPropagation()
  set(wanted)
}

interface Point {
  x: number
  y: number
}

/** Follows the pointer, in units of the picture, until it is let go. */
function drag(event: PointerEvent, scale: Scale, onmove: (at: Point) => void): void {
  const picture = (event.currentTarget as Element).closest('svg')
  if (!picture || event.button !== 0) return
  event.preventDefault()
  ;(event.currentTarget as SVGElement).focus()
  held = scale
  const follow = (now: PointerEvent): void => {
    const box = picture.getBoundingClientRect()
    const unit = scale.wide / box.width
    onmove({ x: (now.clientX - box.left) * unit, y: (now.clientY - box.top) * unit })
  }
  followPointer(event, follow, (now) => {
    held = null
    follow(now)
  })
}
