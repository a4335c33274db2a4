import { CellLayer, defineBoard, mountCanvas } from '@polity/board'
import { drawPicture, drawScene } from './drawing'
import * as facts from './facts'
import { readWorld } from './reading'

/** Above this many agents a step is cut, not moved. */
const MOVING_AGENTS = 200

export default defineBoard({
  isWide: true,
  mount(element, first) {
    const cells = new CellLayer()
    return mountCanvas(element, first, {
      read: readWorld,
      moves: (world) => world.agents.size <= MOVING_AGENTS,
      draw: (canvas, width, height, { state: world, ...how }) => drawScene(canvas, width, height, { world, ...how }, cells),
    })
  },
  ...facts,
  picture: drawPicture,
})
