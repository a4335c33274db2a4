import { CellLayer, defineBoard, layoutGrid, mountCanvas } from '@polity/board'
import { drawPicture, drawScene } from './drawing'
import * as facts from './facts'
import { readLand } from './reading'

/** Above this many plots a change is cut, not moved: sixty pictures a second of them would cost more than they tell. */
const MOVING_PLOTS = 2500

export default defineBoard({
  isSquare: true,
  mount(element, first) {
    const plots = new CellLayer()
    return mountCanvas(element, first, {
      read: readLand,
      moves: (land) => land.rows * land.cols <= MOVING_PLOTS,
      draw(canvas, width, height, { state: land, earlier, context, progress }) {
        const layout = layoutGrid(width, height, land.rows, land.cols, context.bare ? 1 : 22)
        drawScene(canvas, width, height, { land, earlier, context, layout, progress }, plots)
        return layout
      },
    })
  },
  ...facts,
  picture: drawPicture,
})
