/** Which rows of a long list stand in a window, where rows differ in height. Pure; heights unknown are estimated. */
export interface Window {
  first: number
  /** One past the last row. */
  end: number
  /** Space above the first row and below the last, in pixels. */
  before: number
  after: number
}

export function windowOf(heights: readonly number[], scroll: number, height: number, margin = 400): Window {
  let top = 0
  let first = 0
  const from = scroll - margin
  while (first < heights.length && top + (heights[first] ?? 0) < from) top += heights[first++] ?? 0
  let end = first
  let bottom = top
  const to = scroll + height + margin
  while (end < heights.length && bottom < to) bottom += heights[end++] ?? 0
  let after = 0
  for (let i = end; i < heights.length; i++) after += heights[i] ?? 0
  return { first, end, before: top, after }
}

export function offsetOf(heights: readonly number[], index: number): number {
  let top = 0
  for (let i = 0; i < index && i < heights.length; i++) top += heights[i] ?? 0
  return top
}
