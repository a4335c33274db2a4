import { boxOf, defineBoard, openStage, type BoardContext, type Frame, type GridLayout } from '@polity/board'
import { drawPicture, drawScene } from './drawing'
import { cells, detail, feed, headline, ledger, legend } from './facts'
import { readWorld, type World } from './reading'

/** Above this many agents a step is cut, not moved. */
const MOVING_AGENTS = 200

export default defineBoard({
  mount(element, first) {
    let context: BoardContext = first
    let shown: Frame | null = null
    let world: World | null = null
    let earlier: World | null = null
    let layout: GridLayout | null = null
    const stage = openStage(element, (canvas, width, height, progress) => {
      if (!world) return
      layout = drawScene(canvas, width, height, { world, earlier: progress < 1 ? earlier : null, context, progress })
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
        const moved = shown !== null && frame.n === shown.n + 1
        if (frame !== shown) {
          earlier = moved ? world : null
          world = readWorld(frame)
          shown = frame
        }
        stage.redraw(moved && (world?.agents.size ?? 0) <= MOVING_AGENTS ? context.motion : 0)
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
