import type { GridLayout } from './grid'

/** How a cell looks: alike looks are drawn alike, and need not be drawn again. */
export type Look = string | number

/**
 * The cells of a grid, drawn beside the canvas and copied onto it: of a step only the cells are drawn whose look has
 * changed. What is painted for a cell must stay within its box.
 */
export class CellLayer {
  readonly #canvas = document.createElement('canvas')
  #context: CanvasRenderingContext2D | null = null
  #looks: Look[] = []
  /** What all the looks depend on: the size, the places, and what the board names. */
  #ground: readonly unknown[] = []

  /** `depends`: what else the looks depend on, as theme and language; another one draws all cells anew. */
  draw(
    onto: CanvasRenderingContext2D,
    width: number,
    height: number,
    layout: GridLayout,
    depends: readonly unknown[],
    lookOf: (cell: number) => Look,
    paint: (canvas: CanvasRenderingContext2D, cell: number) => void,
    /** What stands outside the cells and changes with none of them, as their numbers. */
    paintGround: (canvas: CanvasRenderingContext2D) => void = () => undefined,
  ): void {
    const ratio = onto.getTransform().a
    const context = this.#prepared([width, height, ratio, layout.rows, layout.cols, layout.size, layout.x, layout.y, ...depends], paintGround)
    if (!context) return
    for (let cell = 0; cell < layout.rows * layout.cols; cell++) {
      const look = lookOf(cell)
      if (look === this.#looks[cell]) continue
      this.#looks[cell] = look
      const { x, y, width: w, height: h } = layout.box({ row: Math.floor(cell / layout.cols), col: cell % layout.cols }) ?? { x: 0, y: 0, width: 0, height: 0 }
      context.clearRect(x, y, w, h)
      paint(context, cell)
    }
    onto.drawImage(this.#canvas, 0, 0, this.#canvas.width / ratio, this.#canvas.height / ratio)
  }

  #prepared(ground: readonly unknown[], paintGround: (canvas: CanvasRenderingContext2D) => void): CanvasRenderingContext2D | null {
    const [width, height, ratio] = ground as [number, number, number]
    this.#context ??= this.#canvas.getContext('2d')
    const context = this.#context
    if (!context || (ground.length === this.#ground.length && ground.every((each, i) => each === this.#ground[i]))) return context
    this.#ground = ground
    this.#looks = []
    // Setting the size clears the canvas.
    this.#canvas.width = Math.max(1, Math.round(width * ratio))
    this.#canvas.height = Math.max(1, Math.round(height * ratio))
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    paintGround(context)
    return context
  }
}
