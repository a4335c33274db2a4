import { defineBoard, mountCanvas } from '@polity/board'
import { drawPicture, drawWorld } from './drawing'
import * as facts from './facts'
import { layoutWorld } from './layout'
import { readWorld } from './reading'

export default defineBoard({
  mount: (element, first) =>
    mountCanvas(element, first, {
      read: readWorld,
      draw(canvas, width, height, { state: world, context }) {
        const layout = layoutWorld(width, height, world.nations, context.bare)
        drawWorld(canvas, { world, context, layout }, width, height)
        return layout
      },
    }),
  ...facts,
  picture: drawPicture,
})
