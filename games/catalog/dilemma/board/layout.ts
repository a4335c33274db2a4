import type { Cell } from '@polity/board'

/** From this many CSS pixels on a column carries its letter and its payoff. */
export const LETTERED = 11
/** No column is narrower, so that each can be read: of a longer match only the latest rounds are shown. */
const NARROWEST = { whole: LETTERED, bare: 7 }
/** Space for a seat's letter and its total. */
const BESIDE = 46
/** A match of few rounds is drawn no wider than this a round. */
const WIDEST = 72
/** Space for the players' names. */
const GUTTER = 84

/** Where the parts of the board stand, in CSS pixels. */
export interface BoardLayout {
  left: number
  /** Width of a round's column. */
  column: number
  /** The first round shown, from 0, and how many columns there are. */
  first: number
  shown: number
  /** Top of each strip, and its height. */
  strips: readonly [number, number]
  stripHeight: number
  hasPayoffs: boolean
  /** Baseline of the round numbers. */
  axis: number
  /** The chart of running totals; null where there is no room. */
  chart: { top: number; bottom: number } | null
  /** The numbers and the payoff table; null where there is no room. */
  foot: number | null
  x(round: number): number
  hit(x: number, y: number): Cell | null
}

export function layoutBoard(width: number, height: number, played: number, rounds: number | null, bare: boolean, gutter = GUTTER): BoardLayout {
  const left = bare ? 34 : Math.max(GUTTER, gutter)
  // A total stands beside the end of its curve, not over it.
  const room = Math.max(20, width - left - (bare ? 8 : BESIDE))
  // An open end keeps some empty columns before it, so that the strips do not stretch at every round.
  const wanted = rounds ?? Math.max(40, Math.ceil((played + 1) / 20) * 20)
  const shown = Math.max(1, Math.min(wanted, Math.floor(room / (bare ? NARROWEST.bare : NARROWEST.whole))))
  const column = Math.min(Math.max(26, Math.min(WIDEST, 520 / shown)), room / shown)
  const first = Math.max(0, Math.min(played - shown, wanted - shown))
  const hasPayoffs = !bare && column >= LETTERED && height > 190
  const stripHeight = Math.max(14, Math.min(48, (height - 60) * (bare ? 0.34 : 0.16)))
  const gap = hasPayoffs ? 52 : 14
  const strips: [number, number] = [10, 10 + stripHeight + gap]
  const axis = strips[1] + stripHeight + (hasPayoffs ? 44 : 18)
  const foot = !bare && height - axis > 190 ? height - 74 : null
  const bottom = (foot ?? height) - 26
  const chart = bottom - (axis + 30) > 50 ? { top: axis + 30, bottom } : null
  return {
    left, column, first, shown, strips, stripHeight, hasPayoffs, axis, chart, foot,
    x: (round) => left + (round - first) * column,
    hit: (x, y) => {
      const col = first + Math.floor((x - left) / column)
      if (x < left || col >= first + shown) return null
      const row = strips.findIndex((top) => y >= top && y <= top + stripHeight + (hasPayoffs ? 24 : 0))
      if (row >= 0) return { row, col }
      return chart && y > chart.top && y < chart.bottom ? { row: 0, col } : null
    },
  }
}
