import type uPlot from 'uplot'

/** Space at both ends of the time axis, alike in the track and in every chart, so that one playhead fits all. */
export const EDGE = 10

/** Place of round `n` on an axis of `width` pixels that ends with round `last`. */
export function placeOf(n: number, last: number, width: number): number {
  return EDGE + (n / Math.max(1, last)) * Math.max(0, width - 2 * EDGE)
}

export function roundAt(x: number, last: number, width: number): number {
  return ((x - EDGE) / Math.max(1, width - 2 * EDGE)) * Math.max(1, last)
}

/** Dash and gap of the line of a run beside the one that is shown. */
export const BESIDE = [3, 2]

/** Series over the steps as uPlot takes them, at their places; of sparse ones the steps at which one has a value. */
export function columns(place: (n: number) => number, isSparse: boolean, series: readonly (readonly (number | null)[])[]): uPlot.AlignedData {
  const longest = Math.max(0, ...series.map((values) => values.length))
  const steps = Array.from({ length: longest }, (_, n) => n).filter((n) => !isSparse || series.some((values) => (values[n] ?? null) !== null))
  return [steps.map(place), ...series.map((values) => steps.map((n) => values[n] ?? null))]
}
