import { mount, unmount } from 'svelte'
import type { Frame } from '../../src/types'
import { defineBoard, type BoardContext, type BoardModule } from '../board'
import Face from './Face.svelte'
import { isUntold, partsOf, type Books } from './parts'
import { drawFacePicture } from './picture'
import { headlineOf, ledgerOf, seatCount, standingOf } from './telling'
import type { FacePart } from '../../src/gamewords'

/** The board of a game that has none of its own: drawn from what its words declare of its view, else from the values. */
export function derivedBoard(books: Books): BoardModule {
  const parts = ({ view }: Frame, context: BoardContext): readonly FacePart[] => partsOf(books[context.lang], view, seatCount(context))
  return defineBoard({
    isWide: true,
    flows: true,
    mount(element, first) {
      let context = $state.raw(first)
      let frame = $state.raw<Frame | null>(null)
      let motion = $state(0)
      let drawn: ReturnType<typeof mount> | null = null
      const show = (): void => {
        drawn = mount(Face, {
          target: element,
          props: {
            get frame() {
              return frame as Frame
            },
            get context() {
              return context
            },
            get words() {
              return books[context.lang]
            },
            get motion() {
              return motion
            },
          },
        })
      }
      return {
        update(next, how) {
          if (next !== frame) motion = frame && next.n === frame.n + 1 ? how.motion : 0
          context = how
          frame = next
          if (!drawn) show()
        },
        unmount: () => void (drawn && unmount(drawn)),
      }
    },
    headline: (frame, context) => headlineOf(parts(frame, context), books[context.lang], frame, context),
    ledger: (frame, context) => ledgerOf(parts(frame, context), books[context.lang], frame, context),
    standing: (frame, context) => standingOf(parts(frame, context), frame, context),
    isBlank: (frame, context) => isUntold(parts(frame, context), frame),
    picture: (canvas, width, height, theme) => drawFacePicture(canvas, width, height, theme, books.en.face ?? []),
  })
}
