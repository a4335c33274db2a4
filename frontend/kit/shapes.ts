import type { Frame } from '../src/types'

/**
 * A frame in the shapes that its game declares, as `board/shapes.ts` holds them: the view, and events by kind. A kind
 * without a shape comes as well, so that a `switch` over kinds needs a case for each that it reads, and no default.
 */
export type Shaped<View, Events = object> = Omit<Frame, 'view' | 'events'> & {
  readonly view: View
  readonly events: readonly { [Kind in keyof Events]: { readonly kind: Kind; readonly data: Events[Kind] } }[keyof Events][]
}

/** A frame as its game shapes it: the laws hold the game to that, so that a board checks nothing. */
export function shaped<View, Events = object>(frame: Frame): Shaped<View, Events> {
  return frame as unknown as Shaped<View, Events>
}

/** What `read` makes of a frame, made once for each frame. */
export function reader<View, Events, Read>(read: (frame: Shaped<View, Events>) => Read): (frame: Frame) => Read {
  const known = new WeakMap<Frame, { value: Read }>()
  return (frame) => {
    const found = known.get(frame) ?? { value: read(shaped(frame)) }
    known.set(frame, found)
    return found.value
  }
}
