/** How a condition is told apart wherever it is drawn: by hue and by shape, so that neither is needed alone. */
export type Shape = 'circle' | 'square' | 'triangle' | 'diamond'

export interface Mark {
  colour: string
  shape: Shape
}

const SHAPES: readonly Shape[] = ['circle', 'square', 'triangle', 'diamond']
/** Seats' hues in the order in which they are told apart best; yellow and black come last. */
const HUES = [1, 2, 3, 6, 5, 4, 8, 7]

/** Of the condition that stands at this place; 32 of them differ. */
export function markOf(place: number): Mark {
  const hue = HUES[place % HUES.length] ?? 1
  const shape = SHAPES[(place + Math.floor(place / HUES.length)) % SHAPES.length] ?? 'circle'
  return { colour: `var(--seat-${hue})`, shape }
}

/** The outline of a mark around (0, 0). */
export function outline(shape: Shape, size: number): string {
  const r = size
  switch (shape) {
    case 'circle':
      return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`
    case 'square':
      return `M${-r * 0.9} ${-r * 0.9}h${r * 1.8}v${r * 1.8}h${-r * 1.8}z`
    case 'triangle':
      return `M0 ${-r * 1.15}L${r * 1.1} ${r * 0.85}H${-r * 1.1}z`
    case 'diamond':
      return `M0 ${-r * 1.3}L${r * 1.3} 0L0 ${r * 1.3}L${-r * 1.3} 0z`
  }
}
