import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Theme } from '../../kit/theme'
import { BESIDE, columns, EDGE } from './places'

export interface ChartLook {
  theme: Theme
  /** The round at which the time axis ends. */
  last: number
  bars: boolean
  axes: boolean
  format: (value: number) => string
}

/** One metric over the run's rounds. Counts are bars, levels are lines; both begin at zero unless a level dips below. */
export function metricChart(
  host: HTMLElement,
  look: ChartLook,
  width: number,
  height: number,
  data: uPlot.AlignedData,
): uPlot {
  const { theme, axes } = look
  // The same of another run beside it is a thin dashed line; counts are lines then, too.
  const beside = data.length > 2
  const bars = look.bars && !beside
  const paths = bars ? uPlot.paths.bars?.({ size: [0.7, 4, 1], align: 0 }) : uPlot.paths.linear?.()
  const font = `11px ${theme.font}`
  const grid = { stroke: theme.grid, width: 1 }
  const series: uPlot.Series = {
    stroke: theme.ink,
    width: bars ? 0 : 1.5,
    points: { show: false },
    spanGaps: false,
    ...(paths ? { paths } : {}),
    ...(bars ? { fill: theme.ink } : {}),
  }
  const options: uPlot.Options = {
    width,
    height,
    padding: [6, EDGE, axes ? 0 : 4, axes ? 0 : EDGE],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [0, Math.max(1, look.last)] },
      y: { range: (_plot, min, max) => bounds(min, max) },
    },
    axes: axes
      ? [
          { stroke: theme.text3, font, grid: { show: false }, ticks: { show: false }, size: 20, gap: 4, space: 50 },
          { stroke: theme.text3, font, grid, ticks: { show: false }, size: 52, gap: 6, space: 28, ...(bars ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000] } : {}), values: (_plot, at) => at.map(look.format) },
        ]
      : [{ show: false }, { show: false }],
    series: beside ? [{}, series, { stroke: theme.ink, width: 1, dash: BESIDE, points: { show: false }, spanGaps: false }] : [{}, series],
  }
  return new uPlot(options, data, host)
}

/** Several series in colours of their own on one axis, as of seats; each step at its place. */
export function seriesChart(host: HTMLElement, look: Omit<ChartLook, 'bars' | 'axes'>, width: number, height: number, lines: readonly SeriesLine[], place: (n: number) => number): uPlot {
  const { theme } = look
  const font = `11px ${theme.font}`
  const linear = uPlot.paths.linear?.()
  const options: uPlot.Options = {
    width,
    height,
    padding: [6, EDGE, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: [0, Math.max(1, look.last)] }, y: { range: (_plot, min, max) => bounds(min, max) } },
    axes: [
      { stroke: theme.text3, font, grid: { show: false }, ticks: { show: false }, size: 20, gap: 4, space: 50 },
      { stroke: theme.text3, font, grid: { stroke: theme.grid, width: 1 }, ticks: { show: false }, size: 52, gap: 6, space: 28, values: (_plot, at) => at.map(look.format) },
    ],
    series: [{}, ...lines.map(({ colour, dash }) => ({ stroke: colour, width: 1.8, dash: [...dash], points: { show: false }, spanGaps: true, ...(linear ? { paths: linear } : {}) }))],
  }
  return new uPlot(options, columns(place, false, lines.map((line) => line.values)), host)
}

export interface SeriesLine {
  colour: string
  dash: readonly number[]
  values: (number | null)[]
}

function bounds(min: number | null, max: number | null): [number, number] {
  const low = Math.min(0, min ?? 0)
  const high = max ?? 1
  return [low, high > low ? high + (high - low) * 0.06 : low + 1]
}
