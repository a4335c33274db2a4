import { boxOf, defineBoard, layoutGrid, openStage, type BoardContext, type Frame, type GridLayout } from '@polity/board'
import { drawPicture, drawScene } from './drawing'
import { cells, detail, feed, headline, ledger, legend } from './facts'
import { readLand, type Land } from './reading'

/** Above this many plots a change is cut, not moved: sixty pictures a second of them would cost more than they tell. */
const MOVING_PLOTS = 2500

export default defineBoard({
  mount(element, first) {
    let context: BoardContext = first
    let shown: Frame | null = null
    let land: Land | null = null
    let earlier: Land | null = null
    let layout: GridLayout | null = null
    const stage = openStage(element, (canvas, width, height, progress) => {
      if (!land) return
      layout = layoutGrid(width, height, land.rows, land.cols, context.bare ? 1 : 22)
      drawScene(canvas, { land, earlier: progress < 1 ? earlier : null, context, layout, progress })
    })
    const cellAt = (event: MouseEvent) => {
      const { x, y } = stage.place(event)
      return layout?.hit(x, y) ?? null
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
        const moved = shown !== null && frame.n === shown.n + 1 && frame !== shown
        if (frame !== shown) {
          earlier = moved ? land : null
          land = readLand(frame)
          shown = frame
        }
        const small = land !== null && land.rows * land.cols <= MOVING_PLOTS
        stage.redraw(moved && small ? context.motion : 0)
      },
      unmount: () => stage.close(),
      box: (cell) => boxOf(layout, cell),
    }
  },
  headline,
  ledger,
  cells,
  detail,
  feed,
  legend,
  picture: drawPicture,
})
