import { defineBoard, openStage, type BoardContext } from '@polity/board'
import { drawPicture, drawScene } from './drawing'
import { cells, detail, feed, headline, ledger, legend } from './facts'
import { layoutBoard, type BoardLayout } from './layout'
import { readMatch, type Match } from './reading'

export default defineBoard({
  mount(element, first) {
    let context: BoardContext = first
    let match: Match | null = null
    let layout: BoardLayout | null = null
    const stage = openStage(element, (canvas, width, height) => {
      if (!match) return
      layout = layoutBoard(width, height, match.played, match.rounds, context.bare)
      drawScene(canvas, { match, context, layout, width })
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
        match = readMatch(frame)
        stage.redraw()
      },
      unmount: () => stage.close(),
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
