import type { Frame } from '../src/types'
import type { BoardContext, Box, Cell, Mounted } from './board'
import { openStage } from './canvas'

/** Where the cells of a board were drawn, in CSS pixels of its element. */
export interface Places {
  hit(x: number, y: number): Cell | null
  box?(cell: Cell): Box | null
}

/** One picture to draw. */
export interface Picture<State> {
  state: State
  /** The state a step earlier, where the change from it is to be shown moving. */
  earlier: State | null
  context: BoardContext
  /** How far the change has come, 0 to 1. */
  progress: number
}

export interface CanvasBoard<State> {
  /** What a frame says, as the board draws it; the same value for the same frame. */
  read(frame: Frame): State
  draw(canvas: CanvasRenderingContext2D, width: number, height: number, picture: Picture<State>): Places
  /** Whether a change to this state may move; where it would cost more than it tells it is cut. */
  moves?(state: State): boolean
}

/** A board on one canvas: it follows the frames, and tells which cell is pointed at or chosen. */
export function mountCanvas<State>(element: HTMLElement, first: BoardContext, board: CanvasBoard<State>): Mounted {
  let context = first
  let shown: Frame | null = null
  let state: State | null = null
  let earlier: State | null = null
  let places: Places | null = null
  const stage = openStage(element, (canvas, width, height, progress) => {
    if (state === null) return
    places = board.draw(canvas, width, height, { state, earlier: progress < 1 ? earlier : null, context, progress })
  })
  const cellAt = (event: MouseEvent): Cell | null => {
    const { x, y } = stage.place(event)
    return places?.hit(x, y) ?? null
  }
  stage.element.addEventListener('click', (event) => {
    const cell = cellAt(event)
    if (cell) context.onselect(cell)
  })
  stage.element.addEventListener('pointermove', (event) => context.onhover(cellAt(event)))
  stage.element.addEventListener('pointerleave', () => context.onhover(null))
  return {
    update(frame, next) {
      context = next
      if (frame === shown) {
        stage.redraw()
        return
      }
      const isNext = shown !== null && frame.n === shown.n + 1
      earlier = isNext ? state : null
      state = board.read(frame)
      shown = frame
      stage.redraw(isNext && board.moves?.(state) ? context.motion : 0)
    },
    unmount: () => stage.close(),
    box: (cell) => places?.box?.(cell) ?? null,
  }
}
