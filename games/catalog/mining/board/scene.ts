import type { BoardContext, GridLayout } from '@polity/board'
import type { Land } from './reading'

export interface Scene {
  land: Land
  /** The land a step earlier, where a change is to be shown moving. */
  earlier: Land | null
  context: BoardContext
  layout: GridLayout
  /** How far the change has come, 0 to 1. */
  progress: number
}

/** Below this many pixels a plot is its colour alone. */
export const TINY = 8

/** Below this many a plot has room for its letter alone: what goes beside it stands in the lower right corner or is left out. */
export const ROOMY = 27
