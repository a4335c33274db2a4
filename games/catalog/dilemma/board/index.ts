import { defineBoard, mountCanvas } from '@polity/board'
import { drawPicture, drawScene, gutterOf } from './drawing'
import * as facts from './facts'
import { layoutBoard } from './layout'
import { readMatch } from './reading'
import { tellingOf } from './telling'

export default defineBoard({
  isWide: true,
  mount: (element, first) =>
    mountCanvas(element, first, {
      read: readMatch,
      draw(canvas, width, height, { state: match, context }) {
        const telling = tellingOf(match, context)
        const layout = layoutBoard(width, height, match.played, match.rounds ?? context.ended ?? null, context.bare, gutterOf(canvas, telling, context.theme, width))
        drawScene(canvas, { match, context, telling, layout, width })
        return layout
      },
    }),
  ...facts,
  picture: drawPicture,
})
