import { CellLayer, defineBoard, mountCanvas, type Frame } from '@polity/board'
import { isSocial } from './agreeing'
import { drawPicture, drawScene, needsOf } from './drawing'
import * as facts from './facts'
import { graphHeight } from './graphdrawing'
import { roomFor } from './layout'
import { readWorld } from './reading'
import { Viewport, zoomable } from './viewport'
import { speaker } from './words'

/** Above this many agents a step is cut, not moved. */
const MOVING_AGENTS = 200
/** Under the lanes, so that what stands in the last of them is whole. */
const LAST_LINE = 12

export default defineBoard({
  isWide: true,
  height(frame, context, width) {
    const world = readWorld(frame)
    // Who chooses a group sees them all on the cards; who bargains sees here who is with whom.
    if (context.subject !== undefined) return !isSocial(world) ? undefined : world.stage === 'negotiation' ? graphHeight(world, false) + LAST_LINE : 0
    return roomFor(width, { ...needsOf(world), seats: context.seats.length })
  },
  mount(element, first) {
    const cells = new CellLayer()
    const view = new Viewport()
    let context = first
    let shown: Frame | null = null
    let box = ''
    const mounted = mountCanvas(element, first, {
      read: readWorld,
      moves: (world) => world.agents.size <= MOVING_AGENTS,
      draw: (canvas, width, height, { state: world, ...how }) => {
        const { field, zoom } = drawScene(canvas, width, height, { world, ...how }, cells, view)
        const key = `${JSON.stringify(zoom)} ${view.isZoomed} ${how.context.lang}`
        if (key !== box) zooming.place(zoom)
        box = key
        return field
      },
    })
    const zooming = zoomable(
      element,
      mounted,
      view,
      () => {
        const say = speaker(context)
        return { nearer: say('zoomIn'), further: say('zoomOut'), whole: say('zoomWhole') }
      },
      () => shown && mounted.update(shown, context),
    )
    return {
      ...zooming,
      update(frame, next) {
        context = next
        shown = frame
        mounted.update(frame, next)
      },
    }
  },
  ...facts,
  picture: drawPicture,
})
